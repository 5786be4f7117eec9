import { annotate, list, named, oneOf, optional, rawSchema, record, type Static, unionOf } from '../../kernel/schema.js';
import { describeRule } from '../../segments/describe.js';
import { durationText } from '../../segments/durations.js';
import { occurrenceProblems, ofDuration, ofRule, oneOfTwo } from '../part-problems.js';
import { describeOccurrence, type JourneyNames, joined } from '../texts.js';
import { journeyDuration, type Occurrence, occurrenceSchemas } from '../triggers.js';
import { branchProblems } from './branch-problems.js';
import type { NodeDescriptor } from './descriptor.js';
import { base, branchId, nextNode, rule, title, type WithDefaults, type WithId, withIds } from './fields.js';

const occurrence = rawSchema<Occurrence>(unionOf(...Object.values(occurrenceSchemas)));
const defaults = { count_from: 'entry' } as const;

const waitFor = named(
  'JourneyWaitFor',
  record({
    id: branchId,
    name: title,
    on: optional(annotate(occurrence, { description: 'What is waited for. Either this or `rule`.' })),
    rule: optional(annotate(rule, { description: 'The wait ends as soon as the rule holds.' })),
    next: nextNode,
  }),
);
const schema = named(
  'JourneyWait',
  record({
    ...base('wait'),
    for: list(waitFor),
    timeout: journeyDuration,
    on_timeout: nextNode,
    count_from: optional(
      annotate(named('JourneyCountFrom', oneOf('entry', 'enrollment')), {
        default: defaults.count_from,
        description: 'What happened since then counts: entry of this node or of the journey.',
      }),
    ),
  }),
);
type WaitInput = Static<typeof schema>;
type AwaitedPart = WithId<Static<typeof waitFor>>;
export type WaitNode = Omit<WithDefaults<WaitInput, typeof defaults>, 'for'> & { for: AwaitedPart[] };

const awaitedText = ({ on, rule }: AwaitedPart, names: JourneyNames): string =>
  on ? describeOccurrence(on, names) : rule ? `contacts ${describeRule(rule, names)}` : 'nothing';

/** Waits until one of several things happens, for a time. */
export const waitDescriptor: NodeDescriptor<'wait', WaitInput, WaitNode> = {
  kind: 'wait',
  title: 'Wait',
  group: 'time',
  form: { schema },
  apart: ['for'],
  ways: [
    { each: 'for', text: (awaited, names) => awaited.name ?? `when ${awaitedText(awaited, names)}` },
    { field: 'on_timeout', key: 'timeout', text: ({ timeout }) => `after ${durationText(timeout)}` },
  ],
  complete: (given) => ({ ...defaults, ...given, for: withIds(given.for) }),
  describe: (node, names) => {
    const awaited = node.for.map((one) => awaitedText(one, names));
    return `Wait up to ${durationText(node.timeout)} until ${joined(awaited, 'or')}`;
  },
  problems: (node, pointer, context) => [
    ...ofDuration(node.timeout, `${pointer}/timeout`),
    ...branchProblems(node.for, `${pointer}/for`, waitFor, ['on', 'rule'], (part, at) => [
      ...oneOfTwo(part, ['on', 'rule'], at),
      ...(part.on === undefined ? [] : occurrenceProblems(part.on, `${at}/on`, { ...context, inWait: true })),
      ...(part.rule === undefined ? [] : ofRule(part.rule, `${at}/rule`, context.catalog)),
    ]),
  ],
  references: (node) => ({
    rules: node.for.flatMap(({ rule }) => (rule ? [rule] : [])),
    parts: node.for.flatMap(({ on }) => (on ? [on] : [])),
  }),
};
