/** Problems of the parts that several nodes and the settings have: rules, durations, occurrences, conditions. */
import type { ChannelName } from '../kernel/channels.js';
import { ownField } from '../kernel/own-fields.js';
import { isObject, type RuleProblem, shapeProblems, step } from '../segments/shape.js';
import { type RuleCatalog, ruleProblems, typeOfField } from '../segments/validate.js';
import { cronProblem, journeyDurationProblem, offsetProblem } from './durations.js';
import { occurrenceSchemas, PROPERTY_PREFIX, triggerSchemas } from './triggers.js';

/** What definitions may refer to. */
export interface JourneyCatalog extends RuleCatalog {
  readonly forms: ReadonlySet<string>;
  /** Channels of templates, by id. */
  readonly templates: ReadonlyMap<string, ChannelName>;
  readonly isTimeZone: (name: string) => boolean;
}

/** What the parts of a node are checked against. */
export interface PartContext {
  readonly catalog: JourneyCatalog;
  /** The nodes of the definition, each any JSON value. */
  readonly nodes: readonly unknown[];
  /** Whether enrollments have a key. */
  readonly keyed: boolean;
}

export const problem = (pointer: string, code: string, message: string): RuleProblem => ({ pointer, code, message });
const required = (pointer: string): RuleProblem => problem(pointer, 'required', 'This field is required.');
export const unknownReference = (pointer: string, what: string, id: string): RuleProblem =>
  problem(pointer, 'unknown_reference', `There is no ${what} ${id.slice(0, 100)}.`);

/** Problems of a rule within a definition. */
export const ofRule = (rule: unknown, pointer: string, catalog: RuleCatalog): RuleProblem[] =>
  ruleProblems(rule, catalog).map((one) => ({ ...one, pointer: pointer + one.pointer }));

/** Of a text that is there; that it is a text is checked elsewhere. */
const ofText =
  (check: (text: string) => { code: string; message: string } | null) =>
  (value: unknown, pointer: string): RuleProblem[] => {
    const found = typeof value === 'string' && value !== '' ? check(value) : null;
    return found ? [problem(pointer, found.code, found.message)] : [];
  };
export const ofDuration = ofText(journeyDurationProblem);
export const ofOffset = ofText(offsetProblem);
const ofCron = ofText(cronProblem);

/** Exactly one of two fields must be there. */
export function oneOfTwo(holder: Readonly<Record<string, unknown>>, [first, second]: readonly [string, string], pointer: string): RuleProblem[] {
  const given = [first, second].filter((name) => ownField(holder, name) !== undefined);
  if (given.length === 0) return [problem(`${pointer}/${first}`, 'required', `Give ${first} or ${second}.`)];
  return given.length === 2 ? [problem(`${pointer}/${second}`, 'not_allowed', `Give ${first} or ${second}, not both.`)] : [];
}

/** Problems of a field that must be a date: of the contact or, where `orProperty`, a property of an event. */
export function ofDateField(field: unknown, pointer: string, { fields }: RuleCatalog, orProperty: boolean): RuleProblem[] {
  if (typeof field !== 'string' || field === '' || (orProperty && field.startsWith(PROPERTY_PREFIX))) return [];
  const type = typeOfField(field, fields);
  if (type === undefined) return [unknownReference(pointer, 'field', field)];
  return type === 'date' || type === 'datetime' ? [] : [problem(pointer, 'invalid_type', `This field is a ${type}, not a date or datetime.`)];
}

/** An object that names its form in `type`: the problems of that form, and that it is known. */
function ofForm(schemas: Readonly<Record<string, object>>, value: unknown, pointer: string): RuleProblem[] {
  if (!isObject(value)) return [problem(pointer, 'invalid_type', 'Use an object with a type.')];
  if (value.type === undefined) return [required(`${pointer}/type`)];
  if (typeof value.type !== 'string' || !Object.hasOwn(schemas, value.type))
    return [problem(`${pointer}/type`, 'not_allowed', `Use one of ${Object.keys(schemas).join(', ')}.`)];
  return shapeProblems(ownField(schemas, value.type) as never, value, pointer);
}

/** Whether a value names a form, although its parts may be wrong. */
const isOfForm = (schemas: Readonly<Record<string, object>>, value: unknown): value is Readonly<Record<string, unknown>> =>
  isObject(value) && typeof value.type === 'string' && Object.hasOwn(schemas, value.type);

/** The problems of the form, and those of what parts mean whose form is right. */
function besides(shape: readonly RuleProblem[], meant: readonly RuleProblem[]): RuleProblem[] {
  const isWrong = ({ pointer }: RuleProblem): boolean => shape.some((one) => pointer === one.pointer || pointer.startsWith(`${one.pointer}/`));
  return [...shape, ...meant.filter((one) => !isWrong(one))];
}

/** Problems of what a trigger or an occurrence names. */
function ofNames(part: Readonly<Record<string, unknown>>, pointer: string, catalog: JourneyCatalog): RuleProblem[] {
  const { type, event, where, segment_id, list_id, form_id } = part;
  const problems: RuleProblem[] = [];
  if (typeof segment_id === 'string' && !catalog.segments.has(segment_id))
    problems.push(unknownReference(`${pointer}/segment_id`, 'segment', segment_id));
  if (typeof list_id === 'string' && !catalog.lists.has(list_id)) problems.push(unknownReference(`${pointer}/list_id`, 'list', list_id));
  if (typeof form_id === 'string' && !catalog.forms.has(form_id)) problems.push(unknownReference(`${pointer}/form_id`, 'form', form_id));
  // The grammar of conditions is that of the rule over events.
  if (type === 'event' && where !== undefined) problems.push(...ofRule({ type, event, where }, pointer, catalog));
  return problems;
}

/** Problems of what starts a journey. */
export function triggerProblems(on: unknown, pointer: string, catalog: JourneyCatalog): RuleProblem[] {
  const shape = ofForm(triggerSchemas, on, pointer);
  if (!isOfForm(triggerSchemas, on)) return shape;
  const { type, field, offset, at, cron } = on;
  const ofType =
    type === 'date'
      ? [...ofDateField(field, `${pointer}/field`, catalog, false), ...ofOffset(offset, `${pointer}/offset`)]
      : type === 'schedule'
        ? [...oneOfTwo({ at, cron }, ['at', 'cron'], pointer), ...ofCron(cron, `${pointer}/cron`)]
        : [];
  return besides(shape, [...ofNames(on, pointer, catalog), ...ofType]);
}

/** Problems of what is waited for or ends an enrollment. Only a wait follows a message. */
export function occurrenceProblems(on: unknown, pointer: string, context: PartContext & { readonly inWait: boolean }): RuleProblem[] {
  const { message: _, ...others } = occurrenceSchemas;
  const schemas = context.inWait ? occurrenceSchemas : others;
  const shape = ofForm(schemas, on, pointer);
  if (!isOfForm(schemas, on)) return shape;
  const problems = ofNames(on, pointer, context.catalog);
  if (on.key !== undefined && !context.keyed)
    problems.push(problem(`${pointer}/key`, 'not_allowed', 'Enrollments have no key: give settings.reentry.key.'));
  if (on.type === 'message' && !context.nodes.some((node) => isObject(node) && node.kind === 'send' && node.id === on.node))
    problems.push(unknownReference(`${pointer}/node`, 'send node', String(on.node)));
  return besides(shape, problems);
}

/** A list of parts, each an object, at most so many; the problems of each by `check`. */
export function eachOf(
  given: unknown,
  pointer: string,
  { most, code }: { readonly most: number; readonly code: string },
  check: (part: Readonly<Record<string, unknown>>, pointer: string) => RuleProblem[],
): RuleProblem[] {
  if (given === undefined) return [required(pointer)];
  if (!Array.isArray(given)) return [problem(pointer, 'invalid_type', 'Use a list.')];
  if (given.length === 0) return [problem(pointer, 'too_few', 'Use at least 1 element.')];
  const tooMany = given.length > most ? [problem(pointer, code, `Use at most ${most} elements.`)] : [];
  const parts = given.slice(0, most);
  return [
    ...tooMany,
    ...parts.flatMap((part, i) => (isObject(part) ? check(part, pointer + step(i)) : [problem(pointer + step(i), 'invalid_type', 'Use an object.')])),
  ];
}
