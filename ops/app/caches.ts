import { accountStreamPrefix } from '../../domain/accounts/account.js';
import { ERASURES } from '../../domain/contacts/erasure.js';
import { type Checkpoint, type Clock, type ReadModels, StoreUnavailable } from '../../domain/kernel/ports.js';
import type { ChangedStreamFeed, StreamFilter } from '../../log/feed/changed-streams.js';
import type { ErasedKeyEviction } from '../../log/runtime/erased-key-eviction.js';
import type { AccountDirectory } from '../../projections/accounts/directory.js';
import type { ContactKeyIndex } from '../../projections/contacts/contact-key-index.js';
import { storedContactKeys } from '../../projections/contacts/stored-contact-keys.js';
import { InboxChanges } from '../../projections/inbox/changes.js';
import { RECIPIENT_PREFIX, type RecipientCache } from '../../projections/messages/recipient-cache.js';
import type { InMemoryStreamIndex, StoredKeys } from '../../projections/runtime/stream-index.js';
import { storedSuppressionKeys } from '../../projections/suppressions/queries.js';
import type { SuppressionIndex } from '../../projections/suppressions/suppression-index.js';

const RETRY_DELAY_MS = 500;

/** What a thread keeps in memory of the log. */
export interface Caches {
  readonly directory: AccountDirectory;
  readonly suppressionIndex: SuppressionIndex;
  readonly contactKeyIndex: ContactKeyIndex;
  readonly recipientCache: Pick<RecipientCache<never>, 'noteAppended' | 'begin' | 'end'>;
  readonly erasedKeyEviction: ErasedKeyEviction;
  readonly inboxChanges: Pick<InboxChanges, 'noteAppended'>;
}

/** Keeps caches up to date with the log after `head` until the signal aborts. Tolerates outages of the stores. */
export async function subscribeCaches(
  caches: Caches,
  { views, clock }: { readonly views: ReadModels; readonly clock: Clock },
  names: ChangedStreamFeed,
  head: Checkpoint,
  signal: AbortSignal,
): Promise<void> {
  const { suppressionIndex, contactKeyIndex } = caches;
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
  const { directory, suppressionIndex, contactKeyIndex, recipientCache, erasedKeyEviction, inboxChanges } = caches;
  const wanted: StreamFilter = { streams: [accountStreamPrefix, suppressionIndex.prefix, RECIPIENT_PREFIX, InboxChanges.prefix], events: [ERASURES] };
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
