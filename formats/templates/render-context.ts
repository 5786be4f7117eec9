import { Context, Drop, EchoTag, type Liquid, Output, type Template, toValueSync, type Value } from 'liquidjs';
import { type Budget, LimitReached, templateLimits } from './limits.js';

/** What a template has made of values that are not there, or that a filter cannot take. */
export interface RenderWarning {
  readonly code: 'missing_variable' | 'filter_failed';
  /** The path of the variable, or the name of the filter. */
  readonly name: string;
  readonly message: string;
}

type PathPart = string | number;

/** The state of one render. A variable is looked up without the library's generators, which take most of its time. */
export class RenderContext extends Context {
  readonly budget: Budget;
  readonly warnings = new Map<string, RenderWarning>();
  /** Whether a missing variable is reported: not in conditions, and not where it has a default. */
  isOutput = false;

  constructor(liquid: Liquid, scope: object, budget: Budget) {
    super(
      Object.create(null),
      liquid.options,
      { sync: true, globals: scope },
      { memoryLimit: budget as never, renderLimit: budget as never, liquid },
    );
    this.budget = budget;
  }

  override _get(paths: PathPart[]): IterableIterator<unknown> {
    // biome-ignore lint/complexity/useLiteralKeys: the method is private in the types of the library
    let value: unknown = this['findScope'](String(paths[0]));
    for (const part of paths) value = this.readProperty(value as object, part);
    if ((value === undefined || value === null) && this.isOutput) this.noteMissing(paths.slice(0, 20).join('.').slice(0, 200));
    return value as IterableIterator<unknown>;
  }

  override spawn(scope: object = {}): RenderContext {
    const inner = new RenderContext(this.liquid as Liquid, this.globals as object, this.budget);
    inner.environments = scope as never;
    (inner as { warnings: unknown }).warnings = this.warnings;
    return inner;
  }

  noteFailure(filter: string, reason: string): void {
    this.note({ code: 'filter_failed', name: filter, message: `The filter \`${filter}\` cannot take this value: ${reason.slice(0, 200)}` });
  }

  private noteMissing(path: string): void {
    this.note({ code: 'missing_variable', name: path, message: `\`${path}\` has no value. It is rendered as an empty text.` });
  }

  private note(warning: RenderWarning): void {
    if (this.warnings.size < templateLimits.listed) this.warnings.set(`${warning.code} ${warning.name}`, warning);
  }
}

/** The text of a `capture`. It has been escaped, so it is not escaped again. */
export class CapturedText extends Drop {
  constructor(readonly text: string) {
    super();
  }
  override valueOf(): string {
    return this.text;
  }
  override toString(): string {
    return this.text;
  }
}

/** Collects a text of limited length. */
class TextEmitter {
  buffer = '';
  constructor(private readonly budget: Budget) {}

  write(value: unknown): void {
    if (typeof value === 'string') this.buffer += value;
    else if (value !== undefined && value !== null) this.buffer += renderedTextOf(value, this.budget);
    if (this.buffer.length > templateLimits.output) throw new LimitReached('output');
  }
}

/** A value as it is written; a list that holds itself many times is refused before its text is made. */
export function renderedTextOf(value: unknown, budget: Budget): string {
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return '';
  if (!Array.isArray(value)) return typeof value === 'object' && !(value instanceof Drop) ? '' : String(value);
  budget.useList(value);
  return value.map((element) => renderedTextOf(element, budget)).join('');
}

/** Whether an output has a default: then a missing variable is what its author has thought of. */
function hasDefault(template: Output | EchoTag): boolean {
  const { value } = template as { readonly value?: Value };
  return value?.filters.some(({ name }) => name === 'default') ?? false;
}

/** Renders parts in order, in place of the renderer of the library, which neither limits captured texts nor distinguishes outputs. */
function* renderTemplates(templates: Template[], ctx: RenderContext, emitter: TextEmitter = new TextEmitter(ctx.budget)): Generator<unknown, string> {
  ctx.budget.check();
  for (const template of templates) {
    ctx.budget.check();
    if (template instanceof Output || template instanceof EchoTag) {
      ctx.isOutput = !hasDefault(template);
      toValueSync(template.render(ctx, emitter as never) as IterableIterator<unknown>);
      ctx.isOutput = false;
      continue;
    }
    const text = yield template.render(ctx, emitter as never);
    if (text) emitter.write(text);
    if (ctx.breakCalled || ctx.continueCalled) break;
  }
  return emitter.buffer;
}

/** The renderer that takes the place of the library's own. */
export const boundedRenderer = { renderTemplates };
