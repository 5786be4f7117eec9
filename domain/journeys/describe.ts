/** Nodes in English: one sentence each, without a full stop. */

import { describeRule, type RuleNames } from '../segments/describe.js';
import { durationText } from '../segments/durations.js';
import type { Condition } from '../segments/rule.js';
import { offsetMs } from './durations.js';
import type { DelayNode, JourneyNode, NodeOf, SendNode, UpdateContactNode, WaitNode } from './nodes.js';
import type { Occurrence, Trigger } from './triggers.js';

/** Names to show instead of ids. Undefined: the id is shown. */
export interface JourneyNames extends RuleNames {
  readonly template?: (id: string) => string | undefined;
  readonly form?: (id: string) => string | undefined;
}

/** What a node does: `Wait 1 hour`, `Send an email with the template “Cart”`. */
export function describeNode(node: JourneyNode, names: JourneyNames = {}): string {
  switch (node.kind) {
    case 'trigger':
      return `Start when ${describeTrigger(node.on, names)}${node.filter ? `, for contacts who ${describeRule(node.filter, names)}` : ''}`;
    case 'delay':
      return ofDelay(node, names);
    case 'branch':
      return node.mode === 'rule'
        ? 'Go the first way whose rule holds'
        : `Divide at random: ${node.branches.map(({ weight }) => `${weight} %`).join(', ')}`;
    case 'send':
      return ofSend(node, names);
    case 'wait':
      return ofWait(node, names);
    case 'digest':
      return ofDigest(node);
    case 'exit':
      return node.reason === undefined ? 'Leave the journey' : `Leave the journey: ${node.reason}`;
    case 'update_contact':
      return ofUpdate(node, names);
    case 'list':
      return node.action === 'add' ? `Add to ${nameOf('list', node.list_id, names)}` : `Remove from ${nameOf('list', node.list_id, names)}`;
    case 'webhook':
      return 'Post to a webhook';
    case 'holdout':
      return `Hold out ${node.percent} % of contacts`;
    default:
      return node satisfies never;
  }
}

/** What a way out of a node is for: `if contacts are in the segment “VIP”`, `50 %`. Null for the only way out of a node. */
export function describeExit(node: JourneyNode, key: string, names: JourneyNames = {}): string | null {
  const id = key.replace(/^branch:/, '');
  if (node.kind === 'branch' && node.mode === 'rule') {
    const branch = node.branches.find((one) => one.id === id);
    return branch ? (branch.name ?? `if they ${describeRule(branch.rule, names)}`) : 'otherwise';
  }
  if (node.kind === 'branch') {
    const branch = node.branches.find((one) => one.id === id);
    return branch ? [branch.name, `${branch.weight} %`].filter((part) => part !== undefined).join(', ') : null;
  }
  if (node.kind === 'wait') {
    const awaited = node.for.find((one) => one.id === id);
    return awaited ? (awaited.name ?? `when ${ofAwaited(awaited, names)}`) : `after ${durationText(node.timeout)}`;
  }
  if (node.kind === 'holdout') return key === 'held' ? `held out, ${node.percent} %` : 'all others';
  return null;
}

const quoted = (text: string): string => `“${text}”`;

function nameOf(what: 'list' | 'segment' | 'template' | 'form', id: string, names: JourneyNames): string {
  const name = names[what]?.(id);
  return `the ${what} ${name === undefined ? id : quoted(name)}`;
}

/** The conditions of an event, in the words of segments. */
function eventText(event: string, where: readonly Condition[] | undefined): string {
  const named = `the event ${quoted(event)} happens`;
  if (!where || where.length === 0) return named;
  const sentence = describeRule({ type: 'event', event: '', where: [...where] });
  const conditions = / where (.*),/.exec(sentence)?.[1];
  return conditions === undefined ? named : `${named} where ${conditions}`;
}

function fieldText(field: string, names: JourneyNames): string {
  const key = field.replace(/^custom_fields\./, '');
  return field.startsWith('properties.') ? `${field.slice(11)} of the event` : (names.field?.(key) ?? key.replaceAll('_', ' '));
}

/** `at `, `3 days before `, `1 hour after `. */
function offsetText(offset: string | undefined): string {
  const ms = offset === undefined ? 0 : (offsetMs(offset) ?? 0);
  if (ms === 0) return '';
  return `${durationText((offset as string).replace(/^[+-]/, ''))} ${ms < 0 ? 'before' : 'after'} `;
}

const timeText = (time: string): string => `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
const dayNames = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;
const joined = (parts: readonly string[], word: string): string =>
  parts.length > 1 ? `${parts.slice(0, -1).join(', ')} ${word} ${parts.at(-1)}` : (parts[0] ?? '');
const daysText = (days: readonly number[]): string =>
  joined(
    [...new Set(days)].sort().map((day) => dayNames[day - 1] ?? ''),
    'or',
  );

/** When a journey starts, as the end of “Start when …”. */
export function describeTrigger(on: Trigger, names: JourneyNames = {}): string {
  switch (on.type) {
    case 'event':
      return eventText(on.event, on.where);
    case 'segment_entered':
    case 'segment_left':
    case 'list_added':
    case 'form_submitted':
      return ofOccurrence(on, names);
    case 'contact_created':
      return 'a contact is created';
    case 'date': {
      const yearly = on.repeat === 'yearly' ? ', every year' : '';
      return `it is ${offsetText(on.offset)}${fieldText(on.field, names)}${on.time === undefined ? '' : `, at ${on.time} local time`}${yearly}`;
    }
    case 'schedule':
      return `it is ${on.at === undefined ? `time by the schedule ${on.cron}` : timeText(on.at)}, for all in ${nameOf('segment', on.segment_id, names)}`;
    case 'api':
      return 'a contact is enrolled by the API';
    default:
      return on satisfies never;
  }
}

function ofOccurrence(on: Exclude<Occurrence, { type: 'event' }>, names: JourneyNames): string {
  switch (on.type) {
    case 'segment_entered':
      return `a contact enters ${nameOf('segment', on.segment_id, names)}`;
    case 'segment_left':
      return `a contact leaves ${nameOf('segment', on.segment_id, names)}`;
    case 'list_added':
      return `a contact is added to ${nameOf('list', on.list_id, names)}`;
    case 'form_submitted':
      return on.form_id === undefined ? 'a form is submitted' : `${nameOf('form', on.form_id, names)} is submitted`;
    case 'message':
      return `the message of ${quoted(on.node)} is ${on.action === 'replied' ? 'replied to' : on.action}`;
    default:
      return on satisfies never;
  }
}

/** What is waited for, or ends an enrollment: `the event “purchase” happens`. */
export const describeOccurrence = (on: Occurrence, names: JourneyNames = {}): string =>
  on.type === 'event' ? eventText(on.event, on.where) + (on.key === undefined ? '' : ` with the same ${on.key.slice(11)}`) : ofOccurrence(on, names);

function ofDelay(node: DelayNode, names: JourneyNames): string {
  switch (node.mode) {
    case 'duration':
      return `Wait ${durationText(node.duration)}`;
    case 'until': {
      const past = node.if_past === 'exit' ? '; leave if that is over' : '';
      return `Wait until ${offsetText(node.offset)}${node.at === undefined ? fieldText(node.field ?? '', names) : timeText(node.at)}${past}`;
    }
    case 'local_time':
      return `Wait until ${node.time} local time${node.days_of_week ? ` on ${daysText(node.days_of_week)}` : ''}`;
    case 'business_hours': {
      const windows = node.windows.map(({ days, start, end }) => `${start} to ${end} on ${daysText(days)}`);
      return `Wait until it is ${joined(windows, 'or')}, local time`;
    }
    default:
      return node satisfies never;
  }
}

const channelTexts: Readonly<Record<SendNode['channel'], string>> = {
  sms: 'an SMS',
  email: 'an email',
  whatsapp: 'a WhatsApp message',
  rcs: 'an RCS message',
  push: 'a push message',
  in_app: 'an in-app message',
};

/** Characters of a text that are shown. */
const SHOWN = 60;
const shortened = (text: string): string => (text.length > SHOWN ? `${text.slice(0, SHOWN - 1).trimEnd()}…` : text);

function ofSend({ channel, template_id, subject, title, message, category, send_time }: SendNode, names: JourneyNames): string {
  const text = subject ?? title ?? message;
  const content =
    template_id !== undefined ? ` with ${nameOf('template', template_id, names)}` : text === undefined ? '' : ` ${quoted(shortened(text))}`;
  const when = send_time === 'best_hour' ? ' at the best hour of the contact' : '';
  return `Send ${channelTexts[channel]}${content}${when}${category === 'transactional' ? ' (transactional)' : ''}`;
}

const ofAwaited = ({ on, rule }: WaitNode['for'][number], names: JourneyNames): string =>
  on ? describeOccurrence(on, names) : rule ? `contacts ${describeRule(rule, names)}` : 'nothing';

function ofWait(node: WaitNode, names: JourneyNames): string {
  return `Wait up to ${durationText(node.timeout)} until ${joined(
    node.for.map((awaited) => ofAwaited(awaited, names)),
    'or',
  )}`;
}

function ofDigest({ window, key, max_items }: NodeOf<'digest'>): string {
  const same = key === undefined ? '' : ` with the same ${key.slice(11)}`;
  return `Collect events${same} for ${durationText(window)}, at most ${max_items}`;
}

function ofUpdate({ set = {}, add_tags = [], remove_tags = [] }: UpdateContactNode, names: JourneyNames): string {
  const values = Object.entries(set).map(([field, value]) =>
    value === null
      ? `remove ${fieldText(field, names)}`
      : `set ${fieldText(field, names)} to ${typeof value === 'string' ? quoted(shortened(value)) : JSON.stringify(value)}`,
  );
  const tags = (verb: string, given: readonly string[]) =>
    given.length > 0 ? [`${verb} the tag${given.length > 1 ? 's' : ''} ${joined(given.map(quoted), 'and')}`] : [];
  const text = joined([...values, ...tags('add', add_tags), ...tags('remove', remove_tags)], 'and');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
