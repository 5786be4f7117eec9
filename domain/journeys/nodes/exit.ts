import { boundedText, lineOf, named, optional, record, type Static } from '../../kernel/schema.js';
import { type NodeDescriptor, noProblems, noReferences } from './descriptor.js';
import { base } from './fields.js';

const schema = named('JourneyExit', record({ ...base('exit'), reason: optional(boundedText(lineOf(100))) }));
type ExitNode = Static<typeof schema>;

/** Ends the journey for the contact. */
export const exitDescriptor: NodeDescriptor<'exit', ExitNode, ExitNode> = {
  kind: 'exit',
  title: 'Exit',
  group: 'exit',
  form: { schema },
  apart: [],
  ways: [],
  complete: (given) => given,
  describe: ({ reason }) => (reason === undefined ? 'Leave the journey' : `Leave the journey: ${reason}`),
  problems: noProblems,
  references: noReferences,
};
