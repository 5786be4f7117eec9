import type { AnyRoute } from './route.js';

/**
 * The warning for a field that a PATCH does not take although the resource has it: `fixed field: type` instead of `unknown field: type`.
 * Other warnings stay as they are.
 */
export function fixedFieldWarnings({ method, responses }: Pick<AnyRoute, 'method' | 'responses'>): (warning: string) => string {
  if (method !== 'PATCH') return (warning) => warning;
  const resource = responses[200]?.schema as { readonly properties?: object } | undefined;
  const fixed = new Map(Object.keys(resource?.properties ?? {}).map((name) => [`unknown field: ${name}`, `fixed field: ${name}`]));
  return (warning) => fixed.get(warning) ?? warning;
}
