import { accounts } from './accounts/projection.js';
import { activity } from './activity/projection.js';
import { campaigns } from './campaigns/projection.js';
import { contacts } from './contacts/projection.js';
import { customEvents } from './events/projection.js';
import { forms } from './forms/projection.js';
import { inboxItems } from './inbox/projection.js';
import { jobs } from './jobs/projection.js';
import { enrollments } from './journeys/enrollments.js';
import { journeys } from './journeys/journeys.js';
import { lists } from './lists/projection.js';
import { inboundMessages } from './messages/inbound-projection.js';
import { carrierIds, peers } from './messages/message-lookups.js';
import { messages } from './messages/projection.js';
import { parked } from './parked/projection.js';
import type { AnyProjection } from './runtime/projection.js';
import { segmentDefinitions } from './segments/definitions.js';
import { segmentMembers } from './segments/members.js';
import { suppressions } from './suppressions/projection.js';
import { templates } from './templates/projection.js';
import { platformEventSpans } from './webhooks/event-spans.js';
import { webhookDeliveries } from './webhooks/projection.js';

/** Every read model. A new capability adds a line. */
export const projections: readonly AnyProjection[] = [
  accounts,
  contacts,
  messages,
  suppressions,
  lists,
  customEvents,
  webhookDeliveries,
  parked,
  jobs,
  inboundMessages,
  carrierIds,
  peers,
  platformEventSpans,
  segmentDefinitions,
  segmentMembers,
  campaigns,
  journeys,
  templates,
  inboxItems,
  enrollments,
  forms,
  activity,
];
