import { generateKeyPairSync } from 'node:crypto';
import { createRequire } from 'node:module';
import { expect } from 'chai';
import type { SMTPServerAuthentication, SMTPServerOptions } from 'smtp-server';
import { smtpClient } from './client.js';
import { mailServer, reply } from './mail-server.js';
import { ALL_EXTENSIONS, strictServer } from './strict-server.js';

describe('SMTP: TLS and credentials', () => {
  const open: { close: () => unknown }[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((server) => server.close()));
  });
  const started = async (server: SMTPServerOptions) => {
    const found = await mailServer({ server });
    open.push(found);
    return found;
  };
  const strict = async (...parameters: Parameters<typeof strictServer>) => {
    const found = await strictServer(...parameters);
    open.push(found);
    return found;
  };

  for (const [name, scheme, options] of [
    ['STARTTLS', 'smtp', { disabledCommands: [] }],
    ['TLS from the start', 'smtps', { secure: true }],
  ] as const)
    it(`trusts no certificate that nobody has signed, unless the settings say so: ${name}`, async () => {
      let isSecure = false;
      const onMailFrom: NonNullable<SMTPServerOptions['onMailFrom']> = (_address, session, done) => {
        isSecure = session.secure === true;
        done();
      };
      const { port, arrived } = await started({ ...options, disabledCommands: [], onMailFrom });
      expect(await smtpClient(`${scheme}://127.0.0.1:${port}`).send()).to.include({ outcome: 'misconfigured' });
      expect(arrived).to.deep.equal([]);
      const { send } = smtpClient(`${scheme}://127.0.0.1:${port}?tls.rejectUnauthorized=false`);
      expect(await send()).to.include({ outcome: 'accepted' });
      expect(await send()).to.include({ outcome: 'accepted' });
      expect([isSecure, arrived.length]).to.deep.equal([true, 2]);
    });

  it('waits for other settings, where STARTTLS is required and the server has none', async () => {
    const { url, sessions } = await strict();
    expect(await smtpClient(`${url}?requireTLS=true`).send()).to.include({ outcome: 'misconfigured', code: 'ECONFIG' });
    expect(sessions[0]?.commands).to.have.length(2);
  });

  it('ignores what somebody writes before TLS begins', async () => {
    const extensions = [...ALL_EXTENSIONS, 'STARTTLS'];
    const { url, sessions } = await strict({
      extensions,
      reply: (line) => (line === 'STARTTLS' ? '220 Go\r\n250-strict.example\r\n250 SIZE' : null),
    });
    expect(await smtpClient(url).send()).to.include({ outcome: 'transient_error' });
    expect(sessions[0]?.commands.map((line) => line.slice(0, 8))).to.deep.equal(['EHLO [12', 'STARTTLS']);
  });

  it('shows no credentials to a server that refuses the TLS that it offers', async () => {
    const extensions = [...ALL_EXTENSIONS, 'STARTTLS', 'AUTH PLAIN'];
    const { port, sessions, taken } = await strict({ extensions, reply: (line) => (line === 'STARTTLS' ? '454 4.7.0 Not now' : null) });
    const address = `smtp://user:secret@127.0.0.1:${port}`;
    expect(await smtpClient(address).send()).to.include({ outcome: 'transient_error', code: '4.7.0' });
    expect(await smtpClient(`${address}?opportunisticTLS=true`).send()).to.include({ outcome: 'accepted' });
    expect(taken).to.have.length(1);
    expect(sessions.flatMap(({ commands }) => commands).filter((line) => line.startsWith('AUTH'))).to.deep.equal([]);
  });

  for (const method of ['PLAIN', 'LOGIN', 'CRAM-MD5'])
    it(`shows credentials by ${method}, once a connection`, async () => {
      const seen: string[] = [];
      const isRight = ({ username, password, validatePassword }: SMTPServerAuthentication) =>
        username === 'ü@ser' && (method === 'CRAM-MD5' ? validatePassword('pä:ss') : password === 'pä:ss');
      const onAuth: NonNullable<SMTPServerOptions['onAuth']> = (auth, _session, done) => {
        seen.push(auth.method);
        if (isRight(auth)) done(null, { user: 'user' });
        else done(reply(535, '5.7.8 Wrong'));
      };
      const { port, arrived } = await started({ authOptional: false, allowInsecureAuth: true, authMethods: [method], onAuth });
      const { send } = smtpClient(`smtp://${encodeURIComponent('ü@ser')}:${encodeURIComponent('pä:ss')}@127.0.0.1:${port}`);
      for (const _ of [1, 2]) expect(await send()).to.include({ outcome: 'accepted' });
      expect([seen, arrived.length]).to.deep.equal([[method], 2]);
      const wrong = smtpClient(`smtp://${encodeURIComponent('ü@ser')}:wrong@127.0.0.1:${port}`);
      expect(await wrong.send()).to.include({ outcome: 'misconfigured', code: '535' });
      expect(await wrong.carrier.check?.(new AbortController().signal)).to.include('Invalid login: 535 5.7.8 Wrong');
    });

  it('needs a user and a password where there is one of both', async () => {
    const { port } = await started({ authOptional: false, allowInsecureAuth: true });
    expect(await smtpClient(`smtp://user@127.0.0.1:${port}`).send()).to.include({ outcome: 'misconfigured', code: 'EAUTH' });
  });

  for (const type of ['rsa', 'ed25519'] as const)
    it(`signs whatever people write, with a key of ${type}`, async () => {
      const { privateKey, publicKey } = type === 'rsa' ? generateKeyPairSync('rsa', { modulusLength: 2_048 }) : generateKeyPairSync('ed25519');
      const der = publicKey.export({ type: 'spki', format: 'der' });
      const record = `v=DKIM1; k=${type}; p=${(type === 'rsa' ? der : der.subarray(12)).toString('base64')}`;
      const { url, taken, close } = await strict();
      const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
      const { send } = smtpClient(url, { dkim_domain: 'example.com', dkim_selector: 'h1', dkim_private_key: pem });
      const texts = ['Hello', '\n\n  two  blanks \t\n.\n\n\n', ' ', 'ü'.repeat(500), 'x'.repeat(2_000), '\r\n.\r\n.\r\n'];
      for (const message of texts)
        for (const html of ['', `<p>${message}</p>`])
          expect(await send({ content: { message, html, subject: message.replace(/\s/g, ' ') } })).to.include({ outcome: 'accepted' });
      const attachments = [{ filename: 'a.txt', content_type: 'text/plain', bytes: 3, content: 'YWJj' }];
      expect(await send({ content: { message: 'a\nb', attachments } })).to.include({ outcome: 'accepted' });
      const { dkimVerify } = createRequire(import.meta.url)('mailauth/lib/dkim/verify.js');
      for (const { text } of taken) {
        const { results } = await dkimVerify(text, { resolver: async () => [[record]] });
        expect(
          results.map(({ status }: { status: { result: string } }) => status.result),
          text.toString(),
        ).to.deep.equal(['pass']);
      }
      expect(taken).to.have.length(2 * texts.length + 1);
      await close();
    });
});
