import { parse } from 'node:querystring';

/** `name[key]`, one level deep. */
const NESTED = /^([^[\]]+)\[([^[\]]+)\]$/;

/**
 * The query of a URL as an object without a prototype. A name given twice holds a list, and `custom_field[plan]=pro`
 * becomes `{ custom_field: { plan: 'pro' } }`. More than 1,000 names are not read.
 */
export function parseQuery(url: string): Record<string, unknown> {
  const at = url.indexOf('?');
  if (at < 0) return Object.create(null) as Record<string, unknown>;
  const flat: Record<string, unknown> = parse(url.slice(at + 1));
  for (const name in flat) {
    if (!name.endsWith(']')) continue;
    const [, outer, inner] = NESTED.exec(name) ?? [];
    if (outer === undefined || inner === undefined) continue;
    const holder = flat[outer];
    const nested = typeof holder === 'object' && !Array.isArray(holder) ? holder : Object.create(null);
    nested[inner] = flat[name];
    if (holder === undefined || holder === nested) flat[outer] = nested;
    delete flat[name];
  }
  return flat;
}
