import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { partitionIndexOf, type ViewEngine } from '../../domain/kernel/ports.js';
import { openMemoryLog, openMemoryViews } from '../../engines/memory/index.js';
import { openSqliteViews } from '../../engines/sqlite/index.js';
import { createClock } from '../../ops/system/clock.js';
import { buildUpTo, rebuild } from '../../projections/runtime/build.js';
import { runProjections } from '../../projections/runtime/runner.js';
import { projectionStatuses } from '../../projections/runtime/status.js';
import { verify } from '../../projections/runtime/verify.js';
import { NotesFixture } from '../ops/cli/notes-fixture.js';
import { type NoteDoc, notesByOwner } from '../ops/cli/notes-projection.js';
import { eventually } from '../support/eventually.js';
import { system } from '../support/system.js';

const COUNT = 3;
const OWNERS = Array.from({ length: 30 }, (_, n) => `owner-${n}`);

/** Divided by owner. A new note concerns all partitions, and the one of its owner takes it. */
const divided: typeof notesByOwner = {
  ...notesByOwner,
  version: 2,
  collections: { notes: { indexes: [['color']] } },
  partitionsOf: ({ event }) => (event.type === 'NoteTaken' ? 'all' : [event.data.by]),
  reads: ({ event }, { owns }) => (owns(event.data.by) ? [{ collection: 'notes', id: event.data.by }] : []),
  apply: ({ event: { data } }, view) => {
    if (!view.partition.owns(data.by)) return;
    const before = view.get<NoteDoc>('notes', data.by);
    view.put('notes', { id: data.by, color: data.color, moves: before ? before.moves + 1 : 0 });
  },
};

const engines: Readonly<Record<string, (dir: string) => ViewEngine>> = {
  memory: () => openMemoryViews({ clock: system.clock, partitions: COUNT }),
  SQLite: (dir) => openSqliteViews({ dir, instance: 'here', partitions: COUNT }),
};

for (const [name, open] of Object.entries(engines)) {
  describe(`a divided projection (${name})`, () => {
    let dir: string;
    let engine: ViewEngine;
    let notes: NotesFixture;
    let halts: string[];
    const nodes: { readonly ending: AbortController; readonly running: Promise<void> }[] = [];
    beforeEach(async () => {
      dir = await mkdtemp(join(tmpdir(), 'heliograph-divided-'));
      engine = open(dir);
      notes = new NotesFixture(openMemoryLog());
      halts = [];
    });
    afterEach(async () => {
      await Promise.all(nodes.splice(0).map(stop));
      await engine.views.close();
      await rm(dir, { recursive: true, force: true });
    });

    const parts = () => ({ log: notes.log, ...engine, clock: createClock(), onHalt: (_: string, e: unknown) => void halts.push(String(e)) });
    const start = (projection: typeof notesByOwner = divided) => {
      const ending = new AbortController();
      const node = { ending, running: runProjections([projection], parts(), ending.signal) };
      nodes.push(node);
      return node;
    };
    const stop = async ({ ending, running }: (typeof nodes)[number]): Promise<void> => {
      ending.abort();
      await running;
    };
    const statusOf = () => engine.views.status(divided);
    const caughtUp = () =>
      eventually(
        'all partitions are at the end of the log',
        async () => {
          const { version, positions } = await statusOf();
          const head = await notes.log.store.head();
          expect({ version, positions }).to.deep.equal({ version: divided.version, positions: Array(COUNT).fill(head) });
          return true;
        },
        { within: 30_000 },
      );
    const colors = async () => {
      const docs = await Promise.all(OWNERS.map((id) => engine.views.docs<NoteDoc>(divided, 'notes').get(id)));
      return docs.map((doc) => doc?.color);
    };
    const verified = async () => (await verify(divided, parts(), new AbortController().signal)).equal;

    it('is shared by nodes that come and go, and equals what the log gives', async () => {
      start();
      for (const owner of OWNERS) await notes.take(owner, 'x', 'blue');
      await caughtUp();
      start();
      for (const owner of OWNERS) await notes.move(owner, 0, 'red');
      await caughtUp();
      const [first] = nodes.splice(0, 1) as [(typeof nodes)[number]];
      await stop(first);
      for (const owner of OWNERS) await notes.move(owner, 1, 'green');
      await caughtUp();
      expect(await colors()).to.deep.equal(OWNERS.map(() => 'green'));
      expect(await verified()).to.equal(true);
    });

    it('is rebuilt from one that is not divided, which answers until then', async () => {
      for (const owner of OWNERS) await notes.take(owner, 'x', 'blue');
      const old = await engine.views.writer(notesByOwner);
      await buildUpTo(notesByOwner, notes, old, new AbortController().signal);
      await old.close();
      expect((await statusOf()).positions).to.have.length(1);
      expect(await colors()).to.deep.equal(OWNERS.map(() => 'blue'));
      start({ ...divided, version: notesByOwner.version });
      await eventually('it is divided', async () => (await statusOf()).positions.length === COUNT);
      expect(await colors()).to.deep.equal(OWNERS.map(() => 'blue'));
      expect((await statusOf()).version).to.equal(notesByOwner.version);
    });

    it('brings partitions that are behind to the position of the others', async () => {
      for (const owner of OWNERS) await notes.take(owner, 'x', 'blue');
      const signal = new AbortController().signal;
      for (const partition of [2, 0]) {
        const writer = await engine.views.writer(divided, [partition]);
        await buildUpTo(divided, notes, writer, signal);
        await writer.close();
        for (const owner of OWNERS.slice(partition, partition + 1)) await notes.move(owner, 0, 'red');
      }
      const [status] = await projectionStatuses([divided], { ...parts(), now: Date.now });
      expect(status?.positions).to.have.length(COUNT);
      expect(new Set(status?.positions).size).to.equal(COUNT);
      expect(status?.position).to.equal('start');
      expect(await verified(), 'at different positions').to.equal(true);
      start();
      await caughtUp();
      expect(await colors()).to.deep.equal(OWNERS.map((_, n) => (n === 0 || n === 2 ? 'red' : 'blue')));
      expect(await verified()).to.equal(true);
      expect((await projectionStatuses([divided], { ...parts(), now: Date.now }))[0]).not.to.have.property('positions');
    });

    it('does not halt where another writer commits while it brings partitions to one position', async () => {
      for (const owner of OWNERS) await notes.take(owner, 'x', 'blue');
      const writer = await engine.views.writer(divided, [2]);
      await buildUpTo(divided, notes, writer, new AbortController().signal);
      let refused = 0;
      const real = engine.views.writer.bind(engine.views);
      engine.views.writer = async (spec, partitions) => {
        const opened = await real(spec, partitions);
        const narrow = opened.narrow.bind(opened);
        opened.narrow = async (some) => {
          const narrowed = await narrow(some);
          const commit = narrowed.commit.bind(narrowed);
          narrowed.commit = async (...page) => (refused++ === 0 ? 'mismatch' : commit(...page));
          return narrowed;
        };
        return opened;
      };
      start();
      await caughtUp();
      expect(refused).to.be.above(0);
      expect(halts).to.deep.equal([]);
      await writer.close();
    });

    it('shows that one of its partitions has halted, until a rebuild', async () => {
      let broken = true;
      const poisoned = {
        ...divided,
        apply: (...[stored, view]: Parameters<typeof divided.apply>) => {
          if (broken && stored.event.data.by === OWNERS[1] && view.partition.owns(stored.event.data.by)) throw new Error('no such note');
          divided.apply(stored, view);
        },
      };
      for (const owner of OWNERS) await notes.take(owner, 'x', 'blue');
      start(poisoned);
      await eventually('the reason is shown', async () => (await statusOf()).halted?.includes('no such note'));
      broken = false;
      await rebuild(poisoned, parts(), new AbortController().signal);
      await notes.move(OWNERS[1] as string, 0, 'red');
      await caughtUp();
      expect((await statusOf()).halted).to.equal(null);
      expect((await colors())[1]).to.equal('red');
      expect(halts.filter((halt) => halt.includes('no such note'))).to.have.length(1);
    });

    it('writes only the documents of its partitions', async () => {
      for (const owner of OWNERS) await notes.take(owner, 'x', 'blue');
      const writer = await engine.views.writer(divided, [1]);
      await buildUpTo(divided, notes, writer, new AbortController().signal);
      await writer.close();
      expect(await colors()).to.deep.equal(OWNERS.map((owner) => (partitionIndexOf(owner, COUNT) === 1 ? 'blue' : undefined)));
    });
  });
}
