import { annotate, list, named, numberOf, record, type Static } from '../../kernel/schema.js';
import { describeRule } from '../../segments/describe.js';
import { isObject, type RuleProblem } from '../../segments/shape.js';
import { ofRule, type PartContext, problem } from '../part-problems.js';
import { branchProblems } from './branch-problems.js';
import type { NodeDescriptor, UncheckedNode } from './descriptor.js';
import { base, branchId, mode, nextNode, rule, title, type WithId, withIds } from './fields.js';

const ruleBranch = named('JourneyRuleBranch', record({ id: branchId, name: title, rule, next: nextNode }));
const weightedBranch = named(
  'JourneyWeightedBranch',
  record({
    id: branchId,
    name: title,
    weight: annotate(numberOf({ minimum: 0, maximum: 100 }), { description: 'Percent, with at most two decimals. Their sum is 100.' }),
    next: nextNode,
  }),
);
const modes = {
  rule: named(
    'JourneyBranch',
    record({
      ...base('branch'),
      mode: mode('rule'),
      branches: list(ruleBranch),
      else: annotate(nextNode, { description: 'Where no rule holds. The first one that holds decides.' }),
    }),
  ),
  random: named('JourneyRandomBranch', record({ ...base('branch'), mode: mode('random'), branches: list(weightedBranch) })),
} as const;
type BranchInput = Static<(typeof modes)[keyof typeof modes]>;
type WithBranchIds<N extends { branches: unknown[] }> = Omit<N, 'branches'> & { branches: WithId<N['branches'][number]>[] };
type RuleBranchNode = WithBranchIds<Static<(typeof modes)['rule']>>;
type RandomBranchNode = WithBranchIds<Static<(typeof modes)['random']>>;
export type BranchNode = RuleBranchNode | RandomBranchNode;

/** Goes one of several ways: by rules, or at random. */
export const branchDescriptor: NodeDescriptor<'branch', BranchInput, BranchNode> = {
  kind: 'branch',
  title: 'Branch',
  group: 'way',
  form: { modes },
  apart: ['branches'],
  ways: [
    {
      each: 'branches',
      text: (branch, names) =>
        'rule' in branch
          ? (branch.name ?? `if they ${describeRule(branch.rule, names)}`)
          : [branch.name, `${branch.weight} %`].filter((part) => part !== undefined).join(', '),
    },
    {
      field: 'else',
      key: 'else',
      text: () => 'otherwise',
      missing: { code: 'branch_without_else', message: 'Say where contacts go for whom no rule holds; null ends the journey.' },
    },
  ],
  complete: (given) => (given.mode === 'rule' ? { ...given, branches: withIds(given.branches) } : { ...given, branches: withIds(given.branches) }),
  describe: (node) =>
    node.mode === 'rule' ? 'Go the first way whose rule holds' : `Divide at random: ${node.branches.map(({ weight }) => `${weight} %`).join(', ')}`,
  problems: (node, pointer, context) => (node.mode === 'rule' ? ruleProblems(node, pointer, context) : weightProblems(node, pointer)),
  references: (node) => (node.mode === 'rule' ? { rules: node.branches.map(({ rule }) => rule) } : {}),
};

const ruleProblems = (node: UncheckedNode, pointer: string, { catalog }: PartContext): RuleProblem[] =>
  branchProblems(node.branches, `${pointer}/branches`, ruleBranch, ['rule'], (part, at) =>
    part.rule === undefined ? [] : ofRule(part.rule, `${at}/rule`, catalog),
  );

/** Weights are percent with two decimals: a hash modulo 10,000 chooses. */
function weightProblems(node: UncheckedNode, pointer: string): RuleProblem[] {
  const at = `${pointer}/branches`;
  const found = branchProblems(node.branches, at, weightedBranch, [], ({ weight }, part) =>
    typeof weight === 'number' && Math.abs(weight * 100 - Math.round(weight * 100)) > 1e-6
      ? [problem(`${part}/weight`, 'out_of_range', 'Use at most two decimals.')]
      : [],
  );
  if (!Array.isArray(node.branches) || node.branches.length === 0) return found;
  const weights = node.branches.map((part) => (isObject(part) && typeof part.weight === 'number' ? part.weight : 0));
  const sum = Math.round(weights.reduce((a, b) => a + b, 0) * 100) / 100;
  return sum === 100 ? found : [...found, problem(at, 'weights_sum', `The weights are ${sum} together, not 100.`)];
}
