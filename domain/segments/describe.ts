/** Rules in English. Every rule has a sentence; it completes "Contacts who …". */
import { ownField } from '../kernel/own-fields.js';
import { comparesForms, hasFieldForm, type ValueComparison } from './comparing.js';
import { durationText } from './durations.js';
import { customKeyOf, fullFieldName, isNegatedOp, negatedOps, type PositiveOp } from './fields.js';
import { AT_LEAST_ONCE, type CompareOp, type Condition, type Count, isLeaf, type Leaf, type LeafOf, type Rule, type Window } from './rule.js';

/** Names to show instead of ids. Undefined: the id is shown. */
export interface RuleNames {
  readonly list?: (id: string) => string | undefined;
  readonly segment?: (id: string) => string | undefined;
  /** The label of a custom field, by its key. */
  readonly field?: (key: string) => string | undefined;
}

/** One sentence, without a full stop: `purchased at least 3 times in the last 30 days`. */
export const describeRule = (rule: Rule, names: RuleNames = {}): string => phrase(rule, false, names);

/** `negated`: the phrase says that the rule does not hold. */
function phrase(rule: Rule, negated: boolean, names: RuleNames): string {
  if (isLeaf(rule)) return ofLeaf(rule, negated, names);
  if (rule.type === 'not') return phrase(rule.rule, !negated, names);
  const all = (rule.type === 'all') !== negated;
  const parts = rule.rules.map((one) => {
    const text = phrase(one, negated, names);
    return isJoined(one) && rule.rules.length > 1 ? `(${text})` : text;
  });
  return parts.length > 2 ? `${parts.slice(0, -1).join(', ')}, ${all ? 'and' : 'or'} ${parts.at(-1)}` : parts.join(all ? ' and ' : ' or ');
}

/** Whether the phrase of a rule joins several. */
function isJoined(rule: Rule): boolean {
  if (rule.type === 'not') return isJoined(rule.rule);
  return (rule.type === 'all' || rule.type === 'any') && (rule.rules.length > 1 || rule.rules.some(isJoined));
}

function ofLeaf(leaf: Leaf, negated: boolean, names: RuleNames): string {
  switch (leaf.type) {
    case 'everyone':
      return negated ? 'never match' : 'exist';
    case 'attribute':
      return ofAttribute(leaf, negated, names);
    case 'date':
      return `${negated ? 'do not have' : 'have'} ${withArticle(fieldText(leaf.field, names))} ${dateText(leaf)}`;
    case 'event':
      return ofCount(eventVerb(leaf.event), leaf, negated);
    case 'aggregate':
      return ofAggregate(leaf, negated);
    case 'message':
      return ofMessage(leaf, negated);
    case 'list':
      return `${leaf.is_member === negated ? 'are not' : 'are'} subscribed to ${nameOf('list', leaf.list_id, names)}`;
    case 'segment':
      return `${leaf.is_member === negated ? 'are not' : 'are'} in ${nameOf('segment', leaf.segment_id, names)}`;
    case 'consent':
      return ofConsent(leaf, negated);
    case 'reachable':
      return `${leaf.is === negated ? 'cannot' : 'can'} be reached by ${channelText(leaf.channel)}`;
    case 'score':
      return `${negated ? 'do not have' : 'have'} ${withArticle(spaced(leaf.score))} ${comparison[leaf.op]} ${leaf.value}`;
    case 'geo':
      return ofPlace(leaf, negated, names);
    case 'sample':
      return `are ${negated ? 'not ' : ''}in a random ${leaf.percent} % (${quoted(leaf.salt)})`;
    default:
      return leaf satisfies never;
  }
}

const spaced = (name: string): string => name.replaceAll('_', ' ');
const withArticle = (noun: string): string => `${/^(?:[aeio]|SMS|RCS)/i.test(noun) ? 'an' : 'a'} ${noun}`;
const quoted = (text: string): string => `“${text}”`;
const valueText = (value: unknown): string => (typeof value === 'string' ? quoted(value) : String(value));
const joinedValues = (values: unknown, word: string): string => {
  const texts = (Array.isArray(values) ? values : [values]).map(valueText);
  return texts.length > 1 ? `${texts.slice(0, -1).join(', ')} ${word} ${texts.at(-1)}` : texts.join('');
};

function nameOf(what: 'list' | 'segment', id: string, names: RuleNames): string {
  const name = names[what]?.(id);
  return `the ${what} ${name === undefined ? id : quoted(name)}`;
}

function fieldText(field: string, names: RuleNames): string {
  const name = fullFieldName(field);
  const key = customKeyOf(name);
  return key === null ? spaced(name) : (names.field?.(key) ?? spaced(key));
}

// Attributes and dates

const comparison: Readonly<Record<CompareOp, string>> = {
  eq: 'of exactly',
  gt: 'above',
  gte: 'of at least',
  lt: 'below',
  lte: 'of at most',
};

/** Phrases of a positive operator and of its negation. */
const operators: Readonly<Record<PositiveOp, (value: unknown) => readonly [holds: string, not: string]>> = {
  eq: (value) => [`is ${valueText(value)}`, `is not ${valueText(value)}`],
  in: (value) => [`is ${joinedValues(value, 'or')}`, `is not ${joinedValues(value, 'or')}`],
  gt: (value) => [`is above ${valueText(value)}`, `is not above ${valueText(value)}`],
  gte: (value) => [`is at least ${valueText(value)}`, `is not at least ${valueText(value)}`],
  lt: (value) => [`is below ${valueText(value)}`, `is not below ${valueText(value)}`],
  lte: (value) => [`is at most ${valueText(value)}`, `is not at most ${valueText(value)}`],
  between: (value) => [`is between ${joinedValues(value, 'and')}`, `is not between ${joinedValues(value, 'and')}`],
  contains: (value) => [`contains ${valueText(value)}`, `does not contain ${valueText(value)}`],
  starts_with: (value) => [`starts with ${valueText(value)}`, `does not start with ${valueText(value)}`],
  ends_with: (value) => [`ends with ${valueText(value)}`, `does not end with ${valueText(value)}`],
  exists: () => ['is set', 'is not set'],
};

function predicate(comparison: ValueComparison, negated: boolean): string {
  const { op, value } = comparison;
  const turned = isNegatedOp(op);
  const [holds, not] = operators[turned ? negatedOps[op] : op](value);
  return `${turned === negated ? holds : not}${caseText(comparison)}`;
}

/** Says whether case counts, where there is one. */
function caseText({ op, value, field, case_sensitive, reading }: ValueComparison): string {
  const hasCase = [value].flat().some((one) => typeof one === 'string' && one.toLowerCase() !== one.toUpperCase());
  if (!hasCase || !comparesForms(op) || reading === 1 || hasFieldForm(field)) return '';
  return case_sensitive === true ? ' (case-sensitive)' : ' (ignoring case)';
}

function ofAttribute({ type: _, ...leaf }: LeafOf<'attribute'>, negated: boolean, names: RuleNames): string {
  const field = fullFieldName(leaf.field);
  const about = { ...leaf, field };
  if (field === 'tags') return `have a list of tags that ${predicate(about, negated)}`;
  return `have ${withArticle(fieldText(field, names))} that ${predicate(about, negated)}`;
}

function dateText({ op, value }: LeafOf<'date'>): string {
  switch (op) {
    case 'before':
    case 'after':
      return `${op} ${timeText(value)}`;
    case 'within_last':
      return `in the last ${durationText(value)}`;
    case 'within_next':
      return `in the next ${durationText(value)}`;
    case 'more_than_ago':
      return `at least ${durationText(value)} ago`;
    case 'more_than_from_now':
      return `more than ${durationText(value)} from now`;
    case 'anniversary_within_next':
      return `with an anniversary in the next ${durationText(value)}`;
    default:
      return op satisfies never;
  }
}

const timeText = (time: string): string => {
  const utc = new Date(time).toISOString();
  return utc.endsWith('T00:00:00.000Z') ? utc.slice(0, 10) : `${utc.slice(0, 16).replace('T', ' ')} UTC`;
};

// Events

/** Common names of events as verbs; the others are named. */
const verbs: Readonly<Record<string, string>> = {
  purchase: 'purchased',
  purchased: 'purchased',
  order: 'ordered',
  signup: 'signed up',
  sign_up: 'signed up',
  login: 'logged in',
  log_in: 'logged in',
};
const eventVerb = (event: string): string => (Object.hasOwn(verbs, event) ? (ownField(verbs, event) as string) : `had the event ${quoted(event)}`);

const opposite: Readonly<Record<CompareOp, CompareOp | 'neq'>> = { gte: 'lt', lt: 'gte', gt: 'lte', lte: 'gt', eq: 'neq' };
const times = (n: number): string => (n === 1 ? '1 time' : `${n} times`);

/** `at least 3 times`. Null: not once. */
function countText({ op, value }: Count, negated: boolean): string | null {
  const holds = negated ? opposite[op] : op;
  if ((holds === 'lt' && value === 1) || ((holds === 'eq' || holds === 'lte') && value === 0)) return null;
  if ((holds === 'gte' && value === 1) || ((holds === 'gt' || holds === 'neq') && value === 0)) return 'at least once';
  const words = { gte: 'at least', gt: 'more than', lt: 'fewer than', lte: 'at most', eq: 'exactly', neq: 'not exactly' } as const;
  return `${words[holds]} ${times(value)}`;
}

interface LeafQualifiers {
  readonly where?: readonly Condition[];
  readonly count?: Count;
  readonly window?: Window;
}

function ofCount(verb: string, { where, count = AT_LEAST_ONCE, window }: LeafQualifiers, negated: boolean): string {
  const often = countText(count, negated);
  return `${often === null ? 'never ' : ''}${verb}${whereText(where)}${often === null ? '' : ` ${often}`}${windowText(window)}`;
}

function whereText(where: readonly Condition[] = []): string {
  const conditions = where.map(({ property, ...condition }) => `${spaced(property)} ${predicate(condition, false)}`);
  return conditions.length > 0 ? ` where ${conditions.join(' and ')},` : '';
}

function windowText(window: Window | undefined): string {
  if (!window) return '';
  if ('last' in window) return ` in the last ${durationText(window.last)}`;
  if ('since' in window) return ` since ${timeText(window.since)}`;
  if ('between' in window) return ` between ${window.between.map(timeText).join(' and ')}`;
  return ` between ${durationText(window.from)} and ${durationText(window.to)} ago`;
}

const functions = { sum: 'total', avg: 'average', min: 'lowest', max: 'highest', distinct_count: 'number of different values of' } as const;

function ofAggregate({ event, where, property, function: what, op, value, window }: LeafOf<'aggregate'>, negated: boolean): string {
  const over = `of the event ${quoted(event)}${whereText(where).replace(/,$/, '')}${windowText(window)}`;
  return `${negated ? 'do not have' : 'have'} ${withArticle(`${functions[what]} ${spaced(property)}`)} ${over}, ${comparison[op]} ${value}`;
}

// Messages, consents, places

const channelTexts: Readonly<Record<string, string>> = {
  sms: 'SMS',
  email: 'email',
  whatsapp: 'WhatsApp',
  rcs: 'RCS',
  push: 'push',
  in_app: 'in-app message',
};
const channelText = (channel: string): string => ownField(channelTexts, channel) ?? channel;

const actionTexts: Readonly<Record<LeafOf<'message'>['action'], string>> = {
  sent: 'were sent',
  delivered: 'received',
  opened: 'opened',
  clicked: 'clicked in',
  read: 'read',
  seen: 'saw',
  replied: 'replied to',
  bounced: 'bounced on',
  failed: 'could not be sent',
  complained: 'complained about',
};

function ofMessage(leaf: LeafOf<'message'>, negated: boolean): string {
  const sources = (['campaign', 'journey', 'node', 'template'] as const).flatMap((kind) => {
    const id = leaf[`${kind}_id`];
    return id === undefined ? [] : [` of ${kind} ${id}`];
  });
  const channel = leaf.channel === undefined ? '' : `${channelText(leaf.channel)} `;
  const message = leaf.channel === 'in_app' ? 'in-app message' : `${channel}message`;
  const what = withArticle(message);
  const machines = leaf.include_machine ? ' (counting automatic opens and clicks)' : '';
  return ofCount(`${actionTexts[leaf.action]} ${what}${sources.join('')}${machines}`, leaf, negated);
}

const statusTexts = { granted: 'granted', withdrawn: 'withdrawn', pending: 'been asked for' } as const;

function ofConsent({ channel, purpose, status }: LeafOf<'consent'>, negated: boolean): string {
  const consent = `consent to ${spaced(purpose)} by ${channelText(channel)}`;
  if (status === 'none') return `${negated ? 'have an entry' : 'have no entry'} of ${consent}`;
  return `have ${negated ? 'not ' : ''}${statusTexts[status]} ${consent}`;
}

const ofPlace = ({ field, within: { latitude, longitude, radius_km } }: LeafOf<'geo'>, negated: boolean, names: RuleNames): string =>
  `${negated ? 'do not have' : 'have'} ${withArticle(fieldText(field, names))} within ${radius_km} km of ${latitude}, ${longitude}`;
