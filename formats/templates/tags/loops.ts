import { type Context, Drop, type Emitter, evalToken, ForTag, TablerowTag, type Template } from 'liquidjs';
import { setOwnField } from '../../../domain/kernel/own-fields.js';
import { wholeOf } from '../filters/texts.js';
import { isNil, plainOf } from '../values.js';

/** What a loop says of itself. */
export class LoopState extends Drop {
  at = 0;
  constructor(
    readonly length: number,
    readonly name: string,
    readonly parentloop: unknown = null,
  ) {
    super();
  }
  index0(): number {
    return this.at;
  }
  index(): number {
    return this.at + 1;
  }
  rindex0(): number {
    return this.length - this.at - 1;
  }
  rindex(): number {
    return this.length - this.at;
  }
  first(): boolean {
    return this.at === 0;
  }
  last(): boolean {
    return this.at === this.length - 1;
  }
}

class RowState extends LoopState {
  constructor(
    length: number,
    name: string,
    readonly cols: number,
  ) {
    super(length, name);
  }
  row(): number {
    return Math.floor(this.at / this.cols) + 1;
  }
  col0(): number {
    return this.at % this.cols;
  }
  col(): number {
    return this.col0() + 1;
  }
  col_first(): boolean {
    return this.col0() === 0;
  }
  col_last(): boolean {
    return this.col() === this.cols;
  }
}

/** What a loop goes over: of an object its fields, as pairs; a text is one element. */
export function loopElements(value: unknown): unknown[] {
  const plain = plainOf(value);
  if (Array.isArray(plain)) return plain as unknown[];
  if (typeof plain === 'string') return plain === '' ? [] : [value];
  return typeof plain === 'object' && plain !== null ? Object.entries(plain) : [];
}

interface Part {
  readonly offset?: unknown;
  readonly limit?: unknown;
}

function partOf(value: unknown, { offset, limit }: Part): unknown[] {
  const elements = loopElements(value);
  if (typeof plainOf(value) === 'string') return elements;
  const from = Math.max(0, isNil(offset) ? 0 : wholeOf(offset, 0));
  return elements.slice(from, isNil(limit) ? undefined : from + Math.max(0, wholeOf(limit, 0)));
}

type RenderSteps = Generator<unknown, void, unknown>;
const scopeOf = (fields: object): Record<string, unknown> => Object.assign(Object.create(null) as Record<string, unknown>, fields);

/** `for`: `reversed` turns the part that `offset` and `limit` leave. */
export class LoopTag extends ForTag {
  override *render(ctx: Context, emitter: Emitter): RenderSteps {
    const { renderer } = this.liquid;
    const value = yield evalToken(this.collection as never, ctx);
    const key = `continue-${this.variable}-${this.collection.getText()}`;
    ctx.push(scopeOf({ continue: ctx.getRegister(key, 0) }));
    const hash = (yield this.hash.render(ctx)) as Record<string, unknown> & Part;
    ctx.pop();
    const part = [...partOf(value, hash)];
    if (Object.hasOwn(hash, 'reversed')) part.reverse();
    ctx.setRegister(key, (isNil(hash.offset) ? 0 : wholeOf(hash.offset, 0)) + part.length);
    if (part.length === 0) {
      yield renderer.renderTemplates(this.elseTemplates, ctx, emitter);
      return;
    }
    const state = new LoopState(part.length, `${this.variable}-${this.collection.getText()}`, ctx.getSync(['forloop']) ?? null);
    const scope = scopeOf({ forloop: state });
    ctx.push(scope);
    for (const [at, element] of part.entries()) {
      state.at = at;
      setOwnField(scope, this.variable, element);
      ctx.continueCalled = false;
      ctx.breakCalled = false;
      yield renderer.renderTemplates(this.templates, ctx, emitter);
      if (ctx.breakCalled) break;
    }
    ctx.continueCalled = false;
    ctx.breakCalled = false;
    ctx.pop();
  }
}

/** `tablerow`, with the line breaks that Shopify's writes. */
export class RowsTag extends TablerowTag {
  override *render(ctx: Context, emitter: Emitter): RenderSteps {
    const value = yield evalToken(this.collection as never, ctx);
    const hash = (yield this.args.render(ctx)) as Part & { readonly cols?: unknown };
    if (isNil(value)) return;
    const part = partOf(value, hash);
    const state = new RowState(part.length, this.variable, isNil(hash.cols) ? part.length : Math.max(1, wholeOf(hash.cols, 1)));
    const scope = scopeOf({ tablerowloop: state });
    emitter.write('<tr class="row1">\n');
    ctx.push(scope);
    for (const [at, element] of part.entries()) {
      state.at = at;
      setOwnField(scope, this.variable, element);
      ctx.continueCalled = false;
      emitter.write(`<td class="col${state.col()}">`);
      yield this.liquid.renderer.renderTemplates(this.templates as Template[], ctx, emitter);
      emitter.write('</td>');
      if (ctx.breakCalled) break;
      if (state.col_last() && !state.last()) emitter.write(`</tr>\n<tr class="row${state.row() + 1}">`);
    }
    ctx.continueCalled = false;
    ctx.breakCalled = false;
    ctx.pop();
    emitter.write('</tr>\n');
  }
}
