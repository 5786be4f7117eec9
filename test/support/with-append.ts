import { appendChain, type EventStore } from '../../domain/kernel/ports.js';

/** The same log, but for how it takes appends: one that fails, or is slow, or counts. */
export const withAppend = (events: EventStore, append: EventStore['append']): EventStore => ({
  append,
  appendAll: (chains) => Promise.all(chains.map((chain) => appendChain({ append }, chain))),
  read: (...given) => events.read(...given),
  readAll: (...given) => events.readAll(...given),
  head: () => events.head(),
  subscribe: (...given) => events.subscribe(...given),
  subscribeToStreamNames: (...given) => events.subscribeToStreamNames(...given),
  close: () => events.close(),
});
