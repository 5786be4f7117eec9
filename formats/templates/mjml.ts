/** Partials of MJML in MJML, and what its compiler does not say. */
import type { FieldProblem } from '../../domain/kernel/errors.js';
import { templateLimits } from './limits.js';

const ELEMENT = /<mj-[a-z]/;
/** A tag that includes a partial as it is: without values of its own. */
const INCLUDE = /\{%-?\s*render\s+(?:'([^'{}]*)'|"([^"{}]*)")\s*-?%\}/g;
/** Any tag that includes a partial. */
const REFERENCE = /\{%-?\s*render\s+(?:'([^'{}]*)'|"([^"{}]*)")/g;
const COMMENT = /<!--[\s\S]*?-->/g;

/** Whether a source has elements of MJML. Such a partial becomes a part of the MJML that includes it, before that is compiled. */
export const isMjml = (source: string): boolean => ELEMENT.test(source.replace(COMMENT, ''));

const problem = (message: string, details?: Readonly<Record<string, unknown>>): FieldProblem => ({
  field: 'mjml',
  code: 'invalid_mjml',
  message,
  ...(details && { details }),
});

const keysIn = (source: string, tag: RegExp): string[] => [...source.matchAll(tag)].map(([, single, double]) => single ?? double ?? '');

/**
 * MJML with its partials of MJML in place of the tags that include them. Others stay: they are rendered with the HTML. The result is no
 * longer than a source may be.
 */
export function withMjmlPartials(
  mjml: string,
  partials: ReadonlyMap<string, string>,
): { readonly mjml: string } | { readonly problems: readonly FieldProblem[] } {
  const parts = new Map([...partials].filter(([, source]) => isMjml(source)));
  let whole = mjml;
  for (let depth = 0; depth <= templateLimits.depth; depth++) {
    const included = keysIn(whole, INCLUDE).filter((key) => parts.has(key));
    if (included.length === 0) return { mjml: whole };
    const length = included.reduce((sum, key) => sum + (parts.get(key)?.length ?? 0), whole.length);
    if (length > templateLimits.source) return { problems: [problem(`With its partials it has more than ${templateLimits.source} characters.`)] };
    whole = whole.replace(INCLUDE, (tag, single: string | undefined, double: string | undefined) => parts.get(single ?? double ?? '') ?? tag);
  }
  return { problems: [problem(`Its partials are nested deeper than ${templateLimits.depth}, or one includes itself.`)] };
}

/** Partials of MJML that HTML includes, directly or not: they would be sent as they are. */
export function misplacedPartials(html: string, partials: ReadonlyMap<string, string>, field: 'html' | 'mjml'): FieldProblem[] {
  const seen = new Set<string>();
  const next = keysIn(html, REFERENCE);
  for (let key = next.pop(); key !== undefined; key = next.pop()) {
    if (seen.has(key)) continue;
    seen.add(key);
    next.push(...keysIn(partials.get(key) ?? '', REFERENCE));
  }
  return [...seen]
    .filter((key) => isMjml(partials.get(key) ?? ''))
    .map((partial) => ({
      field,
      code: 'mjml_partial',
      message: `The partial '${partial}' is MJML. Only the MJML of a template includes it, as {% render '${partial}' %} without values.`,
      details: { partial },
    }));
}

/** Where in a source a place is, from 1. */
export function placeIn(source: string, offset: number): { readonly line: number; readonly column: number } {
  const before = source.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** Elements that the compiler does not know, and writes as they are. */
export function unknownElements(mjml: string, html: string): FieldProblem[] {
  const names = new Set([...html.replace(COMMENT, '').matchAll(/<(mj-[a-z0-9-]*)/g)].map(([, name]) => name ?? ''));
  return [...names].slice(0, templateLimits.listed).map((name) => {
    const { line, column } = placeIn(mjml, Math.max(0, mjml.indexOf(`<${name}`)));
    return problem(`There is no element <${name}>. (line ${line}, column ${column})`, { line, column });
  });
}
