import {
  CaptureTag,
  CaseTag,
  type Context,
  defaultOperators,
  filters,
  Liquid,
  type Parser,
  RenderTag,
  type TagToken,
  type TopLevelToken,
  toValueSync,
} from 'liquidjs';
import { ownField, setOwnField } from '../../domain/kernel/own-fields.js';
import { LimitReached, templateLimits } from './limits.js';
import { boundedRenderer, CapturedText, type RenderContext, renderedTextOf } from './render-context.js';

/** A library for one source: what the sandbox has, and the partials that the source names. */
export type Sandbox = Liquid & { readonly references: Set<string> };

/** Left out: tags that read other templates in the scope of this one, or as its frame. Partials are included by `render`. */
const WITHOUT_TAGS = ['include', 'layout', 'block'];
/** Left out: filters that evaluate templates in templates, that depend on chance, or that keep secrets in templates. */
const WITHOUT_FILTERS = new Set(
  'where_exp reject_exp group_by_exp has_exp find_exp find_index_exp sample sha256 hmac_sha256 inspect jsonify to_integer'.split(' '),
);

type FilterHandler = (this: { readonly context: Context }, value: unknown, ...args: unknown[]) => unknown;
type FilterImplementation = FilterHandler | { readonly handler: FilterHandler; readonly raw: boolean };

/** Filters that take a list beside their value: they look at it once. */
const WITH_LISTS = new Set(['concat', 'push', 'unshift', 'default']);
/** Filters over the elements of a list. They make a text of their arguments, and split it, for each element. */
const OVER_ELEMENTS = new Set('sort sort_natural map where reject group_by find find_index has sum uniq compact'.split(' '));

/** Throws where a filter would do with each element of a list what takes long to do once. */
function requireSmall(name: string, args: readonly unknown[]): void {
  for (const given of args) {
    if (Array.isArray(given) && !WITH_LISTS.has(name)) throw new Error('it takes no list beside its value');
    if (OVER_ELEMENTS.has(name) && String(given ?? '').length > templateLimits.argument)
      throw new Error(`what it takes beside its value has at most ${templateLimits.argument} characters`);
  }
}

function requireShort(...values: readonly unknown[]): void {
  for (const value of values) if (Array.isArray(value) && value.length > templateLimits.list) throw new LimitReached('list');
}

/** They look at one element after another, or make a text of a list, in one step. */
const OVER_LISTS: ReadonlySet<string> = new Set(['contains', '==', '!=', '<', '>', '<=', '>=']);
type Operator = (left: unknown, right: unknown, context: Context) => unknown;

const operators = Object.fromEntries(
  Object.entries(defaultOperators as unknown as Record<string, Operator>).map(([name, operator]): [string, Operator] => {
    if (!OVER_LISTS.has(name)) return [name, operator];
    const short = function* (left: unknown, right: unknown, context: Context): Generator<unknown, unknown, unknown> {
      requireShort(left, right);
      return yield operator(left, right, context);
    };
    return [name, short];
  }),
);

/** Compares its value with that of each `when`. */
class ShortCaseTag extends CaseTag {
  constructor(token: TagToken, rest: TopLevelToken[], liquid: Liquid, parser: Parser) {
    super(token, rest, liquid, parser);
    const { value } = this;
    const read = value.value.bind(value);
    value.value = function* (context, lenient) {
      const found = yield read(context, lenient);
      requireShort(found);
      return found;
    };
  }
}

/** A filter within the budget of the render. One that cannot take its value gives an empty text and a warning. */
const bounded = (name: string, handler: FilterHandler): FilterHandler =>
  function (value, ...args) {
    const context = this.context as RenderContext;
    const { budget } = context;
    budget.checkTime();
    requireShort(value, ...args);
    let result: unknown;
    try {
      requireSmall(name, args);
      result = toValueSync(handler.call(this, value, ...args));
    } catch (e) {
      if (e instanceof LimitReached) throw e;
      context.noteFailure(name, e instanceof Error ? e.message : String(e));
      return '';
    }
    if (typeof result === 'string') budget.use(result.length);
    else if (Array.isArray(result)) budget.useList(result);
    return result;
  };

/** `now` and `today` are the time of the render; a format has a limited length, since each of its parts takes time. */
const ofDates = (handler: FilterHandler): FilterHandler =>
  function (value, ...args) {
    const [format, zone] = args;
    for (const given of [format, zone])
      if (String(given ?? '').length > templateLimits.dateFormat) throw new Error(`it has at most ${templateLimits.dateFormat} characters`);
    const { now } = this.context.globals as { readonly now?: unknown };
    return handler.call(this, value === 'now' || value === 'today' ? (now ?? null) : value, format, zone ?? undefined, ...args.slice(2));
  };

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&#34;', "'": '&#39;' };
const NEEDS_ESCAPE = /[&<>"']/;

/** How an output is written into HTML. */
function escapeOutput(this: unknown, value: unknown): string {
  if (value instanceof CapturedText) return value.text;
  const text = typeof value === 'string' ? value : renderedTextOf(value, (this as { readonly context: RenderContext }).context.budget);
  return NEEDS_ESCAPE.test(text) ? text.replace(/[&<>"']/g, (character) => ownField(ESCAPES, character) as string) : text;
}

/** Includes a partial of the account by its key, which is a text in quotes. */
class PartialTag extends RenderTag {
  constructor(token: TagToken, rest: TopLevelToken[], liquid: Liquid, parser: Parser) {
    super(token, rest, liquid, parser);
    const { file } = this as unknown as { readonly file: unknown };
    if (typeof file !== 'string') throw new Error("the tag 'render' names a partial in quotes, such as {% render 'footer' %}");
    (liquid as Sandbox).references.add(file);
  }
}

class CapturingTag extends CaptureTag {
  override *render(ctx: Context): Generator<unknown, void, string> {
    const text = yield this.liquid.renderer.renderTemplates(this.templates, ctx);
    (ctx as RenderContext).budget.use(text.length);
    setOwnField(ctx.bottom(), this.variable, this.liquid.options.outputEscape ? new CapturedText(text) : text);
  }
}

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
export function createSandbox({ html }: { readonly html: boolean }): Liquid {
  const liquid = new Liquid({
    fs: noFiles,
    relativeReference: false,
    strictFilters: true,
    ownPropertyOnly: true,
    locale: 'en-US',
    timezoneOffset: 0,
    operators: operators as never,
    ...(html && { outputEscape: escapeOutput }),
  });
  for (const name of WITHOUT_TAGS) delete liquid.tags[name];
  for (const [name, implementation] of Object.entries(filters as unknown as Record<string, FilterImplementation>)) {
    liquid.unregisterFilter(name);
    if (WITHOUT_FILTERS.has(name)) continue;
    const { handler, raw } = typeof implementation === 'function' ? { handler: implementation, raw: false } : implementation;
    const wrapped = bounded(name, name.startsWith('date') ? ofDates(handler) : handler);
    liquid.registerFilter(name, (raw ? { handler: wrapped, raw } : wrapped) as never);
  }
  liquid.registerTag('render', PartialTag);
  liquid.registerTag('capture', CapturingTag);
  liquid.registerTag('case', ShortCaseTag);
  Object.assign(liquid, { renderer: boundedRenderer });
  return liquid;
}
