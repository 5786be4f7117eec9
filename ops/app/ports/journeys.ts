/** What journeys use outside their commands: read models, and calls of webhooks. */

import type { EventPorts } from '../../../commands/events/ports.js';
import type { JourneyCalls, JourneyPorts } from '../../../commands/journeys/ports.js';
import { type AccountSettings, signingSecrets } from '../../../domain/accounts/resources.js';
import type { Clock } from '../../../domain/kernel/ports.js';
import { isSuccessStatus } from '../../../domain/webhooks/delivery.js';
import { ATTEMPT_TIMEOUT_MS, MAX_RESPONSE_BYTES } from '../../../domain/webhooks/limits.js';
import { signatureHeaders } from '../../../formats/webhooks/signature.js';
import type { EventLog } from '../../../log/runtime/event-log.js';
import { createPost, type Post } from '../../../net/client.js';
import { keepEnrollments } from '../../../processes/journeys/keep-enrollments.js';
import type { EnrollmentFinder } from '../../../processes/journeys/other-todos.js';
import type { AnyProcessManager } from '../../../processes/runtime/process-manager.js';
import { contacts } from '../../../projections/contacts/projection.js';
import { enrollmentQueries } from '../../../projections/journeys/enrollment-queries.js';
import { enrollments } from '../../../projections/journeys/enrollments.js';
import { journeyFactsReader } from '../../../projections/journeys/facts.js';
import { journeyPastReader } from '../../../projections/journeys/past.js';
import { haveReached } from '../../../projections/runtime/reached.js';
import { segmentMemberQueries } from '../../../projections/segments/member-queries.js';
import { segmentMembers } from '../../../projections/segments/members.js';
import type { Engine } from '../../engines/engine.js';
import type { Config } from '../config/config.js';
import { datedContacts } from './dated-contacts.js';

const CATCH_UP_MS = 2_000;
/** Contacts of one page of a segment. */
const MEMBERS = 200;

/** The enrollments of a journey, for work on all of them. */
const enrollmentFinder = ({ events, views }: Pick<Engine, 'events' | 'views'>): EnrollmentFinder => ({
  async upToDate() {
    return haveReached(views, [enrollments, segmentMembers, contacts], await events.head(), CATCH_UP_MS);
  },
  async members(log, segment, after) {
    const found = await segmentMemberQueries({ log, views }).members(segment, after, MEMBERS);
    return { ids: found.map(({ contact_id }) => contact_id), next: found.length < MEMBERS ? null : (found.at(-1)?.contact_id ?? null) };
  },
  contacts: (log, account, field, after) => datedContacts({ log, views }, account, field, after),
  page: (account, journey, filter, after) => enrollmentQueries({ views }).active(account, journey, filter, after),
});

/** The process that leads contacts through journeys. */
export const journeyProcess = (engine: Pick<Engine, 'events' | 'views'>): AnyProcessManager =>
  keepEnrollments({ views: () => engine.views, find: enrollmentFinder(engine) });

interface Parts extends CallerParts {
  readonly config: Config;
  readonly log: EventLog;
  readonly engine: Pick<Engine, 'views'>;
}

/** The ports of the commands of journeys. */
export const journeyPorts = ({ config, log, engine, ...parts }: Parts): JourneyPorts => ({
  facts: journeyFactsReader({ log, views: engine.views, clock: parts.clock }),
  past: journeyPastReader({ log, views: engine.views, clock: parts.clock }),
  calls: journeyCaller(config, parts),
});

/** The ports of the commands of custom events. */
export const eventPorts = ({ settings }: Pick<CallerParts, 'settings'>): EventPorts => ({
  startWindow: async (account) => (await settings(account))?.settings.events_start_journeys_within ?? null,
});

interface CallerParts {
  readonly clock: Clock;
  readonly settings: (account: string) => AccountSettings | null | Promise<AccountSettings | null>;
  readonly post?: Post;
}

/** Signs and posts like webhooks of messages: with the webhook secret of the account. */
function journeyCaller(config: Config, { clock, settings, post = createPost({ clock }) }: CallerParts): JourneyCalls {
  return {
    retryDelaysMs: config.webhookRetryDelays,
    async post({ account, delivery_id: deliveryId, attempt, url, headers, body: content }) {
      const timestampMs = clock.now();
      const [secret, previousSecret = null] = signingSecrets((await settings(account))?.webhook_secret ?? null, timestampMs);
      if (secret === undefined) return 'no_secret';
      const body = Buffer.from(JSON.stringify(content));
      const about = { event: 'journey.webhook', deliveryId, attempt, body, timestampMs };
      const names = { prefix: config.headerPrefix, legacyPrefix: config.legacyHeaderPrefix };
      const signed = signatureHeaders({ secret, previousSecret, ...about, ...names });
      const limits = { timeoutMs: config.webhookTimeout ?? ATTEMPT_TIMEOUT_MS, maxResponseBytes: MAX_RESPONSE_BYTES };
      const result = await post(url, { headers: { ...headers, ...signed }, body, ...limits, allowedCidrs: config.webhookAllowCidrs });
      if ('error' in result) return result.error.code;
      return isSuccessStatus(result.status) ? 'ok' : `http_${result.status}`;
    },
  };
}
