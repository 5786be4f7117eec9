import { named, optional, rawSchema, record, type Static, unionOf } from '../../kernel/schema.js';
import { describeRule } from '../../segments/describe.js';
import { ofRule, triggerProblems } from '../part-problems.js';
import { describeTrigger } from '../texts.js';
import { type Trigger, triggerSchemas } from '../triggers.js';
import type { NodeDescriptor } from './descriptor.js';
import { base, nextNode, rule } from './fields.js';
import { onlyNext } from './ways.js';

const on = rawSchema<Trigger>(unionOf(...Object.values(triggerSchemas)));
const schema = named('JourneyTrigger', record({ ...base('trigger'), on, filter: optional(rule), next: nextNode }));
export type TriggerNode = Static<typeof schema>;

/** What starts the journey. Each journey has one. */
export const triggerDescriptor: NodeDescriptor<'trigger', TriggerNode, TriggerNode> = {
  kind: 'trigger',
  title: 'Start',
  group: 'trigger',
  form: { schema },
  apart: ['on', 'filter'],
  ways: onlyNext,
  complete: (given) => given,
  describe: (node, names) =>
    `Start when ${describeTrigger(node.on, names)}${node.filter ? `, for contacts who ${describeRule(node.filter, names)}` : ''}`,
  problems: ({ on, filter }, pointer, { catalog }) => [
    ...triggerProblems(on, `${pointer}/on`, catalog),
    ...(filter === undefined ? [] : ofRule(filter, `${pointer}/filter`, catalog)),
  ],
  references: (node) => ({ rules: node.filter ? [node.filter] : [], parts: [node.on] }),
};
