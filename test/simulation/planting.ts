/** Tools to put defects in: parts over other parts that behave wrongly. */
import { type AppendPosition, appendChain, type EventStore, type NewEvent, type ReadModels, type ViewWriter } from '../../domain/kernel/ports.js';
import type { Plant } from './world/stores.js';
import type { World } from './world/world.js';

/** The same object with other methods. */
export const over = <T extends object>(inner: T, methods: Partial<T>): T =>
  new Proxy(inner, {
    get: (target, name) => {
      const member = methods[name as keyof T] ?? target[name as keyof T];
      return typeof member === 'function' && !(name in methods) ? member.bind(target) : member;
    },
  });

export const sometimes = (world: World, probability: number): boolean => world.random('planted').chance(probability);

export const writers = (inner: ReadModels, change: (writer: ViewWriter) => ViewWriter): ReadModels =>
  over(inner, { writer: async (spec) => withNarrow(await inner.writer(spec), change) });

const withNarrow = (writer: ViewWriter, change: (writer: ViewWriter) => ViewWriter): ViewWriter =>
  over(change(writer), { narrow: async (partitions) => withNarrow(await writer.narrow(partitions), change) });

type AppendArgs = Parameters<EventStore['append']>;
type Made = (about: { readonly inner: EventStore; readonly world: World; readonly append: AppendArgs }) => Promise<AppendPosition>;

/** Appends to streams whose names begin so are made in another way, single ones and those of a chain. */
export const appends = (prefix: string, made: Made): Plant => ({
  events: (inner, world) => {
    const append = (...args: AppendArgs) => (args[0].startsWith(prefix) ? made({ inner, world, append: args }) : inner.append(...args));
    return over(inner, { append, appendAll: (chains) => Promise.all(chains.map((chain) => appendChain({ append }, chain))) });
  },
});

/** The answer to an append that is not made. */
export async function created(inner: EventStore, [, expected, events]: AppendArgs): Promise<AppendPosition> {
  const head = await inner.head();
  return { revision: (expected === 'no-stream' ? -1 : expected) + events.length, position: head === 'start' ? '0'.repeat(20) : head };
}

/** Streams whose names begin so are read in another way. */
export const reads = (inner: EventStore, prefix: string, read: EventStore['read']): EventStore =>
  over(inner, { read: (stream, options) => (stream.startsWith(prefix) ? read(stream, options) : inner.read(stream, options)) });

/** Events of streams whose names begin so are changed before they are appended. */
export const rewritten = (prefix: string, change: (event: NewEvent) => NewEvent): Plant =>
  appends(prefix, ({ inner, append: [stream, expected, events] }) => inner.append(stream, expected, events.map(change)));
