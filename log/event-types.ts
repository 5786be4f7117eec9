import { account } from '../domain/accounts/account.js';
import { invitation } from '../domain/accounts/invitation.js';
import { keyUse } from '../domain/accounts/key-use.js';
import { passwordReset } from '../domain/accounts/password-reset.js';
import { secondFactor } from '../domain/accounts/second-factor.js';
import { userSessions } from '../domain/accounts/sessions.js';
import { identityVerificationOf } from '../domain/accounts/settings.js';
import { userKey } from '../domain/accounts/user-key.js';
import { campaign } from '../domain/campaigns/campaign.js';
import { expansionEvents } from '../domain/campaigns/expansion.js';
import { consent } from '../domain/consent/consent.js';
import { contact } from '../domain/contacts/contact.js';
import { contactKey } from '../domain/contacts/contact-key.js';
import { customFields } from '../domain/contacts/custom-field.js';
import { erasure } from '../domain/contacts/erasure.js';
import { legacyImport } from '../domain/contacts/legacy-import.js';
import { customEvent } from '../domain/events/custom-event.js';
import { formEntry } from '../domain/forms/entry.js';
import { form } from '../domain/forms/form.js';
import { formSlug } from '../domain/forms/slug.js';
import { submission } from '../domain/forms/submission.js';
import { formVisits } from '../domain/forms/visits.js';
import { inboxItem } from '../domain/inbox/item.js';
import { job } from '../domain/jobs/job.js';
import { contactDate } from '../domain/journeys/contact-date.js';
import { enrollment } from '../domain/journeys/enrollment.js';
import { journeyEntries } from '../domain/journeys/entry.js';
import { journey } from '../domain/journeys/journey.js';
import { journeySchedule } from '../domain/journeys/schedule.js';
import { journeySweepEvents } from '../domain/journeys/sweep.js';
import type { AnyAggregate } from '../domain/kernel/aggregate.js';
import { intentEvents } from '../domain/kernel/intent.js';
import { cleaning } from '../domain/lists/cleaning.js';
import { contactList } from '../domain/lists/list.js';
import { membership } from '../domain/lists/membership.js';
import { batch } from '../domain/messages/batch.js';
import { batchDispatchEvents } from '../domain/messages/batch-dispatch.js';
import { contentEvents } from '../domain/messages/content.js';
import { frequency } from '../domain/messages/frequency.js';
import { inboundEmailEvents } from '../domain/messages/inbound-email.js';
import { message, messageStream } from '../domain/messages/message.js';
import { probeEvents } from '../domain/parked/crash-probes.js';
import { parkedWork } from '../domain/parked/parked-work.js';
import { devices } from '../domain/push/devices.js';
import { subscription } from '../domain/push/subscription.js';
import { recordedScores } from '../domain/scores/contact-scores.js';
import { engagementModelEvents } from '../domain/scores/engagement-fitted.js';
import { scoreModelEvents } from '../domain/scores/score-model.js';
import { withEarlierRules } from '../domain/segments/earlier-reading.js';
import { liveSegmentEvents } from '../domain/segments/live/recorded.js';
import { segment } from '../domain/segments/segment.js';
import { inboundText } from '../domain/suppressions/inbound-text.js';
import { softBounces } from '../domain/suppressions/soft-bounces.js';
import { suppression } from '../domain/suppressions/suppression.js';
import { withScope } from '../domain/suppressions/with-scope.js';
import { templatePartial } from '../domain/templates/partial.js';
import { template } from '../domain/templates/template.js';
import { savedViews } from '../domain/views/saved-views.js';
import { delivery } from '../domain/webhooks/delivery.js';
import { endpoints } from '../domain/webhooks/endpoint.js';
import { forgottenDeliveries } from '../domain/webhooks/forgotten-deliveries.js';
import { keptMails } from '../domain/webhooks/kept-mails.js';
import { keptReport } from '../domain/webhooks/kept-report.js';
import { legacyLane } from '../formats/webhooks/lanes.js';
import { EventTypeRegistry } from './runtime/event-type-registry.js';

/**
 * The next version has further optional fields, which a program that does not know them must not miss; or it seals a field that
 * was open, which an older event still has beside its box.
 */
const unchanged = (data: unknown): unknown => data;

/** Before version 8 the setting was true or false. */
const withVerificationMode = ({ changes, ...event }: { readonly changes: { readonly identity_verification?: boolean } }): unknown => {
  const { identity_verification: mode, ...others } = changes;
  return { ...event, changes: mode === undefined ? changes : { ...others, identity_verification: identityVerificationOf(mode) } };
};

/** Where the field was open, so that a lane can be derived from it. */
const withLane = <T extends { readonly webhook_url?: string }>(message: T): T =>
  message.webhook_url === undefined ? message : { ...message, webhook_lane: legacyLane(message.webhook_url) };
const withLanes = (chunk: { readonly items: readonly object[] }): unknown => ({ ...chunk, items: chunk.items.map(withLane) });

/** The URL is that of the message. */
const laneOfUrl = ({ url, ...request }: { readonly url: string }): unknown => ({ ...request, lane: legacyLane(url) });

/** Before version 3 only messages had deliveries. */
const ofMessage = ({ message_id, ...request }: { readonly message_id: string }): unknown => ({
  ...request,
  endpoint_id: null,
  source_stream: messageStream(message_id),
  event_id: null,
  event: null,
});

/** Before version 3 each message of a batch was dispatched by itself. */
const allAlone = (chunk: { readonly items: readonly unknown[] }): unknown => ({ ...chunk, alone: chunk.items.map((_, index) => index) });

/** Every aggregate. A new one adds a line. */
export const aggregates: readonly AnyAggregate[] = [
  account,
  keyUse,
  userKey,
  userSessions,
  secondFactor,
  invitation,
  passwordReset,
  message,
  batch,
  frequency,
  softBounces,
  suppression,
  inboundText,
  contact,
  contactKey,
  erasure,
  customFields,
  legacyImport,
  customEvent,
  consent,
  contactList,
  membership,
  cleaning,
  segment,
  delivery,
  forgottenDeliveries,
  keptMails,
  keptReport,
  endpoints,
  parkedWork,
  job,
  campaign,
  journey,
  enrollment,
  journeyEntries,
  journeySchedule,
  contactDate,
  template,
  templatePartial,
  inboxItem,
  subscription,
  devices,
  form,
  formSlug,
  submission,
  formEntry,
  formVisits,
  recordedScores,
  savedViews,
];

/** Event types of no aggregate, or of streams that several decide on. */
const furtherEventTypes = [
  ...intentEvents,
  ...batchDispatchEvents,
  ...contentEvents,
  ...inboundEmailEvents,
  ...liveSegmentEvents,
  ...probeEvents,
  ...expansionEvents,
  ...journeySweepEvents,
  ...scoreModelEvents,
  ...engagementModelEvents,
];

/** Every event type of every capability. */
export const eventTypes = new EventTypeRegistry([...aggregates.flatMap(({ events }) => events), ...furtherEventTypes], {
  MessageQueued: { 1: unchanged, 2: withLane, 3: unchanged, 4: unchanged, 5: unchanged, 6: unchanged, 7: unchanged, 8: unchanged, 9: unchanged },
  MessageScheduled: { 1: unchanged, 2: withLane, 3: unchanged, 4: unchanged, 5: unchanged, 6: unchanged, 7: unchanged, 8: unchanged, 9: unchanged },
  MessageDispatchStarted: { 1: unchanged, 2: unchanged },
  MessageDispatchDeferred: { 1: unchanged },
  MessageSent: { 1: unchanged, 2: (data: object) => ({ ...data, sender_key: null }) },
  MessageSuppressed: { 1: unchanged },
  BulkChunkAccepted: {
    1: unchanged,
    2: allAlone,
    3: unchanged,
    4: withLanes,
    5: unchanged,
    6: unchanged,
    7: unchanged,
    8: unchanged,
    9: unchanged,
    10: unchanged,
    11: unchanged,
  },
  MessageFailed: { 1: unchanged, 2: unchanged },
  MessageUndelivered: { 1: unchanged, 2: unchanged },
  MessageBounced: { 1: unchanged, 2: unchanged, 3: unchanged },
  MessageComplained: { 1: unchanged },
  MessageUnsubscribed: { 1: unchanged },
  MessageReplied: { 1: unchanged },
  ReceiptIgnored: { 1: unchanged, 2: unchanged, 3: unchanged },
  ApiKeyIssued: { 1: unchanged, 2: unchanged },
  AccountCreated: { 1: unchanged },
  UserPasswordChanged: { 1: unchanged },
  SettingsChanged: {
    1: unchanged,
    2: unchanged,
    3: unchanged,
    4: unchanged,
    5: unchanged,
    6: unchanged,
    7: withVerificationMode,
    8: unchanged,
    9: unchanged,
    10: unchanged,
  },
  FormSubmitted: { 1: unchanged },
  JobChunkDone: { 1: unchanged },
  PushSubscribed: { 1: unchanged },
  PushDeviceAdded: { 1: unchanged },
  MessageClicked: { 1: unchanged, 2: unchanged },
  AddressSuppressed: { 1: withScope, 2: unchanged },
  SuppressionBackdated: { 1: withScope, 2: unchanged },
  SuppressionWidened: { 1: unchanged },
  RedeliveryRequested: { 1: laneOfUrl, 2: ofMessage, 3: unchanged },
  SuppressionLifted: { 1: unchanged, 2: unchanged },
  InboundTextReceived: { 1: unchanged, 2: unchanged },
  InboundEmailReceived: { 1: unchanged },
  SubscriptionRequested: { 1: unchanged, 2: unchanged },
  ListSubscribed: { 1: unchanged },
  ListUnsubscribed: { 1: unchanged },
  ListResubscribed: { 1: unchanged },
  ListCleaned: { 1: unchanged },
  ConsentGranted: { 1: unchanged },
  ConsentWithdrawn: { 1: unchanged, 2: unchanged },
  ConsentRequested: { 1: unchanged },
  CampaignCreated: { 1: unchanged, 2: unchanged },
  CampaignChanged: { 1: unchanged, 2: unchanged },
  TemplateCreated: { 1: unchanged },
  TemplateUpdated: { 1: unchanged },
  JourneyDrafted: { 1: unchanged },
  JourneyDraftChanged: { 1: unchanged },
  JourneyPublished: { 1: unchanged },
  CampaignStarted: { 1: unchanged },
  CampaignAudienceStored: { 1: unchanged },
  CampaignPartExpanded: { 1: unchanged },
  CampaignAudienceFrozen: { 1: unchanged },
  SegmentCreated: { 1: withEarlierRules },
  SegmentUpdated: { 1: withEarlierRules },
});
