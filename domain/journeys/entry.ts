/** Whether a contact may start a journey: what one contact has started of one journey, and what was refused. */
import type { Aggregate } from '../kernel/aggregate.js';
import { type EventOf, eventType } from '../kernel/event.js';
import { count, flag, nullable, oneOf, optional, record, text, time } from '../kernel/schema.js';
import { ruleDurationMs } from '../segments/durations.js';
import type { JourneySettings } from './definition.js';
import { startedBy } from './enrollment.js';

// Events

export const refusalReasons = ['already_enrolled', 'cooldown', 'cap', 'filter', 'late', 'journey_inactive', 'contact_gone', 'unconfirmed'] as const;
export type RefusalReason = (typeof refusalReasons)[number];

const about = { journey_id: text, contact_id: text, version: count, key: nullable(text), trigger: startedBy, at: time };
/** `test_key`: as of its enrollment. */
export const JourneyEntryAdmitted = eventType('JourneyEntryAdmitted', record({ ...about, enrollment_id: text, test_key: optional(flag) }));
/** `trigger_id`: of what would have started it. */
export const JourneyEntryRefused = eventType('JourneyEntryRefused', record({ ...about, trigger_id: text, reason: oneOf(...refusalReasons) }));

export const journeyEntryEvents = [JourneyEntryAdmitted, JourneyEntryRefused] as const;
export type JourneyEntryEvent = EventOf<(typeof journeyEntryEvents)[number]>;

// State

export interface Entry {
  readonly enrollment_id: string;
  readonly key: string | null;
  readonly at: string;
  /** Of a test key. */
  readonly test_key: boolean;
}
export interface Entries {
  readonly status: 'open';
  /** The latest last. */
  readonly admitted: readonly Entry[];
  /** The triggers that were refused last. */
  readonly refused: readonly string[];
}

/** Of one contact and journey. Older ones are forgotten, but `once` and long cooldowns need only the latest of a key. */
const MAX_ENTRIES = 500;
const MAX_REFUSED = 100;

export function evolve(entries: Entries, { type, data }: JourneyEntryEvent): Entries {
  switch (type) {
    case 'JourneyEntryAdmitted': {
      const { enrollment_id, key, at, test_key = false } = data;
      return { ...entries, admitted: [...entries.admitted, { enrollment_id, key, at, test_key }].slice(-MAX_ENTRIES) };
    }
    case 'JourneyEntryRefused':
      return { ...entries, refused: [...entries.refused, data.trigger_id].slice(-MAX_REFUSED) };
    default:
      return type satisfies never;
  }
}

// Commands

export interface Apply {
  readonly type: 'Apply';
  readonly data: Omit<EventOf<typeof JourneyEntryAdmitted>['data'], never>;
  readonly trigger_id: string;
  /** Why it cannot start whatever was started before; null if it can start. */
  readonly refused: RefusalReason | null;
  readonly reentry: JourneySettings['reentry'];
  /** Entries of contacts that are merged with this one. */
  readonly others: readonly Entry[];
  /** Those enrollments that have not ended. */
  readonly active: ReadonlySet<string>;
  /** A test: no rule about earlier ones applies. */
  readonly test: boolean;
}

/** A repeat of what is decided gives nothing. */
export function decide(command: Apply, entries: Entries): readonly JourneyEntryEvent[] {
  const { data, trigger_id } = command;
  const { enrollment_id, test_key = false, ...known } = data;
  if (entries.admitted.some((entry) => entry.enrollment_id === enrollment_id) || entries.refused.includes(trigger_id)) return [];
  // What test keys have started keeps nothing live from starting, nor the other way round.
  const isOfSameMode = (entry: Entry) => entry.test_key === test_key;
  const reason = command.refused ?? (command.test ? null : reentryRefusalOf(command, [...command.others, ...entries.admitted].filter(isOfSameMode)));
  if (reason !== null) return [{ type: 'JourneyEntryRefused', data: { ...known, trigger_id, reason } }];
  return [{ type: 'JourneyEntryAdmitted', data }];
}

/** What the rules of re-entry say against another enrollment; null if nothing. */
export function reentryRefusalOf(
  { reentry, active, data }: Pick<Apply, 'reentry' | 'active'> & { readonly data: Pick<Apply['data'], 'key' | 'at'> },
  admitted: readonly Entry[],
): RefusalReason | null {
  const same = admitted.filter(({ key }) => key === data.key);
  const running = same.filter(({ enrollment_id }) => active.has(enrollment_id)).length;
  if (reentry.mode === 'once') return same.length > 0 ? 'already_enrolled' : null;
  if (reentry.mode === 'always') {
    if (running >= reentry.max_concurrent) return 'cap';
  } else if (running > 0) return 'already_enrolled';
  const last = same.at(-1);
  const cooldown = reentry.cooldown === null ? 0 : (ruleDurationMs(reentry.cooldown) ?? 0);
  return last && Date.parse(data.at) < Date.parse(last.at) + cooldown ? 'cooldown' : null;
}

/** What is compared of the value of a journey's key. */
export const entryKeyText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

// Stream

export const journeyEntryStream = (journeyId: string, contactId: string): string => `journeyEntry-${journeyId}/${contactId}`;

export const journeyEntries: Aggregate<Entries, Apply, JourneyEntryEvent, readonly [journeyId: string, contactId: string]> = {
  stream: journeyEntryStream,
  events: journeyEntryEvents,
  initial: { status: 'open', admitted: [], refused: [] },
  evolve,
  decide,
};
