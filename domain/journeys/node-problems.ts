/** Problems of one node: its fields, and what it refers to. */
import { ownField } from '../kernel/own-fields.js';
import type { TSchema } from '../kernel/schema.js';
import { isObject, type RuleProblem, shapeProblems } from '../segments/shape.js';
import { missingNext } from './nodes/branch-problems.js';
import type { UncheckedNode } from './nodes/descriptor.js';
import { type AnyDescriptor, findDescriptor, nodeKinds } from './nodes.js';
import { type PartContext, problem } from './part-problems.js';

/** All problems of a node but those of its place in the graph. `node` can be any JSON value. */
export function nodeProblems(node: unknown, pointer: string, context: PartContext): RuleProblem[] {
  if (!isObject(node)) return [problem(pointer, 'invalid_type', 'Use an object with an id and a kind.')];
  const descriptor = findDescriptor(node.kind);
  if (!descriptor) return [problem(`${pointer}/kind`, 'unknown_kind', `Use one of ${nodeKinds.join(', ')}.`)];
  const { form, apart } = descriptor;
  const schema = 'schema' in form ? form.schema : modeOf(form.modes, node);
  if (!schema) return [unknownMode(form, node, pointer)];
  // That a field is missing which is checked apart is said there.
  const isSaidApart = ({ code, pointer: at }: RuleProblem) => code === 'required' && apart.some((name) => at === `${pointer}/${name}`);
  const shape = shapeProblems(schema, node, pointer, apart).map((one) => withPlace(one, pointer, descriptor));
  return [...shape.filter((one) => !isSaidApart(one)), ...descriptor.problems(node, pointer, context)];
}

const modeOf = (modes: Readonly<Record<string, TSchema>>, { mode }: UncheckedNode): TSchema | null =>
  typeof mode === 'string' ? (ownField(modes, mode) ?? null) : null;

const unknownMode = (form: AnyDescriptor['form'], { mode }: UncheckedNode, pointer: string): RuleProblem =>
  problem(
    `${pointer}/mode`,
    mode === undefined ? 'required' : 'not_allowed',
    `Use one of ${Object.keys('modes' in form ? form.modes : {}).join(', ')}.`,
  );

/** A missing way out has a code of its own. */
function withPlace(found: RuleProblem, pointer: string, { ways }: AnyDescriptor): RuleProblem {
  if (found.code !== 'required') return found;
  const way = ways.find((one) => one.field !== undefined && found.pointer === `${pointer}/${one.field}`);
  if (way?.field === undefined) return found;
  return way.missing ? { ...found, ...way.missing } : missingNext(found);
}
