import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { FakeCarrier } from '../carriers/fake-carrier.js';
import { PROGRAM } from '../support/program.js';

async function run(args: readonly string[], env: Record<string, string>) {
  const child = spawn(process.execPath, [PROGRAM, 'carriers', ...args, '--json'], { env: { PATH: process.env.PATH, ...env } });
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
});
