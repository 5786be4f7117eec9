/** Problems of the parts of a node that have ways of their own. */
import type { TSchema } from '../../kernel/schema.js';
import { type RuleProblem, shapeProblems } from '../../segments/shape.js';
import { eachOf, problem } from '../part-problems.js';
import type { UncheckedNode } from './descriptor.js';

/** Of one node. */
const MAX_BRANCHES = 20;

/** A missing way out has a code of its own: null ends the journey, nothing is a mistake. */
export const missingNext = (found: RuleProblem): RuleProblem => ({
  ...found,
  code: 'missing_next',
  message: 'Name the node that comes next; null ends the journey.',
});

/** The branches of a node: their fields but the `skipped` ones, their ids, and what `check` finds. */
export function branchProblems(
  given: unknown,
  pointer: string,
  schema: TSchema,
  skipped: readonly string[],
  check: (part: UncheckedNode, pointer: string) => RuleProblem[],
): RuleProblem[] {
  const seen = new Set<unknown>();
  return eachOf(given, pointer, { most: MAX_BRANCHES, code: 'too_large' }, (part, at) => {
    const id = part.id ?? String(Number(at.slice(at.lastIndexOf('/') + 1)) + 1);
    const twice = seen.has(id) ? [problem(`${at}/id`, 'duplicate_id', 'Each branch of a node needs an id of its own.')] : [];
    seen.add(id);
    const shape = shapeProblems(schema, part, at, skipped).map((one) =>
      one.code === 'required' && one.pointer.endsWith('/next') ? missingNext(one) : one,
    );
    return [...shape, ...twice, ...check(part, at)];
  });
}
