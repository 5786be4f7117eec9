import { accountEvents } from '../domain/accounts/account.js';
import { keyUseEvents } from '../domain/accounts/key-use.js';
import { userKeyEvents } from '../domain/accounts/user-key.js';
import { consentEvents } from '../domain/consent/consent.js';
import { contactEvents } from '../domain/contacts/contact.js';
import { contactKeyEvents } from '../domain/contacts/contact-key.js';
import { customFieldEvents } from '../domain/contacts/custom-field.js';
import { erasureEvents } from '../domain/contacts/erasure.js';
import { importEvents } from '../domain/contacts/import.js';
import { customEventEvents } from '../domain/events/custom-event.js';
import { intentEvents } from '../domain/kernel/intent.js';
import { cleaningEvents } from '../domain/lists/cleaning.js';
import { listEvents } from '../domain/lists/list.js';
import { membershipEvents } from '../domain/lists/membership.js';
import { batchEvents } from '../domain/messages/batch.js';
import { contentEvents } from '../domain/messages/content.js';
import { frequencyEvents } from '../domain/messages/frequency.js';
import { messageEvents } from '../domain/messages/message.js';
import { parkedEvents } from '../domain/parked/parked-work.js';
import { inboundTextEvents } from '../domain/suppressions/inbound-text.js';
import { suppressionEvents } from '../domain/suppressions/suppression.js';
import { deliveryEvents } from '../domain/webhooks/delivery.js';
import { EventTypeRegistry } from './event-type-registry.js';

/** The next version has a further optional field: a program that does not know it must not take the event for whole. */
const unchanged = (data: unknown): unknown => data;

/** Every event type of every capability. A new capability adds a line. */
export const eventTypes = new EventTypeRegistry(
  [
    ...intentEvents,
    ...accountEvents,
    ...keyUseEvents,
    ...userKeyEvents,
    ...messageEvents,
    ...batchEvents,
    ...contentEvents,
    ...frequencyEvents,
    ...suppressionEvents,
    ...inboundTextEvents,
    ...contactEvents,
    ...contactKeyEvents,
    ...erasureEvents,
    ...customFieldEvents,
    ...importEvents,
    ...customEventEvents,
    ...consentEvents,
    ...listEvents,
    ...membershipEvents,
    ...cleaningEvents,
    ...deliveryEvents,
    ...parkedEvents,
  ],
  { MessageQueued: { 1: unchanged }, MessageScheduled: { 1: unchanged }, BulkChunkAccepted: { 1: unchanged } },
);
