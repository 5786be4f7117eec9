/** A journey as it is drawn: its nodes and ways with their texts and numbers. */
import type { JourneyDefinition } from '../../domain/journeys/definition.js';
import { describeExit, describeNode } from '../../domain/journeys/describe.js';
import { graphOf } from '../../domain/journeys/graph.js';
import type { NodeGroup } from '../../domain/journeys/nodes/descriptor.js';
import { descriptorOf } from '../../domain/journeys/nodes.js';
import type { JourneyNames } from '../../domain/journeys/texts.js';
import { ownField } from '../../domain/kernel/own-fields.js';

/** Numbers of contacts: by node id, and by `from/key` of a way. */
export interface GraphCounts {
  readonly nodes: Readonly<Record<string, { readonly entered: number; readonly waiting: number }>>;
  readonly edges: Readonly<Record<string, number>>;
  /** Of the whole journey. */
  readonly totals?: {
    readonly started: number;
    readonly active: number;
    readonly goals: number;
    /** By reason. */
    readonly exited: Readonly<Record<string, number>>;
  };
}

export interface DrawnNode {
  readonly id: string;
  readonly group: NodeGroup;
  /** Its name, or that of its kind. */
  readonly title: string;
  /** What it does. */
  readonly text: string;
  /** Null where there are no numbers. */
  readonly count: string | null;
}
export interface DrawnEdge {
  readonly from: string;
  readonly key: string;
  /** Null ends the journey. */
  readonly to: string | null;
  readonly label: string | null;
  readonly count: string | null;
}
export interface DrawnGraph {
  readonly title: string;
  /** The numbers of the whole journey; null where there are none. */
  readonly summary: string | null;
  readonly nodes: readonly DrawnNode[];
  readonly edges: readonly DrawnEdge[];
}

const numberText = (value: number): string => value.toLocaleString('en-US');

/** `counts` null: no numbers are shown. */
export function drawnGraph(definition: JourneyDefinition, names: JourneyNames, counts: GraphCounts | null): DrawnGraph {
  const graph = graphOf(definition);
  const nodes = definition.nodes.map((node): DrawnNode => {
    const { entered = 0, waiting = 0 } = ownField(counts?.nodes, node.id) ?? {};
    const count = counts ? `${numberText(entered)} entered${waiting > 0 ? `, ${numberText(waiting)} here` : ''}` : null;
    const { title, group } = descriptorOf(node);
    return { id: node.id, group, title: node.name ?? title, text: describeNode(node, names), count };
  });
  const edges = graph.edges.map(({ from, key, to }): DrawnEdge => {
    const count = counts ? numberText(ownField(counts.edges, `${from}/${key}`) ?? 0) : null;
    return { from, key, to, label: describeExit(graph.node(from), key, names), count };
  });
  return { title: definition.name, summary: counts?.totals ? summaryOf(counts.totals) : null, nodes, edges };
}

function summaryOf({ started, active, goals, exited }: NonNullable<GraphCounts['totals']>): string {
  const left = Object.entries(exited).map(([reason, n]) => `${numberText(n)} ${reason.replaceAll('_', ' ')}`);
  const parts = [`${numberText(started)} started`, `${numberText(active)} in it`, ...(goals > 0 ? [`${numberText(goals)} reached the goal`] : [])];
  return [...parts, ...(left.length > 0 ? [`left: ${left.join(', ')}`] : [])].join(' · ');
}
