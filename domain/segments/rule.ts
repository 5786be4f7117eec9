/**
 * The rules of segments: a tree of `all`, `any` and `not` over leaves, each of which is true or false of a contact at a moment.
 * These schemas are the only description of the grammar; `validate.ts` adds what they cannot express.
 */
import { PURPOSE_PATTERN } from '../consent/consent.js';
import { channelSchema } from '../kernel/channels.js';
import {
  annotate,
  boundedText,
  flag,
  integer,
  list,
  named,
  numberOf,
  oneOf,
  optional,
  rawSchema,
  record,
  referenceTo,
  type Static,
  text,
  time,
  unionOf,
} from '../kernel/schema.js';

export const MAX_RULE_DEPTH = 8;
export const MAX_LEAVES = 100;
/** Bytes of a rule as JSON in UTF-8. */
export const MAX_RULE_BYTES = 32 * 1024;
/** Rules of one `all` or `any`. */
export const MAX_RULES = 50;
/** The longest chain of segments that refer to each other. */
export const MAX_REFERENCES = 5;

export const attributeOps = [
  ...(['eq', 'neq', 'in', 'not_in', 'gt', 'gte', 'lt', 'lte', 'between'] as const),
  ...(['contains', 'not_contains', 'starts_with', 'ends_with', 'exists', 'not_exists'] as const),
] as const;
export type AttributeOp = (typeof attributeOps)[number];
export const dateOps = ['before', 'after', 'within_last', 'within_next', 'more_than_ago', 'more_than_from_now', 'anniversary_within_next'] as const;
export type DateOp = (typeof dateOps)[number];
export const messageActions = [
  ...(['sent', 'delivered', 'opened', 'clicked', 'read', 'seen', 'replied', 'bounced', 'failed', 'complained'] as const),
] as const;
export type MessageAction = (typeof messageActions)[number];
export const compareOps = ['gt', 'gte', 'lt', 'lte', 'eq'] as const;
export type CompareOp = (typeof compareOps)[number];
export const aggregateFunctions = ['sum', 'avg', 'min', 'max', 'distinct_count'] as const;
export type AggregateFunction = (typeof aggregateFunctions)[number];

export type Scalar = string | number | boolean;
const scalar = { anyOf: [{ type: 'string', maxLength: 4096 }, { type: 'number' }, { type: 'boolean' }] };
/** What a comparison compares with: one value, or the list of `in`, `not_in` and `between`. */
const ruleValue = rawSchema<Scalar | readonly Scalar[]>({ anyOf: [...scalar.anyOf, { type: 'array', items: scalar, minItems: 1, maxItems: 1_000 }] });

const attributeOp = named('SegmentAttributeOperator', oneOf(...attributeOps));
const dateOp = named('SegmentDateOperator', oneOf(...dateOps));
const compareOp = named('SegmentComparison', oneOf(...compareOps));
/** What becomes of a message, as rules ask for it. */
export const messageAction = named('SegmentMessageAction', oneOf(...messageActions));
const aggregateFunction = named('SegmentAggregateFunction', oneOf(...aggregateFunctions));
const consentState = named('SegmentConsentStatus', oneOf('granted', 'withdrawn', 'pending', 'none'));

/** A part of a rule. `reading` 1: it means what it meant when it was recorded, see `earlier-reading.ts`. Nobody can give it. */
export interface ReadEarlier {
  readonly reading?: 1;
}

const caseSensitive = optional(
  annotate(flag, { default: false, description: 'Whether upper and lower case differ in texts. Addresses, languages and time zones never do.' }),
);
const fieldName = boundedText({ minLength: 1, maxLength: 78 });
const eventName = boundedText({ minLength: 1, maxLength: 128 });
const duration = boundedText({ minLength: 1, maxLength: 64 });

/** A condition on a property of a custom event. Dots in `property` lead into objects, unless a property has that very name. */
export const conditionSchema = named(
  'SegmentEventCondition',
  record({ property: boundedText({ minLength: 1, maxLength: 256 }), op: attributeOp, value: optional(ruleValue), case_sensitive: caseSensitive }),
);
export type Condition = Static<typeof conditionSchema> & ReadEarlier;
const where = list(conditionSchema, { maxItems: 20 });

export const countSchema = named('SegmentCount', record({ op: compareOp, value: integer({ minimum: 0, maximum: 100 }) }));
export type Count = Static<typeof countSchema>;
/** Where a leaf has no `count`. */
export const AT_LEAST_ONCE: Count = { op: 'gte', value: 1 };

/**
 * `last`: (now - D, now]. `since` includes its instant, `between` both ends. `from`, `to`: (now - from, now - to]. Nothing after
 * now counts.
 */
export const ruleWindowSchema = named(
  'SegmentWindow',
  unionOf(
    named('SegmentWindowLast', record({ last: duration })),
    named('SegmentWindowSince', record({ since: time })),
    named('SegmentWindowBetween', record({ between: list(time, { minItems: 2, maxItems: 2 }) })),
    named('SegmentWindowAgo', record({ from: duration, to: duration })),
  ),
);
export type Window = Static<typeof ruleWindowSchema>;

const type = <T extends string>(name: T) => rawSchema<T>({ type: 'string', const: name });
const channel = channelSchema;

/** The leaves, by their `type`. */
export const leafSchemas = {
  everyone: named('SegmentEveryoneRule', record({ type: type('everyone') })),
  attribute: named(
    'SegmentAttributeRule',
    record({ type: type('attribute'), field: fieldName, op: attributeOp, value: optional(ruleValue), case_sensitive: caseSensitive }),
  ),
  date: named('SegmentDateRule', record({ type: type('date'), field: fieldName, op: dateOp, value: boundedText({ minLength: 1, maxLength: 64 }) })),
  event: named(
    'SegmentEventRule',
    record({
      type: type('event'),
      event: eventName,
      where: optional(where),
      count: optional(countSchema),
      window: optional(ruleWindowSchema),
    }),
  ),
  aggregate: named(
    'SegmentAggregateRule',
    record({
      type: type('aggregate'),
      event: eventName,
      where: optional(where),
      property: boundedText({ minLength: 1, maxLength: 256 }),
      function: aggregateFunction,
      op: compareOp,
      value: numberOf(),
      window: optional(ruleWindowSchema),
    }),
  ),
  message: named(
    'SegmentMessageRule',
    record({
      type: type('message'),
      action: messageAction,
      channel: optional(channel),
      campaign_id: optional(text),
      journey_id: optional(text),
      node_id: optional(text),
      template_id: optional(text),
      count: optional(countSchema),
      window: optional(ruleWindowSchema),
      include_machine: optional(flag),
    }),
  ),
  list: named('SegmentListRule', record({ type: type('list'), list_id: text, is_member: flag })),
  segment: named('SegmentSegmentRule', record({ type: type('segment'), segment_id: text, is_member: flag })),
  consent: named(
    'SegmentConsentRule',
    record({
      type: type('consent'),
      channel,
      purpose: boundedText(PURPOSE_PATTERN),
      status: consentState,
    }),
  ),
  reachable: named('SegmentReachableRule', record({ type: type('reachable'), channel, is: flag })),
  score: named(
    'SegmentScoreRule',
    record({ type: type('score'), score: boundedText({ minLength: 1, maxLength: 64 }), op: compareOp, value: numberOf() }),
  ),
  geo: named(
    'SegmentGeoRule',
    record({
      type: type('geo'),
      field: fieldName,
      within: named(
        'SegmentCircle',
        record({
          latitude: numberOf({ minimum: -90, maximum: 90 }),
          longitude: numberOf({ minimum: -180, maximum: 180 }),
          radius_km: numberOf({ minimum: 0, maximum: 20_038 }),
        }),
      ),
    }),
  ),
  sample: named(
    'SegmentSampleRule',
    record({ type: type('sample'), percent: numberOf({ minimum: 0, maximum: 100 }), salt: boundedText({ maxLength: 128 }) }),
  ),
} as const;

export type LeafType = keyof typeof leafSchemas;
export type LeafOf<T extends LeafType> = Static<(typeof leafSchemas)[T]> & (T extends 'attribute' | 'aggregate' | 'date' ? ReadEarlier : unknown);
export type Leaf = { [T in LeafType]: LeafOf<T> }[LeafType];

export type Rule = { readonly type: 'all' | 'any'; readonly rules: readonly Rule[] } | { readonly type: 'not'; readonly rule: Rule } | Leaf;

const inner = referenceTo<Rule>('SegmentRule');
/** The nodes that have rules of their own, by their `type`. */
export const ruleNodeSchemas = {
  all: named('SegmentAllRule', record({ type: type('all'), rules: list(inner, { minItems: 1, maxItems: MAX_RULES }) })),
  any: named('SegmentAnyRule', record({ type: type('any'), rules: list(inner, { minItems: 1, maxItems: MAX_RULES }) })),
  not: named('SegmentNotRule', record({ type: type('not'), rule: inner })),
} as const;

/** The whole grammar, for the documentation. `ruleProblems` validates: its problems name the field that is wrong, not every branch. */
export const ruleSchema = named('SegmentRule', unionOf(...Object.values(ruleNodeSchemas), ...Object.values(leafSchemas)));

export const isLeaf = (rule: Rule): rule is Leaf => rule.type !== 'all' && rule.type !== 'any' && rule.type !== 'not';

/** The rules directly below one. */
export function rulesBelow(rule: Rule): readonly Rule[] {
  if (rule.type === 'all' || rule.type === 'any') return rule.rules;
  return rule.type === 'not' ? [rule.rule] : [];
}

/** All leaves, from left to right. */
export const leavesOf = (rule: Rule): Leaf[] => (isLeaf(rule) ? [rule] : rulesBelow(rule).flatMap(leavesOf));

/** Whether a rule depends on the clocks of the contact or the account. */
export const asksForDates = (rule: Rule): boolean => leavesOf(rule).some(({ type }) => type === 'date');

/** The segments that a rule refers to, each once. */
export const segmentReferencesOf = (rule: Rule): string[] => [
  ...new Set(leavesOf(rule).flatMap((leaf) => (leaf.type === 'segment' ? [leaf.segment_id] : []))),
];
