/** What the charts of scores have in common: they are specifications of Vega-Lite. */

/** A specification of Vega-Lite. `drawChart` makes an SVG of it. */
export type Chart = Readonly<Record<string, unknown>>;

const [WIDTH, HEIGHT] = [640, 400];
/** Around the plot, for the title and the axes. They are fixed: texts are measured roughly without a browser, and a long line would leave less for the plot. */
const AROUND = { left: 64, top: 90, right: 24, bottom: 56 };

/** The colors of charts. Their values are in the style of the picture, where light and dark ones are. */
export const color = {
  page: 'var(--page)',
  grid: 'var(--grid)',
  axis: 'var(--axis)',
  text: 'var(--text)',
  soft: 'var(--soft)',
  mark: 'var(--mark)',
  fill: 'var(--fill)',
  other: 'var(--other)',
} as const;

const FONT = 'system-ui, -apple-system, Segoe UI, Roboto, Helvetica Neue, Arial, sans-serif';
const config = {
  font: FONT,
  padding: AROUND,
  view: { stroke: null },
  title: {
    anchor: 'start',
    frame: 'group',
    offset: 16,
    dx: 16 - AROUND.left,
    color: color.text,
    subtitleColor: color.soft,
    fontSize: 16,
    subtitleFontSize: 12,
    subtitlePadding: 6,
  },
  axis: {
    ...{ labelColor: color.soft, titleColor: color.soft, gridColor: color.grid, tickColor: color.axis, domainColor: color.axis },
    ...{ labelFontSize: 12, titleFontSize: 12, titleFontWeight: 'normal', labelPadding: 6, labelFlush: false, titlePadding: 10, tickCount: 6 },
  },
  text: { color: color.soft, fontSize: 12 },
} as const;

export interface Heading {
  readonly title: string;
  /** Lines below it; empty ones are left out. */
  readonly lines: readonly string[];
}

/** A whole chart of layers that share their axes. */
export const chartOf = ({ title, lines }: Heading, layer: readonly object[]): Chart => ({
  ...{ width: WIDTH - AROUND.left - AROUND.right, height: HEIGHT - AROUND.top - AROUND.bottom, autosize: 'none', background: color.page, config },
  title: { text: title, subtitle: lines.filter((line) => line !== '') },
  layer,
});

/** A chart of nothing, with the reason. */
export const emptyChart = (title: string, reason: string): Chart =>
  chartOf({ title, lines: [] }, [
    { data: { values: [{}] }, mark: { type: 'text', text: reason, color: color.other, x: { expr: 'width / 2' }, y: { expr: 'height / 2' } } },
  ]);

const plain = new Intl.NumberFormat('en', { maximumSignificantDigits: 4 });
/** `1,250`, `0.025`. */
export const numberText = (value: number): string => plain.format(value);
const shares = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });
/** `2.5%`. */
export const percentText = (share: number): string => shares.format(share);

/** An axis of shares, and one of any numbers. */
export const shareAxis = (title: string, grid: boolean) => ({ title, grid, format: '~%' });
export const numberAxis = (title: string, grid: boolean) => ({ title, grid, format: ',.6~r' });
