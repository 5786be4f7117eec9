/** Where the boxes and ways of a journey go in its picture. Lengths are in pixels. */
import { Graph, layout } from '@dagrejs/dagre';
import type { DrawnEdge, DrawnGraph, DrawnNode } from './drawn-graph.js';

export const NODE_WIDTH = 252;
export const PADDING = 12;
export const LINE = 16;
/** Characters of a line: the font is 12 px, and a character takes 6.2 px on average, or 6.8 px in wide fonts. */
export const NODE_CHARACTERS = 33;
const MAX_NODE_LINES = 4;
const EDGE_CHARACTERS = 26;
const MAX_EDGE_LINES = 3;
export const CHARACTER_WIDTH = 6.3;
const END = 16;
export const MARGIN = 24;

/** The lines of a text, cut at spaces. What is beyond the last line is cut off with `…`. */
export function linesOf(text: string, width: number, most: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text
    .replace(/(\d) %/g, '$1\u00a0%')
    .split(/[ \t\r\n]+/)
    .flatMap((one) => one.match(new RegExp(`.{1,${width}}`, 'gu')) ?? [])) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  lines.push(line);
  if (lines.length <= most) return lines;
  return [...lines.slice(0, most - 1), `${(lines[most - 1] as string).slice(0, width - 1).trimEnd()}…`];
}

export interface NodeBox extends DrawnNode {
  readonly lines: readonly string[];
  readonly height: number;
}
interface EdgeText extends DrawnEdge {
  readonly lines: readonly string[];
}
export interface Point {
  readonly x: number;
  readonly y: number;
}

const boxOf = (node: DrawnNode): NodeBox => {
  const lines = linesOf(node.text, NODE_CHARACTERS, MAX_NODE_LINES);
  return { ...node, lines, height: 2 * PADDING + LINE * (1 + lines.length + (node.count === null ? 0 : 1)) };
};

const textOf = (edge: DrawnEdge): EdgeText => ({
  ...edge,
  lines: [...(edge.label === null ? [] : linesOf(edge.label, EDGE_CHARACTERS, MAX_EDGE_LINES)), ...(edge.count === null ? [] : [edge.count])],
});

const endOf = (id: string): string => `end of ${id}`;
const nodeOf = (id: string): string => `node ${id}`;

/** Where everything goes. Each node that ends the journey has an end of its own. */
function placed(boxes: readonly NodeBox[], edges: readonly EdgeText[]) {
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ rankdir: 'TB', nodesep: 36, ranksep: 60, edgesep: 24, marginx: MARGIN, marginy: MARGIN });
  for (const { id, height } of boxes) graph.setNode(nodeOf(id), { width: NODE_WIDTH, height });
  for (const { from, key, to, lines } of edges) {
    if (to === null && !graph.hasNode(endOf(from))) graph.setNode(endOf(from), { width: END, height: END });
    const width = Math.max(0, ...lines.map((line) => line.length)) * CHARACTER_WIDTH;
    const size = { width, height: lines.length * LINE, labelpos: 'c' as const };
    graph.setEdge(nodeOf(from), to === null ? endOf(from) : nodeOf(to), size, key);
  }
  layout(graph);
  return graph;
}

/** Ways leave a box side by side at its bottom, and arrive side by side at its top: the places of so many of them. */
const portsOf = (count: number): number[] => {
  const step = Math.min(40, (NODE_WIDTH - 40) / Math.max(1, count - 1));
  return Array.from({ length: count }, (_, i) => (i - (count - 1) / 2) * step);
};

export interface Way {
  readonly lines: readonly string[];
  readonly points: readonly Point[];
  /** The middle of its text. */
  readonly middle: Point | null;
}

interface PlacedEdge {
  readonly source: string;
  readonly target: string;
  readonly lines: readonly string[];
  readonly between: readonly Point[];
  readonly middle: Point | null;
}

/**
 * How far from the middle of a box each way begins or ends. The ways of one box are in the order of where they lead, so that they do
 * not cross at it.
 */
function offsetsOf(
  edges: readonly PlacedEdge[],
  boxOfEdge: (edge: PlacedEdge) => string,
  nearest: (edge: PlacedEdge) => Point | undefined,
): ReadonlyMap<PlacedEdge, number> {
  const groups = new Map<string, PlacedEdge[]>();
  for (const edge of edges) groups.set(boxOfEdge(edge), [...(groups.get(boxOfEdge(edge)) ?? []), edge]);
  const pairs = [...groups.values()].flatMap((group) => {
    const ports = portsOf(group.length);
    return group.sort((a, b) => (nearest(a)?.x ?? 0) - (nearest(b)?.x ?? 0)).map((edge, i) => [edge, ports[i] ?? 0] as const);
  });
  return new Map(pairs);
}

/** A way goes straight through its text, and bends above and below it. */
function aroundText(point: Point, middle: Point | null, lines: number): Point[] {
  if (!middle || Math.abs(point.x - middle.x) > 1 || Math.abs(point.y - middle.y) > 1) return [point];
  const half = (lines * LINE) / 2;
  return [
    { x: point.x, y: point.y - half },
    { x: point.x, y: point.y + half },
  ];
}

/** The ways with their points. */
function waysOf(graph: ReturnType<typeof placed>, edges: readonly EdgeText[]): Way[] {
  const all = edges.map(({ from, to, key, lines }): PlacedEdge => {
    const [source, target] = [nodeOf(from), to === null ? endOf(from) : nodeOf(to)];
    const { points = [], x, y } = graph.edge({ v: source, w: target, name: key });
    const middle = x === undefined || y === undefined ? null : { x, y };
    return { source, target, lines, between: points.slice(1, -1).flatMap((point: Point) => aroundText(point, middle, lines.length)), middle };
  });
  const begins = offsetsOf(
    all,
    ({ source }) => source,
    ({ between }) => between[0],
  );
  const arrives = offsetsOf(
    all,
    ({ target }) => target,
    ({ between }) => between.at(-1),
  );
  return all.map((edge) => {
    const { x: left = 0, y: top = 0, height: tall = 0 } = graph.node(edge.source);
    const { x = 0, y = 0, height = 0, width = 0 } = graph.node(edge.target);
    const first = { x: left + (begins.get(edge) ?? 0), y: top + tall / 2 };
    const last = { x: x + (width > END ? (arrives.get(edge) ?? 0) : 0), y: y - height / 2 };
    return { lines: edge.lines, points: [first, ...edge.between, last], middle: edge.middle };
  });
}

export interface GraphLayout {
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly (NodeBox & Point)[];
  readonly ways: readonly Way[];
  /** The ends of the journey. */
  readonly ends: readonly Point[];
}

/** The layout of a journey, from the top. */
export function layoutOf(drawn: DrawnGraph): GraphLayout {
  const boxes = drawn.nodes.map(boxOf);
  const edges = drawn.edges.map(textOf);
  const graph = placed(boxes, edges);
  const at = (name: string): Point => {
    const { x = 0, y = 0 } = graph.node(name);
    return { x, y };
  };
  const { width = 0, height = 0 } = graph.graph();
  return {
    width: Math.ceil(Math.max(width, NODE_WIDTH + 2 * MARGIN)),
    height: Math.ceil(height),
    boxes: boxes.map((box) => ({ ...box, ...at(nodeOf(box.id)) })),
    ways: waysOf(graph, edges),
    ends: boxes.filter(({ id }) => graph.hasNode(endOf(id))).map(({ id }) => at(endOf(id))),
  };
}
