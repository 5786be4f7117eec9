/**
 * The plain reading of a rule over the whole history of a contact, at any moment. It is the reference for every faster evaluation,
 * and it explains: each node says whether it holds, and each leaf which events made it so.
 */
import { effectiveConsent } from '../consent/consent.js';
import { matchesValue, numberMatches } from './comparing.js';
import { dateMatches, storedDate } from './dates.js';
import { fullFieldName } from './fields.js';
import type { PastMessageEvent, RuleSurroundings, SegmentHistory, SourcedValue } from './history.js';
import { aggregatedNumber, aggregateOf, countMatches, isInWindow, isSampled, isWithinRadius, matchesWhere } from './meaning.js';
import { AT_LEAST_ONCE, isLeaf, type Leaf, type LeafOf, MAX_REFERENCES, type Rule, rulesBelow } from './rule.js';

/** A node of a rule with its truth. */
export interface EvaluatedRule {
  readonly rule: Rule;
  readonly holds: boolean;
  /** Of a leaf: ids of the events that made it true or false, the earliest first. */
  readonly events: readonly string[];
  /** The nodes below; of a leaf `segment`, the rule of that segment. */
  readonly below: readonly EvaluatedRule[];
}

interface Moment {
  readonly history: SegmentHistory;
  readonly now: number;
  readonly surroundings: RuleSurroundings;
  /** Segments on the way here. */
  readonly inside: number;
}

/** `at`: milliseconds since 1970. What happens after it does not count. */
export const evaluate = (rule: Rule, history: SegmentHistory, at: number, surroundings: RuleSurroundings): EvaluatedRule =>
  evaluated(rule, { history, now: at, surroundings, inside: 0 });

function evaluated(rule: Rule, moment: Moment): EvaluatedRule {
  if (isLeaf(rule)) return { rule, ...ofLeaf(rule, moment) };
  const below = rulesBelow(rule).map((one) => evaluated(one, moment));
  return { rule, holds: joined(rule.type, below), events: [], below };
}

function joined(type: 'all' | 'any' | 'not', below: readonly EvaluatedRule[]): boolean {
  if (type === 'all') return below.every(({ holds }) => holds);
  return type === 'any' ? below.some(({ holds }) => holds) : !below[0]?.holds;
}

type LeafTruth = Omit<EvaluatedRule, 'rule'>;
const truth = (holds: boolean, events: readonly string[] = []): LeafTruth => ({ holds, events, below: [] });
const truthOf = <V>(known: SourcedValue<V> | undefined, holds: (value: V | undefined) => boolean): LeafTruth =>
  truth(holds(known?.value), known?.events);

function ofLeaf(leaf: Leaf, moment: Moment): LeafTruth {
  const { history, now, surroundings } = moment;
  const field = (name: string): SourcedValue<unknown> | undefined => history.fields.get(fullFieldName(name));
  switch (leaf.type) {
    case 'everyone':
      return truth(true);
    case 'attribute':
      return truthOf(field(leaf.field), (stored) => matchesValue(leaf, stored));
    case 'date':
      return truthOf(field(leaf.field), (stored) => dateMatches(leaf, storedDate(stored), now, surroundings.clocksOf(field('timezone')?.value)));
    case 'geo':
      return truthOf(field(leaf.field), (stored) => isWithinRadius(leaf.within, stored));
    case 'event':
      return ofCount(leaf, matchingEvents(leaf, moment));
    case 'message':
      return ofCount(leaf, matchingMessages(leaf, moment));
    case 'aggregate':
      return ofAggregate(leaf, moment);
    case 'list':
      return truthOf(history.lists.get(leaf.list_id), (status) => (status === 'subscribed') === leaf.is_member);
    case 'consent':
      return ofConsent(leaf, history);
    case 'reachable':
      return truthOf(history.reachable.get(leaf.channel), (reachable = false) => reachable === leaf.is);
    case 'score':
      return ofScore(leaf, history);
    case 'sample':
      return truth(isSampled(leaf.percent, surroundings.bucketOf(history.contact_id, leaf.salt)));
    case 'segment':
      return ofSegment(leaf, moment);
    default:
      return leaf satisfies never;
  }
}

const inTime = <E extends { readonly time: number; readonly id: string }>(events: readonly E[]): E[] =>
  [...events].sort((a, b) => a.time - b.time || (a.id < b.id ? -1 : 1));

const matchingEvents = ({ event, where, window }: LeafOf<'event'> | LeafOf<'aggregate'>, { history, now }: Moment) =>
  inTime(history.events.filter(({ name, time, properties }) => name === event && isInWindow(window, time, now) && matchesWhere(where, properties)));

const matchingMessages = (leaf: LeafOf<'message'>, { history, now }: Moment): PastMessageEvent[] =>
  inTime(history.messages.filter((past) => matchesMessageLeaf(leaf, past) && isInWindow(leaf.window, past.time, now)));

/** Whether a leaf is about an event of a message, whenever it happened. */
export function matchesMessageLeaf(leaf: LeafOf<'message'>, past: PastMessageEvent): boolean {
  if (past.action !== leaf.action || (past.machine && !leaf.include_machine)) return false;
  const named = ['channel', 'campaign_id', 'journey_id', 'node_id', 'template_id'] as const;
  return named.every((name) => leaf[name] === undefined || leaf[name] === past[name]);
}

const ofCount = ({ count = AT_LEAST_ONCE }: LeafOf<'event'> | LeafOf<'message'>, matching: readonly { readonly id: string }[]): LeafTruth =>
  truth(
    countMatches(count, matching.length),
    matching.map(({ id }) => id),
  );

function ofAggregate(leaf: LeafOf<'aggregate'>, moment: Moment): LeafTruth {
  const numbered = matchingEvents(leaf, moment).flatMap(({ id, properties }) => {
    const value = aggregatedNumber(properties, leaf);
    return value === undefined ? [] : [{ id, value }];
  });
  const result = aggregateOf(
    leaf.function,
    numbered.map(({ value }) => value),
  );
  return truth(
    result !== null && numberMatches(leaf.op, result, leaf.value),
    numbered.map(({ id }) => id),
  );
}

function ofConsent({ channel, purpose, status }: LeafOf<'consent'>, { consents }: SegmentHistory): LeafTruth {
  const effective = effectiveConsent(consents, channel, purpose)?.value;
  return truth((effective?.status ?? 'none') === status, effective?.event ? [effective.event] : []);
}

function ofScore({ score, op, value }: LeafOf<'score'>, { scores }: SegmentHistory): LeafTruth {
  const known = scores.get(score);
  return truth(known !== undefined && numberMatches(op, known, value));
}

/** A segment that does not exist has no members. */
function ofSegment({ segment_id, is_member }: LeafOf<'segment'>, moment: Moment): LeafTruth {
  const rule = moment.inside < MAX_REFERENCES ? moment.surroundings.ruleOf(segment_id) : undefined;
  if (!rule) return truth(!is_member);
  const segment = evaluated(rule, { ...moment, inside: moment.inside + 1 });
  return { holds: segment.holds === is_member, events: [], below: [segment] };
}
