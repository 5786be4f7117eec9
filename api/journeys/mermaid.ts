import type { NodeGroup } from '../../domain/journeys/nodes/descriptor.js';
import type { DrawnGraph } from '../../formats/journeys/drawn-graph.js';

const MAX_LABEL = 160;
/** A text within quotes: entities in place of what Mermaid reads. */
const quoted = (text: string): string => {
  const shown = text.length > MAX_LABEL ? `${text.slice(0, MAX_LABEL - 1)}…` : text;
  return `"${shown.replace(/[&"<>#;`[\]{}|\\]|\p{Cc}/gu, (char) => `#${char.codePointAt(0)};`)}"`;
};

/** What opens and closes the box of a node. */
const shapes: Readonly<Record<NodeGroup, readonly [string, string]>> = {
  trigger: ['([', '])'],
  time: ['[', ']'],
  way: ['{{', '}}'],
  act: ['[', ']'],
  exit: ['([', '])'],
};

/** The picture of a journey in the language of Mermaid: a flow chart from the top. */
export function mermaidText({ nodes, edges }: DrawnGraph): string {
  const idOf = new Map(nodes.map(({ id }, i) => [id, `n${i}`] as const));
  const boxes = nodes.map(({ id, group, title, text, count }) => {
    const label = quoted([title, text, ...(count === null ? [] : [count])].join('\n')).replaceAll('#10;', '<br/>');
    const [open, close] = shapes[group];
    return `  ${idOf.get(id)}${open}${label}${close}`;
  });
  const ends = nodes.filter(({ id }) => edges.some(({ from, to }) => from === id && to === null)).map(({ id }) => `  ${idOf.get(id)}e((( )))`);
  const arrows = edges.map(({ from, to, label, count }) => {
    const text = [label, count].filter((part) => part !== null).join(': ');
    return `  ${idOf.get(from)} -->${text === '' ? '' : `|${quoted(text)}|`} ${to === null ? `${idOf.get(from)}e` : idOf.get(to)}`;
  });
  return `${['flowchart TD', ...boxes, ...ends, ...arrows].join('\n')}\n`;
}
