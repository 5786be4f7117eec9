import { ownField } from '../../domain/kernel/own-fields.js';
import { readRefusal } from '../../domain/messages/bounces/read-reply.js';
import {
  type IncomingReport,
  isFields,
  ourId,
  parsedJsonOf,
  type RawRequest,
  type ReportFields,
  rawText,
  readEach,
  reasonOf,
  receiptOrStep,
  reportFieldsOf,
  reportTextOf,
  type StatusMeaning,
  secondsOf,
  shortText,
  unknownStatus,
  unreadable,
} from '../runtime/incoming.js';
import { sendgridClassifications, sendgridDropped, sendgridEvents } from './codes.js';

const CARRIER = 'sendgrid';

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
  const known = ownField(sendgridEvents.statuses, name);
  if (known === undefined) return unknownStatus(event);
  if (known === null) return { kind: 'none', what: shortText(event) };
  const sgId = reportTextOf(element.sg_message_id)?.split('.', 1)[0] ?? null;
  const message_id = ourId(element.message_id) ?? ourId(reportFieldsOf(element.custom_args).message_id);
  if (sgId === null && message_id === null) return unreadable('an event names no message');
  const { unknown_code, ...meaning } = meaningOf(name, known, element);
  const eventId = reportTextOf(element.sg_event_id);
  const receipt = {
    ...meaning,
    carrier: CARRIER,
    carrier_message_id: sgId || null,
    raw_status: shortText(name),
    code: codeOf(element),
    raw: rawText(element),
    at: secondsOf(element.timestamp),
    ...(name === 'click' && { url: reportTextOf(element.url) }),
  };
  return receiptOrStep({
    kind: 'receipt',
    receipt,
    message_id,
    ...(eventId !== null && { dedupe: eventId }),
    ...(unknown_code !== undefined && { unknown_code }),
  });
}

/** What an event means by its table, and by what it says of a bounce or of a dropped message. */
function meaningOf(name: string, known: StatusMeaning, element: ReportFields): StatusMeaning & { readonly unknown_code?: string } {
  const reason = reportTextOf(element.reason) ?? '';
  if (name === 'dropped') {
    const found = Object.entries(sendgridDropped.statuses).find(([beginning]) => reason === beginning) ?? droppedLike(reason);
    return found?.[1] ?? { ...known, ...(reason !== '' && { unknown_code: shortText(reason) }) };
  }
  if (name !== 'bounce' && name !== 'blocked') return known;
  const classified = reportTextOf(element.bounce_classification);
  const byClass = classified === null ? null : ownField(sendgridClassifications.statuses, classified);
  const unknown = byClass === undefined && classified !== null && { unknown_code: shortText(classified) };
  return { ...notHarder(byClass ?? byReply(reason, reportTextOf(element.status)) ?? known, name, known), ...unknown };
}

const droppedLike = (reason: string): [string, StatusMeaning | null] | undefined =>
  Object.entries(sendgridDropped.statuses).find(([beginning]) => beginning.length > 'Invalid'.length && reason.startsWith(beginning));

/** What the receiver said, where that is known. */
function byReply(words: string, status: string | null): StatusMeaning | null {
  const { class: found, meaning } = readRefusal({ status, words });
  return meaning === null ? null : { kind: 'bounced', ...reasonOf(found) };
}

/** What SendGrid calls blocked is never an address that does not exist. */
const notHarder = (found: StatusMeaning, name: string, known: StatusMeaning): StatusMeaning =>
  name === 'blocked' && found.bounce_class === 'hard' ? known : found;

function codeOf({ sg_machine_open, status }: Readonly<Record<string, unknown>>): string | null {
  if (sg_machine_open === true) return MACHINE_OPEN;
  const code = reportTextOf(status);
  return code === null ? null : shortText(code);
}
