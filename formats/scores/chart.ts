/**
 * What the pictures of scores have in common. They are drawn here and not by a plotting package: those put fixed colours into the
 * picture, which must be legible in light and dark, and bring 25 MB of 75 packages for two pictures.
 */
import { escaped, px } from '../journeys/graph-picture.js';
import type { Axis } from './axes.js';

export const WIDTH = 640;
export const HEIGHT = 400;
const [LEFT, RIGHT, TOP, BOTTOM] = [64, 24, 82, 56];

const STYLE = `
svg { --page: #ffffff; --grid: #e2e8f0; --axis: #94a3b8; --text: #0f172a; --soft: #475569; --mark: #1d4ed8; --fill: #bfdbfe; --other: #b45309; }
@media (prefers-color-scheme: dark) {
  svg { --page: #0f172a; --grid: #1e293b; --axis: #64748b; --text: #f1f5f9; --soft: #cbd5e1; --mark: #93c5fd; --fill: #1e40af; --other: #fbbf24; }
}
text { font: 12px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; fill: var(--soft); }
.page { fill: var(--page); }
.title { font-size: 16px; font-weight: 600; fill: var(--text); }
.grid { stroke: var(--grid); }
.axis { stroke: var(--axis); }
.line { fill: none; stroke: var(--mark); stroke-width: 1.5; }
.range { stroke: var(--mark); stroke-width: 1.5; opacity: 0.6; }
.point { fill: var(--mark); }
.bar { fill: var(--fill); stroke: var(--mark); }
.other { fill: none; stroke: var(--other); stroke-width: 1.5; stroke-dasharray: 5 4; }
.note { fill: var(--other); }
`;

/** Where values of the axes are in the picture. */
export interface Plane {
  readonly x: (value: number) => number;
  readonly y: (value: number) => number;
}

export const planeOf = (x: Axis, y: Axis): Plane => ({
  x: (value) => LEFT + ((value - x.from) / (x.to - x.from)) * (WIDTH - LEFT - RIGHT),
  y: (value) => HEIGHT - BOTTOM - ((value - y.from) / (y.to - y.from)) * (HEIGHT - TOP - BOTTOM),
});

export type Anchor = 'start' | 'middle' | 'end';
export const textAt = (kind: string, x: number, y: number, content: string, anchor: Anchor = 'start'): string =>
  `<text class="${kind}" x="${px(x)}" y="${px(y)}" text-anchor="${anchor}">${escaped(content)}</text>`;
export const lineBetween = (kind: string, x1: number, y1: number, x2: number, y2: number): string =>
  `<line class="${kind}" x1="${px(x1)}" y1="${px(y1)}" x2="${px(x2)}" y2="${px(y2)}"/>`;

export interface Labels {
  readonly x: string;
  readonly y: string;
  readonly tickX: (value: number) => string;
  readonly tickY: (value: number) => string;
}

/** The axes with their grid. */
export function axes(x: Axis, y: Axis, labels: Labels): string[] {
  const plane = planeOf(x, y);
  const [bottom, middle] = [HEIGHT - BOTTOM, (TOP + HEIGHT - BOTTOM) / 2];
  return [
    ...y.ticks.flatMap((tick) => [
      lineBetween('grid', LEFT, plane.y(tick), WIDTH - RIGHT, plane.y(tick)),
      textAt('tick', LEFT - 8, plane.y(tick) + 4, labels.tickY(tick), 'end'),
    ]),
    ...x.ticks.flatMap((tick) => [
      lineBetween('axis', plane.x(tick), bottom, plane.x(tick), bottom + 4),
      textAt('tick', plane.x(tick), bottom + 18, labels.tickX(tick), 'middle'),
    ]),
    lineBetween('axis', LEFT, bottom, WIDTH - RIGHT, bottom),
    textAt('label', (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 14, labels.x, 'middle'),
    `<g transform="translate(16,${middle}) rotate(-90)">${textAt('label', 0, 0, labels.y, 'middle')}</g>`,
  ];
}

/** A whole picture; light or dark as its reader prefers. It contains no script and loads nothing. */
export const chart = (title: string, subtitle: string, parts: readonly string[]): string =>
  [
    `<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="${escaped(title)}" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}">`,
    `<style>${STYLE}</style>`,
    '<rect class="page" width="100%" height="100%"/>',
    textAt('title', 24, 30, title),
    textAt('subtitle', 24, 50, subtitle),
    ...parts,
    '</svg>',
  ].join('\n');

/** A picture of nothing, with the reason. */
export const emptyChart = (title: string, reason: string): string => chart(title, '', [textAt('note', WIDTH / 2, HEIGHT / 2, reason, 'middle')]);
