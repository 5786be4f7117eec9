import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { FakeCarrier } from '../carriers/fake-carrier.js';
import { dnsServer } from '../support/dns-server.js';
import { PROGRAM } from '../support/program.js';

async function run(args: readonly string[], env: Record<string, string>, more: readonly string[] = ['--json']) {
  const child = spawn(process.execPath, [PROGRAM, 'carriers', ...args, ...more], { env: { PATH: process.env.PATH, ...env } });
  const code = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await code, out, err };
}

describe('the command carriers', () => {
  const fake = FakeCarrier.own(() => ({ status: 200, body: {} }));
  let env: Record<string, string>;
  before(async () => {
    env = { TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`, TWILIO_AUTH_TOKEN: 'very-secret', TWILIO_BASE_URL: fake.url };
  });

  it('lists what carriers need and what is set, without values', async () => {
    const { code, out } = await run(['list'], { ...env, HELIOGRAPH_ROUTES: '{"sms":["twilio"]}' });
    const { carriers } = JSON.parse(out) as { carriers: { name: string }[] };
    expect(code).to.equal(0);
    expect(carriers.find(({ name }) => name === 'twilio')).to.deep.equal({
      ...{ name: 'twilio', channels: ['sms', 'whatsapp', 'rcs'], configured: true, routes: ['sms'] },
      ...{ needs: 'TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN', set: ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_BASE_URL'] },
    });
    expect(carriers.find(({ name }) => name === 'ses')).to.include({ configured: false });
    expect(out).not.to.contain('very-secret');
  });

  it('checks whether credentials are accepted', async () => {
    expect(await run(['check'], env)).to.deep.equal({ code: 0, out: '{"carriers":[{"name":"twilio","problem":null}]}\n', err: '' });
    fake.reply = () => ({ status: 401, body: { code: 20_003 } });
    const { code, out } = await run(['check'], env);
    expect([code, JSON.parse(out)]).to.deep.equal([1, { carriers: [{ name: 'twilio', problem: 'Twilio answered with status 401.' }] }]);
  });

  it('shows senders that are none, and what the DNS says of the domain of a sender', async () => {
    const dns = await dnsServer(new Map([['_dmarc.example.com', { TXT: ['v=DMARC1; p=reject'] }]]));
    fake.reply = () => ({ status: 200, body: {} });
    const from = { TWILIO_FROM: 'Much too long a name', EMAIL_FROM: 'Shop <hello@example.com>' };
    const postmark = { POSTMARK_SERVER_TOKEN: 'token', POSTMARK_BASE_URL: fake.url, HELIOGRAPH_DNS_SERVERS: dns.address };
    try {
      const { code, out } = await run(['check'], { ...env, ...from, ...postmark });
      const { carriers } = JSON.parse(out) as { carriers: { name: string; sender?: string; domain?: Record<string, unknown> }[] };
      expect([code, ...carriers.slice(0, 2).map(({ name }) => name)]).to.deep.equal([0, 'twilio', 'postmark']);
      expect(carriers[0]?.sender).to.include('Much too long a name');
      expect(carriers[1]?.domain).to.include({ domain: 'example.com', verified: null });
      const plain = await run(['check'], { ...env, ...from, ...postmark }, []);
      expect(plain.out).to.include("'Much too long a name' is no sender").and.include('example.com  dmarc ok').and.include('dkim unknown');
    } finally {
      await dns.close();
    }
  });
});
