import { filters, Liquid, toValueSync } from 'liquidjs';
import { ownField } from '../../domain/kernel/own-fields.js';
import type { Arithmetic } from '../../domain/templates/arithmetic.js';
import { markingFilter } from './escaping.js';
import { FilterFailure } from './filters/filter.js';
import { filterTable } from './filters/filter-table.js';
import { LimitReached, templateLimits } from './limits.js';
import { operators, requireShort } from './operators.js';
import type { RenderContext } from './render-context.js';
import { boundedRenderer } from './renderer.js';
import { ownTags } from './tags/tags.js';
import { plainOf } from './values.js';

/** Left out: tags that read other templates as the frame of this one. */
const WITHOUT_TAGS = ['layout', 'block'];
/** Left out: filters that evaluate templates in templates, or that depend on chance. */
const WITHOUT_FILTERS = new Set('where_exp reject_exp group_by_exp has_exp find_exp find_index_exp sample inspect jsonify to_integer'.split(' '));
const CALCULATIONS = new Set('abs at_least at_most ceil floor plus minus times divided_by modulo round sum'.split(' '));

type FilterHandler = (this: { readonly context: RenderContext }, value: unknown, ...args: unknown[]) => unknown;
type FilterImplementation = FilterHandler | { readonly handler: FilterHandler; readonly raw: boolean };

/** Filters that take a list beside their value: they look at it once. */
const WITH_LISTS = new Set(['concat', 'push', 'unshift', 'default']);
/** Filters over the elements of a list. They make a text of their arguments, and split it, for each element. */
const OVER_ELEMENTS = new Set('sort sort_natural map where reject group_by find find_index has sum uniq compact'.split(' '));

/** Throws where a filter would do with each element of a list what takes long to do once. */
function requireSmall(name: string, args: readonly unknown[]): void {
  for (const given of args) {
    if (Array.isArray(given) && !isNamed(given) && !WITH_LISTS.has(name)) throw new FilterFailure('it takes no list beside its value');
    if (OVER_ELEMENTS.has(name) && String(plainOf(given) ?? '').length > templateLimits.argument)
      throw new FilterFailure(`what it takes beside its value has at most ${templateLimits.argument} characters`);
  }
}

/** A named argument is a pair of its name and its value. */
const isNamed = (given: readonly unknown[]): boolean => given.length === 2 && given[0] === 'allow_false';

/** A filter within the budget of the render. One that cannot take its value gives an empty text and a warning. */
const bounded = (name: string, handler: FilterHandler): FilterHandler =>
  function (value, ...args) {
    const { context } = this;
    const { budget } = context;
    budget.checkTime();
    requireShort(value, ...args);
    let result: unknown;
    try {
      requireSmall(name, args);
      result = toValueSync(handler.call(this, value, ...args) as IterableIterator<unknown>);
    } catch (e) {
      if (e instanceof LimitReached) throw e;
      if (e instanceof FilterFailure && e.isFatal) throw new FilterFailure(`The filter \`${name}\` has no result: ${e.message}.`, true);
      context.noteFailure(name, e instanceof Error ? e.message : String(e));
      return '';
    }
    if (typeof result === 'string') budget.use(result.length);
    else if (Array.isArray(result)) budget.useList(result);
    return result;
  };

/** Nothing is read from disk or from the memory of the library, whatever name a template gives. */
const noFiles = {
  readFileSync: (): string => {
    throw new Error('there are no files');
  },
  readFile: () => Promise.reject(new Error('there are no files')),
  existsSync: () => false,
  exists: () => Promise.resolve(false),
  contains: () => Promise.resolve(false),
  containsSync: () => false,
  resolve: () => '',
};

/** The library with the tags and filters that templates may use. */
export function createSandbox({ html, arithmetic = 'decimals' }: { readonly html: boolean; readonly arithmetic?: Arithmetic }): Liquid {
  const liquid = new Liquid({
    fs: noFiles,
    relativeReference: false,
    strictFilters: true,
    ownPropertyOnly: true,
    locale: 'en-US',
    timezoneOffset: 0,
    operators: operators as never,
  });
  for (const name of WITHOUT_TAGS) delete liquid.tags[name];
  for (const [name, tag] of Object.entries(ownTags)) liquid.registerTag(name, tag as never);
  const library = filters as unknown as Record<string, FilterImplementation>;
  for (const name of new Set([...Object.keys(library), ...Object.keys(filterTable)])) {
    liquid.unregisterFilter(name);
    if (WITHOUT_FILTERS.has(name)) continue;
    const own = arithmetic === 'floats' && CALCULATIONS.has(name) ? undefined : ownField(filterTable, name)?.[2];
    const given = own ?? ownField(library, name);
    if (!given) continue;
    const { handler, raw } = typeof given === 'function' ? { handler: given, raw: false } : given;
    const wrapped = bounded(name, markingFilter(name, handler, html));
    liquid.registerFilter(name, (raw ? { handler: wrapped, raw } : wrapped) as never);
  }

  Object.assign(liquid, { isHtml: html, renderer: boundedRenderer });
  return liquid;
}
