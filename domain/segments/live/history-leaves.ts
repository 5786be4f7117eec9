/** Leaves over the events of a contact: how many match in a window, and what their values amount to. */
import { ownField } from '../../kernel/own-fields.js';
import { canonicalText } from '../canonical.js';
import { numberMatches } from '../comparing.js';
import { aggregatedNumber, aggregateOf, countMatches, matchesWhere, msOf } from '../meaning.js';
import { AT_LEAST_ONCE, type Count, type LeafOf, type Window } from '../rule.js';
import { entryTimeOf, type History, type HistoryEntry, type Retention } from './histories.js';
import { historyInput } from './inputs.js';
import { firstChange, type HistorySpec, type LiveLeaf, type Numbers } from './live-leaf.js';

type CountedLeaf = LeafOf<'event'> | LeafOf<'message'>;

/** Rings have few sizes, so that leaves share them. A leaf needs one more event than it counts to. */
const SIZES = [4, 12, 36, 102];

export function ofCount(leaf: CountedLeaf, numbers: Numbers): Omit<LiveLeaf, 'key'> {
  const { window, count = AT_LEAST_ONCE } = leaf;
  const most = SIZES.find((size) => size > count.value) ?? null;
  const retention = retentionOf(window, most);
  const history = historyOf(leaf, retention, numbers);
  const span = spanOf(window);
  const holds = (kept: History, now: number): boolean => countMatches(count, countIn(kept, span, now));
  const plain = ofHistory(history, window, holds);
  if (window === undefined || !('last' in window)) return plain;
  return {
    ...plain,
    nextChange: (inputs, now) => {
      const kept = inputs.history(history.name);
      return kept.length === 0 ? null : firstOfCount(kept, span, now, count);
    },
  };
}

/** The next change of a count in a window up to now. Events leave it from the oldest one on. */
function firstOfCount(history: History, span: Span, now: number, count: Count): number | null {
  // An event of the future enters it first.
  if (entryTimeOf(history[0] as HistoryEntry) > now)
    return firstChange(movesOf(history, span), now, (at) => countMatches(count, countIn(history, span, at)));
  let left = countIn(history, span, now);
  const was = countMatches(count, left);
  while (left > 0) {
    const at = entryTimeOf(history[left - 1] as HistoryEntry);
    while (left > 0 && entryTimeOf(history[left - 1] as HistoryEntry) === at) left -= 1;
    if (countMatches(count, left) !== was) return at + span.leave;
  }
  return null;
}

export function ofAggregate(leaf: LeafOf<'aggregate'>, numbers: Numbers): Omit<LiveLeaf, 'key'> {
  const { window, property, reading, op, value } = leaf;
  const spec = historyOf(leaf, retentionOf(window, null), numbers, reading === undefined ? property : { property, reading });
  const span = spanOf(window);
  const history = { ...spec, numberOf: (properties: unknown) => aggregatedNumber(properties, leaf) };
  const holds = (kept: History, now: number): boolean => {
    const result = aggregateOf(
      leaf.function,
      countedIn(kept, span, now).map((one) => (typeof one === 'number' ? 0 : one[1])),
    );
    return result !== null && numberMatches(op, result, value);
  };
  return ofHistory(history, window, holds);
}

function ofHistory(history: HistorySpec, window: Window | undefined, holds: (kept: History, now: number) => boolean): Omit<LiveLeaf, 'key'> {
  const { name } = history;
  const span = spanOf(window);
  return {
    input: historyInput(name),
    history,
    truth: (inputs, now) => holds(inputs.history(name), now),
    ...(isRolling(window) && {
      nextChange: (inputs, now) => {
        const kept = inputs.history(name);
        return firstChange(movesOf(kept, span), now, (at) => holds(kept, at));
      },
    }),
  };
}

/** A window of a fixed interval, or none, changes by events alone. */
const isRolling = (window: Window | undefined): boolean => window !== undefined && ('last' in window || 'from' in window);

/** When an event counts, worked out once: what `isInWindow` says of it. */
interface Span {
  /** The event counts from this long after its time until just before `leave` after it, in milliseconds. */
  readonly enter: number;
  readonly leave: number;
  /** Bounds of its time, both included. */
  readonly from: number;
  readonly to: number;
}

const ALWAYS: Span = { enter: 0, leave: Number.POSITIVE_INFINITY, from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

function spanOf(window: Window | undefined): Span {
  if (!window) return ALWAYS;
  if ('last' in window) return { ...ALWAYS, leave: msOf(window.last) };
  if ('since' in window) return { ...ALWAYS, from: Date.parse(window.since) };
  if ('between' in window) return { ...ALWAYS, from: Date.parse(window.between[0] as string), to: Date.parse(window.between[1] as string) };
  return { ...ALWAYS, enter: msOf(window.to), leave: msOf(window.from) };
}

function countIn(history: History, { enter, leave, from, to }: Span, now: number): number {
  let count = 0;
  for (const kept of history) {
    const at = entryTimeOf(kept);
    if (at + enter <= now && at + leave > now && at >= from && at <= to) count += 1;
  }
  return count;
}

/** Those that count now. */
const countedIn = (history: History, { enter, leave, from, to }: Span, now: number): readonly HistoryEntry[] =>
  history.filter((kept) => {
    const at = entryTimeOf(kept);
    return at + enter <= now && at + leave > now && at >= from && at <= to;
  });

/** The moments at which events begin or cease to count: (now - D, now] loses an event D after it. */
const movesOf = (history: History, { enter, leave }: Span): number[] =>
  history.flatMap((kept) => (enter === 0 ? [entryTimeOf(kept) + leave] : [entryTimeOf(kept) + enter, entryTimeOf(kept) + leave]));

/** `most`: how many of the most recent events decide a window that ends now. */
function retentionOf(window: Window | undefined, most: number | null): Retention {
  const all: Retention = { most, interval: null, horizon: null };
  if (!window) return all;
  if ('last' in window) return most === null ? { ...all, horizon: msOf(window.last) } : all;
  if ('since' in window) return most === null ? { ...all, interval: [Date.parse(window.since), Number.MAX_SAFE_INTEGER] } : all;
  if ('between' in window) return { ...all, interval: [Date.parse(window.between[0] as string), Date.parse(window.between[1] as string)] };
  // Events that are too young as yet count later, so none of them can be dropped.
  return { most: null, interval: null, horizon: msOf(window.from) };
}

type WithHistory = CountedLeaf | LeafOf<'aggregate'>;

function historyOf(leaf: WithHistory, retention: Retention, numbers: Numbers, property: unknown = null): HistorySpec {
  const [source, condition, matches] = predicateOf(leaf);
  const name = String(numbers(canonicalText({ source, condition, retention, property })));
  return { name, source, matches, retention };
}

function predicateOf(leaf: WithHistory): [source: string, condition: unknown, matches: (properties: unknown) => boolean] {
  if (leaf.type !== 'message') {
    const { event, where = [] } = leaf;
    return [eventSource(event), where, (properties) => matchesWhere(where, properties)];
  }
  const { type: _, count: __, window: ___, action, ...condition } = leaf;
  const { include_machine = false, ...wanted } = condition;
  const matches = (given: unknown): boolean => {
    const past = given as Readonly<Record<string, unknown>>;
    return (include_machine || past.machine !== true) && Object.entries(wanted).every(([name, value]) => ownField(past, name) === value);
  };
  return [messageSource(action), condition, matches];
}

export const EVENT_SOURCE = 'event/';
export const eventSource = (name: string): string => EVENT_SOURCE + name;
export const messageSource = (action: string): string => `message/${action}`;
export const isMessageSource = (source: string): boolean => source.startsWith('message/');
