import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Clock, EventStore } from '../../../domain/kernel/ports.js';
import { openMemoryLog } from '../../../engines/memory/index.js';
import { openSqliteLog } from '../../../engines/sqlite/index.js';
import { copyEngines } from '../../../ops/engines/copy.js';
import { type LocationOptions, parseLocations } from '../../../ops/engines/locations.js';
import { openStores } from '../../../ops/engines/open-stores.js';
import { createClock } from '../../../ops/system/clock.js';
import { EnginesCommand } from '../../ops/engines/engines-command.js';
import { contents, contextUntil, keysIn, newKey, planOf, write } from '../../ops/engines/fixtures.js';
import { FakeEventStoreDb } from '../../support/eventstoredb/server.js';
import { eventually } from '../../support/eventually.js';
import { mongoUrl, withMongo } from '../../support/mongodb.js';

describe('copying between the embedded engine and EventStoreDB', () => {
  let root: string;
  let server: FakeEventStoreDb;
  /** The log of the fake server. */
  let served: EventStore;
  beforeEach(async () => {
    root = mkdtempSync(join(tmpdir(), 'heliograph-copy-'));
    served = openMemoryLog().events;
    server = await FakeEventStoreDb.start({ engine: served });
  });
  afterEach(async () => {
    await server.stop();
    rmSync(root, { recursive: true });
  });
  const folder = (name: string) => `sqlite:${join(root, name)}`;
  const inFolder = async <T>(name: string, work: (log: ReturnType<typeof openSqliteLog>) => Promise<T>): Promise<T> => {
    const log = openSqliteLog({ dir: join(root, name) });
    try {
      return await work(log);
    } finally {
      await log.events.close();
    }
  };
  const eventsServed = async () => Number((await served.head()).replace('start', '0'));
  const given = (name: string, appends: number) =>
    inFolder(name, async ({ events, keys }) => {
      await keys.put(Array.from({ length: 300 }, (_, n) => newKey(`person-${n}`)));
      await write(events, planOf(appends));
    });
  const held = (name: string) => inFolder(name, async ({ events, keys }) => ({ events: await contents(events), keys: await keysIn(keys) }));
  const copy = async (options: LocationOptions, clock: Clock = contextUntil().clock) => {
    const { source, target, close } = await openStores(parseLocations(options, { eventstoredbUrl: null, mongodbUrl: null }));
    try {
      return await copyEngines(source, target, { ...contextUntil(), clock });
    } finally {
      await close();
    }
  };

  it('copies to a server and back without a change, except for destroyed keys', async () => {
    await given('old', 400);
    const before = await held('old');
    const first = await copy({ from: folder('old'), to: server.url, keysTo: folder('keys') });
    expect(first).to.deep.include({ verified: true });
    expect(first.events).to.include({ found: 0, copied: before.events.length });

    await inFolder('old', ({ keys }) => keys.destroy('person-7'));
    const second = await copy({ from: folder('old'), to: server.url, keysTo: folder('keys') });
    expect(second.events).to.include({ copied: 0 });
    expect(second.keys).to.include({ copied: 0, destroyed: 1 });

    const back = await copy({ from: server.url, to: folder('new'), keysFrom: folder('keys') });
    expect(back).to.deep.include({ verified: true });
    expect(back.events.target).to.deep.equal(first.events.source);
    const after = await held('new');
    expect(after.events).to.deep.equal(before.events);
    expect(after.keys).to.deep.equal((await held('old')).keys);
    expect(after.keys).to.have.length(299);
  });

  it('copies only the log if the keys stay in their folder', async () => {
    await given('data', 20);
    const copied = await copy({ from: folder('data'), to: server.url, keysTo: folder('data') });
    expect(copied).to.deep.include({ verified: true, keys: null });
  });

  it('warns about read models of the old log that a node over the new one would use', async () => {
    await given('data', 1);
    const args = ['copy', '--from', folder('data'), '--to', server.url, '--keys-to', folder('data')];
    expect((await new EnginesCommand(args).ended).err).not.to.include('Delete');
    mkdirSync(join(root, 'data', 'views'));
    expect((await new EnginesCommand(args).ended).err).to.include(`Delete ${join(root, 'data', 'views')} before`);
  });

  it('continues when the server fails and recovers', async () => {
    await given('old', 300);
    const breaking = eventually('some events are copied', async () => (await eventsServed()) > 100).then(async () => {
      server.crash();
      await server.start();
    });
    const copied = await copy({ from: folder('old'), to: server.url, keysTo: folder('keys') }, createClock({ keepAlive: true }));
    await breaking;
    expect(copied.verified).to.equal(true);
  });

  it('ends verified after a kill, an interrupt and another kill, each during an append', async () => {
    await given('old', 600);
    const { events } = await held('old');
    const args = ['copy', '--from', folder('old'), '--to', server.url, '--keys-to', folder('keys'), '--json'];
    for (const [signal, share] of [
      ['SIGKILL', 0.1],
      ['SIGINT', 0.3],
      ['SIGKILL', 0.5],
    ] as const) {
      const command = new EnginesCommand(args);
      await eventually(`${share} of the events are copied`, async () => (await eventsServed()) > events.length * share, { within: 30_000 });
      server.faults.silent = true;
      const ending = command.end(signal);
      // A killed process exits before its append is executed; an interrupted one waits for it.
      if (signal === 'SIGKILL') await ending;
      server.faults.silent = false;
      const { code, out, err } = await ending;
      expect(out).to.equal('');
      if (signal === 'SIGKILL') expect(code).to.equal(null);
      else {
        expect(code).to.equal(1);
        expect(err).to.include('heliograph: Interrupted. Run it again to continue.\n');
      }
      expect(await eventsServed()).to.be.below(events.length);
    }
    const { code, out, err } = await new EnginesCommand(args).ended;
    expect(code, err).to.equal(0);
    const result = JSON.parse(out);
    expect(result).to.deep.include({ verified: true, to: server.url });
    expect(result.events.found).to.be.above(events.length * 0.5);
    expect(result.events.source).to.deep.equal(result.events.target);
    expect(result.keys).to.include({ copied: 0 });
    expect(err).to.include('HELIOGRAPH_MASTER_KEY');
  });

  it('copies the keys to MongoDB and back', async function () {
    if (!mongoUrl()) this.skip();
    await given('old', 20);
    await withDatabase(async (url) => {
      const first = await copy({ from: folder('old'), to: server.url, keysTo: url });
      expect(first).to.deep.include({ verified: true });
      await inFolder('old', ({ keys }) => keys.destroy('person-7'));
      expect((await copy({ from: folder('old'), to: server.url, keysTo: url })).keys).to.include({ destroyed: 1 });
      expect(await copy({ from: server.url, to: folder('new'), keysFrom: url })).to.deep.include({ verified: true });
      expect((await held('new')).keys).to.deep.equal((await held('old')).keys);
    });
  });

  it('grants a user of the server the needed rights', async () => {
    const { code, out, err } = await new EnginesCommand(['setup', '--user', 'heliograph', '--json'], { EVENTSTOREDB_URL: server.url }).ended;
    expect(code, err).to.equal(0);
    expect(JSON.parse(out).done.join()).to.include('heliograph may read $all');
    const rights = (await contents(served)).map(({ stream, data }) => [stream, JSON.parse(data)]);
    expect(rights.map(([stream]) => stream)).to.deep.equal(['$$$all', '$settings']);
    expect(rights[0]?.[1].$acl.$r).to.deep.equal(['$admins', 'heliograph']);
    expect(rights[1]?.[1].$userStreamAcl.$w).to.deep.equal(['$admins', 'heliograph']);
  });

  it('creates the indexes in MongoDB if it has read models', async function () {
    if (!mongoUrl()) this.skip();
    await withDatabase(async (url) => {
      const env = { HELIOGRAPH_VIEWS: 'mongodb', MONGODB_URL: url };
      const { code, out, err } = await new EnginesCommand(['setup', '--user', 'heliograph', '--url', server.url], env).ended;
      expect(code, err).to.equal(0);
      expect(out).to.include('MongoDB answers and has its indexes');
      const indexes = await withMongo((client) => client.db(new URL(url).pathname.slice(1)).collection('keys').indexes());
      expect(indexes.map(({ key }) => key)).to.deep.include({ subject: 1 });
    });
  });
});

/** A temporary database, dropped afterward. */
async function withDatabase(work: (url: string) => Promise<void>): Promise<void> {
  const name = `copy-${randomUUID()}`;
  const url = new URL(mongoUrl());
  url.pathname = `/${name}`;
  try {
    await work(url.href);
  } finally {
    await withMongo((client) => client.db(name).dropDatabase());
  }
}
