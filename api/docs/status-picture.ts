import { Graph, layout } from '@dagrejs/dagre';
import { type Status, statuses, statusNames, type Transition, transitions } from '../../domain/messages/status.js';
import { Html } from '../pages/html.js';

/** In pixels. */
const BOX = { width: 112, height: 36 } as const;
const MARGIN = 8;
/** The way of a message that arrives, which the others are drawn around. */
const MAIN: readonly string[] = ['new queued', 'queued sending', 'sending sent', 'sent delivered'];
const GOOD: ReadonlySet<string> = new Set(['delivered']);

interface Way {
  readonly from: Status | 'new';
  readonly to: Status;
}

/** Each pair of statuses once, whatever leads from one to the other; of a message that waits after a call without an answer, none. */
function ways(): Way[] {
  const pairs = (Object.values(transitions) as Transition[]).flatMap(({ from, fromUnanswered = [], to }) => {
    const all = [...from, ...fromUnanswered.filter((one) => statuses[one].final)];
    return to === null ? [] : all.filter((one) => one !== to).map((one): [string, Way] => [`${one} ${to}`, { from: one, to }]);
  });
  return [...new Map(pairs).values()];
}

const px = (value: number): string => String(Math.round(value * 10) / 10);

const lookOf = (name: Status | 'new'): string => (name === 'new' ? 'start' : !statuses[name].final ? '' : GOOD.has(name) ? 'good' : 'bad');

const pathOf = (points: readonly { readonly x: number; readonly y: number }[]): string => {
  const [first, ...rest] = points;
  if (!first) return '';
  let path = `M${px(first.x)},${px(first.y)}`;
  let last = first;
  for (const point of rest) {
    const middle = px((last.x + point.x) / 2);
    path += ` C${middle},${px(last.y)} ${middle},${px(point.y)} ${px(point.x)},${px(point.y)}`;
    last = point;
  }
  return path;
};

/** All statuses and the ways between them, from the table that messages are decided by. Its colors are in the style sheet of the guides. */
export function statusPicture(): Html {
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ rankdir: 'LR', nodesep: 22, ranksep: 74, edgesep: 14, marginx: MARGIN, marginy: MARGIN });
  const names = ['new', ...statusNames] as const;
  for (const name of names) graph.setNode(name, { ...BOX });
  const drawn = ways();
  for (const { from, to } of drawn) graph.setEdge(from, to, { weight: MAIN.includes(`${from} ${to}`) ? 20 : 1 }, 'way');
  layout(graph);
  const { width = 0, height: ofBoxes = 0 } = graph.graph();
  const pointsOf = ({ from, to }: Way): readonly { readonly x: number; readonly y: number }[] =>
    graph.edge({ v: from, w: to, name: 'way' }).points ?? [];
  // Ways around the boxes may leave the area that the layout names.
  const height = Math.max(ofBoxes, ...drawn.flatMap(pointsOf).map(({ y }) => y + MARGIN));
  const lines = drawn.map((way) => {
    const { from } = way;
    const late = from !== 'new' && statuses[from].final ? ' late' : '';
    return `<path class="way${late}" marker-end="url(#arrow)" d="${pathOf(pointsOf(way))}"/>`;
  });
  const boxes = names.map((name) => {
    const { x = 0, y = 0 } = graph.node(name);
    const [left, top] = [px(x - BOX.width / 2), px(y - BOX.height / 2)];
    return `<rect class="box ${lookOf(name)}" x="${left}" y="${top}" width="${BOX.width}" height="${BOX.height}" rx="8"/><text x="${px(x)}" y="${px(y + 5)}" text-anchor="middle">${name === 'new' ? 'accepted' : name}</text>`;
  });
  return new Html(`<figure class="scroll" role="region" aria-label="Picture of the statuses" tabindex="0"><svg viewBox="0 0 ${px(width)} ${px(height)}" role="img" aria-label="The statuses of a message and the ways between them; the table below has the same.">
<defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path class="arrow" d="M0,0 L8,4 L0,8 z"/></marker></defs>
${lines.join('\n')}
${boxes.join('\n')}
</svg></figure>`);
}
