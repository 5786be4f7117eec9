/** What a kind of node is made of. Each kind has one descriptor, in a file of its own; `nodes.ts` lists them. */
import type { TSchema } from '../../kernel/schema.js';
import type { Rule } from '../../segments/rule.js';
import type { RuleProblem } from '../../segments/shape.js';
import type { PartContext } from '../part-problems.js';
import type { JourneyNames } from '../texts.js';
import type { Receiver } from './receiver.js';
import type { AnyWay, NodeWay } from './ways.js';

/** How a node is drawn: nodes of a group have one color and one shape. */
export type NodeGroup = 'trigger' | 'time' | 'way' | 'act' | 'exit';

/** A node as a request has it: its kind is known, its fields can be any JSON values. */
export type UncheckedNode = Readonly<Record<string, unknown>>;

/** What names segments, lists and fields. */
export interface ReferenceFields {
  readonly type?: string;
  readonly segment_id?: string;
  readonly list_id?: string;
  readonly field?: string;
}
/** What a node refers to. */
export interface NodeReferences {
  readonly rules?: readonly Rule[];
  readonly parts?: readonly ReferenceFields[];
  /** Fields of contacts that it names outside of rules and parts. */
  readonly fields?: readonly string[];
  /** The id of a template. */
  readonly template?: string | undefined;
}

interface DescriptorOfWays<Kind extends string, Given, Stored, Way> {
  readonly kind: Kind;
  /** The title of its box where it has no name. */
  readonly title: string;
  readonly group: NodeGroup;
  /** Its fields; of a kind that has several forms, those of each `mode`. */
  readonly form: { readonly schema: TSchema } | { readonly modes: Readonly<Record<string, TSchema>> };
  /** Fields that `problems` checks instead of the schema. */
  readonly apart: readonly string[];
  /** In the order in which they are tried. */
  readonly ways: readonly Way[];
  /** Fills in what a request leaves out. */
  complete(given: Given): Stored;
  /** What a node does, in one sentence without a full stop: `Wait 1 hour`. */
  describe(node: Stored, names: JourneyNames): string;
  /** Problems beyond its schema and its place in the graph. */
  problems(node: UncheckedNode, pointer: string, context: PartContext): RuleProblem[];
  references(node: Stored): NodeReferences;
  /** Of a kind with an address that is stored apart, encrypted. */
  readonly receiver?: {
    of(given: Given): Receiver;
    /** The node as requests have it. */
    shown(node: Stored, receiver: Receiver | undefined): Given;
  };
}

/** `Given`: a valid node as a request has it. `Stored`: with its defaults, as events have it. */
export type NodeDescriptor<Kind extends string, Given, Stored> = DescriptorOfWays<Kind, Given, Stored, NodeWay<Stored>>;
/** The descriptor of any of these kinds. */
export type DescriptorOfAny<Kind extends string, Given, Stored> = DescriptorOfWays<Kind, Given, Stored, AnyWay>;

/** Of kinds whose schema says everything. */
export const noProblems = (): RuleProblem[] => [];
/** Of kinds that refer to nothing. */
export const noReferences = (): NodeReferences => ({});
