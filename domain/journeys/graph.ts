/** A definition as a graph. */
import type { JourneyDefinition } from './definition.js';
import { describedExits, type Exit } from './nodes/ways.js';
import { descriptorOf, type JourneyNode } from './nodes.js';

/** A way from a node, null `to` ends the journey. */
export interface Edge extends Exit {
  readonly from: string;
}

/** The ways out of a node, in the order in which they are tried. */
export const exitsOf = (node: JourneyNode): readonly Exit[] => describedExits(node, descriptorOf(node).ways).map(({ key, to }) => ({ key, to }));

/** Nodes by their ids, and the ways between them. */
export interface Graph {
  readonly start: string;
  readonly nodes: ReadonlyMap<string, JourneyNode>;
  readonly edges: readonly Edge[];
  /** Throws where there is no such node. */
  node(id: string): JourneyNode;
}

/** The graph of a valid definition. */
export function graphOf({ start, nodes }: Pick<JourneyDefinition, 'start' | 'nodes'>): Graph {
  const byId = new Map(nodes.map((node) => [node.id, node] as const));
  return {
    start,
    nodes: byId,
    // Steps of enrollments need none.
    get edges() {
      return nodes.flatMap((node) => exitsOf(node).map((exit) => ({ from: node.id, ...exit })));
    },
    node(id) {
      const node = byId.get(id);
      if (!node) throw new Error(`there is no node ${id}`);
      return node;
    },
  };
}

/** The ids of the nodes that come directly after one, each once. */
export const successorsOf = (node: JourneyNode): string[] => [...new Set(exitsOf(node).flatMap(({ to }) => (to === null ? [] : [to])))];

/**
 * Where an enrollment goes whose node a new version lacks: the nearest node after it in the old graph that the new one has. Null if
 * there is none.
 */
export function nearestSurvivor(old: Graph, removed: string, surviving: Pick<Graph, 'nodes'>): string | null {
  const seen = new Set([removed]);
  for (let level = [removed]; level.length > 0; ) {
    const next = level.flatMap((id) => {
      const node = old.nodes.get(id);
      return node ? successorsOf(node) : [];
    });
    const found = next.find((id) => surviving.nodes.has(id));
    if (found !== undefined) return found;
    level = [...new Set(next)].filter((id) => !seen.has(id));
    for (const id of level) seen.add(id);
  }
  return null;
}
