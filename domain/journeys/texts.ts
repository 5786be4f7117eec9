/** What triggers, occurrences and nodes have in common when they are put in English. */

import { describeRule, type RuleNames } from '../segments/describe.js';
import { durationText } from '../segments/durations.js';
import type { Condition } from '../segments/rule.js';
import { offsetMs } from './durations.js';
import type { Occurrence, Trigger } from './triggers.js';

/** Names to show instead of ids. Undefined: the id is shown. */
export interface JourneyNames extends RuleNames {
  readonly template?: (id: string) => string | undefined;
  readonly form?: (id: string) => string | undefined;
}

export const inQuotes = (text: string): string => `“${text}”`;

/** `the segment “VIP”`. */
export function nameOf(what: 'list' | 'segment' | 'template' | 'form', id: string, names: JourneyNames): string {
  const name = names[what]?.(id);
  return `the ${what} ${name === undefined ? id : inQuotes(name)}`;
}

/** The conditions of an event, in the words of segments. */
function eventText(event: string, where: readonly Condition[] | undefined): string {
  const named = `the event ${inQuotes(event)} happens`;
  if (!where || where.length === 0) return named;
  const sentence = describeRule({ type: 'event', event: '', where: [...where] });
  const conditions = / where (.*),/.exec(sentence)?.[1];
  return conditions === undefined ? named : `${named} where ${conditions}`;
}

/** A field of the contact, or of the event that the trigger had. */
export function fieldText(field: string, names: JourneyNames): string {
  const key = field.replace(/^custom_fields\./, '');
  return field.startsWith('properties.') ? `${field.slice(11)} of the event` : (names.field?.(key) ?? key.replaceAll('_', ' '));
}

/** `at `, `3 days before `, `1 hour after `. */
export function offsetText(offset: string | undefined): string {
  const ms = offset === undefined ? 0 : (offsetMs(offset) ?? 0);
  if (ms === 0) return '';
  return `${durationText((offset as string).replace(/^[+-]/, ''))} ${ms < 0 ? 'before' : 'after'} `;
}

export const timeText = (time: string): string => `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
const dayNames = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;
/** `a, b or c`. */
export const joined = (parts: readonly string[], word: string): string =>
  parts.length > 1 ? `${parts.slice(0, -1).join(', ')} ${word} ${parts.at(-1)}` : (parts[0] ?? '');
/** `Monday, Tuesday or Friday`. */
export const daysText = (days: readonly number[]): string =>
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
      return `the message of ${inQuotes(on.node)} is ${on.action === 'replied' ? 'replied to' : on.action}`;
    default:
      return on satisfies never;
  }
}

/** What is waited for, or ends an enrollment: `the event “purchase” happens`. */
export const describeOccurrence = (on: Occurrence, names: JourneyNames = {}): string =>
  on.type === 'event' ? eventText(on.event, on.where) + (on.key === undefined ? '' : ` with the same ${on.key.slice(11)}`) : ofOccurrence(on, names);

/** Characters of a text that are shown. */
const SHOWN = 60;
/** A text of at most 60 characters. */
export const shortened = (text: string): string => (text.length > SHOWN ? `${text.slice(0, SHOWN - 1).trimEnd()}…` : text);
