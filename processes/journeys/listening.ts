/** What the journeys of an account listen to, as notes of the list: small, because they are read with every event of a contact. */
import type { JourneyDefinition } from '../../domain/journeys/definition.js';
import type { JourneyStatus, SealedJourneyEvent } from '../../domain/journeys/journey.js';
import { type ListeningPlan, listeningOf } from '../../domain/journeys/listening.js';
import type { TriggerNode } from '../../domain/journeys/nodes/trigger.js';
import type { Trigger } from '../../domain/journeys/triggers.js';
import type { Doc } from '../../domain/kernel/ports.js';

/** A journey that was published. */
export interface ListedJourney {
  readonly id: string;
  readonly status: JourneyStatus;
  readonly version: number;
  /** All that were published. */
  readonly versions: readonly number[];
  readonly trigger: Trigger;
  /** The property that names the key. */
  readonly key: string | null;
  /** Published by a test key. */
  readonly test: boolean;
}
export interface JourneysNote extends Doc {
  readonly journeys: readonly ListedJourney[];
}

/** What an enrollment of one version listens to. */
export interface VersionNote extends Doc, ListeningPlan {}

export const journeysNoteId = (account: string): string => `journeys/${account}`;
export const versionNoteId = (journey: string, version: number): string => `version/${journey}/${version}`;

/** The journeys of an account after an event. */
export function journeysAfter(known: readonly ListedJourney[], event: SealedJourneyEvent): readonly ListedJourney[] {
  const { journey_id: id } = event.data;
  const status = (next: JourneyStatus) => known.map((one) => (one.id === id ? { ...one, status: next } : one));
  switch (event.type) {
    case 'JourneyPublished': {
      const { version, definition, test = false } = event.data;
      const before = known.find((one) => one.id === id);
      const trigger = triggerOf(definition);
      const versions = [...(before?.versions ?? []), version];
      const next: ListedJourney = {
        id,
        version,
        versions,
        trigger: trigger.on,
        key: definition.settings.reentry.key,
        test,
        status: before?.status === 'paused' ? 'paused' : 'live',
      };
      return before ? known.map((one) => (one.id === id ? next : one)) : [...known, next];
    }
    case 'JourneyPaused':
      return status('paused');
    case 'JourneyResumed':
      return status('live');
    case 'JourneyStopped':
      return status('stopped');
    case 'JourneyArchived':
      return status('archived');
    case 'JourneyDeleted':
      return known.filter((one) => one.id !== id);
    case 'JourneyDrafted':
    case 'JourneyDraftChanged':
      return known;
    default:
      return event satisfies never;
  }
}

const triggerOf = ({ nodes, start }: JourneyDefinition): TriggerNode => nodes.find(({ id }) => id === start) as TriggerNode;

/** The note of a version. */
export const versionNote = (journey: string, version: number, definition: JourneyDefinition): VersionNote => ({
  id: versionNoteId(journey, version),
  ...listeningOf(definition),
});
