import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { loadConfig } from '../../../ops/app/config/config.js';
import { serve } from '../../../ops/app/serve/serve.js';
import { embedded } from '../../support/engines.js';
import { eventually } from '../../support/eventually.js';
import { type Account, Service } from '../../support/service.js';
import { SmallDisk } from '../../support/small-disk.js';

const AGES = ['missing', 'older', 'newer'] as const;
type Age = (typeof AGES)[number];
type Case = Readonly<Record<'log' | 'keys' | 'views', Age>>;
const FILES = { log: 'events.db', keys: 'keys.db', views: 'views' } as const;

const CASES: readonly Case[] = AGES.flatMap((log) => AGES.flatMap((keys) => AGES.map((views) => ({ log, keys, views }))));
const textOf = ({ log, keys, views }: Case): string => `log ${log}, keys ${keys}, read models ${views}`;

/** What a start over these files does: a part of its refusal, or of what it reports before it is ready. */
function outcomeOf({ log, keys, views }: Case): { readonly refused: string } | { readonly reports: readonly string[] } {
  if (log === 'missing') return keys === 'missing' && views === 'missing' ? { reports: [] } : { refused: 'is gone or empty' };
  if (keys === 'missing') return { refused: 'are gone: without keys.db' };
  if (log === 'newer' && keys === 'older') return { refused: 'are older than the event log' };
  const shortened = log === 'older' && keys === 'newer' ? ['ends before the newest keys'] : [];
  const ahead = log === 'older' && views === 'newer' ? ['ahead of the event log'] : [];
  const uncertain = shortened.length > 0 && views === 'older' ? ['may have been made from events that are lost'] : [];
  return { reports: [...shortened, ...ahead, ...uncertain] };
}

describe('a start over every combination of a log, keys and read models', function () {
  this.timeout(180_000);
  let root: string;
  let account: Account;
  before(async function () {
    if (!embedded) this.skip();
    root = mkdtempSync(join(tmpdir(), 'heliograph-remains-'));
    const service = await Service.start();
    account = service.account;
    await service.api('POST', '/v1/account/unsubscribes/api/import', { phones: ['+14155550123'] });
    for (const age of ['older', 'newer']) {
      await service.api('POST', '/v1/messages/send', { to: `+1415555010${age.length}`, channel: 'sms', message: age });
      await service.api('POST', '/v1/contacts', { email: `${age}@example.com` });
      await service.caughtUp();
      await service.stop();
      cpSync(service.dir, join(root, age), { recursive: true });
      if (age === 'older') await service.restart();
    }
    await service.close();
  });
  after(() => {
    if (root) rmSync(root, { recursive: true, force: true });
  });

  /** Fills an empty folder with the files of a case, and with the secrets, which are never lost here. */
  function lay(dir: string, parts: Case): string {
    mkdirSync(dir, { recursive: true });
    const files = new Set<string>(Object.values(FILES).flatMap((name) => [name, `${name}-wal`, `${name}-shm`]));
    const isNew = Object.values(parts).every((age) => age === 'missing');
    for (const name of isNew ? [] : readdirSync(join(root, 'newer')))
      if (!files.has(name)) cpSync(join(root, 'newer', name), join(dir, name), { recursive: true });
    for (const [part, file] of Object.entries(FILES) as [keyof Case, string][])
      for (const name of [file, `${file}-wal`])
        if (existsSync(join(root, parts[part], name))) cpSync(join(root, parts[part], name), join(dir, name), { recursive: true });
    return dir;
  }

  /** Why a start in this process is refused, before it opens anything. */
  const refusalOf = (dir: string): Promise<string> =>
    serve(loadConfig({ HELIOGRAPH_DATA_DIR: dir, PORT: '0', LOG_LEVEL: 'error' }), () => {}).then(
      async (running) => {
        await running.stop();
        return 'it started';
      },
      (e: Error) => e.message,
    );
  const tree = (dir: string): string[] => (readdirSync(dir, { recursive: true }) as string[]).filter((name) => !/-(wal|shm)$/.test(name)).sort();

  /** It is ready, hands messages over, and none to a number that has opted out. */
  async function works(service: Service, { log }: Case): Promise<void> {
    await eventually('it is ready', async () => (await service.ask('GET', '/readyz')).status === 200, { within: 30_000 });
    service.account = log === 'missing' ? await service.createAccount('owner@example.com') : account;
    const send = async (to: string) => (await service.api('POST', '/v1/messages/send', { to, channel: 'sms', message: 'Hello' })).body.id;
    const reaches = async (id: string, status: string) =>
      eventually(`the message is ${status}`, async () => (await service.api('GET', `/v1/messages/${id}`)).body.status === status, { within: 30_000 });
    await reaches(await send('+14155550100'), 'delivered');
    if (log === 'missing') return;
    await reaches(await send('+14155550123'), 'suppressed');
    await service.caughtUp();
    const { data } = (await service.api('GET', '/v1/contacts')).body;
    const known = data.map(({ email }: { email: string | null }) => email).filter((email: string | null) => email !== null);
    expect(known).to.have.members(log === 'older' ? ['older@example.com'] : ['older@example.com', 'newer@example.com']);
  }

  for (const parts of CASES) {
    const outcome = outcomeOf(parts);
    if ('refused' in outcome)
      it(`${textOf(parts)}: refused, and nothing is changed`, async () => {
        const dir = lay(join(root, textOf(parts)), parts);
        const found = tree(dir);
        expect(await refusalOf(dir))
          .to.include(outcome.refused)
          .and.include(dir)
          .and.include('heliograph data accept-loss');
        expect(tree(dir)).to.deep.equal(found);
      });
    else
      it(`${textOf(parts)}: it works${outcome.reports.map((text) => `, and reports what ${text}`).join('')}`, async () => {
        const service = Service.node({});
        try {
          lay(service.dir, parts);
          await service.restart();
          const reported = service.logged('warn').map(({ message }) => message);
          expect(reported, reported.join('\n')).to.have.length(outcome.reports.length === 0 ? 0 : reported.length);
          for (const text of outcome.reports) expect(reported.join('\n')).to.include(text);
          await works(service, parts);
        } finally {
          await service.close();
        }
      });
  }

  for (const [state, sentence] of [
    ['full', 'is full. Make room'],
    ['read-only', 'cannot be written (EROFS)'],
  ] as const)
    it(`on a ${state} disk: refused, whatever is there, and nothing is changed`, async function () {
      const at = join(root, state);
      mkdirSync(at);
      const disk = SmallDisk.mount(at, 512);
      if (!disk) {
        console.log('      skipped: this user may not mount a file system');
        this.skip();
      }
      try {
        const dirs = CASES.map((parts) => lay(join(at, textOf(parts)), parts));
        if (state === 'full') disk.fill();
        else disk.setReadOnly(true);
        const found = tree(at);
        for (const dir of dirs)
          expect(await refusalOf(dir), dir)
            .to.include(sentence)
            .and.include(dir);
        expect(tree(at)).to.deep.equal(found);
      } finally {
        disk.unmount();
      }
    });
});
