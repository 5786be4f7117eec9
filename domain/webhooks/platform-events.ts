/**
 * The account-wide events that webhook endpoints subscribe to, as one table: which events of the log fire each. What fires
 * depends on the event alone, so that the process that delivers and the list of deliveries agree.
 */
import { named, oneOf } from '../kernel/schema.js';

export interface PlatformEvent {
  readonly when: string;
  /** Types of the events of the log that mean it. */
  readonly source: readonly string[];
}

export const platformEvents = {
  'contact.created': { when: 'a contact is created', source: ['ContactCreated'] },
  'contact.updated': {
    when: 'fields, custom fields or tags of a contact change, or contacts are merged or separated',
    source: ['ContactUpdated', 'ContactAbsorbed', 'ContactReleased'],
  },
  'contact.unsubscribed': {
    when: 'a person opts out: by an unsubscribe link, on the preference page, by a keyword, by a complaint, by a request to the API, or by withdrawing consent to marketing',
    source: ['AddressSuppressed', 'SuppressionWidened', 'ConsentWithdrawn'],
  },
  'contact.bounced': { when: 'the mail system of a recipient refuses an email, for good or for now', source: ['MessageBounced', 'MessageDeferred'] },
  'message.delivered': { when: 'a carrier reports that a message arrived', source: ['MessageDelivered'] },
  'message.failed': {
    when: 'a message fails for good',
    source: ['MessageFailed', 'MessageExpired', 'MessageUndelivered', 'MessageBounced'],
  },
  'message.received': { when: 'a recipient replies to an email', source: ['InboundEmailReceived', 'MessageReplied'] },
  'campaign.sent': { when: 'a campaign has finished sending', source: ['CampaignSent'] },
  'form.submitted': { when: 'a form is submitted, also again with the same fields', source: ['FormSubmitted'] },
} as const satisfies Readonly<Record<string, PlatformEvent>>;

export type PlatformEventName = keyof typeof platformEvents;
export const platformEventNames = Object.keys(platformEvents) as PlatformEventName[];
export const platformEventSchema = named('PlatformEvent', oneOf(...platformEventNames));
export const isPlatformEvent = (name: string): name is PlatformEventName => Object.hasOwn(platformEvents, name);
