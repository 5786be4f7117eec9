import { ownField } from '../../domain/kernel/own-fields.js';
import type { StatusReason } from '../../domain/messages/status.js';
import {
  type IncomingReport,
  isFields,
  ourId,
  parsedJsonOf,
  type RawRequest,
  rawText,
  readEach,
  receiptOrStep,
  reportFieldsOf,
  reportTextOf,
  type StatusMeaning,
  secondsOf,
  shortText,
  unreadable,
} from '../runtime/incoming.js';

const CARRIER = 'sendgrid';

/** Events of SendGrid; a bounce by its `type`. Null: it says nothing of a message. */
const events: Readonly<Record<string, StatusMeaning | null>> = {
  processed: { kind: 'accepted' },
  deferred: { kind: 'deferred' },
  delivered: { kind: 'delivered' },
  bounce: { kind: 'bounced', reason: 'hard_bounce', bounce_class: 'hard' },
  blocked: { kind: 'bounced', reason: 'carrier_rejected', bounce_class: 'soft' },
  dropped: { kind: 'bounced', reason: 'carrier_rejected' },
  open: { kind: 'opened' },
  click: { kind: 'clicked' },
  spamreport: { kind: 'complained' },
  unsubscribe: { kind: 'unsubscribed' },
  group_unsubscribe: { kind: 'unsubscribed' },
  // Lifts nothing: who resubscribes at SendGrid has not asked us.
  group_resubscribe: null,
};

/** Why SendGrid dropped a message. */
const droppedReasons: Readonly<Record<string, StatusReason>> = {
  'Bounced Address': 'hard_bounce',
  'Unsubscribed Address': 'unsubscribed',
  'Spam Reporting Address': 'complaint',
  Invalid: 'invalid_recipient',
};

/** The code of an open that a program made. */
export const MACHINE_OPEN = 'machine_open';

/** A batch of events. */
export function receiveSendGrid({ body }: RawRequest): IncomingReport[] {
  const parsed = parsedJsonOf(body);
  if (parsed === undefined) return [unreadable('no JSON')];
  return readEach(Array.isArray(parsed) ? parsed : [parsed], readEvent);
}

function readEvent(element: unknown): IncomingReport {
  if (!isFields(element)) return unreadable('an event is no object');
  const event = reportTextOf(element.event);
  if (event === null) return unreadable('an event has no `event`');
  const name = event === 'bounce' && element.type === 'blocked' ? 'blocked' : event;
  const meaning = ownField(events, name) ?? null;
  if (!meaning) return { kind: 'none', what: shortText(event) };
  const sgId = reportTextOf(element.sg_message_id)?.split('.', 1)[0] ?? null;
  const message_id = ourId(element.message_id) ?? ourId(reportFieldsOf(element.custom_args).message_id);
  if (sgId === null && message_id === null) return unreadable('an event names no message');
  const reason = event === 'dropped' ? (ownField(droppedReasons, reportTextOf(element.reason) ?? '') ?? 'carrier_rejected') : meaning.reason;
  const eventId = reportTextOf(element.sg_event_id);
  const receipt = {
    kind: meaning.kind,
    ...(reason && { reason }),
    ...(meaning.bounce_class && { bounce_class: meaning.bounce_class }),
    carrier: CARRIER,
    carrier_message_id: sgId || null,
    raw_status: shortText(name),
    code: codeOf(element),
    raw: rawText(element),
    at: secondsOf(element.timestamp),
    ...(name === 'click' && { url: reportTextOf(element.url) }),
  };
  return receiptOrStep({ kind: 'receipt', receipt, message_id, ...(eventId !== null && { dedupe: eventId }) });
}

function codeOf({ sg_machine_open, status }: Readonly<Record<string, unknown>>): string | null {
  if (sg_machine_open === true) return MACHINE_OPEN;
  const code = reportTextOf(status);
  return code === null ? null : shortText(code);
}
