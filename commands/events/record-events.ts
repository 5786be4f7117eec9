import { isOfLateEvent } from '../../domain/contacts/quiet-cause.js';
import { customEventStream } from '../../domain/events/custom-event.js';
import { invalid, isDomainError } from '../../domain/kernel/errors.js';
import { loadCustomFields } from '../../log/aggregates/contacts/load-custom-fields.js';
import { type Context, internalCommand } from '../runtime/command.js';
import { mapConcurrent } from '../runtime/concurrency.js';
import { executeOnce } from '../runtime/idempotency.js';
import {
  appendCustomEvent,
  contextOfEvent,
  customEventId,
  type EventContact,
  type RecordedCustomEvent,
  resolveContact,
  toCustomEvent,
  warningsOf,
} from './append-custom-event.js';
import { type ContactReference, type EventInput, type ParsedEvent, parseEvent } from './parse-event.js';

/** A problem of one event of a batch. */
export interface EventRowProblem {
  readonly index: number;
  readonly field: string;
  readonly code: string;
  readonly message: string;
}

export interface InputBatch {
  readonly received: number;
  /** For events that do not say it themselves: late ones start journeys, too. */
  readonly start_journeys?: boolean;
  /** The events that match the schema, with their index in the request. */
  readonly items: readonly { readonly index: number; readonly input: EventInput }[];
  readonly problems: readonly EventRowProblem[];
}

export interface RecordedEvents {
  readonly received: number;
  readonly accepted: number;
  readonly rejected: number;
  readonly events: readonly ({ readonly index: number } & RecordedCustomEvent)[];
  readonly errors: readonly EventRowProblem[];
}

const CONTACTS_IN_FLIGHT = 64;
const EVENTS_IN_FLIGHT = 512;

interface ParsedRow {
  readonly index: number;
  readonly id: string;
  readonly input: EventInput;
  readonly read: ParsedEvent;
  readonly startJourneys: boolean;
  /** Where it is recorded: of a late event, a context of its own. */
  readonly context: Context;
}

/**
 * Records the valid events of a batch and reports the others. Events are durable when it returns. Each contact is resolved
 * once. Throws `validation_error` if no event is valid.
 */
export const recordEvents = internalCommand({
  name: 'RecordEvents',

  handle(batch: InputBatch, context): Promise<RecordedEvents> {
    return executeOnce(
      context,
      ({ rows, problems }) => recordRows(context, batch.received, rows, problems),
      async () => {
        const read = await parseRows(batch, await loadCustomFields(context.log, context.cause.account), context);
        if (read.rows.length > 0) return read;
        throw invalid(read.problems.map(({ index, field, code, message }) => ({ field: `events[${index}]${field && `.${field}`}`, code, message })));
      },
    );
  },
});

async function parseRows(
  { items, problems: shape, start_journeys = false }: InputBatch,
  fields: Awaited<ReturnType<typeof loadCustomFields>>,
  context: Context,
) {
  const rows: ParsedRow[] = [];
  const problems = [...shape];
  for (const { index, input } of items) {
    const read = parseEvent(input, fields, context);
    if ('problems' in read) problems.push(...read.problems.map(({ field, code, message }) => ({ index, field, code, message })));
    else {
      const id = customEventId(context, input, index);
      const startJourneys = input.start_journeys ?? start_journeys;
      rows.push({ index, id, input, read, startJourneys, context: await contextOfEvent(context, id, read.occurred_at, startJourneys) });
    }
  }
  return { rows, problems };
}

type RejectRow = (index: number, field: string, error: unknown) => void;

async function recordRows(
  context: Context,
  received: number,
  rows: readonly ParsedRow[],
  shape: readonly EventRowProblem[],
): Promise<RecordedEvents> {
  const problems = [...shape];
  const refuse: RejectRow = (index, field, error) => {
    if (!isDomainError(error)) throw error;
    problems.push({ index, field, code: error.code, message: error.message });
  };
  const known: ResolvedRow[] = [];
  await mapConcurrent(context, groupByContact(rows), CONTACTS_IN_FLIGHT, async (group) => {
    const contact = await resolveGroup(group, refuse);
    if (contact) known.push(...group.map((row, nth) => ({ index: row.index, contact: { ...contact, created: contact.created && nth === 0 }, row })));
  });
  const events = await appendRows(context, known.sort(byIndex), refuse);
  const errors = problems.sort(byIndex);
  const rejected = new Set(errors.map(({ index }) => index)).size;
  return { received, accepted: events.length, rejected, events, errors };
}

interface ResolvedRow {
  readonly index: number;
  readonly contact: EventContact;
  readonly row: ParsedRow;
}

/**
 * Appends all events, in one call as new streams first: most ids are new. Events whose stream exists, and second events with
 * the same id, are then decided one by one.
 */
async function appendRows(context: Context, known: readonly ResolvedRow[], refuse: RejectRow): Promise<RecordedEvents['events']> {
  const all = known.map(({ index, contact, row }) => ({
    index,
    contact,
    own: row.context,
    event: toCustomEvent(context, row.id, row.input, row.read, contact, row.startJourneys),
  }));
  const firstById = new Map<string, (typeof all)[number]>();
  for (const one of all) if (!firstById.has(one.event.data.event_id)) firstById.set(one.event.data.event_id, one);
  const candidates = [...firstById.values()];
  const appended = await context.appendParts(
    candidates.map(({ event, own }) => ({
      ...(own !== context && { invocation: own.cause.invocation }),
      appends: [{ stream: customEventStream(event.data.event_id), expected: 'no-stream', events: [event] }],
    })),
  );
  const recorded = new Set(candidates.filter((_, i) => appended[i]));
  const answers: RecordedEvents['events'][number][] = [...recorded].map(({ index, contact, event }) => ({
    index,
    id: event.data.event_id,
    contact_id: contact.contact_id,
    contact_created: contact.created,
    accepted_at: context.now,
    ...warningsOf(contact.warnings),
  }));
  const remaining = all.filter((one) => !recorded.has(one));
  await mapConcurrent(context, remaining, EVENTS_IN_FLIGHT, async ({ index, contact, event, own }) => {
    try {
      answers.push({ index, ...(await appendCustomEvent(own, event, contact)) });
    } catch (error) {
      refuse(index, 'idempotency_key', error);
    }
  });
  return answers.sort(byIndex);
}

const byIndex = (a: { index: number }, b: { index: number }): number => a.index - b.index;

/** A contact that several events name is late only where all of them are. */
async function resolveGroup(group: readonly ParsedRow[], refuse: RejectRow): Promise<EventContact | null> {
  const [first] = group as [ParsedRow];
  const naming = group.find(({ context }) => !isOfLateEvent({ $causationId: context.cause.invocation })) ?? first;
  try {
    return await resolveContact(naming.context, first.read.contact);
  } catch (error) {
    for (const { index } of group) refuse(index, 'contact', error);
    return null;
  }
}

function groupByContact(rows: readonly ParsedRow[]): ParsedRow[][] {
  const groups = new Map<string, ParsedRow[]>();
  for (const row of rows) {
    const name = referenceKey(row.read.contact);
    const group = groups.get(name);
    if (group) group.push(row);
    else groups.set(name, [row]);
  }
  return [...groups.values()];
}

const referenceKey = (naming: ContactReference): string =>
  'id' in naming ? naming.id : naming.row.keys.map(({ name, key }) => `${name}=${key}`).join('/');
