import type { Template } from 'liquidjs';
import { RANGE } from './values.js';

/** What the library's tokens of expressions have in common with each other, as far as variables are concerned. */
interface ExpressionToken {
  readonly props?: readonly ExpressionToken[];
  readonly variable?: ExpressionToken;
  readonly content?: unknown;
  readonly lhs?: ExpressionToken;
  readonly rhs?: ExpressionToken;
  readonly initial?: { readonly postfix?: readonly ExpressionToken[] };
  readonly filters?: readonly { readonly args: readonly (ExpressionToken | readonly [string, ExpressionToken])[] }[];
}

/** Parts of a path that are named; what follows says little. */
const MAX_PARTS = 8;

/**
 * The paths of the variables that templates read and do not set themselves. In one pass: the library's own analysis finds the line of
 * each variable and takes minutes for a long template.
 */
export function variablesOf(templates: readonly Template[]): string[] {
  const names = new Set<string>();
  const own = new Set<string>();

  function read(token: ExpressionToken | undefined): void {
    if (!token || typeof token !== 'object') return;
    for (const part of partsOf(token)) read(part);
    const path = pathOf(token.props ?? []);
    if (!token.variable && path !== '' && !path.startsWith(RANGE)) names.add(path);
  }

  function walk(list: readonly Template[]): void {
    for (const template of list) {
      for (const value of template.arguments?.() ?? []) read(value as unknown as ExpressionToken);
      for (const name of template.localScope?.() ?? []) own.add(typeof name === 'string' ? name : name.content);
      for (const name of template.blockScope?.() ?? []) own.add(name);
      walk(ofChildren(template));
    }
  }
  walk(templates);
  return [...names].filter((name) => !own.has(name.split('.')[0] as string)).sort();
}

/** The parts in a tag: the last value of its generator. */
function ofChildren(template: Template): readonly Template[] {
  const parts = template.children?.(false, true);
  if (!parts) return [];
  for (let step = parts.next(); ; step = parts.next(step.value as Template[])) if (step.done) return step.value as Template[];
}

/** The expressions within one. */
function partsOf({ initial, filters = [], lhs, rhs, variable, props = [] }: ExpressionToken): (ExpressionToken | undefined)[] {
  const args = filters.flatMap((filter) => filter.args.map((arg) => (Array.isArray(arg) ? arg[1] : arg) as ExpressionToken));
  return [...(initial?.postfix ?? []), ...args, lhs, rhs, variable, ...props.filter((prop) => prop.props)];
}

/** Up to the first part that is an expression itself. */
function pathOf(props: readonly ExpressionToken[]): string {
  const computed = props.findIndex((prop) => prop.props);
  return props
    .slice(0, Math.min(MAX_PARTS, computed === -1 ? props.length : computed))
    .map(({ content }) => String(content))
    .join('.');
}
