/** Fields that several kinds of nodes have, and how their stored form follows from what a request gives. */
import { annotate, boundedText, integer, lineOf, list, named, nullable, oneOf, optional, rawSchema } from '../../kernel/schema.js';
import { textPattern } from '../../kernel/text-patterns.js';
import { type Rule, ruleSchema } from '../../segments/rule.js';

export const NODE_ID = textPattern('^[A-Za-z0-9_-]{1,64}$', 'Use letters, digits, _ and -, 64 characters at most: for example first_mail.');

const nodeId = boundedText(NODE_ID);
/** The id of a thing of the account. */
export const reference = boundedText({ minLength: 1, maxLength: 64 });
/** A way out of a node. */
export const nextNode = annotate(nullable(nodeId), { description: 'The node that comes next; null ends the journey.' });
const literal = <K extends string>(name: K) => rawSchema<K>({ type: 'string', const: name });
export const mode = literal;
export const title = optional(annotate(boundedText(lineOf(100)), { description: 'What people call it, in graphs and explanations.' }));
/** What every node has. */
export const base = <K extends string>(name: K) => ({ id: nodeId, kind: literal(name), name: title });
export const continueOrExit = named('JourneyContinuation', oneOf('continue', 'exit'));
export const onFailure = optional(annotate(continueOrExit, { default: 'continue' }));
export const branchId = optional(annotate(boundedText(NODE_ID), { description: 'Default: its number, from 1.' }));
/** Days of the week, 1 is Monday. */
export const days = list(integer({ minimum: 1, maximum: 7 }), { minItems: 1, maxItems: 7 });
export const rule = rawSchema<Rule>(ruleSchema);

/** A node as a request has it, with the defaults that it leaves out. */
export type WithDefaults<Given, Defaults> = Omit<Given, keyof Defaults> & {
  [K in keyof Defaults & keyof Given]-?: Exclude<Given[K], undefined>;
};
/** Parts of a node that have an id each, when they are stored. */
export type WithId<Part> = Part & { readonly id: string };

/** Numbers the parts that have no id, from 1. */
export const withIds = <Part extends { id?: string }>(parts: readonly Part[]): WithId<Part>[] =>
  parts.map((part, i) => ({ ...part, id: part.id ?? String(i + 1) }));
