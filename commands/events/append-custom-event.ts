import type { IdentityWarning } from '../../domain/contacts/identity.js';
import { lateInvocation } from '../../domain/contacts/quiet-cause.js';
import { type CustomEventEvent, customEvent, customEventStream } from '../../domain/events/custom-event.js';
import { findContact } from '../../log/aggregates/contacts/load-contact.js';
import { fingerprint, hashId } from '../../log/runtime/ids.js';
import { upsertContactRow } from '../contacts/upsert.js';
import type { Context } from '../runtime/command.js';
import { isLiveForTest, recordNaming } from '../runtime/contact-modes.js';
import { isLate } from './lateness.js';
import type { ContactReference, EventInput, ParsedEvent } from './parse-event.js';

/** The contact of an event. */
export interface EventContact {
  /** Id for the answer: after merges, the contact that remains. */
  readonly contact_id: string;
  /** Id for the event: the contact that was referenced. */
  readonly recorded_for: string;
  readonly created: boolean;
  /** It is by a test key, and the contact is live. */
  readonly tried: boolean;
  /** What belongs to other contacts, or that the contact was found by a phone that two share. */
  readonly warnings?: readonly IdentityWarning[];
}

/** The answer for a recorded event. */
export interface RecordedCustomEvent {
  readonly id: string;
  readonly contact_id: string;
  readonly contact_created: boolean;
  readonly accepted_at: string;
  /** Where there are any. */
  readonly warnings?: readonly IdentityWarning[];
}

/** Finds the contact of an event, or creates it. Throws `not_found`, `contact_erased` and `conflict`. */
export async function resolveContact(context: Context, reference: ContactReference): Promise<EventContact> {
  if ('id' in reference) {
    const found = await findContact(context.log, context.cause.account, reference.id);
    await recordNaming(context, found, 'event');
    return { contact_id: found.root.id, recorded_for: found.named.id, created: false, tried: isLiveForTest(context, found) };
  }
  const { contact_id, about: recorded_for, outcome, warnings } = await upsertContactRow(context, reference.row, { source: 'event', import_id: null });
  const tried = context.cause.test === true && isLiveForTest(context, await findContact(context.log, context.cause.account, contact_id));
  return { contact_id, recorded_for, created: outcome === 'created', tried, warnings };
}

/** The id of an event. Derived from its idempotency key if it has one, so that single and batch requests share it. */
export const customEventId = (context: Context, { idempotency_key: key }: EventInput, nth: number): string =>
  key === undefined ? context.newId('evt', nth) : hashId('evt', context.cause.account, 'event', key);

/** Where an event is recorded: one that is late, and starts no journeys, has an invocation of its own, which all that it causes names. */
export const contextOfEvent = async (context: Context, id: string, occurred_at: string, startJourneys: boolean): Promise<Context> =>
  !startJourneys && (await isLate(context, { trigger: { type: 'event' }, occurred_at }, context.now))
    ? context.contextOfPart(lateInvocation(id))
    : context;

export function toCustomEvent(
  { now, cause, addresses }: Context,
  id: string,
  input: EventInput,
  { name, properties, occurred_at }: ParsedEvent,
  { recorded_for }: EventContact,
  startJourneys = input.start_journeys === true,
): CustomEventEvent {
  const asked = input.idempotency_key === undefined ? {} : { asked: addresses.key(cause.account, `event/${fingerprint(input)}`) };
  const starting = startJourneys && { start_journeys: true };
  return {
    type: 'CustomEventRecorded',
    data: { event_id: id, contact_id: recorded_for, name, properties, ...asked, occurred_at, ...starting, at: now },
  };
}

/** The warnings of an answer, if there are any. */
export const warningsOf = (warnings: readonly IdentityWarning[] = []): Pick<RecordedCustomEvent, 'warnings'> =>
  warnings.length > 0 ? { warnings } : {};

/** Appends the event once per id. Throws `idempotency_key_reused` if its key belongs to a different event. */
export async function appendCustomEvent(
  context: Context,
  { data }: CustomEventEvent,
  { contact_id, created, tried, warnings }: EventContact,
): Promise<RecordedCustomEvent> {
  const { event_id: id } = data;
  const { state } = await context.decide(customEvent, customEventStream(id), { type: 'Record', tried, data }, { assumeNew: true, sealed: true });
  return { id, contact_id, contact_created: created, accepted_at: state.status === 'new' ? context.now : state.at, ...warningsOf(warnings) };
}
