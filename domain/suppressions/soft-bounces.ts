/**
 * The soft bounces of an address that follow each other. So many of them within a time, a rule of the account, suppress the address for
 * marketing. A delivery between them starts anew, and so does the lifting of that suppression.
 */
import type { Aggregate } from '../kernel/aggregate.js';
import { type EventOf, eventType } from '../kernel/event.js';
import { count, flag, nullable, record, text, time } from '../kernel/schema.js';

// Events

/**
 * `forgets_before`: what bounced before this time does not count any more, since a message arrived then. `limit`: the rule of the account
 * at this time, with its window in milliseconds. `reached`: the address is suppressed by this bounce. `anew`: the suppression by an
 * earlier count was lifted.
 */
export const SoftBounceCounted = eventType(
  'SoftBounceCounted',
  record({
    address_key: text,
    message_id: text,
    occurred_at: time,
    forgets_before: nullable(time),
    limit: nullable(record({ count, within_ms: count })),
    reached: flag,
    anew: flag,
    at: time,
  }),
);

export const softBounceEvents = [SoftBounceCounted] as const;
export type SoftBounceEvent = EventOf<(typeof softBounceEvents)[number]>;

// State

export interface SoftBounce {
  readonly message_id: string;
  readonly occurred_at: string;
}

export interface SoftBounces {
  /** The bounces that count, the oldest first. */
  readonly counted: readonly SoftBounce[];
  /** Those that reached the limit last, with the limit; null where it was never reached, or was lifted since. */
  readonly reached: { readonly bounces: readonly SoftBounce[]; readonly limit: { readonly count: number; readonly within_ms: number } } | null;
}

/** More are not kept: no limit is higher. */
export const MAX_SOFT_BOUNCES = 100;

export function evolve(state: SoftBounces, { data }: SoftBounceEvent): SoftBounces {
  const counted = afterBounce(state, data);
  if (data.reached && data.limit !== null) return { counted: [], reached: { bounces: counted, limit: data.limit } };
  return { counted, reached: data.anew ? null : state.reached };
}

type BounceFields = Pick<SoftBounceEvent['data'], 'message_id' | 'occurred_at' | 'forgets_before' | 'limit' | 'anew'>;

/** The bounces that count after another one. */
function afterBounce(state: SoftBounces, { message_id, occurred_at, forgets_before, limit, anew }: BounceFields): SoftBounce[] {
  const from = limit === null ? '' : new Date(Date.parse(occurred_at) - limit.within_ms).toISOString();
  const before = (anew ? [] : state.counted).filter(
    (one) => (forgets_before === null || one.occurred_at > forgets_before) && one.occurred_at >= from,
  );
  return [...before, { message_id, occurred_at }].slice(-MAX_SOFT_BOUNCES);
}

// Commands

export interface SoftBounceCommand {
  readonly type: 'Count';
  readonly address_key: string;
  readonly message_id: string;
  readonly occurred_at: string;
  /** When a message to the address arrived last, before this bounce; null where none is known. */
  readonly delivered_at: string | null;
  readonly limit: { readonly count: number; readonly within_ms: number } | null;
  /** Whether the address is suppressed by an earlier count now. */
  readonly suppressed: boolean;
  readonly now: string;
}

/** A bounce of a message counts once. */
export function decide(command: SoftBounceCommand, state: SoftBounces): readonly SoftBounceEvent[] {
  const { address_key, message_id, occurred_at, delivered_at: forgets_before, limit, suppressed, now: at } = command;
  if ([...state.counted, ...(state.reached?.bounces ?? [])].some((one) => one.message_id === message_id)) return [];
  const anew = state.reached !== null && !suppressed;
  const counted = afterBounce(state, { message_id, occurred_at, forgets_before, limit, anew });
  const reached = limit !== null && counted.length >= limit.count && (!suppressed || state.reached === null);
  return [{ type: 'SoftBounceCounted', data: { address_key, message_id, occurred_at, forgets_before, limit, reached, anew, at } }];
}

// Stream

/** `addressKey`: as of the suppression of the address. */
export const softBouncesStream = (addressKey: string): string => `softBounces-${addressKey}`;

export const softBounces: Aggregate<SoftBounces, SoftBounceCommand, SoftBounceEvent> = {
  stream: softBouncesStream,
  events: softBounceEvents,
  initial: { counted: [], reached: null },
  evolve,
  decide,
};
