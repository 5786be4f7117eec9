import { annotate, integer, named, optional, record, type Static } from '../../kernel/schema.js';
import { durationText } from '../../segments/durations.js';
import { isObject } from '../../segments/shape.js';
import { ofDuration, problem } from '../part-problems.js';
import { journeyDuration, PROPERTY_PREFIX, propertyPath } from '../triggers.js';
import { type NodeDescriptor, noReferences } from './descriptor.js';
import { base, nextNode, type WithDefaults } from './fields.js';
import { onlyNext } from './ways.js';

const defaults = { max_items: 100 } as const;

const schema = named(
  'JourneyDigest',
  record({
    ...base('digest'),
    window: annotate(journeyDuration, { description: 'Further events of the trigger are collected for so long.' }),
    key: optional(annotate(propertyPath, { description: 'Only events with the same value of this property are collected together.' })),
    max_items: optional(
      annotate(integer({ minimum: 1, maximum: 100 }), { default: defaults.max_items, description: 'The digest ends when it has so many.' }),
    ),
    next: nextNode,
  }),
);
type DigestInput = Static<typeof schema>;
export type DigestNode = WithDefaults<DigestInput, typeof defaults>;

/** Collects further events of the trigger for a time. */
export const digestDescriptor: NodeDescriptor<'digest', DigestInput, DigestNode> = {
  kind: 'digest',
  title: 'Digest',
  group: 'time',
  form: { schema },
  apart: [],
  ways: onlyNext,
  complete: (given) => ({ ...defaults, ...given }),
  describe: ({ window, key, max_items }) => {
    const same = key === undefined ? '' : ` with the same ${key.slice(PROPERTY_PREFIX.length)}`;
    return `Collect events${same} for ${durationText(window)}, at most ${max_items}`;
  },
  problems: (node, pointer, { nodes }) => [
    ...ofDuration(node.window, `${pointer}/window`),
    ...(nodes.some((one) => isObject(one) && one.kind === 'trigger' && isObject(one.on) && one.on.type === 'event')
      ? []
      : [problem(`${pointer}/kind`, 'not_allowed', 'A digest collects the events of a trigger of type event.')]),
  ],
  references: noReferences,
};
