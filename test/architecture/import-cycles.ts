import { posix } from 'node:path';
import { importsOf, type SourceFile } from './source.js';

type Graph = ReadonlyMap<string, readonly string[]>;

/**
 * Import cycles between files and between folders, type imports included, as sentences. A command that uses the ports of a capability
 * depends on it, although `CommandPorts` names them all.
 */
export function importCircles(files: readonly SourceFile[]): string[] {
  const own = files.filter(({ path }) => !path.startsWith('test/'));
  const graph = importGraph(own);
  return [
    ...circlesOf(graph).map((circle) => `imports go in a circle: ${circle.join(' → ')}`),
    ...circlesOf(folderGraph(graph)).map((circle) => `imports between folders go in a circle: ${circle.join(' → ')}`),
  ];
}

function importGraph(files: readonly SourceFile[]): Graph {
  const known = new Set(files.map(({ path }) => path));
  return new Map(
    files.map((file) => {
      const targets = importsOf(file)
        .filter(({ specifier }) => specifier.startsWith('.'))
        .map(({ specifier }) => posix.join(posix.dirname(file.path), specifier).replace(/\.js$/, '.ts'))
        .concat(portsOf(file))
        .filter((path) => known.has(path) && path !== file.path);
      return [file.path, [...new Set(targets)].sort()] as const;
    }),
  );
}

const portsOf = ({ path, text }: SourceFile): string[] =>
  path.startsWith('commands/') ? [...text.matchAll(/\bports\.([a-z]+)\b/g)].map(([, capability]) => `commands/${capability}/ports.ts`) : [];

/**
 * The same between folders. A file beside sub folders is a node of its own: `projections/runtime/` lies below the capabilities, and
 * `projections/registry.ts` above them.
 */
function folderGraph(files: Graph): Graph {
  const folders = new Set([...files.keys()].map((path) => posix.dirname(path)));
  const parents = new Set([...folders].map((folder) => posix.dirname(folder)));
  const nodeOf = (path: string): string => (parents.has(posix.dirname(path)) ? path : posix.dirname(path));
  const edges = new Map<string, Set<string>>();
  for (const [from, targets] of files) {
    const node = nodeOf(from);
    const out = edges.get(node) ?? new Set();
    edges.set(node, out);
    for (const target of targets) if (nodeOf(target) !== node) out.add(nodeOf(target));
  }
  return new Map([...edges].map(([from, to]) => [from, [...to].sort()]));
}

/** One shortest circle for each group of nodes that reach each other. */
function circlesOf(graph: Graph): string[][] {
  const reported = new Set<string>();
  const circles: string[][] = [];
  for (const start of [...graph.keys()].sort()) {
    if (reported.has(start)) continue;
    const circle = shortestCircle(graph, start);
    if (!circle) continue;
    for (const node of circle) reported.add(node);
    circles.push([...circle, start]);
  }
  return circles;
}

function shortestCircle(graph: Graph, start: string): string[] | null {
  const cameFrom = new Map<string, string>();
  let frontier = [start];
  while (frontier.length > 0) {
    const next: string[] = [];
    for (const node of frontier) {
      for (const target of graph.get(node) ?? []) {
        if (target === start) return pathTo(cameFrom, node, start);
        if (cameFrom.has(target)) continue;
        cameFrom.set(target, node);
        next.push(target);
      }
    }
    frontier = next;
  }
  return null;
}

function pathTo(cameFrom: ReadonlyMap<string, string>, end: string, start: string): string[] {
  const path = [end];
  for (let node = end; node !== start; ) {
    node = cameFrom.get(node) as string;
    path.unshift(node);
  }
  return path;
}
