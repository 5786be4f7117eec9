import type { Capability } from '../capability.js';
import { campaigns } from './campaigns.js';
import { carriers } from './carriers.js';
import { channels } from './channels.js';
import { consent } from './consent.js';
import { contacts } from './contacts.js';
import { endpoints } from './endpoints.js';
import { erasure } from './erasure.js';
import { events } from './events.js';
import { exports } from './exports.js';
import { forms } from './forms.js';
import { gates } from './gates.js';
import { identities } from './identities.js';
import { imports } from './imports.js';
import { inbox } from './inbox.js';
import { jobs } from './jobs.js';
import { journeys } from './journeys.js';
import { limits } from './limits.js';
import { lists } from './lists.js';
import { messages } from './messages.js';
import { push } from './push.js';
import { rates } from './rates.js';
import { readModels } from './read-models.js';
import { replays } from './replays.js';
import { requests } from './requests.js';
import { scores } from './scores.js';
import { segments } from './segments.js';
import { softBounceCounts } from './soft-bounces.js';
import { suppressions } from './suppressions.js';
import { testKeys } from './test-keys.js';
import { unsubscribeMails } from './unsubscribe-mails.js';
import { webhooks } from './webhooks.js';

/** A new capability adds a line. The order matters: each one asks the nodes when a run is at rest, so the read models are compared last. */
export const capabilities: readonly Capability[] = [
  messages,
  channels,
  carriers,
  contacts,
  identities,
  consent,
  lists,
  suppressions,
  unsubscribeMails,
  softBounceCounts,
  events,
  imports,
  exports,
  jobs,
  erasure,
  gates,
  limits,
  rates,
  requests,
  webhooks,
  endpoints,
  replays,
  segments,
  campaigns,
  forms,
  inbox,
  push,
  journeys,
  scores,
  testKeys,
  readModels,
];
