import { channelSchema } from '../../domain/kernel/channels.js';
import type { Clock } from '../../domain/kernel/ports.js';
import { annotate, boundedText, count, list, named, nullable, oneOf, optional, record, type Static, text, time } from '../../domain/kernel/schema.js';
import { textPattern } from '../../domain/kernel/text-patterns.js';
import type { SendingDomain } from '../../domain/messages/sending-domain.js';
import { type Status, statusNames, statusReasonSchema } from '../../domain/messages/status.js';
import { campaigns } from '../../projections/campaigns/projection.js';
import { statusCounts } from '../../projections/messages/counter-queries.js';
import type { InboundRecord } from '../../projections/messages/inbound-queries.js';
import type { MessageDoc } from '../../projections/messages/message-doc.js';
import type { MessageRecord } from '../../projections/messages/queries.js';
import { failedStatuses, latestFailures, latestReadModels, latestReplies } from '../../projections/overview/latest.js';
import {
  carrierProblems,
  endpointProblems,
  misconfiguredCarrier,
  type Problem,
  parkedProblems,
  problemKinds,
  projectionProblems,
} from '../../projections/overview/problems.js';
import { sendingNow } from '../../projections/overview/sending-now.js';
import { parked } from '../../projections/parked/projection.js';
import type { ProjectionStatus } from '../../projections/runtime/status.js';
import { webhookDeliveries } from '../../projections/webhooks/projection.js';
import { isOwner } from '../http/access/authorization.js';
import { MAX_READY_LAG_MS } from '../http/health.js';
import { type AnyRoute, type Caller, route } from '../http/route.js';
import type { Services } from '../http/services.js';
import type { SendingDomainChecks } from '../messages/sending-domains.js';

const HOUR_MS = 3_600_000;
/** How long an answer waits for the check of a domain that is not checked yet. */
const DOMAIN_MS = 2_000;
const MOST_DOMAINS = 20;
/** Characters of a reply. */
const REPLY = 300;

const problem = named(
  'Problem',
  record({
    kind: named('ProblemKind', oneOf(...problemKinds)),
    severity: annotate(named('ProblemSeverity', oneOf('error', 'warning')), {
      description: '`error`: something does not happen; `warning`: it is late, or may not happen.',
    }),
    message: text,
    resource: named('ProblemResource', record({ kind: text, id: text, name: text })),
    since: annotate(nullable(time), { description: 'Null where nobody knows.' }),
  }),
);
const byStatus = named('MessagesByStatus', record(Object.fromEntries(statusNames.map((status) => [status, count])) as Record<Status, typeof count>));
const sending = named(
  'SendingNow',
  record({
    kind: named('SendingKind', oneOf('campaign', 'bulk')),
    id: text,
    name: nullable(text),
    channel: nullable(channelSchema),
    done: annotate(count, { description: 'Messages that have left the queue, however they ended.' }),
    total: annotate(nullable(count), { description: 'Null while the audience is not known.' }),
    started_at: time,
  }),
);
const reply = named(
  'LatestReply',
  record({
    id: text,
    channel: channelSchema,
    from: text,
    from_name: nullable(text),
    subject: nullable(boundedText({})),
    text: annotate(boundedText({}), { description: `Its first ${REPLY} characters.` }),
    message_id: annotate(nullable(text), { description: 'Your message that it answers, where that is known.' }),
    created_at: time,
  }),
);
const failure = named(
  'LatestFailure',
  record({
    id: text,
    channel: channelSchema,
    to: text,
    status: named('FailedStatus', oneOf(...failedStatuses)),
    status_reason: nullable(statusReasonSchema),
    carrier: nullable(text),
    contact_id: nullable(text),
    campaign_id: nullable(text),
    journey_id: nullable(text),
    created_at: time,
    failed_at: nullable(time),
  }),
);
const overview = named(
  'Overview',
  record({
    problems: list(problem),
    messages: named(
      'OverviewMessages',
      record({
        from: annotate(time, { description: 'Start of the period, included.' }),
        to: annotate(time, { description: 'Its end: that of the hour that is running (UTC).' }),
        by_status: annotate(byStatus, { description: 'Of the messages that were accepted in the period, by their status now.' }),
        previous: annotate(byStatus, { description: 'The same of the period of this length before it.' }),
      }),
    ),
    sending_now: list(sending),
    latest_replies: list(reply),
    latest_failures: list(failure),
  }),
);

export interface OverviewParts {
  /** The accounts whose owners operate the installation. */
  readonly operatorAccounts: readonly string[];
  readonly domains: Pick<SendingDomainChecks, 'domainsOf' | 'check'>;
  readonly projections: () => Promise<readonly ProjectionStatus[]>;
  /** Carriers of the installation that refuse their settings. */
  readonly misconfiguredCarriers: () => readonly string[];
}

/** What a person wants to see first: is anything wrong, what is being sent, what came back. */
export const overviewRoutes = (services: Services, parts: OverviewParts): AnyRoute[] => [getOverviewRoute(services, parts)];

const period = boundedText({
  ...textPattern(
    '^P(?:(?:[1-9]|[12]\\d|3[01])D|[1-4]W|T(?:[1-9]|[1-9]\\d|[1-6]\\d\\d|7[0-3]\\d|74[0-4])H)$',
    'Use whole hours, days or weeks, 31 days at most: for example P1D.',
  ),
});

const getOverviewRoute = (services: Services, parts: OverviewParts) =>
  route({
    method: 'GET',
    path: '/v1/overview',
    operationId: 'getOverview',
    summary: 'Read the overview',
    description:
      'Problems, the worst first; the messages of a period by their status now, beside those of the period before; what is being sent; the latest answers of people and the latest messages that did not arrive, ten of each at most. A message counts in the hour (UTC) in which it was accepted, and under the status that it has now, so a late receipt changes the numbers of an earlier hour. Messages of test keys and those tagged `sample` are left out. Problems of the installation, such as a projection that is halted, are shown to its operator: to the operator’s token, which has no account and sees them alone, and to owners of the accounts in `HELIOGRAPH_OPERATOR_ACCOUNTS`.',
    tag: 'accounts',
    access: 'read',
    openToOperator: true,
    limit: 'general',
    query: record({
      period: optional(annotate(period, { default: 'P1D', description: 'Its length: whole hours, days or weeks, 31 days at most.' })),
    }),
    responses: { 200: { description: 'The overview.', schema: overview } },
    async handle({ caller, query, consistent }) {
      const { log, views, clock } = services;
      await Promise.all([...latestReadModels, campaigns.name, parked.name, webhookDeliveries.name].map(consistent));
      const { account } = caller;
      const now = clock.now();
      const [problems, numbers, sending_now, replies, failures] = await Promise.all([
        problemsOf(services, parts, caller, now),
        numbersOf(services, account, query.period ?? 'P1D', now),
        sendingNow(views, account, now),
        latestReplies(log, views, account),
        latestFailures(log, views, account),
      ]);
      return {
        status: 200,
        body: {
          problems,
          messages: numbers,
          sending_now: sending_now as Static<typeof sending>[],
          latest_replies: replies.map(shownReply),
          latest_failures: failures.map(shownFailure),
        } satisfies Static<typeof overview>,
      };
    },
  });

/** Whole hours, so that the counters have them. */
async function numbersOf({ views }: Services, account: string, length: string, now: number): Promise<Static<typeof overview>['messages']> {
  const to = (Math.floor(now / HOUR_MS) + 1) * HOUR_MS;
  const from = to - lengthOf(length);
  const [by_status, previous] = await Promise.all([
    statusCounts(views, account, from, to),
    statusCounts(views, account, from - lengthOf(length), from),
  ]);
  const whole = (counts: typeof by_status) => Object.fromEntries(statusNames.map((name) => [name, counts[name] ?? 0])) as Record<Status, number>;
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString(), by_status: whole(by_status), previous: whole(previous) };
}

const HOURS_OF = new Map([
  ['H', 1],
  ['D', 24],
  ['W', 168],
]);
/** In milliseconds. */
const lengthOf = (length: string): number => Number(/\d+/.exec(length)?.[0]) * (HOURS_OF.get(length.slice(-1)) ?? 0) * HOUR_MS;

/** Errors first; of each severity, what has lasted longest. */
async function problemsOf(services: Services, parts: OverviewParts, caller: Caller, now: number): Promise<Problem[]> {
  const isOperator = caller.actor.kind === 'operator';
  const operates = isOperator || (parts.operatorAccounts.includes(caller.account) && isOwner(caller));
  const found = await Promise.all([
    isOperator ? [] : ofAccount(services, parts, caller.account),
    operates ? ofInstallation(services, parts, now) : parkedProblems(services, caller.account),
  ]);
  const rank = ({ severity, since }: Problem): string => `${severity === 'error' ? 0 : 1}/${since ?? '~'}`;
  return found.flat().sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
}

const ofAccount = async (services: Services, { domains }: OverviewParts, account: string): Promise<Problem[]> =>
  (
    await Promise.all([carrierProblems(services, account), endpointProblems(services, account), unverifiedDomains(domains, account, services.clock)])
  ).flat();

async function ofInstallation(services: Services, { projections, misconfiguredCarriers }: OverviewParts, now: number): Promise<Problem[]> {
  const [work, statuses] = await Promise.all([parkedProblems(services, null), projections()]);
  const carriers = misconfiguredCarriers().map((name) => misconfiguredCarrier(name, null));
  return [...carriers, ...work, ...projectionProblems(statuses, MAX_READY_LAG_MS, now)];
}

/** A domain of which nothing is known in time is left out. */
async function unverifiedDomains({ domainsOf, check }: OverviewParts['domains'], account: string, clock: Clock): Promise<Problem[]> {
  const names = [...new Set(await domainsOf(account))].sort().slice(0, MOST_DOMAINS);
  if (names.length === 0) return [];
  const late = clock.sleep(DOMAIN_MS).then(() => null);
  const found = await Promise.all(names.map((domain) => Promise.race([check(account, domain).catch(() => null), late])));
  return found.flatMap((domain) => (domain?.verified === false ? [unverified(domain)] : []));
}

function unverified({ domain, checks }: SendingDomain): Problem {
  const failed = checks
    .filter(({ status }) => status === 'missing' || status === 'wrong')
    .map(({ kind, status }) => `${kind.toUpperCase()} is ${status}`);
  return {
    kind: 'sending_domain',
    severity: 'warning',
    message: `Receivers may refuse mail from ${domain}: ${[...new Set(failed)].join(', ')}.`,
    resource: { kind: 'sending_domain', id: domain, name: domain },
    since: null,
  };
}

/** Records of the read models have fields of any type besides their own. */
function shownReply({ id, channel, from, from_name, subject, text: whole, message_id, created_at }: InboundRecord): Static<typeof reply> {
  return { id, channel, from, from_name, subject, text: whole.slice(0, REPLY), message_id, created_at } as Static<typeof reply>;
}

function shownFailure(failed: MessageRecord): Static<typeof failure> {
  const { id, channel, to, status, status_reason, contact_id, campaign_id, journey_id, created_at, failed_at } = failed;
  const carrier = (failed.carrier as MessageDoc['carrier'])?.name ?? null;
  const about = { id, channel, to, status, status_reason, carrier, contact_id, campaign_id, journey_id, created_at, failed_at };
  return about as Static<typeof failure>;
}
