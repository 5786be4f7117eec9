/** Validation of definitions: all problems at once, each with a JSON pointer and a stable code. */
import { isObject, type RuleProblem, shapeProblems, step } from '../segments/shape.js';
import { journeySettingsSchema, MAX_JOURNEY_BYTES } from './definition.js';
import { graphProblems } from './graph-problems.js';
import { nodeProblems } from './node-problems.js';
import { MAX_NODES } from './nodes.js';
import { type JourneyCatalog, occurrenceProblems, ofDuration, problem } from './part-problems.js';

/** The parts of a definition that a request has. Any of them can be any JSON value. */
export interface UncheckedDefinition {
  readonly start?: unknown;
  readonly nodes?: unknown;
  readonly settings?: unknown;
}

/** All problems of a definition but those of its name; empty if it is valid. */
export function journeyDefinitionProblems(given: UncheckedDefinition, catalog: JourneyCatalog): RuleProblem[] {
  const { start, nodes, settings } = given;
  const keyed = isObject(settings) && isObject(settings.reentry) && settings.reentry.key !== undefined;
  const found = [...nodesProblems(nodes, start, catalog, keyed), ...(settings === undefined ? [] : settingsProblems(settings, nodes, catalog))];
  if (found.length > 0) return found;
  const size = new TextEncoder().encode(JSON.stringify(given)).length;
  return size <= MAX_JOURNEY_BYTES ? [] : [problem('', 'too_large', `A journey has at most ${MAX_JOURNEY_BYTES} bytes, this one has ${size}.`)];
}

function nodesProblems(nodes: unknown, start: unknown, catalog: JourneyCatalog, keyed: boolean): RuleProblem[] {
  if (!Array.isArray(nodes)) return [problem('/nodes', nodes === undefined ? 'required' : 'invalid_type', 'Use a list of nodes.')];
  const tooMany = nodes.length > MAX_NODES ? [problem('/nodes', 'too_large', `A journey has at most ${MAX_NODES} nodes.`)] : [];
  const examined = nodes.slice(0, MAX_NODES);
  return [
    ...tooMany,
    ...examined.flatMap((node, i) => nodeProblems(node, `/nodes${step(i)}`, { catalog, nodes: examined, keyed })),
    ...graphProblems(examined, start, tooMany.length > 0),
  ];
}

function settingsProblems(settings: unknown, nodes: unknown, catalog: JourneyCatalog): RuleProblem[] {
  const at = '/settings';
  const shape = shapeProblems(journeySettingsSchema, settings, at, ['exit_when', 'goal']);
  if (!isObject(settings)) return shape;
  const { reentry, exit_when, goal, max_duration, timezone_fallback } = settings;
  const keyed = isObject(reentry) && reentry.key !== undefined;
  const occurrence = (value: unknown, pointer: string) => occurrenceProblems(value, pointer, { catalog, keyed, nodes: [], inWait: false });
  return [
    ...shape,
    ...(isObject(reentry) ? reentryProblems(reentry, `${at}/reentry`, nodes) : []),
    ...exitProblems(exit_when, `${at}/exit_when`, occurrence),
    ...(goal === undefined || goal === null ? [] : occurrence(goal, `${at}/goal`)),
    ...ofDuration(max_duration, `${at}/max_duration`),
    ...(typeof timezone_fallback === 'string' && timezone_fallback !== '' && !catalog.isTimeZone(timezone_fallback)
      ? [problem(`${at}/timezone_fallback`, 'invalid_timezone', 'Use an IANA name, for example Europe/Paris.')]
      : []),
  ];
}

const MAX_EXITS = 20;

function exitProblems(given: unknown, pointer: string, check: (value: unknown, pointer: string) => RuleProblem[]): RuleProblem[] {
  if (given === undefined) return [];
  if (!Array.isArray(given)) return [problem(pointer, 'invalid_type', 'Use a list.')];
  const tooMany = given.length > MAX_EXITS ? [problem(pointer, 'too_many', `Use at most ${MAX_EXITS} elements.`)] : [];
  return [...tooMany, ...given.slice(0, MAX_EXITS).flatMap((one, i) => check(one, pointer + step(i)))];
}

/** Triggers whose contacts bring properties, so that a key can be one of them. */
const WITH_PROPERTIES = ['event', 'form_submitted', 'api'];

function reentryProblems({ mode, cooldown, key, max_concurrent }: Readonly<Record<string, unknown>>, pointer: string, nodes: unknown): RuleProblem[] {
  const problems = ofDuration(cooldown, `${pointer}/cooldown`);
  if (mode === 'cooldown' && cooldown === undefined) problems.push(problem(`${pointer}/cooldown`, 'required', 'This field is required.'));
  if (mode === 'once' && cooldown !== undefined)
    problems.push(problem(`${pointer}/cooldown`, 'not_allowed', 'Who enters once only needs no cooldown.'));
  if (mode !== 'always' && max_concurrent !== undefined)
    problems.push(problem(`${pointer}/max_concurrent`, 'not_allowed', 'Only the mode always has several enrollments of a contact at a time.'));
  const type = triggerTypeOf(nodes);
  if (key !== undefined && type !== null && !WITH_PROPERTIES.includes(type))
    problems.push(problem(`${pointer}/key`, 'not_allowed', `A trigger of type ${type} has no properties. Use one of ${WITH_PROPERTIES.join(', ')}.`));
  return problems;
}

/** The type of the only trigger, null where that is not known. */
function triggerTypeOf(nodes: unknown): string | null {
  const triggers = Array.isArray(nodes) ? nodes.filter((node) => isObject(node) && node.kind === 'trigger') : [];
  const on: unknown = triggers.length === 1 ? triggers[0].on : null;
  return isObject(on) && typeof on.type === 'string' ? on.type.slice(0, 64) : null;
}
