import { type JourneyEvent, type JourneyVersion, journeyStream, type KnownJourney } from '../../domain/journeys/journey.js';
import { notFound } from '../../domain/kernel/errors.js';
import type { EventLog } from '../event-log.js';
import { keptFolds } from '../kept-folds.js';
import { loadState } from '../load-state.js';

/** A journey of an account. Throws `not_found` if there is none or, unless `includeDeleted`, if it is deleted. */
export async function loadJourney(log: EventLog, account: string, id: string, { includeDeleted = false } = {}): Promise<KnownJourney> {
  const { state, account: owner } = await loadState(log, keptFolds.journey, journeyStream(id));
  if (owner !== account || state.status === 'new' || (state.status === 'deleted' && !includeDeleted)) throw notFound('journey', id);
  return state;
}

/** A published version, or the draft. Throws `not_found` where the journey has no such version. */
export async function loadJourneyVersion(
  log: EventLog,
  { id, draft, published, versions }: KnownJourney,
  version: number | 'draft' | 'published',
): Promise<JourneyVersion> {
  if (draft && (version === 'draft' || version === draft.version)) return draft;
  if (published && (version === 'published' || version === published.version)) return published;
  const revision = versions.find((one) => one.version === version)?.revision;
  const [stored] = revision === undefined ? [] : ((await log.read<JourneyEvent>(journeyStream(id), { from: revision, limit: 1 })) ?? []);
  if (stored?.event.type !== 'JourneyPublished') throw notFound('version', `${id}/${version}`);
  const { definition, receivers, version: number } = stored.event.data;
  return { version: number, definition, receivers };
}
