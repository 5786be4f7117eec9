import type { PlatformEventName } from '../../domain/webhooks/platform-events.js';
import type { RecordedExamples } from '../http/description.js';

type Fields = Readonly<Record<string, unknown>>;

/** An example of the body for an event, made of a contact and a message that are recorded. Undefined without them. */
export function platformExample(event: PlatformEventName, { operations }: RecordedExamples): Fields | undefined {
  const contact = operations.getContact?.responses['200'] as Fields | undefined;
  const recorded = operations.getMessage?.responses['200'] as Fields | undefined;
  if (!contact || !recorded) return undefined;
  const envelope = { event, event_id: 'evt_01JHM4B3W6TQ8X2N5R7Y9Z0001', account_id: 'acc_01JHM4B3W6TQ8X2N5R7Y9Z0002' };
  return { ...envelope, occurred_at: '2026-01-15T10:30:00.000Z', data: dataOf(event, contact, withoutTexts(recorded)) };
}

const texts = ['message', 'message_truncated', 'subject', 'title', 'html', 'cc', 'bcc', 'headers', 'media_urls', 'attachments'];
const withoutTexts = (message: Fields): Fields => Object.fromEntries(Object.entries(message).filter(([name]) => !texts.includes(name)));

function dataOf(event: PlatformEventName, contact: Fields, message: Fields): Fields {
  const message_id = message.id;
  switch (event) {
    case 'contact.created':
      return { contact, source: 'api' };
    case 'contact.updated':
      return { contact, changes: { first_name: { from: null, to: 'Ada' } }, merged_from: [] };
    case 'contact.unsubscribed':
      return { contact, channel: 'sms', address: '+14155550100', source: 'stop_keyword', keyword: 'STOP', message_id, list_id: null };
    case 'contact.bounced':
      return { contact, address: 'ada@example.com', bounce_type: 'hard', code: '5.1.1', diagnostic: 'bounced', message_id, suppressed: true };
    case 'message.delivered':
      return { message, reason: null, code: null };
    case 'message.failed':
      return { message: { ...message, status: 'failed', status_reason: 'carrier_rejected' }, reason: 'carrier_rejected', code: '30006' };
    case 'message.received': {
      const addresses = { from: 'ada@example.com', to: 'hello@acme.example', subject: null };
      const content = { text: 'Thank you, I got it.', html: null, in_reply_to_message_id: message_id, attachments: [] };
      return { id: 'inb_01JHM4B3W6TQ8X2N5R7Y9Z0003', ...addresses, ...content, contact, received_at: '2026-01-15T10:30:00.000Z' };
    }
    case 'campaign.sent': {
      const campaign = { id: 'cmp_01JHM4B3W6TQ8X2N5R7Y9Z0004', name: 'Spring', channel: 'email' };
      const times = { started_at: '2026-01-15T10:00:00.000Z', finished_at: '2026-01-15T10:30:00.000Z' };
      return { campaign, counts: { delivered: 980, failed: 20 }, ...times };
    }
    case 'form.submitted':
      return {
        form: { id: 'frm_01JHM4B3W6TQ8X2N5R7Y9Z0005', name: 'Newsletter', slug: 'newsletter', version: 1 },
        submission: {
          ...{ id: 'fsb_01JHM4B3W6TQ8X2N5R7Y9Z0006', status: 'accepted', fields: { email: 'ada@example.com' }, consent: true, language: 'en' },
          ...{ page: null, duplicate_of: null, submitted_at: '2026-01-15T10:30:00.000Z' },
        },
        contact,
        contact_created: true,
      };
    default:
      return event satisfies never;
  }
}
