import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { embedded } from '../../support/engines.js';
import { expectIgnored } from '../../support/ignored-files.js';
import { Service } from '../../support/service.js';

const FOLDER = 'docs/guides';
const names = readdirSync(FOLDER).map((name) => name.replace(/\.md$/, ''));
const guide = (name: string): string => readFileSync(join(FOLDER, `${name}.md`), 'utf8');
const commandsOf = (name: string): string => [...guide(name).matchAll(/^```sh\n(.*?)^```$/gms)].map(([, commands]) => commands).join('\n');

/** Prints each request that is refused, besides its answer; the answer of a script is then read for them. */
const NOTED = 'set -u\ncurl() { command curl --fail-with-body "$@" || echo "refused: $*" >&2; }\n';

describe('the guides', () => {
  let service: Service;
  let folder: string;
  before(async function () {
    if (!embedded) this.skip();
    service = await Service.shared();
    folder = mkdtempSync(join(tmpdir(), 'heliograph-guides-'));
  });
  after(async () => {
    if (folder) rmSync(folder, { recursive: true, force: true });
    await service?.close();
  });

  async function paste(commands: string): Promise<{ out: string; refused: string[] }> {
    const env = { ...process.env, URL: service.url, KEY: service.account.key };
    const shell = spawn('bash', ['-c', NOTED + commands], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const [out, err, [code]] = await Promise.all([text(shell.stdout), text(shell.stderr), once(shell, 'exit')]);
    expect(code, `${out}\n${err}`).to.equal(0);
    return { out, refused: err.split('\n').filter((line) => line.startsWith('refused: ')) };
  }

  /** What a guide shows on purpose. */
  const refusals: Readonly<Record<string, number>> = { erasure: 1 };
  /** What the answers of a guide have in them. */
  const shown: Readonly<Record<string, RegExp>> = {
    'first-message': /"rejected":1/,
    sandbox: /"key":"hk_test_/,
    statuses: /"status_reason":"invalid_recipient"[\s\S]*"status":"canceled"/,
    idempotency: /Idempotency-Replayed: true/i,
    'signing-in': /"role":"member"[\s\S]*"current":true/,
    'rate-limits': /RateLimit-Policy: \d+;w=60/i,
    consent: /"status":"suppressed","status_reason":"unsubscribed"[\s\S]*"status":"granted"/,
    importing: /"failed":1[\s\S]*"status":"completed"/,
    moving: /"invalid":0[\s\S]*"unmapped_opt_out"[\s\S]*"status":"completed"[\s\S]*"marketing":"withdrawn"/,
    erasure: /"code":"contact_erased"/,
    segments: /"result":true/,
    templates: /"missing_variables":\["data.order"/,
    campaigns: /"reachable":1[\s\S]*"status":"sen[\s\S]*"by_variant"/,
    journeys: /"status":"live"/,
    forms: /"status":"accepted"[\s\S]*"email":"lead@example.com"/,
    inbox: /"status":"(?:queued|sending|sent|delivered)"[\s\S]*"data":\[[\s\S]*"unread":\d/,
    'sending-email': /"status":"queued"[\s\S]*"domain":"example.com","verified":null/,
    push: /"status":"active","contact_id":"con_[\s\S]*"channel":"push"/,
  };

  for (const name of names.filter((one) => commandsOf(one) !== ''))
    it(`can be pasted twice in a row: ${name}`, async () => {
      expect(commandsOf(name)).not.to.include('…');
      for (const nth of ['first', 'second']) {
        const { out, refused } = await paste(commandsOf(name));
        expect(refused, nth).to.have.lengthOf(refusals[name] ?? 0);
        expect(out, nth).to.match(shown[name] as RegExp);
      }
    });

  it('write only files that git and the format check ignore', () => expectIgnored(folder));

  it('name only operations and settings that exist', async () => {
    const { body: document } = await service.api('GET', '/v1/openapi.json');
    const known = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations as object).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{[^}]+\}/g, ':')}`),
    );
    const named = names.flatMap((name) => [...guide(name).matchAll(/`((?:GET|POST|PATCH|DELETE) \/v1\/[^`]+)`/g)].map(([, call = '']) => call));
    expect(named.length).to.be.above(20);
    for (const call of named) {
      const pattern = call.replace(/\?.*$/, '').replaceAll(/:[a-z_]+|\/2\//g, (part) => (part === '/2/' ? '/:/' : ':'));
      expect(known, call).to.include(pattern);
    }
  });
});
