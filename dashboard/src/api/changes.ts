import type { Query, QueryClient } from '@tanstack/react-query';

/** One change, or an unknown number of them, of a resource of the account. */
interface Change {
  readonly resource: string;
  /** Null if there were too many to name. */
  readonly id: string | null;
}

const CHANNEL = 'heliograph-changes';
const LEADER = 'heliograph-changes-leader';
/** Milliseconds that changes are gathered before the first refresh, and between two of them: a tab stays far below 60 requests a minute. */
const FIRST = 300;
const BETWEEN = 4_000;
/** A list of more loaded pages is not refreshed while it is read: each page is a request. It is at the next visit. */
const MOST_PAGES = 3;

/**
 * Refreshes what the page shows when it changes. One tab of the browser, the leader, reads the stream and passes the changes on to the others; when it closes, another
 * takes over. Hidden tabs refresh when they are looked at. Returns what ends it.
 */
export function followChanges(queries: QueryClient): () => void {
  const ended = new AbortController();
  const channel = new BroadcastChannel(CHANNEL);
  const refresh = gathered(queries, ended.signal);
  channel.onmessage = ({ data }: MessageEvent<Change | 'reset'>) => refresh(data);
  const publish = (change: Change | 'reset'): void => {
    channel.postMessage(change);
    refresh(change);
  };
  navigator.locks.request(LEADER, { signal: ended.signal }, () => readStream(publish, ended.signal)).catch(() => {});
  ended.signal.addEventListener('abort', () => channel.close());
  return () => ended.abort();
}

/** Resolves when the signal aborts; until then reads, and connects again by itself. */
function readStream(publish: (change: Change | 'reset') => void, signal: AbortSignal): Promise<void> {
  const stream = new EventSource('/v1/changes/stream');
  stream.addEventListener('change', ({ data }) => publish(JSON.parse(data) as Change));
  stream.addEventListener('reset', () => publish('reset'));
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => {
      stream.close();
      resolve();
    });
  });
}

/** Gathers changes, and then marks what depends on them as outdated, which loads again what is on the screen. */
function gathered(queries: QueryClient, signal: AbortSignal): (change: Change | 'reset') => void {
  const waiting = new Map<string, Set<string> | 'all'>();
  let isPlanned = false;
  let last = Number.NEGATIVE_INFINITY;

  const flush = (): void => {
    isPlanned = false;
    if (document.hidden || waiting.size === 0) return;
    last = performance.now();
    const changed = new Map(waiting);
    waiting.clear();
    const concerned = ({ queryKey, meta }: Query): boolean => isConcerned(queryKey, changed) || showsMore(meta, changed);
    void queries.invalidateQueries({ predicate: (query) => concerned(query) && pagesOf(query) <= MOST_PAGES });
    void queries.invalidateQueries({ predicate: (query) => concerned(query) && pagesOf(query) > MOST_PAGES, refetchType: 'none' });
  };
  const plan = (): void => {
    if (!isPlanned) setTimeout(flush, Math.max(FIRST, last + BETWEEN - performance.now()));
    isPlanned = true;
  };
  document.addEventListener('visibilitychange', plan, { signal });
  return (change) => {
    if (change === 'reset') waiting.set('*', 'all');
    else if (change.id === null) waiting.set(change.resource, 'all');
    else {
      const ids = waiting.get(change.resource) ?? new Set();
      if (ids !== 'all') waiting.set(change.resource, ids.add(change.id));
    }
    plan();
  };
}

const pagesOf = ({ state }: Query): number => (state.data as { pages?: readonly unknown[] } | undefined)?.pages?.length ?? 1;

/** A key is `[resource, 'list', …]`, which any change concerns, or `[resource, id, …]`. */
function isConcerned([resource, second]: readonly unknown[], changed: ReadonlyMap<string, ReadonlySet<string> | 'all'>): boolean {
  if (changed.has('*')) return true;
  const ids = changed.get(String(resource));
  return ids !== undefined && (ids === 'all' || second === 'list' || ids.has(String(second)));
}

/** What a query shows of other resources than its own, it names in `meta.alsoShows`: any change of them concerns it. */
const showsMore = (meta: Readonly<Record<string, unknown>> | undefined, changed: ReadonlyMap<string, unknown>): boolean =>
  Array.isArray(meta?.alsoShows) && meta.alsoShows.some((resource) => changed.has(String(resource)));
