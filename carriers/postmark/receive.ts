import { ownField } from '../../domain/kernel/own-fields.js';
import {
  type Fields,
  fieldsOf,
  type Incoming,
  isAutomatic,
  isFields,
  jsonOf,
  listOf,
  ourId,
  type RawRequest,
  rawText,
  type StatusMeaning,
  shortText,
  textOf,
  timeOf,
  unreadable,
} from '../runtime/incoming.js';

const CARRIER = 'postmark';

const SOFT: StatusMeaning = { kind: 'bounced', reason: 'carrier_rejected' };
/** Types of bounces; all others are soft. Null: no bounce of a message. */
const bounceTypes: Readonly<Record<string, StatusMeaning | null>> = {
  HardBounce: { kind: 'bounced', reason: 'hard_bounce' },
  BadEmailAddress: { kind: 'bounced', reason: 'hard_bounce' },
  Transient: { kind: 'deferred' },
  DnsError: { kind: 'deferred' },
  SpamNotification: { kind: 'complained' },
  SpamComplaint: { kind: 'complained' },
  Unsubscribe: { kind: 'unsubscribed' },
  // Answers of programs, and confirmations that Postmark awaits.
  AutoResponder: null,
  AddressChange: null,
  ChallengeVerification: null,
  Subscribe: null,
};

/** By `RecordType`: the meaning, and the field with the time. */
const records: Readonly<Record<string, { readonly meaning: (fields: Fields) => StatusMeaning | null; readonly time: string; readonly id?: string }>> =
  {
    Delivery: { meaning: () => ({ kind: 'delivered' }), time: 'DeliveredAt' },
    Bounce: {
      meaning: ({ Type }) => {
        const known = ownField(bounceTypes, textOf(Type) ?? '');
        return known === undefined ? SOFT : known;
      },
      time: 'BouncedAt',
      id: 'ID',
    },
    SpamComplaint: { meaning: () => ({ kind: 'complained' }), time: 'BouncedAt', id: 'ID' },
    Open: { meaning: () => ({ kind: 'opened' }), time: 'ReceivedAt' },
    Click: { meaning: () => ({ kind: 'clicked' }), time: 'ReceivedAt' },
    // Only what a person chose: a bounce has a record of its own.
    SubscriptionChange: {
      meaning: ({ SuppressSending, SuppressionReason }) =>
        SuppressSending === true && SuppressionReason === 'ManualSuppression' ? { kind: 'unsubscribed' } : null,
      time: 'ChangedAt',
    },
  };

/** A record about a message, or an inbound email, which has no `RecordType`. */
export function receivePostmark({ body }: RawRequest): Incoming[] {
  const parsed = jsonOf(body);
  if (!isFields(parsed)) return [unreadable('no JSON object')];
  const type = textOf(parsed.RecordType);
  if (type === null || type === 'Inbound') return [emailFrom(parsed)];
  const form = ownField(records, type);
  const meaning = form?.meaning(parsed);
  if (!form || !meaning) return [{ kind: 'none', what: shortText(type) }];
  const [id, message_id] = [textOf(parsed.MessageID), ourId(fieldsOf(parsed.Metadata).message_id)];
  if (id === null && message_id === null) return [unreadable('a record names no message')];
  const code = textOf(parsed.Type);
  const dedupe = form.id === undefined ? null : textOf(ownField(parsed, form.id));
  const at = timeOf(ownField(parsed, form.time));
  const { Content: _, ...kept } = parsed;
  const receipt = {
    ...meaning,
    carrier: CARRIER,
    carrier_message_id: id,
    raw_status: shortText(type),
    code: code === null ? null : shortText(code),
    raw: rawText(kept),
    at,
    ...(meaning.kind === 'clicked' && { url: textOf(parsed.OriginalLink) }),
  };
  return [{ kind: 'receipt', receipt, message_id, ...(dedupe !== null ? { dedupe } : at === null && { dedupe: 'record' }) }];
}

function emailFrom(fields: Fields): Incoming {
  const from = textOf(fieldsOf(fields.FromFull).Email) ?? textOf(fields.From);
  if (from === null) return unreadable('an email without a sender');
  const headers = listOf(fields.Headers).map((one) => ({ name: textOf(fieldsOf(one).Name) ?? '', value: textOf(fieldsOf(one).Value) ?? '' }));
  const header = (name: string): string => headers.find((one) => one.name.toLowerCase() === name)?.value ?? '';
  return {
    kind: 'email',
    carrier: CARRIER,
    carrier_message_id: textOf(fields.MessageID),
    from,
    from_name: textOf(fields.FromName) ?? textOf(fieldsOf(fields.FromFull).Name),
    to: [fields.OriginalRecipient, ...listOf(fields.ToFull).map((one) => fieldsOf(one).Email)].flatMap((one) => textOf(one) ?? []),
    subject: textOf(fields.Subject),
    text: textOf(fields.TextBody) ?? textOf(fields.StrippedTextReply) ?? '',
    html: textOf(fields.HtmlBody),
    attachments: listOf(fields.Attachments).map((one) => {
      const { Name, ContentType, ContentLength } = fieldsOf(one);
      const size = Number(textOf(ContentLength));
      return { filename: textOf(Name), content_type: textOf(ContentType) ?? '', size: Number.isSafeInteger(size) && size >= 0 ? size : 0 };
    }),
    email_message_id: header('message-id') || null,
    references: `${header('in-reply-to')} ${header('references')}`,
    token: textOf(fields.MailboxHash),
    automatic: isAutomatic(headers),
    at: timeOf(fields.Date),
  };
}
