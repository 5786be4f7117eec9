import Type from 'typebox';
import { customEventStream } from '../../domain/events/custom-event.js';
import { invalid, isDomainError } from '../../domain/kernel/errors.js';
import { loadOwnCustomFields } from '../contacts/upsert-contact.js';
import { eachOf } from '../each-of.js';
import { type Context, command } from '../kernel.js';
import { once } from '../once.js';
import { type EventInput, type Naming, type ReadEvent, readEvent } from './event-input.js';
import { eventIdOf, eventOf, type RecordedEvent, recordFor, type Who, whoIs } from './record-one.js';

/** What is wrong with one event of a batch. */
export interface EventProblem {
  readonly index: number;
  readonly field: string;
  readonly code: string;
  readonly message: string;
}

export interface EventBatch {
  readonly received: number;
  /** Events whose shape is right, with their place in the request. */
  readonly items: readonly { readonly index: number; readonly input: EventInput }[];
  readonly problems: readonly EventProblem[];
}

export interface RecordedEvents {
  readonly received: number;
  readonly accepted: number;
  readonly rejected: number;
  readonly events: readonly ({ readonly index: number } & RecordedEvent)[];
  readonly errors: readonly EventProblem[];
}

/** As many are worked on together; the log writes what comes at one moment with one call to the disk. */
const CONTACTS_IN_FLIGHT = 64;
const EVENTS_IN_FLIGHT = 512;

interface Row {
  readonly index: number;
  readonly input: EventInput;
  readonly read: ReadEvent;
}

/**
 * Records many events: those that are right, whatever is wrong with the others. Each is on disk before the answer. A
 * contact is looked for once, however many of the events are its own. Throws `validation_error` where none is right.
 */
export const recordEvents = command({
  name: 'RecordEvents',
  input: Type.Unsafe<EventBatch>(Type.Object({})),

  handle(batch, context): Promise<RecordedEvents> {
    return once(
      context,
      ({ rows, problems }) => recordRows(context, batch.received, rows, problems),
      async () => {
        const read = readRows(batch, await loadOwnCustomFields(context), context);
        if (read.rows.length > 0) return read;
        throw invalid(read.problems.map(({ index, field, code, message }) => ({ field: `events[${index}]${field && `.${field}`}`, code, message })));
      },
    );
  },
});

function readRows({ items, problems: shape }: EventBatch, fields: Awaited<ReturnType<typeof loadOwnCustomFields>>, context: Context) {
  const rows: Row[] = [];
  const problems = [...shape];
  for (const { index, input } of items) {
    const read = readEvent(input, fields, context);
    if ('problems' in read) problems.push(...read.problems.map(({ field, code, message }) => ({ index, field, code, message })));
    else rows.push({ index, input, read });
  }
  return { rows, problems };
}

type Refuse = (index: number, field: string, error: unknown) => void;

async function recordRows(context: Context, received: number, rows: readonly Row[], shape: readonly EventProblem[]): Promise<RecordedEvents> {
  const problems = [...shape];
  const refuse: Refuse = (index, field, error) => {
    if (!isDomainError(error)) throw error;
    problems.push({ index, field, code: error.code, message: error.message });
  };
  const known: Known[] = [];
  await eachOf(byContact(rows), CONTACTS_IN_FLIGHT, async (group) => {
    const who = await found(context, group, refuse);
    if (who) known.push(...group.map((row, nth) => ({ index: row.index, who: { ...who, created: who.created && nth === 0 }, row })));
  });
  const events = await recordAll(context, known.sort(byIndex), refuse);
  const errors = problems.sort(byIndex);
  const rejected = new Set(errors.map(({ index }) => index)).size;
  return { received, accepted: events.length, rejected, events, errors };
}

interface Known {
  readonly index: number;
  readonly who: Who;
  readonly row: Row;
}

/** In their order; most ids are new, which is tried first, with one call. Two of one id are not tried together. */
async function recordAll(context: Context, known: readonly Known[], refuse: Refuse): Promise<RecordedEvents['events']> {
  const all = known.map(({ index, who, row }) => ({
    index,
    who,
    event: eventOf(context, eventIdOf(context, row.input, index), row.input, row.read, who),
  }));
  const first = new Map([...all].reverse().map((one) => [one.event.data.event_id, one]));
  const fresh = [...first.values()];
  const made = await context.appendParts(
    fresh.map(({ event }) => ({ appends: [{ stream: customEventStream(event.data.event_id), expected: 'no-stream', events: [event] }] })),
  );
  const recorded = new Set(fresh.filter((_, i) => made[i]));
  const done: RecordedEvents['events'][number][] = [...recorded].map(({ index, who, event }) => ({
    index,
    id: event.data.event_id,
    contact_id: who.contact_id,
    contact_created: who.created,
    accepted_at: context.now,
  }));
  const again = all.filter((one) => !recorded.has(one));
  await eachOf(again, EVENTS_IN_FLIGHT, async ({ index, who, event }) => {
    try {
      done.push({ index, ...(await recordFor(context, event, who)) });
    } catch (error) {
      refuse(index, 'idempotency_key', error);
    }
  });
  return done.sort(byIndex);
}

const byIndex = (a: { index: number }, b: { index: number }): number => a.index - b.index;

async function found(context: Context, group: readonly Row[], refuse: Refuse): Promise<Who | null> {
  const [first] = group as [Row];
  try {
    return await whoIs(context, first.read.naming);
  } catch (error) {
    for (const { index } of group) refuse(index, 'contact', error);
    return null;
  }
}

/** In the order of the request. */
function byContact(rows: readonly Row[]): Row[][] {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const name = nameOf(row.read.naming);
    const group = groups.get(name);
    if (group) group.push(row);
    else groups.set(name, [row]);
  }
  return [...groups.values()];
}

const nameOf = (naming: Naming): string => ('id' in naming ? naming.id : naming.row.keys.map(({ name, key }) => `${name}=${key}`).join('/'));
