/** Defects in what is written or read: events and documents as they must not be. */
import type { Doc, NewEvent, Op, RecordedEvent } from '../../domain/kernel/ports.js';

export const withoutDuration = (event: NewEvent): NewEvent => {
  const data = JSON.parse(event.data) as { next_attempt_at: string | null; duration_ms: number };
  if (event.type !== 'DeliveryAttemptFailed' || data.next_attempt_at === null) return event;
  const next_attempt_at = new Date(Date.parse(data.next_attempt_at) - data.duration_ms).toISOString();
  return { ...event, data: JSON.stringify({ ...data, next_attempt_at }) };
};

export const tooEarly = (event: NewEvent): NewEvent => {
  if (event.type !== 'MessageScheduled') return event;
  const data = JSON.parse(event.data);
  return { ...event, data: JSON.stringify({ ...data, send_at: new Date(Date.parse(data.send_at) - 120_000).toISOString() }) };
};

/** The next attempt is due twenty minutes after its time. */
export const withDelay = (event: NewEvent): NewEvent => {
  const data = JSON.parse(event.data) as { next_attempt_at: string | null };
  if (event.type !== 'DeliveryAttemptFailed' || data.next_attempt_at === null) return event;
  const next_attempt_at = new Date(Date.parse(data.next_attempt_at) + 1_200_000).toISOString();
  return { ...event, data: JSON.stringify({ ...data, next_attempt_at }) };
};

/** The message of another step than before: its id says when it was made, and not for whom. */
export const withoutContact = (event: NewEvent): NewEvent => {
  if (event.type !== 'BulkChunkAccepted') return event;
  const data = JSON.parse(event.data) as { items: { id: string; campaign_id?: string }[] };
  const items = data.items.map((item) => (item.campaign_id === undefined ? item : { ...item, id: `${item.id.slice(0, -4)}${event.id.slice(-4)}` }));
  return { ...event, data: JSON.stringify({ ...data, items }) };
};

export const isByForm = ({ data }: NewEvent): boolean => (JSON.parse(data) as { cause?: { kind: string } }).cause?.kind === 'form';

/** A to-do of the memberships of a contact that nothing but another event of the contact brings up again. */
export const withoutTimer = (op: Op): Op =>
  op.after?.kind === 'contact' && Number(op.after.due_at) < Number.MAX_SAFE_INTEGER
    ? { ...op, after: { ...op.after, due_at: Number.MAX_SAFE_INTEGER } }
    : op;

/** The timer of a node is set to another time than that of the node. */
export const aMinuteLater = (event: NewEvent): NewEvent => {
  if (event.type !== 'EnrollmentTimerSet') return event;
  const data = JSON.parse(event.data) as { due_at: string };
  return { ...event, data: JSON.stringify({ ...data, due_at: new Date(Date.parse(data.due_at) + 60_000).toISOString() }) };
};

/** A device without a proof counts as one of an account that asks for none. */
export const asUnchecked = (event: NewEvent): NewEvent => {
  if (event.type !== 'PushSubscribed') return event;
  const data = JSON.parse(event.data) as { attached_by?: string };
  return data.attached_by === 'creation' ? { ...event, data: JSON.stringify({ ...data, attached_by: 'unchecked' }) } : event;
};

/** The message that it asks for is that of another time. */
export const withOtherMessage = (event: NewEvent): NewEvent => {
  if (event.type !== 'EnrollmentSendRequested') return event;
  const data = JSON.parse(event.data) as { message_id: string };
  return { ...event, data: JSON.stringify({ ...data, message_id: `${data.message_id.slice(0, -4)}${event.id.slice(-4)}` }) };
};

interface Hitting {
  readonly hits: readonly { readonly wake: { readonly by: string } }[];
}

/** A contact's to-do of journeys that has lost what makes its enrollments leave. */
export const withoutExits = (op: Op): Op => {
  const { enrollments } = (op.after ?? {}) as { enrollments?: readonly Hitting[] };
  if (op.after?.kind !== 'contact' || !enrollments) return op;
  const left = enrollments.map((one) => ({ ...one, hits: one.hits.filter(({ wake }) => wake.by !== 'exit') }));
  return { ...op, after: { ...op.after, enrollments: left } as Doc };
};

/** A fit whose model shows what its test has refused, to those who score by it. */
export const withoutGate = (stored: RecordedEvent): RecordedEvent => ({
  ...stored,
  data: stored.data.replaceAll('"null_reason":"quality_below_gate"', '"null_reason":null'),
});

/** A contact that a form with double opt-in makes, as if the account had named it. */
export const asNamed = (event: NewEvent): NewEvent => {
  if (event.type !== 'ContactCreated') return event;
  const { basis, ...data } = JSON.parse(event.data) as { basis?: object };
  return basis ? { ...event, data: JSON.stringify({ ...data, basis: { of: 'account' } }) } : event;
};
