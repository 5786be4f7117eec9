/** The ways out of a node, as its descriptor names them: they are followed, validated, explained and drawn from this. */
import { ownField } from '../../kernel/own-fields.js';
import type { JourneyNames } from '../texts.js';

/** A part of a node with a way of its own. */
interface NodeBranch {
  readonly id: string;
  readonly next: string | null;
}
/** Fields of a node that name the next one. */
type NextField<Node> = Node extends unknown
  ? { [K in keyof Node]-?: [null, Node[K]] extends [Node[K], string | null] ? K : never }[keyof Node] & string
  : never;
/** Fields of a node that list parts, each with a way. */
type BranchesField<Node> = Node extends unknown
  ? { [K in keyof Node]-?: Node[K] extends readonly NodeBranch[] ? K : never }[keyof Node] & string
  : never;
type BranchOf<Node> = Node extends unknown
  ? { [K in keyof Node]-?: Node[K] extends readonly (infer Branch extends NodeBranch)[] ? Branch : never }[keyof Node]
  : never;

/** One way, by a field that names the next node. A form of the node without the field has no such way. */
interface NextWay<Node, Field extends string> {
  readonly field: Field;
  readonly each?: undefined;
  /** Of the way: see `Exit`. */
  readonly key: string;
  /** What the way is for, in English. Without it the way needs no text. */
  text?(node: Node, names: JourneyNames): string;
  /** The problem that the field is missing. Default: `missing_next`. */
  readonly missing?: { readonly code: string; readonly message: string };
}
/** As many ways as the field has parts. */
interface BranchWays<Branch, Field extends string> {
  readonly each: Field;
  readonly field?: undefined;
  text(branch: Branch, names: JourneyNames): string;
}
export type NodeWay<Node> = NextWay<Node, NextField<Node>> | BranchWays<BranchOf<Node>, BranchesField<Node>>;

/** The way of a node of any kind. */
export type AnyWay = NextWay<object, string> | BranchWays<NodeBranch, string>;

/** The ways of a node that just goes on. */
export const onlyNext = [{ field: 'next', key: 'next' }] as const;

/** A way out of a node. `to` is null where it ends the journey. */
export interface Exit {
  /** `next`, `else`, `timeout`, `held`, or `branch:<id>` of a branch or of what a wait waits for. Unique within its node. */
  readonly key: string;
  readonly to: string | null;
}
/** With what the way is for; null where it needs no text. */
export interface DescribedExit extends Exit {
  text(names: JourneyNames): string | null;
}

/** The key of the exit of a branch. */
export const branchKey = (id: string): string => `branch:${id}`;

/** The ways out of a valid node, in the order in which they are tried. */
export function describedExits(node: object, ways: readonly AnyWay[]): DescribedExit[] {
  const fields = node as Readonly<Record<string, unknown>>;
  return ways.flatMap((way): DescribedExit[] => {
    if (way.each !== undefined) {
      const branches = (ownField(fields, way.each) ?? []) as readonly NodeBranch[];
      return branches.map((branch) => ({ key: branchKey(branch.id), to: branch.next, text: (names) => way.text(branch, names) }));
    }
    const to = ownField(fields, way.field) as string | null | undefined;
    return to === undefined ? [] : [{ key: way.key, to, text: (names) => way.text?.(node, names) ?? null }];
  });
}
