import type { RenderContext } from '../render-context.js';

/** Computes the value of a filter; named arguments are pairs of a name and a value. */
export type Filter = (this: { readonly context: RenderContext }, value: unknown, ...args: unknown[]) => unknown;

/** By name: how many arguments it takes at least and at most, and what it does. Named arguments do not count. */
export type FilterTable = Readonly<Record<string, readonly [least: number, most: number, filter: Filter]>>;

/** A filter cannot take its value. `isFatal`: the render has no result, since any other one would be wrong. */
export class FilterFailure extends Error {
  constructor(
    message: string,
    readonly isFatal = false,
  ) {
    super(message);
  }
}
