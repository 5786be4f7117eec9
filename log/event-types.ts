import { accountEvents } from '../domain/accounts/account.js';
import { keyUseEvents } from '../domain/accounts/key-use.js';
import { identityVerificationOf } from '../domain/accounts/settings.js';
import { userKeyEvents } from '../domain/accounts/user-key.js';
import { campaignEvents } from '../domain/campaigns/campaign-events.js';
import { expansionEvents } from '../domain/campaigns/expansion.js';
import { consentEvents } from '../domain/consent/consent.js';
import { contactEvents } from '../domain/contacts/contact.js';
import { contactKeyEvents } from '../domain/contacts/contact-key.js';
import { customFieldEvents } from '../domain/contacts/custom-field.js';
import { erasureEvents } from '../domain/contacts/erasure.js';
import { importEvents } from '../domain/contacts/legacy-import.js';
import { customEventEvents } from '../domain/events/custom-event.js';
import { formEntryEvents } from '../domain/forms/entry.js';
import { formEvents } from '../domain/forms/form.js';
import { formSlugEvents } from '../domain/forms/slug.js';
import { submissionEvents } from '../domain/forms/submission.js';
import { formVisitEvents } from '../domain/forms/visits.js';
import { inboxEvents } from '../domain/inbox/item.js';
import { jobEvents } from '../domain/jobs/job.js';
import { contactDateEvents } from '../domain/journeys/contact-date.js';
import { enrollmentEvents } from '../domain/journeys/enrollment.js';
import { journeyEntryEvents } from '../domain/journeys/entry.js';
import { journeyEvents } from '../domain/journeys/journey.js';
import { journeyScheduleEvents } from '../domain/journeys/schedule.js';
import { journeySweepEvents } from '../domain/journeys/sweep.js';
import { intentEvents } from '../domain/kernel/intent.js';
import { cleaningEvents } from '../domain/lists/cleaning.js';
import { listEvents } from '../domain/lists/list.js';
import { membershipEvents } from '../domain/lists/membership.js';
import { batchEvents } from '../domain/messages/batch.js';
import { batchDispatchEvents } from '../domain/messages/batch-dispatch.js';
import { contentEvents } from '../domain/messages/content.js';
import { frequencyEvents } from '../domain/messages/frequency.js';
import { inboundEmailEvents } from '../domain/messages/inbound-email.js';
import { messageEvents, messageStream } from '../domain/messages/message.js';
import { probeEvents } from '../domain/parked/crash-probes.js';
import { parkedEvents } from '../domain/parked/parked-work.js';
import { deviceEvents } from '../domain/push/devices.js';
import { subscriptionEvents } from '../domain/push/subscription.js';
import { contactScoreEvents } from '../domain/scores/contact-scores.js';
import { engagementModelEvents } from '../domain/scores/engagement-fitted.js';
import { scoreModelEvents } from '../domain/scores/score-model.js';
import { liveSegmentEvents } from '../domain/segments/live/recorded.js';
import { segmentEvents } from '../domain/segments/segment.js';
import { inboundTextEvents } from '../domain/suppressions/inbound-text.js';
import { softBounceEvents } from '../domain/suppressions/soft-bounces.js';
import { suppressionEvents } from '../domain/suppressions/suppression.js';
import { withScope } from '../domain/suppressions/with-scope.js';
import { partialEvents } from '../domain/templates/partial.js';
import { templateEvents } from '../domain/templates/template.js';
import { deliveryEvents } from '../domain/webhooks/delivery.js';
import { endpointEvents } from '../domain/webhooks/endpoint.js';
import { forgottenDeliveriesEvents } from '../domain/webhooks/forgotten-deliveries.js';
import { keptMailEvents } from '../domain/webhooks/kept-mails.js';
import { keptReportEvents } from '../domain/webhooks/kept-report.js';
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

/** Every event type of every capability. A new capability adds a line. */
export const eventTypes = new EventTypeRegistry(
  [
    ...intentEvents,
    ...accountEvents,
    ...keyUseEvents,
    ...userKeyEvents,
    ...messageEvents,
    ...batchEvents,
    ...batchDispatchEvents,
    ...contentEvents,
    ...frequencyEvents,
    ...softBounceEvents,
    ...suppressionEvents,
    ...inboundTextEvents,
    ...inboundEmailEvents,
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
    ...segmentEvents,
    ...liveSegmentEvents,
    ...deliveryEvents,
    ...forgottenDeliveriesEvents,
    ...keptMailEvents,
    ...keptReportEvents,
    ...endpointEvents,
    ...parkedEvents,
    ...probeEvents,
    ...jobEvents,
    ...campaignEvents,
    ...expansionEvents,
    ...journeyEvents,
    ...enrollmentEvents,
    ...journeyEntryEvents,
    ...journeySweepEvents,
    ...journeyScheduleEvents,
    ...contactDateEvents,
    ...templateEvents,
    ...partialEvents,
    ...inboxEvents,
    ...subscriptionEvents,
    ...deviceEvents,
    ...formEvents,
    ...formSlugEvents,
    ...submissionEvents,
    ...formEntryEvents,
    ...formVisitEvents,
    ...scoreModelEvents,
    ...engagementModelEvents,
    ...contactScoreEvents,
  ],
  {
    MessageQueued: { 1: unchanged, 2: withLane, 3: unchanged, 4: unchanged, 5: unchanged, 6: unchanged, 7: unchanged, 8: unchanged },
    MessageScheduled: { 1: unchanged, 2: withLane, 3: unchanged, 4: unchanged, 5: unchanged, 6: unchanged, 7: unchanged, 8: unchanged },
    MessageDispatchStarted: { 1: unchanged, 2: unchanged },
    MessageDispatchDeferred: { 1: unchanged },
    MessageSent: { 1: unchanged },
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
    },
    MessageBounced: { 1: unchanged },
    MessageComplained: { 1: unchanged },
    MessageUnsubscribed: { 1: unchanged },
    MessageReplied: { 1: unchanged },
    ReceiptIgnored: { 1: unchanged },
    ApiKeyIssued: { 1: unchanged },
    AccountCreated: { 1: unchanged },
    SettingsChanged: { 1: unchanged, 2: unchanged, 3: unchanged, 4: unchanged, 5: unchanged, 6: unchanged, 7: withVerificationMode },
    PushSubscribed: { 1: unchanged },
    PushDeviceAdded: { 1: unchanged },
    MessageClicked: { 1: unchanged, 2: unchanged },
    AddressSuppressed: { 1: withScope, 2: unchanged },
    SuppressionBackdated: { 1: withScope, 2: unchanged },
    SuppressionWidened: { 1: unchanged },
    RedeliveryRequested: { 1: laneOfUrl, 2: ofMessage, 3: unchanged },
    SuppressionLifted: { 1: unchanged, 2: unchanged },
    InboundTextReceived: { 1: unchanged },
    SubscriptionRequested: { 1: unchanged, 2: unchanged },
    ListSubscribed: { 1: unchanged },
    ListUnsubscribed: { 1: unchanged },
    ListResubscribed: { 1: unchanged },
    ListCleaned: { 1: unchanged },
    ConsentGranted: { 1: unchanged },
    ConsentWithdrawn: { 1: unchanged, 2: unchanged },
    ConsentRequested: { 1: unchanged },
    CampaignCreated: { 1: unchanged },
    CampaignChanged: { 1: unchanged },
    CampaignStarted: { 1: unchanged },
    CampaignAudienceStored: { 1: unchanged },
    CampaignPartExpanded: { 1: unchanged },
    CampaignAudienceFrozen: { 1: unchanged },
  },
);
