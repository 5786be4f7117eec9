/** What happened to a contact and looks like the trigger of a journey, but started nothing: the answer to "why is nobody enrolled?". */
import { starts } from '../../domain/journeys/contact-signal.js';
import type { KnownJourney } from '../../domain/journeys/journey.js';
import type { TriggerNode } from '../../domain/journeys/nodes/trigger.js';
import { inOrderOfRecord, type PastContact, type PastSignal, wantedByTrigger } from '../../domain/journeys/past.js';
import type { ReadModels } from '../../domain/kernel/ports.js';
import { matchesWhere } from '../../domain/segments/meaning.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import { customEvents } from '../events/projection.js';
import { customEventQueries } from '../events/queries.js';
import { haveReached } from '../runtime/reached.js';
import { signalsInStreams } from './past.js';

export const missedReasons = ['before_version', 'conditions', 'import', 'late', 'rule_change', 'reread', 'unconfirmed'] as const;
export type MissedReason = (typeof missedReasons)[number];

/** `trigger`: the kind of the trigger. */
export interface MissedTrigger {
  readonly event_id: string;
  readonly trigger: string;
  readonly at: string;
  readonly reason: MissedReason;
}

/** Of the latest things that happened, so many are looked at. */
const LOOKED_AT = 20;
const CATCH_UP_MS = 2_000;

interface Stores {
  readonly log: EventLog;
  readonly views: ReadModels;
}

/** The latest first. `decided`: the events that started the journey or were refused. */
export async function missedTriggers(
  stores: Stores,
  account: string,
  { published, versions }: KnownJourney,
  contact: PastContact,
  decided: ReadonlySet<string>,
): Promise<MissedTrigger[]> {
  const since = versions.at(-1)?.published_at;
  if (!published || since === undefined) return [];
  const { definition } = published;
  const { on } = definition.nodes.find(({ id }) => id === definition.start) as TriggerNode;
  const wanted = wantedByTrigger(definition);
  const own = await Promise.all([latestEvents(stores, account, contact, [...wanted.events]), signalsInStreams(stores.log, contact, wanted)]);
  const latest = own.flat().sort(inOrderOfRecord).slice(-LOOKED_AT).reverse();
  return latest.flatMap((one) => {
    const { at, started_by, origin: because, properties } = one;
    if (started_by.type !== on.type || started_by.event_id === null || decided.has(started_by.event_id)) return [];
    const isStart = starts(on, { ...one, meets: (where) => matchesWhere(where, properties), keyAt: () => null });
    const reason = at < since ? 'before_version' : isStart ? null : because === 'direct' ? 'conditions' : because;
    // What would start it and is not decided may still be worked on, or belongs to a digest.
    return reason === null ? [] : [{ event_id: started_by.event_id, trigger: on.type, at, reason }];
  });
}

async function latestEvents(stores: Stores, account: string, { members }: PastContact, names: readonly string[]): Promise<PastSignal[]> {
  if (names.length === 0) return [];
  // Where they are further behind, the latest events are missing.
  await haveReached(stores.views, [customEvents], await stores.log.store.head(), CATCH_UP_MS);
  const queries = customEventQueries(stores);
  const page = (event: string) => queries.page({ account, contact_ids: members, event, after: null, descending: true, limit: LOOKED_AT });
  const shown = await queries.show((await Promise.all(names.map(page))).flat());
  return shown.map(({ id, contact_id, event, occurred_at, accepted_at: at, properties }) => ({
    ...{ contact_id, trigger_id: id, occurred_at, at, target: null, origin: 'direct', properties },
    started_by: { type: 'event', name: event, event_id: id },
  }));
}
