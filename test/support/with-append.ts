import { appendChain, type EventStore } from '../../domain/kernel/ports.js';

/** Decorates a log with another `append`, which may fail, delay or count. */
export const withAppend = (events: EventStore, append: EventStore['append']): EventStore => ({
  append,
  appendAll: (chains) => Promise.all(chains.map((chain) => appendChain({ append }, chain))),
  read: (...given) => events.read(...given),
  readAll: (...given) => events.readAll(...given),
  pageEnd: (...given) => events.pageEnd(...given),
  readBackwards: (...given) => events.readBackwards(...given),
  head: () => events.head(),
  subscribe: (...given) => events.subscribe(...given),
  close: () => events.close(),
});
