import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { SealedCustomEvent } from '../../domain/events/custom-event.js';
import type { AnyEvent } from '../../domain/kernel/event.js';
import { type Doc, type LogEngine, partitionIndexOf, type ViewEngine } from '../../domain/kernel/ports.js';
import { openMemoryLog, openMemoryViews } from '../../engines/memory/index.js';
import { openSqliteLog, openSqliteViews } from '../../engines/sqlite/index.js';
import { eventTypes } from '../../log/event-types.js';
import { EventLog } from '../../log/runtime/event-log.js';
import { openedFieldsOf } from '../../log/vault/personal-fields.js';
import { Vault } from '../../log/vault/vault.js';
import { byAccount, type ProcessManager, performEach } from '../../processes/runtime/process-manager.js';
import { openedTodos, TODOS, todoList } from '../../processes/runtime/todo-list.js';
import { buildUpTo } from '../../projections/runtime/build.js';
import { openedProjection } from '../../projections/runtime/opened.js';
import type { AnyProjection, Projection, View } from '../../projections/runtime/projection.js';
import { verify } from '../../projections/runtime/verify.js';
import { recorded } from '../support/process-specification.js';
import { system } from '../support/system.js';

const AT = '2026-01-15T10:00:00.000Z';

interface VisitDoc extends Doc {
  readonly times: number;
  /** Keyed hash of the last city. */
  readonly city: string | null;
  readonly sealed: string;
}

const visitId = ({ event }: { event: SealedCustomEvent }): string => `${event.data.contact_id}/visits`;

/** Who was seen in a city other than Paris: how often, and where at last. */
const plainVisits: Projection<SealedCustomEvent> = {
  name: 'visits',
  version: 1,
  handles: ['CustomEventRecorded'],
  collections: { visits: { indexes: [['city']] } },
  reads: (stored) => [{ collection: 'visits', id: visitId(stored) }],
  apply: (stored, view) => {
    const fields = openedFieldsOf(stored);
    if (fields.decide(({ properties }) => cityIn(properties) === 'Paris')) return;
    const id = visitId(stored);
    const times = (view.get<VisitDoc>('visits', id)?.times ?? 0) + 1;
    const doc: VisitDoc = { id, times, city: fields.hash(({ properties }) => cityIn(properties)), sealed: stored.event.data.sealed };
    view.put('visits', doc);
  },
};
const opens = { types: ['CustomEventRecorded'], collections: ['visits'] } as const;
const visits = openedProjection(plainVisits, opens);

const cityIn = (properties: unknown): string => String((properties as { city?: unknown }).city);

/** Greets whoever is seen in London. */
const greet: ProcessManager<SealedCustomEvent> = {
  name: 'events/greet',
  version: 1,
  handles: ['CustomEventRecorded'],
  list: (plain) => openedTodos(plain, { types: ['CustomEventRecorded'] }),
  reads: ({ event }) => ({ todos: [`${event.data.contact_id}/${event.data.event_id}`], fresh: true }),
  react: (stored) => {
    const { contact_id, event_id } = stored.event.data;
    if (!openedFieldsOf(stored).decide(({ properties }) => cityIn(properties) === 'London')) return [{ do: 'ignore', reason: 'elsewhere' }];
    return [{ do: 'schedule', todo: { id: `${contact_id}/${event_id}`, due_at: 0, account: 'acc_1', priority: 1, lane: 'x' } }];
  },
  concurrency: { lane: 1, total: 1 },
  perform: performEach(async () => 'start'),
};

const engines: Record<string, (dir: string) => { log: LogEngine; views: ViewEngine }> = {
  memory: () => ({ log: openMemoryLog(), views: openMemoryViews(system) }),
  'memory, divided': () => ({ log: openMemoryLog(), views: openMemoryViews({ ...system, partitions: 3 }) }),
  SQLite: (dir) => ({ log: openSqliteLog({ dir }), views: openSqliteViews({ dir, instance: randomUUID() }) }),
  'SQLite, divided': (dir) => ({ log: openSqliteLog({ dir }), views: openSqliteViews({ dir, instance: randomUUID(), partitions: 3 }) }),
};

for (const [name, open] of Object.entries(engines)) {
  describe(`a projection that opens personal fields (${name})`, () => {
    const { signal } = new AbortController();
    let dir: string;
    let engine: { log: LogEngine; views: ViewEngine };
    let vault: Vault;
    let log: EventLog;
    let runs: number;
    beforeEach(() => {
      dir = mkdtempSync(join(tmpdir(), 'heliograph-opened-'));
      engine = open(dir);
      vault = new Vault(Buffer.alloc(32, 1), engine.log.keys, system);
      log = new EventLog(engine.log.events, vault, eventTypes);
      runs = 0;
    });
    afterEach(async () => {
      await engine.views.views.close();
      await engine.log.events.close();
      rmSync(dir, { recursive: true });
    });

    const append = (stream: string, event: AnyEvent) => {
      const invocation = `run-${++runs}`;
      return log.append(stream, 'no-stream', [event], {
        $correlationId: 'c',
        $causationId: 'c',
        account: 'acc_1',
        actor: { kind: 'operator', id: 'test' },
        occurredAt: AT,
        invocation,
      });
    };
    const seen = (contact_id: string, city: string) => {
      const event_id = `evt_${++runs}`;
      const data = { event_id, contact_id, name: 'seen', properties: { city }, occurred_at: AT, at: AT };
      return append(`event-${event_id}`, { type: 'CustomEventRecorded', data });
    };
    const completed = (...contact_ids: string[]) =>
      append(`erasure-${++runs}`, { type: 'ErasureCompleted', data: { erasure_id: 'e', contact_ids, address_keys: [], at: AT } });
    const erase = async (...contact_ids: string[]) => {
      for (const id of contact_ids) await vault.erase(id);
      await completed(...contact_ids);
    };
    const parts = () => ({ log, views: engine.views.views });
    const documents = async (projection: AnyProjection = visits, collection = 'visits'): Promise<Doc[]> => {
      const writer = await engine.views.views.writer(projection);
      await buildUpTo(projection, parts(), writer, signal);
      const found: Doc[] = [];
      for await (const doc of writer.scan(collection)) found.push(doc);
      await writer.close();
      return found;
    };
    const ids = async (...of: Parameters<typeof documents>) => (await documents(...of)).map(({ id }) => id);
    const isEqual = async (projection: AnyProjection = visits) => (await verify(projection, parts(), signal)).equal;

    it('decides by the opened fields and stores a keyed hash and the box', async () => {
      await seen('con_1', 'London');
      await seen('con_2', 'Paris');
      await seen('con_3', 'London');
      const [first, second] = (await documents()) as VisitDoc[];
      expect(await ids()).to.deep.equal(['con_1/visits', 'con_3/visits']);
      expect(first?.city).to.be.a('string').and.equal(second?.city);
      expect(JSON.stringify([first, second])).to.not.include('London');
      expect(await log.openBoxes([first?.sealed ?? ''])).to.deep.equal([{ properties: { city: 'London' } }]);
    });

    it('hashes a value otherwise than an address', async () => {
      await seen('con_1', 'ada@example.com');
      const [doc] = (await documents()) as VisitDoc[];
      expect(doc?.city).to.not.equal(vault.key('acc_1', 'ada@example.com'));
    });

    it('opens the fields of a page with one call', async () => {
      for (const city of ['London', 'Rome', 'Paris']) await seen('con_1', city);
      let calls = 0;
      const { open } = vault;
      vault.open = (boxes) => {
        calls += 1;
        return open.call(vault, boxes);
      };
      expect(((await documents()) as VisitDoc[]).map(({ times }) => times)).to.deep.equal([2]);
      expect(calls).to.equal(1);
    });

    it('is equal after an erasure, which removes what was decided for its subjects', async () => {
      await seen('con_1', 'London');
      await seen('con_10', 'Rome');
      expect(await ids()).to.deep.equal(['con_1/visits', 'con_10/visits']);
      await erase('con_1');
      await seen('con_2', 'Rome');
      expect(await ids()).to.deep.equal(['con_10/visits', 'con_2/visits']);
      expect(await isEqual()).to.equal(true);
    });

    it('is equal where an event and the erasure are in one page', async () => {
      await seen('con_1', 'London');
      await seen('con_2', 'London');
      await erase('con_1', 'con_2');
      expect(await ids()).to.deep.equal([]);
      expect(await isEqual()).to.equal(true);
    });

    it('is equal where an event was sealed under a destroyed key after the erasure', async () => {
      await seen('con_1', 'London');
      await documents();
      const event = {
        type: 'CustomEventRecorded',
        data: { event_id: 'late', contact_id: 'con_1', name: 'x', properties: { city: 'Rome' }, occurred_at: AT, at: AT },
      };
      const [sealed] = await log.seal([event]);
      // Another process destroys the key: this one has it in its cache.
      await engine.log.keys.destroy('con_1');
      await completed('con_1');
      await append('event-late', sealed as AnyEvent);
      const [late] = (await documents()) as VisitDoc[];
      expect(late).to.include({ id: 'con_1/visits', times: 1, city: null });
      expect(await isEqual()).to.equal(true);
    });

    it('holds again what is sealed under a new key of the same subject', async () => {
      await seen('con_1', 'London');
      await erase('con_1');
      await seen('con_1', 'Rome');
      expect(await ids()).to.deep.equal(['con_1/visits']);
      expect(await isEqual()).to.equal(true);
    });

    it('is equal after an erasure where it is divided by data subject', async () => {
      const divided = openedProjection({ ...plainVisits, name: 'divided', partitionsOf: ({ event }) => [event.data.contact_id] }, opens);
      for (const id of ['con_1', 'con_2', 'con_3', 'con_4']) await seen(id, 'London');
      expect(await ids(divided)).to.have.length(4);
      await erase('con_1', 'con_3');
      expect(await ids(divided)).to.deep.equal(['con_2/visits', 'con_4/visits']);
      expect(await isEqual(divided)).to.equal(true);
    });

    it('opens and reads only what concerns its partitions', async () => {
      const divided = openedProjection({ ...plainVisits, name: 'some', partitionsOf: ({ event }) => [event.data.contact_id] }, opens);
      const all = ['con_1', 'con_2', 'con_3', 'con_4'];
      for (const id of all) await seen(id, 'London');
      const writer = await engine.views.views.writer(divided, [0]);
      const own = all.filter((id) => partitionIndexOf(id, writer.partitionCount) === 0);
      let opened = 0;
      const { open } = vault;
      vault.open = (boxes) => {
        opened += boxes.length;
        return open.call(vault, boxes);
      };
      await buildUpTo(divided, parts(), writer, signal);
      await writer.close();
      expect(opened).to.equal(own.length);
      expect(own.length).to.be.above(0);
    });

    it('is a to-do list whose to-dos an erasure removes', async () => {
      const list = todoList(greet);
      await seen('con_1', 'London');
      await seen('con_2', 'London');
      await seen('con_2', 'Rome');
      expect(await ids(list, TODOS)).to.have.length(2);
      await erase('con_1');
      const [left, ...others] = await ids(list, TODOS);
      expect([left?.split('/')[0], others]).to.deep.equal(['con_2', []]);
      expect(await isEqual(list)).to.equal(true);
    });

    it('is a to-do list divided by account whose to-dos an erasure removes', async () => {
      const list = todoList({ ...greet, name: 'events/greet-by-account', ...byAccount });
      for (const id of ['con_1', 'con_2', 'con_3', 'con_4']) await seen(id, 'London');
      expect(await ids(list, TODOS)).to.have.length(4);
      await erase('con_1', 'con_3');
      expect((await ids(list, TODOS)).map((id) => id.split('/')[0])).to.deep.equal(['con_2', 'con_4']);
      expect(await isEqual(list)).to.equal(true);
    });

    describe('stops at a document that', () => {
      const applying = (apply: (view: View, stored: Parameters<typeof visits.apply>[0]) => void, opens = visits.opens) =>
        openedProjection<SealedCustomEvent>(
          {
            name: 'faulty',
            version: 1,
            handles: ['CustomEventRecorded'],
            collections: { visits: { indexes: [] }, cities: { indexes: [] } },
            reads: ({ event }) => [
              { collection: 'visits', id: event.data.contact_id },
              { collection: 'cities', id: 'x' },
              { collection: 'visits', id: 'x' },
            ],
            apply: (stored, view) => apply(view, stored),
          },
          opens ?? { types: [], collections: [] },
        );
      const outcome = (projection: AnyProjection) =>
        documents(projection).then(
          () => 'fine',
          (e: Error) => e.message,
        );
      beforeEach(() => seen('con_1', 'London'));

      it('would stay after the erasure', async () => {
        expect(await outcome(applying((view) => view.put('cities', { id: 'x' })))).to.include(
          "cities/x depends on personal fields: name its collection in 'opens'",
        );
        const afterRead = applying(
          (view) => {
            view.get('visits', 'con_1');
            view.put('cities', { id: 'x' });
          },
          { types: [], collections: ['visits'] },
        );
        expect(await outcome(afterRead)).to.include('cities/x depends on personal fields');
      });

      it('belongs to someone else', async () => {
        expect(await outcome(applying((view) => view.put('visits', { id: 'x' })))).to.include('visits/x depends on personal fields of a subject');
      });

      it('contains opened fields', async () => {
        expect(await outcome(applying((view, stored) => view.put('visits', { id: 'con_1', fields: openedFieldsOf(stored) })))).to.include(
          'cannot be stored',
        );
      });

      it('is decided by fields that are not declared', async () => {
        const undeclared = applying((_, stored) => openedFieldsOf(stored).decide(() => true), { types: [], collections: ['visits'] });
        expect(await outcome(undeclared)).to.include('are not opened');
      });
    });
  });
}

describe('opened fields', () => {
  it('are not there where nobody opened them', () => {
    expect(() => openedFieldsOf(recorded({ type: 'SuppressionLifted', data: { address_key: 'k' } }))).to.throw('are not opened');
  });
});
