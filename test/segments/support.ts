import type { Consents } from '../../domain/consent/consent.js';
import { type EvaluatedRule, evaluate } from '../../domain/segments/evaluate.js';
import type { PastCustomEvent, PastMessageEvent, SegmentHistory, SourcedValue } from '../../domain/segments/history.js';
import type { Rule } from '../../domain/segments/rule.js';
import type { RuleCatalog } from '../../domain/segments/validate.js';
import { contactClocks } from '../../formats/messages/utc-offsets.js';

export const NOW = Date.parse('2026-06-15T12:00:00.000Z');
export const DAY = 86_400_000;

export const catalog: RuleCatalog = {
  fields: new Map([
    ['plan', 'string'],
    ['country', 'string'],
    ['seats', 'number'],
    ['active', 'boolean'],
    ['born', 'date'],
    ['trial_ends_at', 'datetime'],
    ['hobbies', 'string_list'],
    ['location', 'json'],
  ]),
  lists: new Set(['lst_1']),
  segments: new Set(['seg_vip']),
};

/** The ten examples of the grammar. */
export const examples: readonly Rule[] = [
  { type: 'attribute', field: 'plan', op: 'eq', value: 'pro' },
  {
    type: 'all',
    rules: [
      { type: 'attribute', field: 'country', op: 'in', value: ['PL', 'DE'] },
      { type: 'not', rule: { type: 'list', list_id: 'lst_1', is_member: true } },
    ],
  },
  {
    type: 'event',
    event: 'purchase',
    where: [{ property: 'value', op: 'gte', value: 50 }],
    count: { op: 'gte', value: 3 },
    window: { last: 'P30D' },
  },
  {
    type: 'all',
    rules: [
      { type: 'event', event: 'purchase', count: { op: 'gte', value: 1 } },
      { type: 'event', event: 'purchase', count: { op: 'eq', value: 0 }, window: { last: 'P60D' } },
    ],
  },
  {
    type: 'all',
    rules: [
      { type: 'event', event: 'cart_abandoned', window: { last: 'PT24H' } },
      { type: 'not', rule: { type: 'event', event: 'purchase', window: { last: 'PT24H' } } },
    ],
  },
  { type: 'message', action: 'clicked', channel: 'email', count: { op: 'gte', value: 2 }, window: { last: 'P14D' } },
  {
    type: 'all',
    rules: [
      { type: 'consent', channel: 'sms', purpose: 'marketing', status: 'granted' },
      { type: 'reachable', channel: 'sms', is: true },
    ],
  },
  { type: 'date', field: 'trial_ends_at', op: 'within_next', value: 'P3D' },
  { type: 'geo', field: 'location', within: { latitude: 52.23, longitude: 21.01, radius_km: 50 } },
  {
    type: 'all',
    rules: [
      { type: 'score', score: 'churn_probability', op: 'gte', value: 0.7 },
      { type: 'sample', percent: 10, salt: 'winback' },
      { type: 'segment', segment_id: 'seg_vip', is_member: true },
    ],
  },
];

/** A history in short: each value has the event `set-<name>`. */
interface RecordedFacts {
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly lists?: Readonly<Record<string, 'subscribed' | 'unsubscribed' | 'pending' | 'cleaned'>>;
  readonly consents?: Consents;
  readonly reachable?: readonly ('sms' | 'email')[];
  readonly events?: readonly (readonly [name: string, ago: number, properties?: object])[];
  readonly messages?: readonly (Partial<PastMessageEvent> & Pick<PastMessageEvent, 'action' | 'time'>)[];
  readonly scores?: Readonly<Record<string, number>>;
}

const known = <V>(values: Readonly<Record<string, V>> = {}): Map<string, SourcedValue<V>> =>
  new Map(Object.entries(values).map(([name, value]) => [name, { value, events: [`set-${name}`] }]));

/** `ago` in milliseconds before NOW; ids of events are e0, e1 … and m0, m1 … in the order given. */
export const history = ({
  fields,
  lists,
  consents = {},
  reachable = [],
  events = [],
  messages = [],
  scores = {},
}: RecordedFacts = {}): SegmentHistory => ({
  contact_id: 'con_1',
  fields: known(fields),
  lists: known(lists),
  consents,
  reachable: new Map(reachable.map((channel) => [channel, { value: true, events: ['set-address'] }])),
  events: events.map(([name, ago, properties = {}], i): PastCustomEvent => ({ id: `e${i}`, name, time: NOW - ago, properties })),
  messages: messages.map((message, i) => ({
    id: `m${i}`,
    channel: 'email',
    campaign_id: null,
    journey_id: null,
    node_id: null,
    template_id: null,
    machine: false,
    ...message,
  })),
  scores: new Map(Object.entries(scores)),
});

export const judge = (rule: Rule, recorded: RecordedFacts = {}, at = NOW, segments: Readonly<Record<string, Rule>> = {}, bucket = 0): EvaluatedRule =>
  evaluate(rule, history(recorded), at, { ruleOf: (id) => segments[id], bucketOf: () => bucket, clocksOf: contactClocks('UTC') });

export const holds = (...judged: Parameters<typeof judge>): boolean => judge(...judged).holds;
