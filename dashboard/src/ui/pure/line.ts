/** The points of a small line without axes, for an SVG of the given size: lowest value at the bottom, `margin` free at each side. */
export function pointsOf(values: readonly number[], width: number, height: number, margin: number): readonly (readonly [x: number, y: number])[] {
  const low = Math.min(0, ...values);
  const span = Math.max(...values, low) - low || 1;
  const step = values.length > 1 ? (width - 2 * margin) / (values.length - 1) : 0;
  const round = (value: number): number => Math.round(value * 100) / 100;
  return values.map((value, index) => [round(margin + index * step), round(height - margin - ((value - low) / span) * (height - 2 * margin))]);
}
