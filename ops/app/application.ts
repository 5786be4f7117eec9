import { LRUCache } from 'lru-cache';
import { noteKeyUse } from '../../commands/accounts/note-key-use.js';
import { noteSessionUse } from '../../commands/accounts/note-session-use.js';
import { loadRecipient } from '../../commands/messages/recipient.js';
import type { Actor, Dispatcher } from '../../commands/runtime/command.js';
import { createDispatcher } from '../../commands/runtime/dispatcher.js';
import { createInputValidator } from '../../commands/runtime/input-validator.js';
import { accountIdOf, accountStreamPrefix } from '../../domain/accounts/account.js';
import { userSessionsPrefix } from '../../domain/accounts/sessions.js';
import { ERASURES } from '../../domain/contacts/erasure.js';
import { type Checkpoint, type Clock, type Entropy, type ReadModels, StoreUnavailable } from '../../domain/kernel/ports.js';
import { PasswordHasher } from '../../formats/accounts/passwords.js';
import { eventTypes } from '../../log/event-types.js';
import type { ChangedStreamFeed, StreamFilter } from '../../log/feed/changed-streams.js';
import { ErasedKeyEviction } from '../../log/runtime/erased-key-eviction.js';
import { EventLog } from '../../log/runtime/event-log.js';
import { newId } from '../../log/runtime/ids.js';
import { AggregateCache, AggregateSnapshots } from '../../log/snapshots/aggregate-snapshots.js';
import { bytesOf } from '../../log/vault/personal-fields.js';
import { Vault } from '../../log/vault/vault.js';
import { type MembershipsSettled, membershipsSettled } from '../../processes/segments/settled.js';
import { AccountDirectory } from '../../projections/accounts/directory.js';
import { LiveChanges } from '../../projections/changes/live.js';
import { ContactKeyIndex } from '../../projections/contacts/contact-key-index.js';
import { storedContactKeys } from '../../projections/contacts/stored-contact-keys.js';
import { InboxChanges } from '../../projections/inbox/changes.js';
import { RECIPIENT_PREFIX, RecipientCache } from '../../projections/messages/recipient-cache.js';
import { projections } from '../../projections/registry.js';
import type { InMemoryStreamIndex, StoredKeys } from '../../projections/runtime/stream-index.js';
import { storedSuppressionKeys } from '../../projections/suppressions/queries.js';
import { SuppressionIndex } from '../../projections/suppressions/suppression-index.js';
import type { Engine } from '../engines/engine.js';
import type { Metrics } from '../monitoring/metrics.js';
import { systemClock } from '../system/clock.js';
import { systemEntropy } from '../system/entropy.js';
import type { Config } from './config/config.js';
import { createCommandPorts, type ExportTuning } from './ports/command-ports.js';
import type { FitAccount } from './ports/scores.js';

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
  readonly liveChanges: LiveChanges;
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
  const purposeKey = (purpose: string): Buffer => Vault.purposeKey(master, purpose);
  const caughtUp = async (name: string): Promise<boolean> => {
    const head = await engine.events.head();
    const projection = projectionsByName.get(name);
    return head === 'start' || !projection || engine.views.waitUntilReached(projection, head, CATCH_UP_MS);
  };
  const settled = membershipsSettled({ log, views: engine.views, clock });
  const dispatcher = createDispatcher({
    log,
    addresses: vault,
    clock,
    entropy,
    ...(config.validateCommands && { validateInput: createInputValidator() }),
    ports: createCommandPorts({
      addresses: vault,
      config,
      engine,
      log,
      clock,
      passwords,
      exports,
      fit,
      contactKeys: contactKeyIndex,
      suppressions: suppressionIndex,
      recipients: recipientCache,
      settled,
      purposeKey,
      caughtUp,
      settings: async (account) => directory.settings(account),
    }),
    secretKey: purposeKey('command-secrets'),
    stateCache: new LRUCache({ max: MAX_CACHED_STATES, maxSize: MAX_CACHED_BYTES, sizeCalculation: ({ state }) => bytesOf(state) }),
    onAppend: (stream, events) => {
      suppressionIndex.noteAppended(stream);
      contactKeyIndex.noteAppended(stream);
      recipientCache.noteAppended(stream);
      metrics?.countAppendedEvents?.(events);
    },
  });
  const causeOfUse = (account: string, actor: Actor) => {
    const id = newId(entropy, 'req', clock.now());
    return { account, actor, invocation: id, correlation: id };
  };
  const directory = new AccountDirectory({
    log,
    views: engine.views,
    clock,
    caughtUp,
    noteKeyUse: (account, key_id) => dispatcher.execute(noteKeyUse, { key_id }, causeOfUse(account, { kind: 'key', id: key_id })),
    noteSessionUse: (account, user_id, session_id) =>
      dispatcher.execute(noteSessionUse, { user_id, session_id }, causeOfUse(account, { kind: 'user', id: user_id })),
  });
  const erasedKeyEviction = new ErasedKeyEviction(log, vault);
  const inboxChanges = new InboxChanges();
  const liveChanges = new LiveChanges({ log, views: engine.views, clock });
  const caches = { directory, suppressionIndex, contactKeyIndex, recipientCache, erasedKeyEviction, inboxChanges, liveChanges };
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
    liveChanges,
    membershipsSettled: settled,
    purposeKey,
  };
}

const projectionsByName = new Map(projections.map((projection) => [projection.name, projection]));

const RETRY_DELAY_MS = 500;

/** What a thread keeps in memory of the log. */
interface Caches {
  readonly directory: AccountDirectory;
  readonly suppressionIndex: SuppressionIndex;
  readonly contactKeyIndex: ContactKeyIndex;
  readonly recipientCache: Pick<RecipientCache<never>, 'noteAppended' | 'begin' | 'end'>;
  readonly erasedKeyEviction: ErasedKeyEviction;
  readonly inboxChanges: Pick<InboxChanges, 'noteAppended'>;
  readonly liveChanges: Pick<LiveChanges, 'begin' | 'noteAccount'>;
}

/** Keeps caches up to date with the log after `head` until the signal aborts. Tolerates outages of the stores. */
async function subscribeCaches(
  caches: Caches,
  { views, clock }: { readonly views: ReadModels; readonly clock: Clock },
  names: ChangedStreamFeed,
  head: Checkpoint,
  signal: AbortSignal,
): Promise<void> {
  const { suppressionIndex, contactKeyIndex, liveChanges } = caches;
  liveChanges.begin(names, signal);
  const load = (index: InMemoryStreamIndex, stored: StoredKeys) =>
    retryWhileUnavailable(
      () => index.load(stored, (after) => names.pages({ streams: [index.prefix], events: [] }, after, signal, head), signal),
      clock,
      signal,
    );
  await Promise.all([
    follow(caches, names, head, signal),
    load(suppressionIndex, storedSuppressionKeys(views)),
    load(contactKeyIndex, storedContactKeys(views)),
  ]);
}

async function follow(caches: Caches, names: ChangedStreamFeed, head: Checkpoint, signal: AbortSignal): Promise<void> {
  const { directory, suppressionIndex, contactKeyIndex, recipientCache, erasedKeyEviction, inboxChanges, liveChanges } = caches;
  const wanted: StreamFilter = {
    streams: [accountStreamPrefix, userSessionsPrefix, suppressionIndex.prefix, RECIPIENT_PREFIX, InboxChanges.prefix],
    events: [ERASURES],
  };
  suppressionIndex.noteReached(head);
  contactKeyIndex.noteReached(head);
  recipientCache.begin();
  try {
    for await (const { streams, events, upTo } of names.pages(wanted, head, signal)) {
      for (const [stream, position] of streams) {
        directory.noteAppended(stream, position);
        suppressionIndex.noteAppended(stream);
        contactKeyIndex.noteAppended(stream);
        recipientCache.noteAppended(stream);
        inboxChanges.noteAppended(stream, position);
        liveChanges.noteAccount(accountIdOf(stream) ?? '');
      }
      for (const event of events) erasedKeyEviction.note(event);
      suppressionIndex.noteReached(upTo);
      contactKeyIndex.noteReached(upTo);
    }
  } finally {
    recipientCache.end();
  }
}

/** Restarts the work as long as it fails because a store is unavailable. */
async function retryWhileUnavailable(work: () => Promise<void>, clock: Clock, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      return await work();
    } catch (e) {
      if (!(e instanceof StoreUnavailable)) throw e;
    }
    await clock.sleep(RETRY_DELAY_MS, signal);
  }
}
