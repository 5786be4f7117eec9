import { LRUCache } from 'lru-cache';
import type { CarrierRouting } from '../carriers/kernel.js';
import { scriptOf } from '../carriers/sandbox/behaviours.js';
import { SANDBOX, sandbox } from '../carriers/sandbox/sandbox.js';
import { passwordHasher } from '../commands/accounts/dependencies.js';
import { noteKeyUse } from '../commands/accounts/note-key-use.js';
import { provide } from '../commands/dependency.js';
import { createDispatcher } from '../commands/dispatcher.js';
import { createInputValidator } from '../commands/input-validator.js';
import type { Dispatcher } from '../commands/kernel.js';
import { contactKeyLookup, suppressionLookup } from '../commands/lookups.js';
import { marketingRules, recipientLookup, suppressionGate, webhookUrlCheck } from '../commands/messages/dependencies.js';
import { loadRecipient } from '../commands/messages/recipient.js';
import { createSuppressionGate } from '../commands/suppressions/suppression-gate.js';
import { type AccountSettings, signingSecrets } from '../domain/accounts/resources.js';
import { type Checkpoint, type Clock, type Entropy, StoreUnavailable } from '../domain/kernel/ports.js';
import { PasswordHasher } from '../formats/accounts/passwords.js';
import { UNSUBSCRIBE_PURPOSE, UnsubscribeTokens } from '../formats/suppressions/unsubscribe-tokens.js';
import { ErasedKeyEviction } from '../log/erased-key-eviction.js';
import { EventLog } from '../log/event-log.js';
import { eventTypes } from '../log/event-types.js';
import { newId } from '../log/ids.js';
import { bytesOf } from '../log/sealed-field.js';
import { Vault } from '../log/vault.js';
import { createPost } from '../net/client.js';
import { checkUrl } from '../net/guard.js';
import { completeMerge } from '../processes/contacts/complete-merge.js';
import { eraseContacts } from '../processes/contacts/erase-contacts.js';
import { runImports } from '../processes/contacts/run-imports.js';
import type { AnyProcessManager } from '../processes/kernel.js';
import { cleanBouncedMembers } from '../processes/lists/clean-bounced.js';
import { confirmSubscriptions } from '../processes/lists/confirm-subscriptions.js';
import { dispatchMessages } from '../processes/messages/dispatch-messages.js';
import { simulateSandboxReceipts } from '../processes/messages/simulate-sandbox-receipts.js';
import { followKeywords } from '../processes/suppressions/follow-keywords.js';
import { suppressOnFeedback } from '../processes/suppressions/suppress-on-feedback.js';
import { withUnsubscribeLinks } from '../processes/suppressions/unsubscribe-links.js';
import { todoList } from '../processes/todo-list.js';
import { deliverStatus } from '../processes/webhooks/deliver-status.js';
import { AccountDirectory } from '../projections/accounts/directory.js';
import { ContactKeyIndex } from '../projections/contacts/contact-key-index.js';
import { storedContactKeys } from '../projections/contacts/stored-contact-keys.js';
import type { AnyProjection } from '../projections/kernel.js';
import { RecipientCache } from '../projections/messages/recipient-cache.js';
import { projections } from '../projections/registry.js';
import { storedSuppressionKeys } from '../projections/suppressions/queries.js';
import { SuppressionIndex } from '../projections/suppressions/suppression-index.js';
import { systemClock } from './clock.js';
import type { Config } from './config.js';
import type { Engine } from './engine.js';
import { systemEntropy } from './entropy.js';
import type { Metrics } from './metrics.js';

/** What every thread and every command of this program uses, over one engine. */
export interface Application {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly entropy: Entropy;
  readonly vault: Vault;
  readonly log: EventLog;
  readonly dispatcher: Dispatcher;
  readonly directory: AccountDirectory;
  readonly passwords: PasswordHasher;
  /**
   * Keeps the caches of this process (accounts, suppressed addresses, data keys) up to date with the log after `head`, until the
   * signal aborts. `head` must be the end of the log from before anything was cached. Tolerates outages of the stores.
   */
  readonly subscribeCaches: (head: Checkpoint, signal: AbortSignal) => Promise<void>;
  readonly purposeKey: (purpose: string) => Buffer;
  /** Waits until a read model includes everything that is in the log now. False after 2 s. */
  readonly caughtUp: (projection: string) => Promise<boolean>;
}

const CATCH_UP_MS = 2_000;
const RETRY_DELAY_MS = 500;
/** Enough for the messages between hand-over and receipt. */
const MAX_CACHED_STATES = 5_000;
const MAX_CACHED_BYTES = 33_554_432;

export interface ApplicationOptions {
  readonly clock?: Clock;
  readonly entropy?: Entropy;
  readonly metrics?: Partial<Metrics>;
}

export function createApplication(
  config: Config,
  master: Buffer,
  engine: Engine,
  { clock = systemClock, entropy = systemEntropy, metrics }: ApplicationOptions = {},
): Application {
  const vault = new Vault(master, engine.keys, { clock, entropy });
  const log = new EventLog(engine.events, vault, eventTypes);
  const suppressionIndex = new SuppressionIndex(clock);
  const contactKeyIndex = new ContactKeyIndex(clock);
  const recipientCache = new RecipientCache(loadRecipient);
  const passwords = new PasswordHasher();
  const dispatcher = createDispatcher({
    log,
    addresses: vault,
    clock,
    entropy,
    ...(config.validateCommands && { validateInput: createInputValidator() }),
    provisions: [
      provide(passwordHasher, passwords),
      provide(webhookUrlCheck, (url) => checkUrl(url, config.webhookAllowCidrs)),
      provide(suppressionGate, createSuppressionGate(log, suppressionIndex)),
      provide(suppressionLookup, suppressionIndex),
      provide(contactKeyLookup, contactKeyIndex),
      provide(recipientLookup, (events, addressKey, channel) => recipientCache.get(events, addressKey, channel)),
      provide(marketingRules, async (account) => (await directory.settings(account))?.settings ?? null),
    ],
    secretKey: Vault.purposeKey(master, 'command-secrets'),
    stateCache: new LRUCache({ max: MAX_CACHED_STATES, maxSize: MAX_CACHED_BYTES, sizeCalculation: ({ state }) => bytesOf(state) }),
    onAppend: (stream, events) => {
      suppressionIndex.noteAppended(stream);
      contactKeyIndex.noteAppended(stream);
      recipientCache.noteAppended(stream);
      metrics?.countAppendedEvents?.(events);
    },
  });
  const caughtUp = async (name: string): Promise<boolean> => {
    const head = await engine.events.head();
    const projection = projectionsByName.get(name);
    return head === 'start' || !projection || engine.views.waitUntilReached(projection, head, CATCH_UP_MS);
  };
  const directory = new AccountDirectory({
    log,
    views: engine.views,
    clock,
    caughtUp,
    noteKeyUse: (account, key_id) => {
      const id = newId(entropy, 'req', clock.now());
      const cause = { account, actor: { kind: 'key', id: key_id }, invocation: id, correlation: id } as const;
      return dispatcher.execute(noteKeyUse, { key_id }, cause);
    },
  });
  const subscribeCaches = async (head: Checkpoint, signal: AbortSignal): Promise<void> => {
    const runSuppressionIndex = (trial: AbortSignal) => suppressionIndex.run(storedSuppressionKeys(engine.views), log, trial);
    const runContactKeyIndex = (trial: AbortSignal) => contactKeyIndex.run(storedContactKeys(engine.views), log, trial);
    const erasedKeyEviction = new ErasedKeyEviction(log, vault, head);
    await Promise.all([
      directory.subscribe(head, signal),
      retryWhileUnavailable(runSuppressionIndex, clock, signal),
      retryWhileUnavailable(runContactKeyIndex, clock, signal),
      retryWhileUnavailable(async (trial) => recipientCache.run(await log.store.head(), log, trial), clock, signal),
      retryWhileUnavailable((trial) => erasedKeyEviction.run(trial), clock, signal),
    ]);
  };
  return {
    engine,
    clock,
    passwords,
    entropy,
    vault,
    log,
    dispatcher,
    directory,
    subscribeCaches,
    caughtUp,
    purposeKey: (purpose) => Vault.purposeKey(master, purpose),
  };
}

/** Restarts the work as long as it fails because a store is unavailable. */
async function retryWhileUnavailable(work: (signal: AbortSignal) => Promise<void>, clock: Clock, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const attempt = new AbortController();
    try {
      return await work(AbortSignal.any([signal, attempt.signal]));
    } catch (e) {
      if (!(e instanceof StoreUnavailable)) throw e;
    } finally {
      attempt.abort();
    }
    await clock.sleep(RETRY_DELAY_MS, signal);
  }
}

const projectionsByName = new Map(projections.map((projection) => [projection.name, projection]));

/** All processes of the service, with their dependencies. */
export function createProcesses(
  config: Config,
  { directory, clock, vault, purposeKey }: Pick<Application, 'directory' | 'clock' | 'vault' | 'purposeKey'>,
  metrics: Partial<Metrics> = {},
): AnyProcessManager[] {
  return [
    dispatchMessages({
      routes: carrierRoutes(config),
      complete: withUnsubscribeLinks({ tokens: new UnsubscribeTokens(purposeKey(UNSUBSCRIBE_PURPOSE)), publicUrl: linkBaseUrl(config) }),
      onUnknownOutcome: async (account, category) => (await directory.settings(account))?.settings.on_unknown_outcome[category] ?? 'retry',
      onHandOver: (channel, carrier, outcome, ms) => metrics.observeCarrierCall?.({ carrier, channel, outcome, seconds: ms / 1_000 }),
    }),
    simulateSandboxReceipts({ name: SANDBOX, scriptOf }),
    suppressOnFeedback,
    followKeywords({ sender: async (account) => senderIdentity(await directory.settings(account)) }),
    confirmSubscriptions({ key: purposeKey('list-confirmation'), baseUrl: linkBaseUrl(config) ?? 'http://localhost' }),
    completeMerge,
    cleanBouncedMembers,
    runImports({ destroyKey: (subject) => vault.erase(subject) }),
    eraseContacts(vault),
    deliverStatus({
      secrets: async (account) => {
        const facts = await directory.settings(account);
        const [current, previous = null] = signingSecrets(facts?.webhook_secret ?? null, clock.now());
        return current === undefined ? null : { current, previous };
      },
      retryDelaysMs: config.webhookRetryDelays,
      headerPrefix: config.headerPrefix,
      legacyHeaderPrefix: config.legacyHeaderPrefix,
      allowedCidrs: config.webhookAllowCidrs,
      post: createPost({ clock }),
      onAttempt: (attempt) => metrics.observeWebhookAttempt?.(attempt),
    }),
  ];
}

/** Read models, and the to-do lists of processes, which are read models too. */
export const allProjections = (processes: readonly AnyProcessManager[]): AnyProjection[] => [...projections, ...processes.map(todoList)];

/** The sender of answers to keywords: the account's name, and its email sender as the contact for help. */
const senderIdentity = (facts: AccountSettings | null) => ({ name: facts?.settings.name ?? 'We', contact: facts?.settings.senders.email ?? null });

/** The base URL of links in messages, or null (no links) if there is no public URL and the port is not fixed. */
const linkBaseUrl = ({ publicUrl, host, port }: Config): string | null =>
  publicUrl ?? (port === 0 ? null : `http://${host === '0.0.0.0' || host === '::' ? 'localhost' : host}:${port}`);

/** Carriers by channel. The sandbox serves every channel without a route. */
export function carrierRoutes({ sandboxLog }: Pick<Config, 'sandboxLog'>): CarrierRouting {
  const only = sandbox(sandboxLog ? { handOverLog: sandboxLog } : {});
  return () => only;
}
