import type { AnyEvent } from '../../domain/kernel/event.js';
import { type ExpectedRevision, isWrongRevision } from '../../domain/kernel/ports.js';
import type { EventAppend } from '../../log/runtime/event-log.js';
import type { Context } from './command.js';

/** The expectation of an append to a stream at this revision; -1 if the stream does not exist. */
export const toExpected = (revision: number): ExpectedRevision => (revision === -1 ? 'no-stream' : revision);

/** The revision that an append expects; -1 if it expects no stream. */
export const toRevision = (expected: ExpectedRevision): number => (expected === 'no-stream' ? -1 : expected);

/** Appends to a stream at the revision that was loaded; false if the stream has changed since. */
export const tryAppend = (context: Context, stream: string, revision: number, events: readonly AnyEvent[]): Promise<boolean> =>
  unlessChanged(async () => {
    await context.append(stream, toExpected(revision), events);
    return true;
  });

/** Appends to several streams in order, in one call, up to the first that has changed since it was loaded; false if one has. */
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
