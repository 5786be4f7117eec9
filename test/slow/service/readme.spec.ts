import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { journeyTemplates } from '../../../domain/journeys/journey-templates.js';
import { systemClock } from '../../../ops/system/clock.js';
import { embedded } from '../../support/engines.js';
import { expectIgnored } from '../../support/ignored-files.js';
import { PROGRAM } from '../../support/program.js';
import { Service } from '../../support/service.js';
import { Receiver } from '../../webhooks/receiver.js';

/** The commands of a step of the README, as a reader pastes them. */
function commandsOf(step: RegExp): string {
  const chapter = readFileSync('README.md', 'utf8')
    .split(/^(?=\*\*\d+\. |## )/m)
    .find((part) => step.test(part));
  return [...(chapter ?? '').matchAll(/^```sh\n(.*?)^```$/gms)].map(([, commands]) => commands).join('\n');
}

/** Ends the shell with the answer of the first request that is refused. The command line is the one that was built. */
const STRICT = `set -u
curl() { command curl -w "\\n" --fail-with-body --show-error "$@" || { kill $$; return 1; }; }
npx() { shift; node '${PROGRAM}' "$@"; }
`;
/** Some commands wait for something, for example for the end of a fit. */
const SHELL_TIMEOUT_MS = 240_000;

describe('the first steps of the README', () => {
  let service: Service;
  let folder: string;
  before(async function () {
    if (!embedded) {
      console.log('      skipped: the first steps of the README: they are for the embedded engine, whose jobs end in a second');
      this.skip();
    }
    service = await Service.shared();
    folder = mkdtempSync(join(tmpdir(), 'heliograph-readme-'));
  });
  after(async () => {
    if (folder) rmSync(folder, { recursive: true, force: true });
    await service?.close();
  });

  async function paste(commands: string): Promise<string> {
    const env = { ...process.env, URL: service.url, KEY: service.account.key };
    const shell = spawn('bash', ['-c', STRICT + commands], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: SHELL_TIMEOUT_MS });
    const [out, err, [code]] = await Promise.all([text(shell.stdout), text(shell.stderr), once(shell, 'exit')]);
    expect(code, `${out}\n${err}`).to.equal(0);
    return out;
  }

  it('about contacts and erasure can be pasted twice in a row', async () => {
    const commands = commandsOf(/^\*\*6\. /) + commandsOf(/^\*\*12\. /);
    expect(commands).to.include('/v1/contacts').and.not.include('…');
    for (const nth of ['first', 'second']) {
      const out = await paste(`${commands}\nprintf '\\nids %s %s\\n' "$ADA" "$GRACE"`);
      const [, ada, grace] = /^ids (\S+) (\S+)$/m.exec(out) ?? [];
      const { body } = await service.api('GET', `/v1/contacts/${ada}`);
      expect(body, nth).to.deep.include({ email: 'ada@example.com', suppressed_channels: [], suppressions: [] });
      expect((await service.api('GET', `/v1/contacts/${grace}`)).status, nth).to.equal(410);
      expect(readFileSync(join(folder, 'vip.csv'), 'utf8'), nth).to.include('ada@example.com');
    }
  });

  it('can be pasted one after the other, twice in a row', async () => {
    // The third step needs a receiver, and has a test of its own.
    const commands = [1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12].map((nth) => commandsOf(new RegExp(`^\\*\\*${nth}\\. `))).join('\n');
    for (const nth of ['first', 'second']) {
      const out = await paste(commands);
      expect(out, nth)
        .to.include('data.order')
        .and.match(/Idempotency-Replayed: true/i);
      expect(out, nth).to.include('"submission_id"');
      // What the text says of the preview of a segment, and what is waited for.
      expect(out, nth)
        .to.include('"count":1,')
        .and.match(/"subject":"Your order"/)
        .and.match(/"journey_id":"jrn_/);
    }
  });

  it('about the inbox and push can be pasted twice in a row', async () => {
    const commands = commandsOf(/^## Inbox and push/);
    for (const nth of ['first', 'second']) {
      const out = await paste(commands);
      expect(out, nth)
        .to.match(/"title":"Shop","message":"Your order is here\."[\s\S]*inbox\.js" data-token="hit_/)
        .and.match(/"status":"active","contact_id":"con_[\s\S]*"devices":\[\{[^\]]*"outcome":"accepted"/);
    }
  });

  it('about journeys can be pasted for each journey to begin with', async () => {
    const commands = commandsOf(/^\*\*9\. /);
    const own = commands.slice(commands.indexOf('curl -s $URL/v1/custom-fields'));
    const named = own.match(/^JOURNEY=.*$/m)?.[0] ?? '';
    expect(named.match(/[a-z_]+/g)?.filter((word) => word !== 'or')).to.have.members(journeyTemplates.map(({ key }) => key));
    for (const { key, journey } of journeyTemplates) {
      const out = await paste(`${own.replace(named, `JOURNEY=${key}`)}\nprintf '\\nid %s\\n' "$ID"`);
      const [, id] = /^id (jrn_\w+)$/m.exec(out) ?? [];
      expect((await service.api('GET', `/v1/journeys/${id}`)).body, key).to.deep.include({ name: journey.name, status: 'live' });
      expect(readFileSync(join(folder, 'journey.svg'), 'utf8'), key).to.match(/^<svg/);
      await service.api('POST', `/v1/journeys/${id}/archive`);
    }
  });

  it('about predicting purchases can be pasted, and shows a contact’s scores and a picture', async function () {
    this.timeout(SHELL_TIMEOUT_MS + 60_000);
    const out = await paste(`${commandsOf(/^## Predicting purchases/)}\nprintf '\\nid %s\\n' "$CON"`);
    const [, id] = /^id (con_\w+)$/m.exec(out) ?? [];
    expect(out)
      .to.match(/"buyers":3000\b/)
      .and.include(`{"contact_id":"${id}"`);
    const { scores } = (await service.api('GET', `/v1/contacts/${id}/scores`)).body;
    expect(scores[0]).to.include({ name: 'purchase_probability_30d', null_reason: null });
    expect(readFileSync(join(folder, 'reliability.svg'), 'utf8'))
      .to.match(/^<svg/)
      .and.include('perfect calibration');
  });

  it('has an endpoint that receives events of a contact', async () => {
    const receiver = await Receiver.start(systemClock, () => 200);
    try {
      const commands = commandsOf(/^\*\*3\. /);
      const own = commands.slice(commands.indexOf('curl -s $URL/v1/webhook-endpoints')).replace('http://127.0.0.1:4000', receiver.origin);
      const out = await paste(`${own}\nprintf '\\nid %s\\n' "$ENDPOINT"`);
      expect(out)
        .to.match(/^id whe_\w{26}$/m)
        .and.include('"delivered":true');
      expect((await receiver.next()).headers['x-service-event']).to.equal('ping');
      expect(JSON.parse((await receiver.next()).body)).to.deep.include({ event: 'contact.created' });
    } finally {
      await receiver.close();
    }
  });

  it('writes only files that git and the format check ignore', () => expectIgnored(folder));
});
