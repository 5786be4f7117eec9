import { INBOX } from '../../carriers/inbox/inbox.js';
import type { CarrierRouting } from '../../carriers/runtime/carrier.js';
import { scriptOf } from '../../carriers/sandbox/behaviors.js';
import { SANDBOX } from '../../carriers/sandbox/sandbox.js';
import { type AccountSettings, signingSecrets } from '../../domain/accounts/resources.js';
import { ENVELOPE_PURPOSE, EnvelopeTags } from '../../formats/messages/envelope-tags.js';
import { htmlTracking, type TrackHtml } from '../../formats/messages/tracked-html.js';
import { TRACKING_PURPOSE, TrackingTokens } from '../../formats/messages/tracking-tokens.js';
import { UNSUBSCRIBE_PURPOSE, UnsubscribeTokens } from '../../formats/suppressions/unsubscribe-tokens.js';
import { createPost, type Post } from '../../net/client.js';
import { resetPasswords } from '../../processes/accounts/reset-passwords.js';
import { runCampaigns } from '../../processes/campaigns/run-campaigns.js';
import { completeMerge } from '../../processes/contacts/complete-merge.js';
import { eraseContacts } from '../../processes/contacts/erase-contacts.js';
import { runLegacyImports } from '../../processes/contacts/run-legacy-imports.js';
import { reportInboxReceipts } from '../../processes/inbox/report-receipts.js';
import { runJobs } from '../../processes/jobs/run-jobs.js';
import { cleanBouncedMembers } from '../../processes/lists/clean-bounced.js';
import type { DispatchOptions } from '../../processes/messages/call-carrier.js';
import { dispatchMessages } from '../../processes/messages/dispatch-messages.js';
import { simulateSandboxReceipts } from '../../processes/messages/simulate-sandbox-receipts.js';
import type { AnyProcessManager } from '../../processes/runtime/process-manager.js';
import { todoList } from '../../processes/runtime/todo-list.js';
import { keepMemberships } from '../../processes/segments/keep-memberships.js';
import { rereadRules } from '../../processes/segments/reread-rules.js';
import { countSoftBounces } from '../../processes/suppressions/count-soft-bounces.js';
import { followKeywords } from '../../processes/suppressions/follow-keywords.js';
import { suppressOnFeedback } from '../../processes/suppressions/suppress-on-feedback.js';
import { type CompleteMarketing, withUnsubscribeLinks } from '../../processes/suppressions/unsubscribe-links.js';
import { claimReports } from '../../processes/webhooks/claim-reports.js';
import { deliverWebhooks } from '../../processes/webhooks/deliver-webhooks.js';
import { forgetOldDeliveries } from '../../processes/webhooks/forget-deliveries.js';
import { campaignProgress } from '../../projections/campaigns/progress.js';
import { lastDelivery } from '../../projections/messages/last-delivery.js';
import { projections } from '../../projections/registry.js';
import type { AnyProjection } from '../../projections/runtime/projection.js';
import { reportClaims } from '../../projections/webhooks/claim-report.js';
import { oldDeliveries } from '../../projections/webhooks/old-deliveries.js';
import type { Metrics } from '../monitoring/metrics.js';
import type { Application } from './application.js';
import { carrierRoutes } from './carrier-routes.js';
import type { Config } from './config/config.js';
import { linkBaseUrl } from './config/link-base-url.js';
import { confirmationProcesses } from './form-parts.js';
import { createJobKinds } from './job-kinds.js';
import { inboxStore } from './ports/inbox-store.js';
import { journeyProcess } from './ports/journeys.js';
import { scoreProcess } from './ports/scores.js';
import { senderPorts } from './ports/senders.js';
import { pushParts } from './push.js';

/** Adds what the service adds to a message right before its dispatch. */
export const completeMessages = (config: Config, purposeKey: Application['purposeKey']): CompleteMarketing =>
  withUnsubscribeLinks({ tokens: new UnsubscribeTokens(purposeKey(UNSUBSCRIBE_PURPOSE)), publicUrl: linkBaseUrl(config) });

/** The tags of messages, by which mail to their addresses proves that it answers them. */
export function tagsOf(purposeKey: Application['purposeKey']): (messageId: string) => string {
  const tags = new EnvelopeTags(purposeKey(ENVELOPE_PURPOSE));
  return (messageId) => tags.of(messageId);
}

/** What HTML emails by SMTP are tracked with; null where they are not. */
function smtpTracking(config: Config, { purposeKey, clock }: Pick<Application, 'purposeKey' | 'clock'>): TrackHtml | null {
  const publicUrl = linkBaseUrl(config);
  if (!config.smtpTracking || publicUrl === null) return null;
  const tokens = new TrackingTokens(purposeKey(TRACKING_PURPOSE));
  return htmlTracking({ tokens, publicUrl, pause: () => clock.yieldToEventLoop() });
}

/** What processes call outside this program. */
export interface OutgoingCalls {
  /** By default those of the configuration. */
  readonly routes?: CarrierRouting;
  /** By default over HTTP. */
  readonly post?: Post;
}

/** All processes of the service, with their dependencies. */
export function createProcesses(
  config: Config,
  { directory, clock, vault, purposeKey, engine, log, dispatcher }: Application,
  metrics: Partial<Metrics> = {},
  {
    routes = carrierRoutes(config, {
      ...{ clock, track: smtpTracking(config, { purposeKey, clock }), tagOf: tagsOf(purposeKey), rates: engine.sharedRates },
      settings: (account) => directory.settings(account),
      inbox: inboxStore(dispatcher),
      push: pushParts(config, { log, dispatcher, clock, purposeKey }),
    }),
    post = createPost({ clock }),
  }: OutgoingCalls = {},
): AnyProcessManager[] {
  return [
    dispatchMessages(dispatchOptions(config, { directory, purposeKey }, metrics, routes)),
    simulateSandboxReceipts({ name: SANDBOX, scriptOf }),
    reportInboxReceipts(INBOX),
    suppressOnFeedback,
    countSoftBounces(lastDelivery({ log, views: engine.views, clock })),
    followKeywords({ sender: async (account) => senderIdentity(await directory.settings(account)) }),
    ...confirmationProcesses(purposeKey, linkBaseUrl(config) ?? 'http://localhost'),
    resetPasswords,
    completeMerge,
    keepMemberships({ views: () => engine.views }),
    rereadRules,
    cleanBouncedMembers,
    runLegacyImports({ destroyKey: (subject) => vault.erase(subject) }),
    runCampaigns(campaignProgress({ log, views: engine.views })),
    journeyProcess(engine),
    scoreProcess(engine),
    runJobs({ kinds: createJobKinds(), destroyKey: (subject) => vault.erase(subject) }),
    eraseContacts(vault),
    claimReports({
      claims: (report) => reportClaims({ log, views: engine.views, addresses: vault })(report),
      destroyKey: (subject) => vault.erase(subject),
    }),
    deliverWebhooks({
      secrets: async (account) => secretsOf(await directory.settings(account), clock.now()),
      retryDelaysMs: config.webhookRetryDelays,
      headerPrefix: config.headerPrefix,
      legacyHeaderPrefix: config.legacyHeaderPrefix,
      allowedCidrs: config.webhookAllowCidrs,
      timeoutMs: config.webhookTimeout,
      post,
      onAttempt: (attempt) => metrics.observeWebhookAttempt?.(attempt),
      onOpenCircuits: (open) => metrics.setOpenCircuits?.(open),
    }),
    forgetOldDeliveries({
      keptMs: config.webhookAttemptsKept,
      find: (account, before, after) => oldDeliveries(engine.views)(account, before, after),
    }),
  ];
}

const dispatchOptions = (
  config: Config,
  { directory, purposeKey }: Pick<Application, 'directory' | 'purposeKey'>,
  metrics: Partial<Metrics>,
  routes: CarrierRouting,
): DispatchOptions => ({
  routes,
  complete: completeMessages(config, purposeKey),
  accountSender: senderPorts(config, (account) => directory.settings(account)).messages.accountSender,
  onUnknownOutcome: async (account, category) => (await directory.settings(account))?.settings.on_unknown_outcome[category] ?? 'retry',
  onMisconfigured: (carrier, isMisconfigured) => metrics.setCarrierMisconfigured?.(carrier, isMisconfigured),
  onUnknownCode: (carrier, code) => metrics.countUnknownCode?.(carrier, code),
  onDispatch: (channel, carrier, outcome, ms) => metrics.observeCarrierCall?.({ carrier, channel, outcome, seconds: ms / 1_000 }),
});

/** What webhooks of an account are signed with; null where it has no secret. */
function secretsOf(facts: AccountSettings | null, now: number) {
  const [current, previous = null] = signingSecrets(facts?.webhook_secret ?? null, now);
  return current === undefined ? null : { current, previous };
}

/** Read models, and the to-do lists of processes, which are read models too. */
export const allProjections = (processes: readonly AnyProcessManager[]): AnyProjection[] => [...projections, ...processes.map(todoList)];

/** The sender of answers to keywords: the account's name, and its email sender as the contact for help. */
const senderIdentity = (facts: AccountSettings | null) => ({ name: facts?.settings.name ?? 'We', contact: facts?.settings.senders.email ?? null });
