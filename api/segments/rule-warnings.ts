/** What is not wrong with a rule, but is probably not what its author means. */
import { nearestNames } from '../../commands/runtime/nearest-name.js';
import type { UnreadableValue } from '../../commands/segments/field-values.js';
import type { UnrecordedName } from '../../projections/segments/known-names.js';

/** Names that a warning suggests, and warnings that an answer has. */
const SUGGESTED = 3;
const MAX_WARNINGS = 50;

/** A sentence for each value that no contact can have, and for each name that was never recorded, with the nearest ones that were. */
export const ruleWarnings = (unreadable: readonly UnreadableValue[], unrecorded: readonly UnrecordedName[]): string[] =>
  [
    ...unreadable.map(({ field, value, hint }) => `No contact can have ${quoted(value)} as ${quoted(field)}. ${hint}`),
    ...unrecorded.map((one) => `${sentenceOf(one)}${suggestion(nearestNames(one.name, one.known, SUGGESTED))}`),
  ].slice(0, MAX_WARNINGS);

const quoted = (name: string): string => `\`${name.slice(0, 100)}\``;

function sentenceOf({ kind, name, of = '', among }: UnrecordedName): string {
  const contacts = among === null ? 'No contact' : `None of the newest ${among} contacts`;
  switch (kind) {
    case 'event':
      return `No event ${quoted(name)} was ever recorded.`;
    case 'property':
      return `${among === null ? 'No event' : `None of the latest ${among} events`} ${quoted(of)} has a property ${quoted(name)}.`;
    case 'field':
      return `${contacts} has a value of ${quoted(name)}.`;
    case 'value':
      return `${contacts} has ${quoted(name)} in ${quoted(of)}.`;
    default:
      return kind satisfies never;
  }
}

function suggestion(names: readonly string[]): string {
  const texts = names.map(quoted);
  return texts.length === 0 ? '' : ` Do you mean ${[texts.slice(0, -1).join(', '), texts.at(-1)].filter((one) => one !== '').join(' or ')}?`;
}
