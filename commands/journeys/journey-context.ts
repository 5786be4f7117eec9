/** What the steps of an enrollment know: its journey, the version it follows, and its contact. */
import { type Graph, graphOf } from '../../domain/journeys/graph.js';
import { isDomainError } from '../../domain/kernel/errors.js';
import { type FoundContact, findContact } from '../../log/aggregates/contacts/load-contact.js';
import { loadJourney, loadSealedVersion, type SealedJourney, type SealedVersion } from '../../log/aggregates/journeys/load-journey.js';
import type { Context } from '../runtime/command.js';

export interface JourneyContext {
  readonly journey: SealedJourney;
  readonly version: SealedVersion;
  readonly graph: Graph;
}

/** A journey and one of its versions, also if it is deleted meanwhile. The receivers of webhooks are sealed. Throws `not_found`. */
export async function loadJourneyContext({ log, cause }: Pick<Context, 'log' | 'cause'>, id: string, version: number): Promise<JourneyContext> {
  const journey = await loadJourney(log, cause.account, id, { includeDeleted: true, sealed: true });
  const loaded = await loadSealedVersion(log, journey, version);
  return { journey, version: loaded, graph: graphOf(loaded.definition) };
}

/** The contact that answers for an id; null if it is deleted or erased. */
export async function findLivingContact({ log, cause }: Pick<Context, 'log' | 'cause'>, id: string): Promise<FoundContact | null> {
  try {
    return await findContact(log, cause.account, id);
  } catch (e) {
    if (isDomainError(e)) return null;
    throw e;
  }
}
