import { type JourneyEvent, type JourneyVersion, journey, journeyStream, type KnownJourney } from '../../../domain/journeys/journey.js';
import { notFound } from '../../../domain/kernel/errors.js';
import type { SealedState } from '../../../domain/kernel/sealed-state.js';
import type { EventLog } from '../../runtime/event-log.js';
import { loadAggregate, ownOf } from '../load-aggregate.js';

interface JourneyOptions {
  readonly includeDeleted?: boolean;
  /** Leaves the receivers of webhooks sealed, for callers that do not call them. */
  readonly sealed?: boolean;
}

/** With the receivers of its webhooks sealed: `openReceivers` opens those of a version. */
export type SealedJourney = SealedState<KnownJourney, JourneyEvent>;
export type SealedVersion = SealedState<JourneyVersion, JourneyEvent>;

/** A journey of an account. Throws `not_found` if there is none or, unless `includeDeleted`, if it is deleted. */
export async function loadJourney(
  log: EventLog,
  account: string,
  id: string,
  options: JourneyOptions & { readonly sealed: boolean },
): Promise<SealedJourney>;
export async function loadJourney(
  log: EventLog,
  account: string,
  id: string,
  options?: JourneyOptions & { readonly sealed?: false },
): Promise<KnownJourney>;
export async function loadJourney(
  log: EventLog,
  account: string,
  id: string,
  { includeDeleted = false, sealed = false }: JourneyOptions = {},
): Promise<SealedJourney> {
  const found = ownOf(await loadAggregate(log, journey, journeyStream(id), { sealed }), account, { includeDeleted });
  if (!found) throw notFound(journey.resource, id);
  return found.state;
}

/** A published version, or the draft. Throws `not_found` where the journey has no such version. */
export async function loadJourneyVersion(log: EventLog, journey: KnownJourney, version: number | 'draft' | 'published'): Promise<JourneyVersion> {
  const found = await loadSealedVersion(log, journey, version);
  return { ...found, receivers: await openReceivers(log, found) };
}

/** The same; its receivers are sealed where those of the journey are, and of versions before the published one. */
export async function loadSealedVersion(
  log: EventLog,
  { id, draft, published, versions }: SealedJourney,
  version: number | 'draft' | 'published',
): Promise<SealedVersion> {
  if (draft && (version === 'draft' || version === draft.version)) return draft;
  if (published && (version === 'published' || version === published.version)) return published;
  const revision = versions.find((one) => one.version === version)?.revision;
  const stream = journeyStream(id);
  const name = `${stream}@${revision}`;
  const kept = revision === undefined ? undefined : log.aggregateCache?.get(OLD_VERSION, name);
  if (kept) return kept.state as SealedVersion;
  const [stored] = revision === undefined ? [] : ((await log.readSealed(stream, { from: revision, limit: 1 })) ?? []);
  const sealed = stored && log.withSealedFields(stored);
  if (sealed?.event.type !== 'JourneyPublished') throw notFound('version', `${id}/${version}`);
  const { definition, receivers, version: number } = (sealed.event as Extract<JourneyEvent, { type: 'JourneyPublished' }>).data;
  const old: JourneyVersion = { version: number, definition, receivers };
  log.aggregateCache?.set(OLD_VERSION, name, { state: old, revision: stored?.revision ?? 0, account: stored?.meta.account ?? '' }, true);
  return old;
}
/** Versions that were published before: they never change. */
const OLD_VERSION = 'journeyVersion';

/** A version whose receivers may be sealed, with their values. */
export const openReceivers = (log: EventLog, version: SealedVersion): Promise<JourneyVersion['receivers']> =>
  log.openSealedFields((version as JourneyVersion).receivers);
