/** What is different between two versions of a journey. */
import { ownField } from '../kernel/own-fields.js';
import { canonicalText } from '../segments/canonical.js';
import type { JourneyDefinition } from './definition.js';
import { type Edge, graphOf } from './graph.js';
import type { JourneyNode } from './nodes.js';

export interface ChangedNode {
  readonly before: JourneyNode;
  readonly after: JourneyNode;
  /** The names of the fields that are different. */
  readonly fields: readonly string[];
}
export interface ChangedEdge {
  readonly from: string;
  readonly key: string;
  readonly before: string | null;
  readonly after: string | null;
}
export interface DefinitionDifference {
  readonly nodes: { readonly added: readonly JourneyNode[]; readonly removed: readonly JourneyNode[]; readonly changed: readonly ChangedNode[] };
  readonly edges: { readonly added: readonly Edge[]; readonly removed: readonly Edge[]; readonly changed: readonly ChangedEdge[] };
  /** Of the name and the settings: the names of the fields that are different. */
  readonly settings: readonly string[];
}

const isSame = (a: unknown, b: unknown): boolean => canonicalText(a) === canonicalText(b);
const fieldsOf = (a: object, b: object): string[] => {
  const [before, after] = [a, b] as Record<string, unknown>[];
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((name) => !isSame(ownField(before, name), ownField(after, name)));
};

/** From one definition to another. Nodes are compared by their ids, ways by the node they leave and their key. */
export function differenceOf(before: JourneyDefinition, after: JourneyDefinition): DefinitionDifference {
  const [old, next] = [graphOf(before), graphOf(after)];
  const changed = after.nodes.flatMap((node): ChangedNode[] => {
    const last = old.nodes.get(node.id);
    const fields = last ? fieldsOf(last, node) : [];
    return last && fields.length > 0 ? [{ before: last, after: node, fields }] : [];
  });
  return {
    nodes: {
      added: after.nodes.filter(({ id }) => !old.nodes.has(id)),
      removed: before.nodes.filter(({ id }) => !next.nodes.has(id)),
      changed,
    },
    edges: edgesOf(old.edges, next.edges),
    settings: [...(before.name === after.name ? [] : ['name']), ...fieldsOf(before.settings, after.settings)],
  };
}

function edgesOf(before: readonly Edge[], after: readonly Edge[]): DefinitionDifference['edges'] {
  const keyOf = ({ from, key }: Edge): string => `${from}/${key}`;
  const old = new Map(before.map((edge) => [keyOf(edge), edge] as const));
  const next = new Map(after.map((edge) => [keyOf(edge), edge] as const));
  return {
    added: after.filter((edge) => !old.has(keyOf(edge))),
    removed: before.filter((edge) => !next.has(keyOf(edge))),
    changed: after.flatMap(({ from, key, to }) => {
      const last = old.get(`${from}/${key}`);
      return last && last.to !== to ? [{ from, key, before: last.to, after: to }] : [];
    }),
  };
}
