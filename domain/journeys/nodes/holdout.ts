import { annotate, boundedText, named, numberOf, optional, record, type Static } from '../../kernel/schema.js';
import { type NodeDescriptor, noProblems, noReferences } from './descriptor.js';
import { base, nextNode, type WithDefaults } from './fields.js';

const defaults = { else: null } as const;

const schema = named(
  'JourneyHoldout',
  record({
    ...base('holdout'),
    percent: annotate(numberOf({ minimum: 0, maximum: 100 }), { description: 'The share of contacts that is held out.' }),
    salt: optional(
      annotate(boundedText({ minLength: 1, maxLength: 128 }), {
        description: 'Nodes with the same salt hold out the same contacts. Default: each node chooses by itself.',
      }),
    ),
    else: optional(annotate(nextNode, { default: defaults.else, description: 'Where contacts go that are held out; by default they leave.' })),
    next: nextNode,
  }),
);
type HoldoutInput = Static<typeof schema>;
export type HoldoutNode = WithDefaults<HoldoutInput, typeof defaults>;

/** Lets a share of contacts go no further, to compare with the others. */
export const holdoutDescriptor: NodeDescriptor<'holdout', HoldoutInput, HoldoutNode> = {
  kind: 'holdout',
  title: 'Holdout',
  group: 'way',
  form: { schema },
  apart: [],
  ways: [
    { field: 'next', key: 'next', text: () => 'all others' },
    { field: 'else', key: 'held', text: ({ percent }) => `held out, ${percent} %` },
  ],
  complete: (given) => ({ ...defaults, ...given }),
  describe: ({ percent }) => `Hold out ${percent} % of contacts`,
  problems: noProblems,
  references: noReferences,
};
