import { LRUCache } from 'lru-cache';
import { carrierCheck, passwordHasher } from '../../commands/accounts/dependencies.js';
import { noteKeyUse } from '../../commands/accounts/note-key-use.js';
import { createCampaignLinks } from '../../commands/campaigns/campaign-links.js';
import { audienceChecks, campaignReads } from '../../commands/campaigns/dependencies.js';
import { createForMessage } from '../../commands/contacts/create-for-message.js';
import { exportPages } from '../../commands/contacts/export-contacts.js';
import { jobKinds } from '../../commands/jobs/kind.js';
import {
  campaignLinks,
  contactCreation,
  htmlTexts,
  marketingRules,
  recipientLookup,
  suppressionGate,
  webhookUrlCheck,
} from '../../commands/messages/dependencies.js';
import { loadRecipient } from '../../commands/messages/recipient.js';
import type { Dispatcher } from '../../commands/runtime/command.js';
import { provide } from '../../commands/runtime/dependency.js';
import { createDispatcher } from '../../commands/runtime/dispatcher.js';
import { createInputValidator } from '../../commands/runtime/input-validator.js';
import { contactKeyLookup, suppressionLookup } from '../../commands/runtime/lookups.js';
import { ruleUses, segmentReferences, segmentUses } from '../../commands/segments/dependencies.js';
import { createSuppressionGate } from '../../commands/suppressions/suppression-gate.js';
import {
  accountNames,
  contentRenderer,
  mjmlCompiler,
  type RecipientPages,
  recipientPages,
  templateEngine,
} from '../../commands/templates/dependencies.js';
import { createContentRenderer } from '../../commands/templates/render-contents.js';
import { replaySource } from '../../commands/webhooks/replay-kind.js';
import type { Checkpoint, Clock, Entropy } from '../../domain/kernel/ports.js';
import { PasswordHasher } from '../../formats/accounts/passwords.js';
import { preferencesPath, UNSUBSCRIBE_PURPOSE, UnsubscribeTokens, unsubscribePath } from '../../formats/suppressions/unsubscribe-tokens.js';
import { createTemplateEngine } from '../../formats/templates/template-engine.js';
import { unknownSegments } from '../../log/aggregates/segments/load-segment.js';
import { eventTypes } from '../../log/event-types.js';
import type { ChangedStreamFeed } from '../../log/feed/changed-streams.js';
import { ErasedKeyEviction } from '../../log/runtime/erased-key-eviction.js';
import { EventLog } from '../../log/runtime/event-log.js';
import { newId } from '../../log/runtime/ids.js';
import { AggregateCache } from '../../log/snapshots/aggregate-cache.js';
import { AggregateSnapshots } from '../../log/snapshots/aggregate-snapshots.js';
import { bytesOf } from '../../log/vault/sealed-field.js';
import { Vault } from '../../log/vault/vault.js';
import { checkUrl } from '../../net/guard.js';
import { type MembershipsSettled, membershipsSettled } from '../../processes/segments/settled.js';
import { AccountDirectory } from '../../projections/accounts/directory.js';
import { ContactKeyIndex } from '../../projections/contacts/contact-key-index.js';
import { InboxChanges } from '../../projections/inbox/changes.js';
import { RecipientCache } from '../../projections/messages/recipient-cache.js';
import { projections } from '../../projections/registry.js';
import { SuppressionIndex } from '../../projections/suppressions/suppression-index.js';
import type { Engine } from '../engines/engine.js';
import type { Metrics } from '../monitoring/metrics.js';
import { systemClock } from '../system/clock.js';
import { systemEntropy } from '../system/entropy.js';
import { subscribeCaches } from './caches.js';
import type { Config } from './config/config.js';
import { linkBaseUrl } from './config/link-base-url.js';
import { formProvisions } from './form-parts.js';
import { createJobKinds } from './job-kinds.js';
import { ownSettingsProblems } from './own-carrier-settings.js';
import { campaignReader } from './ports/campaign-reads.js';
import { exportPageLoader } from './ports/export-contacts.js';
import { journeyProvisions } from './ports/journeys.js';
import { logReplaySource as pastEvents } from './ports/replay-pages.js';
import { type FitAccount, scoreProvisions } from './ports/scores.js';
import { segmentPageLoader } from './ports/segment-export-page.js';
import { segmentReferencesLoader, segmentsNaming } from './ports/segment-references.js';
import { journeysNaming, segmentUsers } from './ports/segment-uses.js';
import { pushProvisions } from './push.js';
import { createHtmlTexts } from './threads/html-texts.js';
import { createMjmlCompiler } from './threads/mjml-compiler.js';

/** What every thread and every command of this program uses, over one engine. */
export interface Application {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly entropy: Entropy;
  readonly vault: Vault;
  readonly log: EventLog;
  readonly dispatcher: Dispatcher;
  readonly directory: AccountDirectory;
  readonly passwords: PasswordHashing;
  /**
   * Keeps the caches of this process (accounts, suppressed addresses, data keys) up to date with the log after `head`, until the
   * signal aborts. `head` must be the end of the log from before anything was cached. Tolerates outages of the stores.
   */
  readonly subscribeCaches: (names: ChangedStreamFeed, head: Checkpoint, signal: AbortSignal) => Promise<void>;
  readonly inboxChanges: InboxChanges;
  readonly purposeKey: (purpose: string) => Buffer;
  /** Waits until a read model includes everything that is in the log now. False after 2 s. */
  readonly caughtUp: (projection: string) => Promise<boolean>;
  readonly membershipsSettled: MembershipsSettled;
}

const CATCH_UP_MS = 2_000;
/** Enough for the messages between dispatch and receipt. */
const MAX_CACHED_STATES = 5_000;
const MAX_CACHED_BYTES = 33_554_432;

export interface ApplicationOptions {
  readonly clock?: Clock;
  readonly entropy?: Entropy;
  readonly metrics?: Partial<Metrics>;
  readonly passwords?: PasswordHashing;
  readonly exports?: ExportTuning;
  /** Instead of the fit of scores in a thread of its own. */
  readonly fit?: FitAccount;
}

/** Contacts of a page of an export, and for how many milliseconds its result can be read. */
export interface ExportTuning {
  readonly pageContacts: number;
  readonly keepMs: number;
}

/** Makes and verifies password hashes. */
export type PasswordHashing = Pick<PasswordHasher, 'hash' | 'verify'>;

export function createApplication(
  config: Config,
  master: Buffer,
  engine: Engine,
  { clock = systemClock, entropy = systemEntropy, metrics, passwords = new PasswordHasher(), exports, fit }: ApplicationOptions = {},
): Application {
  const vault = new Vault(master, engine.keys, { clock, entropy });
  const snapshots = new AggregateSnapshots(engine.snapshots, () => clock.yieldToEventLoop());
  const log = new EventLog(engine.events, vault, eventTypes, new AggregateCache(), snapshots);
  const suppressionIndex = new SuppressionIndex(clock);
  const contactKeyIndex = new ContactKeyIndex(clock);
  const recipientCache = new RecipientCache(loadRecipient);
  const compileTemplates = createTemplateEngine(clock);
  const compileMjml = createMjmlCompiler(clock);
  const settled = membershipsSettled({ log, views: engine.views, clock });
  const dispatcher = createDispatcher({
    log,
    addresses: vault,
    clock,
    entropy,
    ...(config.validateCommands && { validateInput: createInputValidator() }),
    provisions: [
      provide(passwordHasher, passwords),
      provide(
        carrierCheck,
        (patch) => (after) => ownSettingsProblems(patch, after, { routes: config.routes, allowedCidrs: config.webhookAllowCidrs }),
      ),
      provide(webhookUrlCheck, (url) => checkUrl(url, config.webhookAllowCidrs)),
      ...pushProvisions(config, (account) => directory.settings(account)),
      provide(suppressionGate, createSuppressionGate(log, suppressionIndex)),
      provide(suppressionLookup, suppressionIndex),
      provide(contactKeyLookup, contactKeyIndex),
      provide(recipientLookup, (events, addressKey, channel) => recipientCache.get(events, addressKey, channel)),
      provide(contactCreation, createForMessage),
      provide(htmlTexts, createHtmlTexts(clock)),
      provide(templateEngine, compileTemplates),
      provide(mjmlCompiler, compileMjml),
      provide(accountNames, async (account) => (await directory.settings(account))?.settings.name ?? ''),
      provide(recipientPages, pagesOfRecipients(new UnsubscribeTokens(Vault.purposeKey(master, UNSUBSCRIBE_PURPOSE)), linkBaseUrl(config))),
      provide(jobKinds, createJobKinds(exports?.keepMs, config.webhookReplayPending)),
      provide(replaySource, pastEvents(log, engine.views, clock)),
      provide(
        segmentReferences,
        segmentReferencesLoader(engine.views, (projection) => caughtUp(projection)),
      ),
      provide(contentRenderer, createContentRenderer({ log, compile: compileTemplates, compileMjml, clock })),
      provide(campaignLinks, createCampaignLinks({ log, compile: compileTemplates, compileMjml })),
      provide(audienceChecks, { unknownSegments: (account, ids) => unknownSegments(log, account, ids) }),
      provide(ruleUses, [
        segmentsNaming(engine.views, (projection) => caughtUp(projection)),
        journeysNaming(engine.views, (projection) => caughtUp(projection)),
      ]),
      provide(
        segmentUses,
        segmentUsers(engine.views, (projection) => caughtUp(projection)),
      ),
      ...journeyProvisions({ config, log, engine, clock, settings: async (account) => directory.settings(account) }),
      provide(campaignReads, campaignReader({ log, views: engine.views, settled })),
      provide(exportPages, exportPageLoader(log, engine.views, segmentPageLoader({ log, views: engine.views, clock }), exports?.pageContacts)),
      ...formProvisions(log, engine),
      ...scoreProvisions({ log, views: engine.views, clock, settings: async (account) => directory.settings(account), fit }),
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
  const erasedKeyEviction = new ErasedKeyEviction(log, vault);
  const inboxChanges = new InboxChanges();
  const caches = { directory, suppressionIndex, contactKeyIndex, recipientCache, erasedKeyEviction, inboxChanges };
  return {
    engine,
    clock,
    passwords,
    entropy,
    vault,
    log,
    dispatcher,
    directory,
    subscribeCaches: (names, head, signal) => subscribeCaches(caches, { views: engine.views, clock }, names, head, signal),
    caughtUp,
    inboxChanges,
    membershipsSettled: settled,
    purposeKey: (purpose) => Vault.purposeKey(master, purpose),
  };
}

/** Links of an email to the pages of its recipient: the same that are in its headers. */
const pagesOfRecipients =
  (tokens: UnsubscribeTokens, publicUrl: string | null): RecipientPages =>
  (claims) => {
    if (publicUrl === null) return null;
    const token = tokens.seal({ ...claims, list_id: null });
    return { unsubscribe_url: publicUrl + unsubscribePath(token), preferences_url: publicUrl + preferencesPath(token) };
  };

const projectionsByName = new Map(projections.map((projection) => [projection.name, projection]));
