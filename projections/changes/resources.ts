/** What the events of the log mean for the resources of the API: one table. */

import { ownField } from '../../domain/kernel/own-fields.js';
import type { ViewSpec } from '../../domain/kernel/ports.js';
import type { ChangesOfEvent, ResourceChange } from '../../log/feed/changed-streams.js';
import type { LogEvent } from '../../log/runtime/log-event.js';
import { accounts } from '../accounts/projection.js';
import { campaigns } from '../campaigns/projection.js';
import { contacts } from '../contacts/projection.js';
import { customEvents } from '../events/projection.js';
import { forms } from '../forms/projection.js';
import { inboxItems } from '../inbox/projection.js';
import { jobs } from '../jobs/projection.js';
import { enrollments } from '../journeys/enrollments.js';
import { journeys } from '../journeys/journeys.js';
import { lists } from '../lists/projection.js';
import { inboundMessages } from '../messages/inbound-projection.js';
import { messages } from '../messages/projection.js';
import { segmentDefinitions } from '../segments/definitions.js';
import { segmentMembers } from '../segments/members.js';
import { suppressions } from '../suppressions/projection.js';
import { templates } from '../templates/projection.js';
import { webhookDeliveries } from '../webhooks/projection.js';

/** Events that change one kind of resource. */
interface ChangingEvents {
  readonly types: readonly string[];
  /** The field of the data with the id; without it the id is the end of the stream's name. Null: many at once, none is named. */
  readonly id?: string | null;
  /** Without it the first event of a stream creates what the stream is named for, and any other event updates. */
  readonly change?: 'created' | 'updated' | 'deleted';
}

/** A kind of resource: the read models that answer its GET, and the events that change it. */
interface ChangingResource {
  readonly views: readonly ViewSpec[];
  readonly events: readonly ChangingEvents[];
}

const MEMBERSHIP = ['SubscriptionRequested', 'ConfirmationSent', 'ListSubscribed', 'ListUnsubscribed', 'ListResubscribed', 'ListCleaned'];
const CONSENT = ['ConsentGranted', 'ConsentWithdrawn', 'ConsentRequested'];
const ofMessage = (...ends: string[]): string[] => ends.map((end) => `Message${end}`);
const ofEnrollment = (...ends: string[]): string[] => ends.map((end) => `Enrollment${end}`);

const table = {
  message: {
    views: [messages],
    events: [
      {
        types: [
          ...ofMessage('Queued', 'Scheduled', 'Released', 'Suppressed', 'Canceled', 'Expired', 'DispatchStarted', 'DispatchDeferred', 'Sent'),
          ...ofMessage('Failed', 'Delivered', 'Undelivered', 'Bounced', 'Deferred', 'Opened', 'Clicked', 'Read', 'Replied', 'Complained'),
          ...[...ofMessage('Unsubscribed'), 'ReceiptIgnored', 'PushHandedOver', 'PushReported'],
        ],
      },
      { types: ['BulkItemCanceled'], id: 'message_id', change: 'updated' },
      { types: ['BulkAccepted'], id: null },
    ],
  },
  inbound_message: { views: [inboundMessages], events: [{ types: ['InboundTextReceived', 'InboundEmailReceived'] }] },
  webhook_delivery: {
    views: [webhookDeliveries],
    events: [{ types: ['DeliverySucceeded', 'DeliveryAttemptFailed', 'DeliveryFailed', 'RedeliveryRequested', 'DeliveryStopped'] }],
  },
  webhook_endpoint: {
    views: [],
    events: [
      { types: ['EndpointCreated'], id: 'endpoint_id', change: 'created' },
      { types: ['EndpointChanged', 'EndpointSecretRotated', 'EndpointDisabled', 'EndpointEnabled'], id: 'endpoint_id', change: 'updated' },
      { types: ['EndpointDeleted'], id: 'endpoint_id', change: 'deleted' },
    ],
  },
  contact: {
    views: [contacts],
    events: [
      { types: ['ContactCreated', 'ContactUpdated', 'ContactMerged', 'ContactAbsorbed', 'ContactUnmerged', 'ContactReleased'] },
      { types: ['ContactDeleted', 'ContactErased'], change: 'deleted' },
      { types: [...MEMBERSHIP, ...CONSENT, 'ScoreChanged', 'ContactRescored'], change: 'updated' },
    ],
  },
  custom_field: {
    views: [],
    events: [
      { types: ['CustomFieldDefined'], id: 'field_id', change: 'created' },
      { types: ['CustomFieldChanged'], id: 'field_id', change: 'updated' },
      { types: ['CustomFieldRemoved'], id: 'field_id', change: 'deleted' },
    ],
  },
  event: { views: [customEvents], events: [{ types: ['CustomEventRecorded', 'CustomEventTried'] }] },
  list: {
    views: [lists],
    events: [
      { types: ['ListCreated', 'ListChanged'] },
      { types: ['ListDeleted'], change: 'deleted' },
      { types: MEMBERSHIP, id: 'list_id', change: 'updated' },
    ],
  },
  // Its members and its count come by SegmentMembershipsChanged, which names several: see `resourceChangesOf`.
  segment: {
    views: [segmentDefinitions, segmentMembers],
    events: [
      { types: ['SegmentCreated', 'SegmentUpdated'] },
      { types: ['SegmentDeleted'], change: 'deleted' },
      { types: ['SegmentBuildCompleted'], id: null },
    ],
  },
  suppression: {
    views: [suppressions],
    events: [
      { types: ['AddressSuppressed', 'SuppressionBackdated', 'SuppressionWidened', 'SuppressionLifted'], id: 'suppression_id', change: 'updated' },
    ],
  },
  campaign: {
    views: [campaigns],
    events: [
      {
        types: [
          ...['CampaignCreated', 'CampaignChanged', 'CampaignScheduled', 'CampaignStarted', 'CampaignAudienceFrozen', 'CampaignPaused'],
          ...['CampaignResumed', 'CampaignTestStarted', 'CampaignTestDecided', 'CampaignExpanded', 'CampaignSent', 'CampaignCanceled'],
          ...['CampaignCancelCompleted', 'CampaignFailed'],
        ],
      },
      { types: ['CampaignPartExpanded'], id: 'campaign_id', change: 'updated' },
      { types: ['CampaignDeleted'], change: 'deleted' },
    ],
  },
  journey: {
    views: [journeys],
    events: [
      {
        types: ['JourneyDrafted', 'JourneyDraftChanged', 'JourneyPublished', 'JourneyPaused', 'JourneyResumed', 'JourneyStopped', 'JourneyArchived'],
      },
      { types: ['JourneyDeleted'], change: 'deleted' },
    ],
  },
  enrollment: {
    views: [enrollments],
    events: [
      {
        types: [
          ...ofEnrollment('Started', 'NodeEntered', 'TimerSet', 'TimerFired', 'TimerHeld', 'TimerReleased', 'BranchTaken', 'WaitChecked'),
          ...ofEnrollment('EventCollected', 'SendRequested', 'SendSkipped', 'ActionTaken', 'GoalReached', 'Migrated', 'Moved', 'Exited'),
        ],
      },
    ],
  },
  template: {
    views: [templates],
    events: [{ types: ['TemplateCreated', 'TemplateUpdated'] }, { types: ['TemplateDeleted'], change: 'deleted' }],
  },
  /** Its id is its key. */
  template_partial: {
    views: [templates],
    events: [
      { types: ['TemplatePartialStored'], id: 'key', change: 'updated' },
      { types: ['TemplatePartialDeleted'], id: 'key', change: 'deleted' },
    ],
  },
  form: {
    views: [forms],
    events: [
      { types: ['FormCreated', 'FormChanged'] },
      { types: ['FormVisitsCounted'], id: 'form_id', change: 'updated' },
      { types: ['FormDeleted'], change: 'deleted' },
    ],
  },
  form_submission: { views: [forms], events: [{ types: ['FormSubmitted', 'FormConfirmationSent', 'FormSubmissionConfirmed'] }] },
  inbox_message: {
    views: [inboxItems],
    events: [
      { types: ['InboxItemStored'], id: 'item_id', change: 'created' },
      {
        types: ['InboxItemSeen', 'InboxItemRead', 'InboxItemUnread', 'InboxItemArchived', 'InboxItemUnarchived', 'InboxItemClicked'],
        ...({ id: 'item_id', change: 'updated' } as const),
      },
    ],
  },
  push_subscription: {
    views: [],
    events: [{ types: ['PushSubscribed'] }, { types: ['PushSubscriptionEnded'], change: 'deleted' }],
  },
  view: {
    views: [],
    events: [
      { types: ['SavedViewCreated'], id: 'view_id', change: 'created' },
      { types: ['SavedViewChanged'], id: 'view_id', change: 'updated' },
      { types: ['SavedViewDeleted'], id: 'view_id', change: 'deleted' },
    ],
  },
  job: {
    views: [jobs],
    events: [
      { types: ['JobBegun', 'JobAccepted', 'JobStarted', 'JobCancelRequested', 'JobFinished', 'JobContentForgotten'] },
      { types: ['JobChunkDone'], id: 'job_id', change: 'updated' },
      { types: ['ImportBegun', 'ImportAccepted', 'ImportCancelRequested', 'ImportFinished', 'ImportRevertRequested', 'ImportReverted'] },
      { types: ['ImportChunkDone', 'ImportChunkReverted'], id: 'import_id', change: 'updated' },
    ],
  },
  user: {
    views: [accounts],
    events: [
      { types: ['UserAdded'], id: 'user_id', change: 'created' },
      { types: ['UserRenamed', 'UserRoleChanged', 'UserPasswordChanged', 'UserDisabled', 'UserEnabled'], id: 'user_id', change: 'updated' },
      { types: ['SecondFactorTurnedOn', 'SecondFactorTurnedOff'], id: 'user_id', change: 'updated' },
      { types: ['UserRemoved'], id: 'user_id', change: 'deleted' },
    ],
  },
  session: {
    views: [accounts],
    events: [
      { types: ['SessionStarted'], id: 'session_id', change: 'created' },
      { types: ['SessionUsed'], id: 'session_id', change: 'updated' },
      { types: ['SessionEnded'], id: 'session_id', change: 'deleted' },
    ],
  },
  api_key: {
    views: [accounts],
    events: [
      { types: ['ApiKeyIssued'], id: 'key_id', change: 'created' },
      { types: ['ApiKeyUsed'], id: 'key_id', change: 'updated' },
      { types: ['ApiKeyRevoked'], id: 'key_id', change: 'deleted' },
    ],
  },
  /** Its id is that of the account. */
  settings: {
    views: [accounts],
    events: [
      { types: ['SettingsChanged', 'CarrierConfigured', 'CarrierRemoved', 'WebhookSecretRotated', 'IdentitySecretChanged'], change: 'updated' },
    ],
  },
} as const satisfies Readonly<Record<string, ChangingResource>>;

export type ChangingResourceName = keyof typeof table;

/** The kinds of resources whose changes are announced. */
export const changingResources = Object.keys(table) as ChangingResourceName[];

const views = new Map<string, readonly ViewSpec[]>(Object.entries(table).map(([name, resource]) => [name, resource.views]));

/** The read models that answer the GET of a resource: once they have a change, it may be announced. */
export const viewsOf = (resource: string): readonly ViewSpec[] => views.get(resource) ?? [];

const byType: ReadonlyMap<string, readonly (ChangingEvents & { readonly resource: string })[]> = indexed();

function indexed() {
  const index = new Map<string, (ChangingEvents & { readonly resource: string })[]>();
  for (const [resource, { events }] of Object.entries<ChangingResource>(table))
    for (const changing of events) for (const type of changing.types) index.set(type, [...(index.get(type) ?? []), { ...changing, resource }]);
  return index;
}

const MEMBERSHIPS_CHANGED = 'SegmentMembershipsChanged';

/** Whether events of this type change a resource that callers see. */
export const isChanging = (type: string): boolean => byType.has(type) || type === MEMBERSHIPS_CHANGED;

/** The changes that an event means for resources. */
export function resourceChangesOf(stored: LogEvent): ResourceChange[] {
  const { event, position, meta } = stored;
  const { account } = meta;
  if (event.type === MEMBERSHIPS_CHANGED) {
    const { changes } = event.data as { readonly changes: readonly { readonly segment_id: string }[] };
    const ids = new Set(changes.map(({ segment_id }) => segment_id));
    return [...ids].map((id) => ({ account, resource: 'segment', id, change: 'updated', position }));
  }
  return (byType.get(event.type) ?? []).map((changing) => {
    const id = idIn(stored, changing);
    return { account, resource: changing.resource, id, change: id === null ? 'many' : changeIn(stored, changing), position };
  });
}

function idIn({ event, stream }: LogEvent, { id }: ChangingEvents): string | null {
  if (id === undefined) return stream.slice(stream.indexOf('-') + 1);
  const value = id === null ? null : ownField(event.data as Readonly<Record<string, unknown>>, id);
  return typeof value === 'string' ? value : null;
}

const changeIn = ({ revision }: LogEvent, { change }: ChangingEvents): 'created' | 'updated' | 'deleted' =>
  change ?? (revision === 0 ? 'created' : 'updated');

/** For the feed. An event that cannot be read halts the read models, so nothing that callers see has changed. */
export const changesIn: ChangesOfEvent = (event, accounts) => {
  if (!isChanging(event.type)) return [];
  try {
    const stored = event.decode();
    return accounts.has(stored.meta.account) ? resourceChangesOf(stored) : [];
  } catch {
    return [];
  }
};
