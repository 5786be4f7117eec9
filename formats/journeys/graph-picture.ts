import type { NodeGroup } from '../../domain/journeys/nodes/descriptor.js';
import { ownField } from '../../domain/kernel/own-fields.js';
import type { DrawnGraph } from './drawn-graph.js';
import { CHARACTER_WIDTH, LINE, layoutOf, linesOf, MARGIN, NODE_CHARACTERS, NODE_WIDTH, type NodeBox, PADDING, type Point } from './graph-layout.js';

/** Height of the title, and of the numbers below it. */
const TITLE = 28;
const SUMMARY = 20;
const MAX_SUMMARY_LINES = 3;
const ARROW = '<path class="arrow" d="M0,0 L8,4 L0,8 z"/>';

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
/** A text in SVG. Without characters that XML does not allow. */
export const escapedXml = (text: string): string =>
  text.replace(/[^\P{Cc}\t\n\r]|[\uFFFE\uFFFF]|\p{Cs}/gu, '').replace(/[&<>"']/g, (char) => ownField(ENTITIES, char) as string);
/** To a tenth of a pixel. */
export const px = (value: number): string => String(Math.round(value * 10) / 10);

/** A smooth line from the top down: each part leaves and arrives upright. */
function pathOf([first, ...rest]: readonly Point[]): string {
  if (!first) return '';
  let path = `M${px(first.x)},${px(first.y)}`;
  let last = first;
  for (const point of rest) {
    const middle = px((last.y + point.y) / 2);
    path += ` C${px(last.x)},${middle} ${px(point.x)},${middle} ${px(point.x)},${px(point.y)}`;
    last = point;
  }
  return path;
}

const STYLE = `
svg { --page: #ffffff; --box: #f8fafc; --line: #94a3b8; --text: #0f172a; --soft: #475569; --trigger: #15803d; --time: #a16207; --way: #7e22ce; --act: #1d4ed8; --end: #b91c1c; }
@media (prefers-color-scheme: dark) {
  svg { --page: #0f172a; --box: #1e293b; --line: #64748b; --text: #f1f5f9; --soft: #cbd5e1; --trigger: #4ade80; --time: #facc15; --way: #d8b4fe; --act: #93c5fd; --end: #fca5a5; }
}
text { font: 12px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; fill: var(--text); }
.page { fill: var(--page); }
.title { font-size: 16px; font-weight: 600; }
.box { fill: var(--box); stroke: var(--line); }
.kind { font-weight: 600; }
.count, .label { fill: var(--soft); }
.edge { fill: none; stroke: var(--line); stroke-width: 1.5; }
.arrow { fill: var(--line); }
.back { fill: var(--page); opacity: 0.9; }
.end { fill: var(--page); stroke: var(--end); stroke-width: 2; }
.trigger { fill: var(--trigger); } .time { fill: var(--time); } .way { fill: var(--way); } .act { fill: var(--act); } .exit { fill: var(--end); }
`;

/** The class of each group of nodes, which has its color. */
const groupClasses: Readonly<Record<NodeGroup, string>> = { trigger: 'trigger', time: 'time', way: 'way', act: 'act', exit: 'exit' };

function boxText({ x, y, ...box }: NodeBox & Point): string {
  const [left, top] = [x - NODE_WIDTH / 2, y - box.height / 2];
  const row = (line: number): string => px(top + PADDING + LINE * line + 12);
  const text = (line: number, kind: string, content: string) =>
    `<text class="${kind}" x="${px(left + 16)}" y="${row(line)}">${escapedXml(content)}</text>`;
  const title = linesOf(box.title, NODE_CHARACTERS, 1)[0] ?? '';
  return [
    `<g><title>${escapedXml(`${box.id}: ${box.text}`)}</title>`,
    `<rect class="box" x="${px(left)}" y="${px(top)}" width="${NODE_WIDTH}" height="${box.height}" rx="8"/>`,
    `<rect class="${groupClasses[box.group]}" x="${px(left)}" y="${px(top + 8)}" width="4" height="${box.height - 16}" rx="2"/>`,
    text(0, `kind ${groupClasses[box.group]}`, title),
    ...box.lines.map((line, i) => text(i + 1, 'does', line)),
    ...(box.count === null ? [] : [text(box.lines.length + 1, 'count', box.count)]),
    '</g>',
  ].join('');
}

function labelText(lines: readonly string[], { x, y }: Point): string {
  if (lines.length === 0) return '';
  const width = Math.max(...lines.map((line) => line.length)) * CHARACTER_WIDTH + 6;
  const top = y - (lines.length * LINE) / 2;
  const texts = lines.map(
    (line, i) => `<text class="label" text-anchor="middle" x="${px(x)}" y="${px(top + LINE * i + 12)}">${escapedXml(line)}</text>`,
  );
  return `<rect class="back" x="${px(x - width / 2)}" y="${px(top)}" width="${px(width)}" height="${lines.length * LINE}" rx="4"/>${texts.join('')}`;
}

/** The picture of a journey in SVG, from the top; light or dark as its reader prefers. It contains no script and loads nothing. */
export function graphPicture(drawn: DrawnGraph): string {
  const { width, height, boxes, ways, ends } = layoutOf(drawn);
  const title = linesOf(drawn.title, Math.max(20, Math.floor(width / 10)), 1)[0] ?? '';
  const summary =
    drawn.summary === null ? [] : linesOf(drawn.summary, Math.max(40, Math.floor((width - 2 * MARGIN) / CHARACTER_WIDTH)), MAX_SUMMARY_LINES);
  const top = TITLE + summary.length * SUMMARY;
  const size = `width="${width}" height="${height + top}" viewBox="0 0 ${width} ${height + top}"`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="${escapedXml(drawn.title)}" ${size}>`,
    `<style>${STYLE}</style>`,
    `<defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">${ARROW}</marker></defs>`,
    '<rect class="page" width="100%" height="100%"/>',
    `<text class="title" x="${MARGIN}" y="${TITLE}">${escapedXml(title)}</text>`,
    ...summary.map((line, i) => `<text class="count" x="${MARGIN}" y="${TITLE + SUMMARY * (i + 1)}">${escapedXml(line)}</text>`),
    `<g transform="translate(0,${top})">`,
    ...ways.map(({ points }) => `<path class="edge" marker-end="url(#arrow)" d="${pathOf(points)}"/>`),
    ...ends.map(({ x, y }) => `<circle class="end" cx="${px(x)}" cy="${px(y)}" r="6"/>`),
    ...boxes.map(boxText),
    ...ways.map(({ lines, middle }) => (middle ? labelText(lines, middle) : '')),
    '</g></svg>',
  ].join('\n');
}
