import { templateLimits } from './limits.js';
import type { ParsedSource, TemplateProblem } from './parse.js';

export interface CollectedPartials {
  readonly problems: readonly TemplateProblem[];
  /** Keys that are named and not given. */
  readonly missing: readonly string[];
}

/**
 * Parses all partials that a template has, directly or not, into `parsed`. Unknown ones, circles, and too many or too deep ones are
 * problems. Each is parsed and followed once, so the time is in proportion to their sizes.
 */
export function collectPartials(
  main: ParsedSource,
  sources: ReadonlyMap<string, string>,
  parse: (source: string) => ParsedSource,
  parsed: Map<string, ParsedSource>,
): CollectedPartials {
  const problems: TemplateProblem[] = [];
  const missing = new Set<string>();
  const heights = new Map<string, number | 'open'>();
  const bad = (code: TemplateProblem['code'], message: string, partial?: string) =>
    problems.push({ code, message, line: 1, column: 1, ...(partial !== undefined && { partial }) });

  function partial(key: string, by: string | undefined): ParsedSource | undefined {
    const known = parsed.get(key);
    if (known) return known;
    const source = sources.get(key);
    if (source === undefined) {
      if (!missing.has(key)) bad('unknown_partial', `There is no partial with the key '${key.slice(0, 100)}'.`, by);
      missing.add(key);
      return undefined;
    }
    if (parsed.size >= templateLimits.partials)
      return void bad('invalid_template', `A template has at most ${templateLimits.partials} partials.`, by);
    const part = parse(source);
    parsed.set(key, part);
    problems.push(...part.problems.map((problem) => ({ ...problem, partial: key })));
    return part;
  }

  /** How many partials are nested below; depth first, so a key that is still open is in a circle. */
  function height(from: ParsedSource, key: string | undefined): number {
    let highest = 0;
    for (const next of from.references) {
      const state = heights.get(next);
      if (state === 'open') {
        bad('invalid_template', `The partial '${next}' includes itself.`, key);
        continue;
      }
      const part = state === undefined ? partial(next, key) : undefined;
      if (part) {
        heights.set(next, 'open');
        heights.set(next, height(part, next));
      }
      const below = heights.get(next);
      if (typeof below === 'number') highest = Math.max(highest, below + 1);
    }
    return highest;
  }

  if (height(main, undefined) > templateLimits.depth) bad('invalid_template', `Partials are nested deeper than ${templateLimits.depth}.`);
  return { problems, missing: [...missing] };
}
