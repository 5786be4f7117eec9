/** Problems of the nodes of a definition together: ids, the trigger, ways that lead nowhere or in a circle, nodes that none leads to. */
import { ownField } from '../kernel/own-fields.js';
import { isObject, type RuleProblem, step } from '../segments/shape.js';
import { nodeDescriptors } from './nodes.js';
import { problem } from './part-problems.js';

interface Way {
  readonly to: string;
  readonly pointer: string;
}
interface NodePlace {
  readonly id: string;
  readonly pointer: string;
  readonly ways: readonly Way[];
}

/** `nodes`: any JSON values. `isCut`: there are more, which are not looked at. */
export function graphProblems(nodes: readonly unknown[], start: unknown, isCut: boolean): RuleProblem[] {
  const places = new Map<string, NodePlace>();
  const problems: RuleProblem[] = [];
  const triggers: string[] = [];
  for (const [i, node] of nodes.entries()) {
    if (!isObject(node)) continue;
    const pointer = `/nodes${step(i)}`;
    const id = typeof node.id === 'string' ? node.id : pointer;
    if (places.has(id)) problems.push(problem(`${pointer}/id`, 'duplicate_id', `Another node has the id ${id.slice(0, 64)}, too.`));
    else places.set(id, { id, pointer, ways: waysOf(node, pointer) });
    if (node.kind === 'trigger') triggers.push(id);
  }
  if (triggers.length !== 1 && !isCut)
    problems.push(problem('/nodes', 'trigger_count', `A journey has exactly one trigger, this one has ${triggers.length}.`));
  if (typeof start === 'string' && !triggers.includes(start) && !isCut)
    problems.push(problem('/start', 'unknown_reference', 'The start is the id of the trigger.'));
  if (isCut) return problems;
  return [...problems, ...deadEnds(places), ...unreachable(places, triggers), ...circles(places), ...laterMessages(nodes, places)];
}

const ways = nodeDescriptors.flatMap((one) => one.ways);
const nextFields: ReadonlySet<string> = new Set(ways.flatMap((way) => (way.field === undefined ? [] : [way.field])));
const branchFields: ReadonlySet<string> = new Set(ways.flatMap((way) => (way.each === undefined ? [] : [way.each])));

/** Every field of a node that names another one. Those of all kinds count, also where its kind is wrong. */
function waysOf(node: Readonly<Record<string, unknown>>, pointer: string): Way[] {
  const own = [...nextFields].map((name) => ({ to: ownField(node, name), pointer: `${pointer}/${name}` }));
  const parts = [...branchFields].flatMap((name) => {
    const list: unknown = ownField(node, name);
    return Array.isArray(list)
      ? list.map((part, i) => ({ to: isObject(part) ? part.next : null, pointer: `${pointer}/${name}${step(i)}/next` }))
      : [];
  });
  return [...own, ...parts].filter((way): way is Way => typeof way.to === 'string');
}

const deadEnds = (places: ReadonlyMap<string, NodePlace>): RuleProblem[] =>
  [...places.values()].flatMap(({ ways }) =>
    ways
      .filter(({ to }) => !places.has(to))
      .map(({ to, pointer }) => problem(pointer, 'missing_next', `There is no node ${to.slice(0, 64)}. Null ends the journey.`)),
  );

/** Without a trigger nothing can be reached, and that is said already. */
function unreachable(places: ReadonlyMap<string, NodePlace>, triggers: readonly string[]): RuleProblem[] {
  if (triggers.length === 0) return [];
  const reached = reachedFrom(triggers, places);
  return [...places.values()]
    .filter(({ id }) => !reached.has(id))
    .map(({ pointer }) => problem(pointer, 'unreachable_node', 'No way from the trigger leads here.'));
}

function reachedFrom(from: readonly string[], places: ReadonlyMap<string, NodePlace>): Set<string> {
  const reached = new Set(from);
  for (const id of reached) for (const { to } of places.get(id)?.ways ?? []) if (places.has(to)) reached.add(to);
  return reached;
}

/** The ways that close a circle, each named once with the nodes of the circle. */
function circles(places: ReadonlyMap<string, NodePlace>): RuleProblem[] {
  const done = new Set<string>();
  const problems: RuleProblem[] = [];
  const visit = (place: NodePlace, path: readonly string[]): void => {
    for (const { to, pointer } of place.ways) {
      const next = places.get(to);
      if (!next || done.has(to)) continue;
      const circle = path.indexOf(to);
      if (circle < 0) visit(next, [...path, to]);
      else problems.push(problem(pointer, 'cycle', `A journey has no circles: ${[...path.slice(circle), to].join(' → ')}.`));
    }
    done.add(place.id);
  };
  for (const place of places.values()) if (!done.has(place.id)) visit(place, [place.id]);
  return problems;
}

/** Waits for messages of nodes that do not come before them. That the node exists is checked with the wait. */
function laterMessages(nodes: readonly unknown[], places: ReadonlyMap<string, NodePlace>): RuleProblem[] {
  return nodes.flatMap((node, i) => {
    if (!isObject(node) || node.kind !== 'wait' || typeof node.id !== 'string' || !Array.isArray(node.for)) return [];
    return node.for.slice(0, 20).flatMap((part, k) => {
      const on: unknown = isObject(part) ? part.on : null;
      if (!isObject(on) || on.type !== 'message' || typeof on.node !== 'string' || !places.has(on.node)) return [];
      if (reachedFrom([on.node], places).has(node.id as string) || !nodes.some((one) => isObject(one) && one.kind === 'send' && one.id === on.node))
        return [];
      return [
        problem(`/nodes${step(i)}/for${step(k)}/on/node`, 'unknown_reference', `The node ${on.node.slice(0, 64)} does not come before this one.`),
      ];
    });
  });
}
