import { withOverrides } from '../../../api/http/access/rate-limits.js';
import type { Append, Doc, Docs, DocumentWatch, EventStore, KeyStore, ReadModels, ViewSpec, ViewWriter } from '../../../domain/kernel/ports.js';
import { MemoryRateLimits } from '../../../engines/memory/index.js';
import type { Application } from '../../../ops/app/application.js';
import { SharedStores } from '../../simulation/world/stores.js';
import { remote } from '../../simulation/world/way.js';
import type { World } from '../../simulation/world/world.js';
import type { Counts } from './counts.js';

const NO_LIMIT = { limit: 1_000_000_000 };
const NO_LIMITS = withOverrides({ send: NO_LIMIT, bulk: NO_LIMIT, general: NO_LIMIT });

/** The stores of an installation, which count how they are used. The code that uses them knows nothing of it. */
export class CountedStores extends SharedStores {
  readonly #recorded: Map<string, number>;

  constructor(
    world: World,
    private readonly counts: Counts,
  ) {
    const recorded = new Map<string, number>();
    const limits = new MemoryRateLimits(NO_LIMITS, { now: () => world.now, monotonic: () => world.elapsed });
    super(world, 1, {
      events: (inner) => countedEvents(inner, counts, recorded),
      keys: (inner) => countedKeys(inner, counts),
      views: (inner) => countedViews(inner, counts),
      limits: () => limits,
    });
    this.#recorded = recorded;
  }

  /** How many events of a type have been appended. */
  recorded(type: string): number {
    return this.#recorded.get(type) ?? 0;
  }

  /** Decodes for each component, as in a server with threads, and counts what it seals and opens. */
  override opened({ log, vault }: Pick<Application, 'log' | 'vault'>): void {
    const { counts } = this;
    const [decode, seal, open] = [log.decode.bind(log), vault.seal.bind(vault), vault.open.bind(vault)];
    log.decode = (recorded) => {
      counts.add('events_decoded');
      return decode(recorded);
    };
    vault.seal = (items) => {
      counts.add('sealed', items.length);
      return seal(items);
    };
    vault.open = (boxes) => {
      counts.add('opened', boxes.length);
      return open(boxes);
    };
  }
}

const direct = <R>(run: () => Promise<R>): Promise<R> => run();

function countedEvents(inner: EventStore, counts: Counts, recorded: Map<string, number>): EventStore {
  const count = (appends: readonly Pick<Append, 'events'>[]): void => {
    counts.add('appends', appends.length);
    for (const { events } of appends) counts.add('events_encoded', events.length);
  };
  const note = (appends: readonly Pick<Append, 'events'>[]): void => {
    for (const { type } of appends.flatMap(({ events }) => events)) recorded.set(type, (recorded.get(type) ?? 0) + 1);
  };
  return remote(inner, direct, {
    append: async (stream, expected, events) => {
      count([{ events }]);
      const appended = await inner.append(stream, expected, events);
      note([{ events }]);
      return appended;
    },
    appendAll: async (chains) => {
      for (const chain of chains) count(chain);
      const results = await inner.appendAll(chains);
      for (const [i, result] of results.entries()) if (!(result instanceof Error)) note(chains[i] ?? []);
      return results;
    },
    read: (stream, options) => {
      counts.add('stream_reads');
      return inner.read(stream, options);
    },
    readAll: (after, limit, maxBytes) => {
      counts.add('log_pages');
      return inner.readAll(after, limit, maxBytes);
    },
    async *subscribe(after, signal, limit, streamPrefix) {
      for await (const page of inner.subscribe(after, signal, limit, streamPrefix)) {
        counts.add('log_pages');
        yield page;
      }
    },
  });
}

const countedKeys = (inner: KeyStore, counts: Counts): KeyStore =>
  remote(inner, direct, {
    put: (rows) => {
      counts.add('keys_made', rows.length);
      return inner.put(rows);
    },
    bySubject: (subjects) => {
      counts.add('keys_read', subjects.length);
      return inner.bySubject(subjects);
    },
    byId: (ids) => {
      counts.add('keys_read', ids.length);
      return inner.byId(ids);
    },
  });

/** To-do lists are read models of their own. */
const isList = ({ name }: ViewSpec): boolean => name.startsWith('todo/');

function countedViews(inner: ReadModels, counts: Counts): ReadModels {
  const watch = inner.watch?.bind(inner);
  const writer = async (spec: ViewSpec, opening: Promise<ViewWriter>) => countedWriter(await opening, spec, counts);
  return remote(inner, direct, {
    docs: <D extends Doc>(spec: ViewSpec, collection: string) => countedDocs(inner.docs<D>(spec, collection), isList(spec), counts),
    writer: (spec, partitions) => writer(spec, inner.writer(spec, partitions)),
    shadow: (spec) => writer(spec, inner.shadow(spec)),
    waitUntilReached: async (...wait) => {
      const hasReached = await inner.waitUntilReached(...wait);
      if (hasReached) counts.add('notices');
      return hasReached;
    },
    ...(watch && { watch: (spec, partition, signal) => countedWatch(watch(spec, partition, signal), counts) }),
  });
}

const countedWatch = (inner: DocumentWatch, counts: Counts): DocumentWatch => ({
  get notified() {
    return inner.notified;
  },
  waitForNext: async (notified, options) => {
    await inner.waitForNext(notified, options);
    if (inner.notified > notified) counts.add('notices');
  },
});

function countedDocs<D extends Doc>(inner: Docs<D>, isOfList: boolean, counts: Counts): Docs<D> {
  const read = isOfList ? 'list_rows_read' : 'documents_read';
  const counted = async <R>(query: Promise<R>, rowsOf: (result: R) => number): Promise<R> => {
    counts.add('queries');
    const result = await query;
    counts.add(read, rowsOf(result));
    return result;
  };
  return {
    get: (id) => counted(inner.get(id), () => 1),
    getMany: (ids) => counted(inner.getMany(ids), () => ids.length),
    find: (query) => counted(inner.find(query), (docs) => docs.length),
    findPage: (query, maxBytes) => counted(inner.findPage(query, maxBytes), ({ docs }) => docs.length),
    count: (where, within) => counted(inner.count(where, within), () => 0),
    distinct: (field) => counted(inner.distinct(field), () => 0),
  };
}

function countedWriter(inner: ViewWriter, spec: ViewSpec, counts: Counts): ViewWriter {
  const read = isList(spec) ? 'list_rows_read' : 'documents_read';
  return remote(inner, direct, {
    narrow: async (partitions) => countedWriter(await inner.narrow(partitions), spec, counts),
    load: (refs) => {
      // What cannot exist yet is not read.
      counts.add(read, refs.filter(({ fresh }) => !fresh).length);
      return inner.load(refs);
    },
    commit: (from, to, ops) => {
      counts.add('projection_rounds');
      if (isList(spec)) counts.add('list_rows_written', ops.length);
      else for (const { collection, id } of ops) counts.wrote(`${spec.name}/${collection}/${id}`);
      return inner.commit(from, to, ops);
    },
    scan: (collection) => inner.scan(collection),
    skipTo: (position) => {
      counts.add('pages_passed');
      inner.skipTo?.(position);
    },
  });
}
