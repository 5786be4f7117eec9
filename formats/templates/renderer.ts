/** Renders the parts of a template in order, within its budget. */
import { type Template, toValueSync } from 'liquidjs';
import { FilterFailure } from './filters/filter.js';
import { type Budget, LimitReached, templateLimits } from './limits.js';
import type { RenderContext } from './render-context.js';
import { EchoOutputTag, OutputTemplate } from './tags/tags.js';
import { textOf } from './values.js';

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
function renderedTextOf(value: unknown, budget: Budget): string {
  if (Array.isArray(value)) budget.useList(value);
  return textOf(value);
}

/** Whether an output has a default: then a missing variable is what its author has thought of. */
function hasDefault({ value }: OutputTemplate): boolean {
  return value?.filters.some(({ name }) => name === 'default') ?? false;
}

/** The output of a part that is one. */
function outputOf(template: Template): OutputTemplate | null {
  const part: unknown = template;
  if (part instanceof OutputTemplate) return part;
  return part instanceof EchoOutputTag ? part.output : null;
}

/** Names the place of what has no result: that of the innermost part. */
function withPlace(e: unknown, template: Template): unknown {
  if (!(e instanceof FilterFailure) || /\(line \d+, column \d+\)$/.test(e.message)) return e;
  const [line = 1, column = 1] = template.token.getPosition();
  const message = e.isFatal ? e.message : `The tag cannot take this value: ${e.message}.`;
  return new FilterFailure(`${message} (line ${line}, column ${column})`, true);
}

/** Renders parts in order, in place of the renderer of the library, which neither limits captured texts nor distinguishes outputs. */
function* renderTemplates(templates: Template[], ctx: RenderContext, emitter: TextEmitter = new TextEmitter(ctx.budget)): Generator<unknown, string> {
  ctx.budget.check();
  for (const template of templates) {
    ctx.budget.check();
    const output = outputOf(template);
    ctx.isOutput = output !== null && !hasDefault(output);
    try {
      const text = output ? toValueSync(output.render(ctx, emitter as never)) : yield template.render(ctx, emitter as never);
      if (text) emitter.write(text);
    } catch (e) {
      throw withPlace(e, template);
    } finally {
      ctx.isOutput = false;
    }
    if (ctx.breakCalled || ctx.continueCalled) break;
  }
  return emitter.buffer;
}

/** The renderer that takes the place of the library's own. */
export const boundedRenderer = { renderTemplates };
