import { ownField } from '../../domain/kernel/own-fields.js';
import { meaningOfFeedback } from '../../domain/messages/bounces/feedback-types.js';
import {
  boundedRecipients,
  cutReport,
  type IncomingReport,
  isFields,
  listOf,
  ourId,
  parsedJsonOf,
  type RawRequest,
  type ReportFields,
  rawText,
  readEach,
  receiptOrStep,
  reportFieldsOf,
  reportTextOf,
  reportTimeOf,
  type StatusMeaning,
  shortText,
  unknownStatus,
  unreadable,
} from '../runtime/incoming.js';
import { emailOfMime } from '../runtime/mime.js';
import { sesBounces, sesEvents } from './codes.js';
import type { SnsMessage } from './verify.js';

const CARRIER = 'ses';

/** The object with the details of an event, and the list in it of the recipients concerned. */
interface EventForm {
  readonly details: string;
  readonly recipients: string | null;
}

const forms: Readonly<Record<string, EventForm>> = {
  Send: { details: 'send', recipients: null },
  Bounce: { details: 'bounce', recipients: 'bouncedRecipients' },
  Complaint: { details: 'complaint', recipients: 'complainedRecipients' },
  Delivery: { details: 'delivery', recipients: 'recipients' },
  Reject: { details: 'reject', recipients: null },
  'Rendering Failure': { details: 'failure', recipients: null },
  DeliveryDelay: { details: 'deliveryDelay', recipients: 'delayedRecipients' },
  Open: { details: 'open', recipients: null },
  Click: { details: 'click', recipients: null },
  Subscription: { details: 'subscription', recipients: null },
};

/** A genuine request of SNS; only a notification reports anything. */
export async function receiveSns({ body }: Pick<RawRequest, 'body'>): Promise<IncomingReport[]> {
  const { Type, Message, MessageId } = reportFieldsOf(parsedJsonOf(body));
  return Type === 'Notification' ? receiveSes({ Message: reportTextOf(Message) ?? '', MessageId: reportTextOf(MessageId) ?? '' }) : [];
}

/** A notification of a genuine message of SNS: one receipt for each recipient that it lists, or an inbound email. */
export async function receiveSes({ Message, MessageId }: Pick<SnsMessage, 'Message' | 'MessageId'>): Promise<IncomingReport[]> {
  const event = parsedJsonOf(Buffer.from(Message));
  // "Successfully validated SNS topic …" is no JSON.
  if (!isFields(event)) return [{ kind: 'none', what: 'no event of SES' }];
  const type = reportTextOf(event.eventType) ?? reportTextOf(event.notificationType);
  if (type === 'Received') return [await receivedEmail(event)];
  if (type === null) return [{ kind: 'none', what: 'no event of SES' }];
  const [form, meaning] = [ownField(forms, type), ownField(sesEvents.statuses, type)];
  if (!form || !meaning) return [unknownStatus(type)];
  const mail = reportFieldsOf(event.mail);
  if (reportTextOf(mail.messageId) === null) return [unreadable('an event names no message')];
  const details = reportFieldsOf(ownField(event, form.details));
  const listed = form.recipients === null ? [] : listOf(ownField(details, form.recipients));
  const { kept, cut } = boundedRecipients(listed.length > 0 ? listed : [null], (one) => JSON.stringify(addressIn(one) ?? one));
  // Once: it names all recipients.
  const raw = rawText(event);
  const about = { event, meaning, mail, details, raw, snsId: MessageId };
  return [...readEach(kept, (recipient) => receiptOf({ ...about, recipient })), ...cutReport(cut)];
}

interface Part {
  readonly event: ReportFields;
  readonly meaning: StatusMeaning;
  readonly mail: ReportFields;
  readonly details: ReportFields;
  readonly recipient: unknown;
  readonly raw: string;
  readonly snsId: string;
}

function receiptOf({ event, meaning, mail, details, recipient, raw, snsId }: Part): IncomingReport {
  const isText = typeof recipient === 'string';
  if (recipient !== null && !isText && !isFields(recipient)) return unreadable('a recipient is no object');
  const one = reportFieldsOf(recipient);
  const address = addressIn(recipient);
  if (meaning.kind === 'complained' && isNoComplaint(details)) return { kind: 'none', what: 'feedback that is no complaint' };
  if (meaning.kind === 'unsubscribed' && !leavesAll(details)) return { kind: 'none', what: 'a subscription that goes on' };
  const { unknown_code, ...bounce }: ReadMeaning = meaning.kind === 'bounced' && meaning.reason === undefined ? bounceMeaning(details) : meaning;
  const code =
    reportTextOf(one.status) ?? reportTextOf(details.bounceSubType) ?? reportTextOf(details.delayType) ?? reportTextOf(details.complaintFeedbackType);
  const receipt = {
    ...bounce,
    carrier: CARRIER,
    carrier_message_id: reportTextOf(mail.messageId),
    raw_status: shortText(reportTextOf(event.eventType) ?? reportTextOf(event.notificationType) ?? ''),
    code: code === null ? null : shortText(code),
    raw,
    at: reportTimeOf(details.timestamp) ?? reportTimeOf(details.arrivalDate) ?? reportTimeOf(mail.timestamp),
    ...(meaning.kind === 'clicked' && { url: reportTextOf(details.link) }),
  };
  return receiptOrStep({
    kind: 'receipt',
    receipt,
    message_id: idOf(mail),
    dedupe: `${snsId}/${address ?? ''}`,
    ...(unknown_code !== undefined && { unknown_code }),
  });
}

const addressIn = (recipient: unknown): string | null =>
  typeof recipient === 'string' ? recipient : reportTextOf(reportFieldsOf(recipient).emailAddress);

type ReadMeaning = StatusMeaning & { readonly unknown_code?: string };

/** A subtype that nobody knows counts as the general one of its type. */
function bounceMeaning({ bounceType, bounceSubType }: ReportFields): ReadMeaning {
  const [type, subtype] = [reportTextOf(bounceType) ?? 'Undetermined', reportTextOf(bounceSubType) ?? 'General'];
  const known = ownField(sesBounces.statuses, `${type}/${subtype}`);
  if (known) return known;
  const general = ownField(sesBounces.statuses, `${type}/General`) ?? UNDETERMINED;
  return bounceSubType === undefined && general !== UNDETERMINED ? general : { ...general, unknown_code: shortText(`${type}/${subtype}`) };
}
const UNDETERMINED: StatusMeaning = { kind: 'bounced', reason: 'carrier_rejected', bounce_class: 'unknown' };

/** Whether a report of SES is about no complaint of a recipient, as one of an authentication failure. */
function isNoComplaint({ complaintFeedbackType }: ReportFields): boolean {
  const type = reportTextOf(complaintFeedbackType);
  return type !== null && meaningOfFeedback(type) === null;
}

/** Whether the person has left all lists: not one topic, and no opt-in. Amazon SES, "Contents of event data: Subscription object". */
function leavesAll({ newTopicPreferences }: ReportFields): boolean {
  const preferences = reportFieldsOf(newTopicPreferences);
  return newTopicPreferences === undefined || preferences.unsubscribeAll === true;
}

/** Our id in the tags of the message. */
function idOf({ tags }: ReportFields): string | null {
  const values = Object.values(reportFieldsOf(tags)).flatMap((value) => (Array.isArray(value) ? value : [value]));
  return values.map(ourId).find((id) => id !== null) ?? null;
}

/** Reading S3 would need credentials of its own; the action SNS has mails of up to 150 kB. */
const IN_S3 = 'an email whose receipt rule has stored it in S3: give the rule the action SNS with the encoding Base64, which sends the content';

async function receivedEmail(event: ReportFields): Promise<IncomingReport> {
  const { recipients, action: given } = reportFieldsOf(event.receipt);
  const action = reportFieldsOf(given);
  const content = reportTextOf(event.content);
  if (content === null) return unreadable(action.type === 'S3' ? IN_S3 : 'an email without content');
  const source = Buffer.from(content, action.encoding === 'BASE64' ? 'base64' : 'utf8');
  return emailOfMime(
    source,
    CARRIER,
    listOf(recipients).flatMap((one) => reportTextOf(one) ?? []),
  );
}
