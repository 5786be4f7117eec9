/**
 * Finds a local minimum without derivatives, by the simplex method of Nelder and Mead (The Computer Journal 7, 1965) with
 * the coefficients that are usual: reflection 1, expansion 2, contraction and shrinkage 1/2.
 */
export interface Minimum {
  readonly point: readonly number[];
  readonly value: number;
}

export interface MinimizeOptions {
  readonly maxSteps?: number;
  /** Ends when the values of the simplex differ by less, relative to the best. */
  readonly tolerance?: number;
  /** First length of the edges of the simplex. */
  readonly edge?: number;
}

export function minimize(f: (point: readonly number[]) => number, start: readonly number[], options: MinimizeOptions = {}): Minimum {
  const { maxSteps = 200 * start.length, tolerance = 1e-11, edge = 0.25 } = options;
  const vertexAt = (point: readonly number[]): Minimum => ({ point, value: f(point) });
  let simplex = [start, ...start.map((_, i) => start.map((x, j) => (i === j ? x + edge : x)))].map(vertexAt);
  for (let step = 0; step < maxSteps; step++) {
    simplex.sort((a, b) => a.value - b.value);
    const [best, worst, second] = [simplex[0], simplex.at(-1), simplex.at(-2)] as [Minimum, Minimum, Minimum];
    if (Math.abs(worst.value - best.value) <= tolerance * (Math.abs(best.value) + tolerance)) break;
    const next = replacement(simplex, best, second, worst, vertexAt);
    if (next) simplex[simplex.length - 1] = next;
    else simplex = simplex.map((vertex) => (vertex === best ? best : vertexAt(between(best.point, vertex.point, 0.5))));
  }
  return simplex.reduce((best, vertex) => (vertex.value < best.value ? vertex : best));
}

/** The vertex that takes the place of the worst one; null if the simplex must shrink. */
function replacement(
  simplex: readonly Minimum[],
  best: Minimum,
  second: Minimum,
  worst: Minimum,
  vertexAt: (point: readonly number[]) => Minimum,
): Minimum | null {
  const others = simplex.slice(0, -1);
  const center = worst.point.map((_, i) => others.reduce((sum, { point }) => sum + (point[i] as number), 0) / others.length);
  const reflected = vertexAt(between(center, worst.point, -1));
  if (reflected.value < best.value) {
    const expanded = vertexAt(between(center, worst.point, -2));
    return expanded.value < reflected.value ? expanded : reflected;
  }
  if (reflected.value < second.value) return reflected;
  const contracted = vertexAt(between(center, (reflected.value < worst.value ? reflected : worst).point, 0.5));
  return contracted.value < Math.min(reflected.value, worst.value) ? contracted : null;
}

/** The point at `share` of the way from `a` to `b`; a negative share is on the other side of `a`. */
const between = (a: readonly number[], b: readonly number[], share: number): number[] => a.map((x, i) => x + share * ((b[i] as number) - x));
