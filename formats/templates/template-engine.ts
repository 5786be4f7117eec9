import { LiquidError, type Template, toValueSync } from 'liquidjs';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../domain/kernel/clock.js';
import type { Arithmetic } from '../../domain/templates/arithmetic.js';
import { isTooDeep, textOfHtml } from '../messages/html-text.js';
import { Budget, LimitReached, templateLimits } from './limits.js';
import { collectPartials, type ParsedSource, parseSource, type TemplateProblem } from './parse.js';
import { RenderContext, type RenderWarning } from './render-context.js';
import { createSandbox } from './sandbox.js';
import { variablesOf } from './variables.js';

export type { TemplateProblem } from './parse.js';
export type { RenderWarning } from './render-context.js';

/** Why a template that is valid has no result for these values. */
export interface RenderProblem {
  readonly code: 'template_limit' | 'template_failed';
  readonly message: string;
}

export type RenderResult = { readonly text: string; readonly warnings: readonly RenderWarning[] } | { readonly problem: RenderProblem };

export interface CompiledTemplate {
  /** Empty where the template is valid. One that is not renders a problem. */
  readonly problems: readonly TemplateProblem[];
  /** The paths of the values that it reads and does not set itself, such as `contact.first_name`, sorted. */
  readonly variables: readonly string[];
  /** The keys of partials that it or one of its partials names and that were not given. They are problems, too. */
  readonly missingPartials: readonly string[];
  /** Values are plain JSON: `contact`, `data`, `now` and so on. It never throws, and ends within its limits (templateLimits). */
  render(scope: object): RenderResult;
}

export interface TemplateSource {
  /** Outputs are escaped for HTML. */
  readonly html: boolean;
  /** How it calculates. Default: in decimals. */
  readonly arithmetic?: Arithmetic;
  /** The source is HTML, and the template is the text that is made from it. */
  readonly fromHtml?: true;
  /** Sources of the partials by key: those that are named, directly or by another one. More do no harm. */
  readonly partials?: ReadonlyMap<string, string>;
}

/** Compiles a template, or takes it from the cache. Nothing in a source makes it throw. */
export type CompileTemplate = (source: string, of: TemplateSource) => CompiledTemplate;

/** Characters of sources whose compiled templates are kept; they take some ten times as many bytes. */
const CACHED_CHARACTERS = 4_000_000;
/** What an entry takes beside its source. */
const ENTRY = 500;

/** Makes the engine of templates, with its cache: Liquid without files, with own properties only, and within limits of time and size. */
export function createTemplateEngine(clock: Pick<Clock, 'monotonic'>): CompileTemplate {
  const monotonic = () => clock.monotonic();
  const sandboxes = (arithmetic: Arithmetic) => ({
    text: createSandbox({ html: false, arithmetic }),
    html: createSandbox({ html: true, arithmetic }),
  });
  const byArithmetic = { decimals: sandboxes('decimals'), floats: sandboxes('floats') };
  const kept = () => new LRUCache<string, CompiledTemplate>({ maxSize: CACHED_CHARACTERS, sizeCalculation: (_, key) => key.length + ENTRY });
  const caches = { text: kept(), html: kept(), fromHtml: kept() };

  function compile(source: string, { html: isHtml, arithmetic = 'decimals', partials = new Map() }: TemplateSource): CompiledTemplate {
    const base = byArithmetic[arithmetic][isHtml ? 'html' : 'text'];
    const parsed = new Map<string, ParsedSource>();
    const templatesOf = (key: string): Template[] => parsed.get(key)?.templates ?? [];
    const main = parseSource(source, base, templatesOf);
    const { problems, missing } = collectPartials(main, partials, (part) => parseSource(part, base, templatesOf), parsed);
    const listed = [...main.problems, ...problems].slice(0, templateLimits.listed);
    const [first] = listed;
    return {
      problems: listed,
      variables: variablesOf([main, ...parsed.values()].flatMap(({ templates }) => templates)),
      missingPartials: missing,
      render: (scope) => (first ? { problem: { code: 'template_failed', message: first.message } } : render(main, scope, monotonic)),
    };
  }

  return (source, of) => {
    const named = [...(of.partials ?? [])].map(([key, part]) => `${key}\n${part.length}\n${part}`).join('\n');
    const cache = caches[of.fromHtml ? 'fromHtml' : of.html ? 'html' : 'text'];
    // Without partials the source itself is the key: a text that is used again and again has its hash already.
    const plain = of.arithmetic !== 'floats';
    const key = named === '' && plain ? source : `\u0000${plain ? '' : 'floats '}${named.length}\n${named}\n${source}`;
    const known = cache.get(key);
    if (known) return known;
    const compiled = compile(of.fromHtml ? textSource(source) : source, of);
    if (key.length < CACHED_CHARACTERS) cache.set(key, compiled);
    return compiled;
  };
}

/** An HTML that is too deep has no text: nesting takes the parser time in proportion to the depth for each element. */
const textSource = (html: string): string => (isTooDeep(html) ? '' : textOfHtml(html));

/** On a busy machine the time passes while the thread waits, so a render that has run out of it is repeated once. */
function render(source: ParsedSource, scope: object, monotonic: () => number): RenderResult {
  for (let isLast = false; ; isLast = true) {
    try {
      return renderOnce(source, scope, monotonic);
    } catch (e) {
      const cause = causeOf(e);
      const isOutOfTime = cause instanceof LimitReached && cause.limit === 'time';
      if (isLast || !isOutOfTime) return { problem: problemOf(cause) };
    }
  }
}

/** Throws what makes a result impossible. */
function renderOnce({ templates, sandbox }: ParsedSource, scope: object, monotonic: () => number): RenderResult {
  const context = new RenderContext(sandbox, scope, new Budget(monotonic));
  const text = toValueSync(sandbox.renderer.renderTemplates(templates, context) as IterableIterator<unknown>) as string;
  return { text, warnings: [...context.warnings.values()] };
}

function problemOf(cause: unknown): RenderProblem {
  if (cause instanceof LimitReached) return { code: 'template_limit', message: cause.message };
  const message =
    cause instanceof RangeError
      ? 'Tags or values are nested too deep, or a text grows too long.'
      : cause instanceof Error
        ? cause.message
        : String(cause);
  return { code: 'template_failed', message: message.slice(0, 300) };
}

function causeOf(e: unknown): unknown {
  let cause = e;
  for (let depth = 0; depth < 20 && LiquidError.is(cause); depth++) {
    const { originalError } = cause as { readonly originalError?: unknown };
    if (originalError === undefined) break;
    cause = originalError;
  }
  return cause;
}
