import type { AnyEvent } from '../domain/kernel/event.js';
import { type Expected, isWrongRevision } from '../domain/kernel/ports.js';
import type { EventAppend } from '../log/event-log.js';
import type { Context } from './kernel.js';

/** What an append expects of a stream that is at a revision, -1 where there is none. */
export const toExpected = (revision: number): Expected => (revision === -1 ? 'no-stream' : revision);

/** The revision that an append expects, -1 where no stream. */
export const toRevision = (expected: Expected): number => (expected === 'no-stream' ? -1 : expected);

/** Appends to a stream as it was looked at; false where it has changed since. Who looks at several streams looks at all again. */
export const tryAppend = (context: Context, stream: string, revision: number, events: readonly AnyEvent[]): Promise<boolean> =>
  unlessChanged(async () => {
    await context.append(stream, toExpected(revision), events);
    return true;
  });

/** The same for several streams, with one call: what comes after one that has changed is not appended. */
export async function tryAppendAll(context: Context, appends: readonly EventAppend[]): Promise<boolean> {
  const [only, ...others] = appends;
  if (!only) return true;
  if (others.length === 0) return tryAppend(context, only.stream, toRevision(only.expected), only.events);
  return unlessChanged(async () => (await context.appendParts([{ appends }]))[0] === true);
}

async function unlessChanged(append: () => Promise<boolean>): Promise<boolean> {
  try {
    return await append();
  } catch (e) {
    if (isWrongRevision(e)) return false;
    throw e;
  }
}
