import { appendChain, type EventStore, type RecordedEvent, type Revision, WrongExpectedRevision } from '../../domain/kernel/ports.js';

const POSITION_DIGITS = 20;

/**
 * A store over another one that is only read: appends stay in memory and are visible in the streams of this store. It has
 * streams only, no log as a whole.
 */
export function overlayStore(below: EventStore): EventStore {
  const own = new Map<string, RecordedEvent[]>();
  let appended = 0;
  const lastBelow = async (stream: string): Promise<Revision> => {
    const last = await below.read(stream, { backwards: true, limit: 1 });
    return last === 'not-found' ? -1 : ((last[0] as RecordedEvent | undefined)?.revision ?? -1);
  };
  const refuse = (): never => {
    throw new Error('an overlay has streams only');
  };
  const store: EventStore = {
    async append(stream, expected, events) {
      const at = own.get(stream)?.at(-1)?.revision ?? (await lastBelow(stream));
      const wanted = expected === 'no-stream' ? -1 : expected;
      if (at !== wanted) throw new WrongExpectedRevision(stream, expected, at === -1 ? 'no-stream' : at);
      const known = own.get(stream) ?? [];
      for (const [i, event] of events.entries()) {
        appended += 1;
        // After everything that is in the log.
        const position = `9${String(appended).padStart(POSITION_DIGITS - 1, '0')}`;
        known.push({ ...event, stream, revision: wanted + 1 + i, position });
      }
      own.set(stream, known);
      const last = known.at(-1) as RecordedEvent;
      return { revision: last.revision, position: last.position };
    },
    appendAll: (chains) => Promise.all(chains.map((chain) => appendChain(store, chain))),
    async read(stream, options = {}) {
      const added = own.get(stream);
      if (!added) return below.read(stream, options);
      const past = await below.read(stream);
      const all = [...(past === 'not-found' ? [] : past), ...added];
      const { from, limit = all.length, backwards = false } = options;
      const wanted = backwards
        ? all.filter(({ revision }) => from === undefined || revision <= from).reverse()
        : all.filter(({ revision }) => revision >= (from ?? 0));
      return wanted.slice(0, limit);
    },
    readAll: refuse,
    pageEnd: refuse,
    readBackwards: refuse,
    head: refuse,
    subscribe: refuse,
    close: async () => {},
  };
  return store;
}
