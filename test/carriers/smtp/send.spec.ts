import { generateKeyPairSync } from 'node:crypto';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import { expect } from 'chai';
import type { OutgoingMessage } from '../../../carriers/runtime/carrier.js';
import { createSmtp } from '../../../carriers/smtp/send.js';
import type { SmtpSettings } from '../../../carriers/smtp/settings.js';
import { systemClock } from '../../../ops/system/clock.js';
import { ID, outgoing } from './client.js';
import { type MailServerOptions, mailServer, reply } from './mail-server.js';

const never = new AbortController().signal;
const settings: SmtpSettings = { from: 'news@example.com' };
const message: OutgoingMessage = { ...outgoing, content: { message: 'Grüße', subject: 'Schöne Grüße' } };

const dependencies = { clock: systemClock, track: null, tagOf: null, own: null };

describe('carriers: SMTP', () => {
  const open: { close: () => unknown }[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((server) => server.close()));
  });
  const serverWith = async (options?: MailServerOptions) => {
    const server = await mailServer(options);
    open.push(server);
    return server;
  };
  const carrierFor = (url: string, more: SmtpSettings = {}) => createSmtp({ ...settings, url, ...more }, dependencies);
  const send = (url: string, more?: SmtpSettings, given: Partial<OutgoingMessage> = {}) =>
    carrierFor(url, more).send({ ...message, ...given }, never);

  it('hands over text, HTML, names, copies, the address for replies, headers and attachments', async () => {
    const { url, arrived } = await serverWith();
    const answer = await send(url, undefined, {
      content: {
        ...message.content,
        html: '<p>Grüße</p>',
        to_name: 'Ada, Countess',
        from_name: 'Grace "Amazing"',
        reply_to: 'desk@example.com',
        attachments: [{ filename: 'größe.txt', content_type: 'text/plain', bytes: 3, content: 'YWJj' }],
      },
      cc: [{ address: 'cc@example.org', name: 'Copy' }],
      bcc: [{ address: 'bcc@example.org', name: null }],
      headers: { 'X-Order': 'A1', 'List-Unsubscribe': '<https://example.com/u>', From: 'forged@example.net' },
    });
    expect(answer).to.deep.equal({ outcome: 'accepted', carrier_message_id: `${ID}@example.com` });
    expect(arrived.map(({ from, to }) => ({ from, to }))).to.deep.equal([
      { from: 'grace@example.com', to: ['ada@example.org'] },
      { from: 'grace@example.com', to: ['cc@example.org', 'bcc@example.org'] },
    ]);
    const { mail, raw } = arrived[0] as (typeof arrived)[number];
    expect(mail.from?.value).to.deep.equal([{ address: 'grace@example.com', name: 'Grace "Amazing"' }]);
    expect(mail.to).to.have.nested.property('value[0].name', 'Ada, Countess');
    expect(mail.cc).to.have.property('text', '"Copy" <cc@example.org>');
    expect(mail.replyTo?.text).to.equal('desk@example.com');
    expect([mail.subject, mail.text?.trim(), mail.html]).to.deep.equal(['Schöne Grüße', 'Grüße', '<p>Grüße</p>']);
    expect(mail.messageId).to.equal(`<${ID}@example.com>`);
    expect(mail.headers.get('x-order')).to.equal('A1');
    expect(mail.attachments.map(({ filename, contentType, content }) => [filename, contentType, content.toString()])).to.deep.equal([
      ['größe.txt', 'text/plain', 'abc'],
    ]);
    expect(raw.toString()).not.to.match(/bcc/i);
    expect(raw.toString()).to.match(/List-Unsubscribe: <https:\/\/example\.com\/u>/);
  });

  it('writes the message id into the envelope sender, where there is an address for bounces', async () => {
    const { url, arrived } = await serverWith();
    await send(url, { return_path: 'bounces@mail.example.com' });
    expect(arrived[0]?.from).to.equal(`bounces+${ID}@mail.example.com`);
  });

  it('writes addresses with letters such as ö before the @ to servers with SMTPUTF8 alone', async () => {
    const { url, arrived } = await serverWith();
    expect(await send(url, {}, { to: 'jörg@example.org' })).to.include({ outcome: 'accepted' });
    expect(arrived.map(({ to }) => to)).to.deep.equal([['jörg@example.org']]);
    const old = await serverWith({ server: { hideSMTPUTF8: true } });
    const refused = await send(old.url, {}, { to: 'jörg@example.org' });
    expect(refused).to.include({ outcome: 'permanent_error', reason: 'invalid_recipient' }).and.have.property('error').that.includes('SMTPUTF8');
    expect(await send(old.url, {}, { from: 'ö@example.com' })).to.include({ outcome: 'permanent_error', reason: 'carrier_rejected' });
    const copies = ['ö@example.org', 'bob@example.org'].map((address) => ({ address, name: null }));
    expect(await send(old.url, {}, { cc: copies, bcc: copies.slice(0, 1) })).to.include({ outcome: 'accepted' });
    expect(old.arrived.map(({ to }) => to)).to.deep.equal([['ada@example.org'], ['bob@example.org']]);
    expect(old.arrived[0]?.raw.toString()).to.include('bob@example.org').and.not.include('ö@');
    expect(await send('smtp://127.0.0.1:1', {}, { to: 'jörg@example.org' })).to.include({ outcome: 'transient_error' });
  });

  it('signs mail, with both headers of one-click unsubscription', async () => {
    const { url, arrived } = await serverWith();
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const dkim = { dkim_domain: 'example.com', dkim_selector: 'h1', dkim_private_key: pem.replaceAll('\n', '\\n') };
    await send(url, dkim, {
      headers: { 'List-Unsubscribe': '<https://example.com/u>', 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
    });
    const record = `v=DKIM1; k=rsa; p=${publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`;
    const results = await verified(arrived[0]?.raw as Buffer, record);
    expect(results.map(({ status, signingDomain, selector }) => [status.result, status.aligned, signingDomain, selector])).to.deep.equal([
      ['pass', 'example.com', 'example.com', 'h1'],
    ]);
    expect(results[0]?.signingHeaders.keys.toLowerCase().split(': ')).to.include.members(['list-unsubscribe', 'list-unsubscribe-post', 'message-id']);
    const changed = Buffer.from((arrived[0]?.raw.toString() ?? '').replace('One-Click', 'Two-Click'));
    expect((await verified(changed, record))[0]?.status.result).to.equal('fail');
  });

  describe('classifies', () => {
    const cases: [string, MailServerOptions, object][] = [
      ['4xx as passing', { recipient: () => reply(451, '4.7.1 Greylisted') }, { outcome: 'transient_error', code: '4.7.1' }],
      [
        '5.1.1 as an address that is gone, without repeating the address',
        { recipient: (address) => reply(550, `5.1.1 <${address}> does not exist`) },
        { ...gone('5.1.1'), error: '550 5.1.1 <…> does not exist' },
      ],
      ['550 to RCPT TO without an enhanced code the same way', { recipient: () => reply(550, 'No such user') }, gone('550')],
      ['5.7.1 as refused', { recipient: () => reply(550, '5.7.1 Blocked') }, refused('5.7.1')],
      ['a full mailbox as refused', { data: () => reply(552, '5.2.2 Mailbox full') }, refused('5.2.2')],
      ['a refused content as refused', { data: () => reply(554, '5.6.0 No') }, refused('5.6.0')],
      ['4xx after the message as passing', { data: () => reply(452, '4.3.1 Disk full') }, { outcome: 'transient_error', code: '4.3.1' }],
    ];
    for (const [name, options, expected] of cases) {
      it(name, async () => {
        const { url } = await serverWith(options);
        expect(await send(url)).to.deep.include(expected);
      });
    }

    it('wrong credentials as misconfigured', async () => {
      const { port } = await serverWith({
        server: { authOptional: false, onAuth: (_auth, _session, done) => done(reply(535, '5.7.8 Wrong password')) },
      });
      expect(await send(`smtp://user:wrong@127.0.0.1:${port}`)).to.deep.include({ outcome: 'misconfigured', code: '535' });
      expect(await send(`smtp://127.0.0.1:${port}`)).to.deep.include({ outcome: 'misconfigured', code: '530' });
    });

    it('a message without a sender as misconfigured', async () => {
      const carrierWithoutSender = createSmtp({ url: 'smtp://127.0.0.1:1' }, dependencies);
      expect(await carrierWithoutSender.send({ ...message, from: null }, never)).to.deep.include({ outcome: 'misconfigured', code: 'no_sender' });
    });

    it('a server that is away as passing', async () => {
      const { url, close } = await mailServer();
      await close();
      expect(await send(url)).to.deep.include({ outcome: 'transient_error', code: 'ECONNREFUSED' });
    });
  });

  it('calls a broken connection passing before the end of the message, and unknown after it', async () => {
    const before = await brokenAt('DATA', open);
    expect(await send(before)).to.deep.include({ outcome: 'transient_error' });
    const after = await brokenAt('.', open);
    const outcome = await send(after).then(
      (answer) => answer,
      (e: Error) => e,
    );
    expect(outcome).to.be.instanceOf(Error);
  });

  it('hands a message over once, though its connection breaks', async () => {
    const ends: string[] = [];
    const url = await brokenAt('.', open, ends);
    await send(url).catch(() => undefined);
    expect(ends).to.deep.equal(['.']);
  });

  it('does not reach the copies of a message whose recipient is refused', async () => {
    const { url, arrived } = await serverWith({ recipient: (address) => (address === message.to ? reply(450, '4.2.1 Later') : null) });
    expect(await send(url, undefined, { cc: [{ address: 'cc@example.org', name: null }] })).to.deep.include({ outcome: 'transient_error' });
    expect(arrived).to.deep.equal([]);
  });
});

function gone(code: string) {
  return { outcome: 'permanent_error', reason: 'invalid_recipient', code };
}
function refused(code: string) {
  return { outcome: 'permanent_error', reason: 'carrier_rejected', code };
}

interface DkimResult {
  readonly status: { readonly result: string; readonly aligned?: string };
  readonly signingDomain: string;
  readonly selector: string;
  readonly signingHeaders: { readonly keys: string };
}

/** The judgment of the package mailauth, over this DNS record. */
async function verified(raw: Buffer, record: string): Promise<readonly DkimResult[]> {
  const { dkimVerify } = createRequire(import.meta.url)('mailauth/lib/dkim/verify.js');
  const resolver = async (name: string) => (name === 'h1._domainkey.example.com' ? [[record]] : []);
  return (await dkimVerify(raw, { resolver })).results;
}

/** A server that breaks the connection at this line, and accepts all before. `seen` gets each such line. */
async function brokenAt(line: string, open: { close: () => unknown }[], seen: string[] = []): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    let buffered = '';
    let inData = false;
    socket.write('220 ready\r\n');
    socket.on('data', (chunk) => {
      buffered += chunk.toString();
      for (let end = buffered.indexOf('\r\n'); end >= 0; end = buffered.indexOf('\r\n')) {
        const command = buffered.slice(0, end);
        buffered = buffered.slice(end + 2);
        if (command === line) {
          seen.push(command);
          socket.destroy();
          return;
        }
        if (inData) continue;
        inData = command === 'DATA';
        socket.write(inData ? '354 go on\r\n' : '250 ok\r\n');
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push({
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  });
  return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
