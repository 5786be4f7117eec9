import {
  CaptureTag,
  CaseTag,
  type Context,
  CycleTag,
  type Emitter,
  evalToken,
  type Hash,
  type Liquid,
  type Parser,
  RenderTag,
  Tag,
  type TagToken,
  type Template,
  type TopLevelToken,
  TypeGuards,
  Value,
} from 'liquidjs';
import { setOwnField } from '../../../domain/kernel/own-fields.js';
import { htmlOf } from '../escaping.js';
import { requireShort } from '../operators.js';
import type { RenderContext } from '../render-context.js';
import type { SandboxTokenizer } from '../tokenizer.js';
import { isNil, MarkedText, plainOf, textOf } from '../values.js';
import { LoopState, LoopTag, loopElements, RowsTag } from './loops.js';

/** A library for one source: what the sandbox has, and the partials that the source names. */
export type Sandbox = Liquid & { readonly references: Set<string>; readonly isHtml: boolean };

type RenderSteps = Generator<unknown, void, unknown>;

/** `{{ … }}`, escaped where the template is HTML. */
export class OutputTemplate {
  readonly value: Value | null;
  private readonly isEscaped: boolean;

  constructor(
    readonly token: TopLevelToken,
    tokenizer: SandboxTokenizer,
    liquid: Liquid,
  ) {
    tokenizer.skipBlank();
    this.value = tokenizer.end() ? null : new Value(tokenizer.readFilteredValue(), liquid);
    this.isEscaped = (liquid as Sandbox).isHtml && !this.value?.filters.at(-1)?.raw;
  }

  *render(ctx: Context, emitter: Emitter): RenderSteps {
    if (!this.value) return;
    const value = yield this.value.value(ctx, false);
    emitter.write(this.isEscaped ? htmlWithin(value, ctx as RenderContext) : value);
  }

  *arguments(): Generator<Value> {
    if (this.value) yield this.value;
  }
}

function htmlWithin(value: unknown, { budget }: RenderContext): string {
  if (Array.isArray(value)) budget.useList(value);
  return htmlOf(value);
}

/** `{% echo … %}` is an output. */
export class EchoOutputTag extends Tag {
  readonly output: OutputTemplate;
  constructor(token: TagToken, rest: TopLevelToken[], liquid: Liquid) {
    super(token, rest, liquid);
    this.output = new OutputTemplate(token, this.tokenizer as SandboxTokenizer, liquid);
  }
  override render(ctx: Context, emitter: Emitter): RenderSteps {
    return this.output.render(ctx, emitter);
  }
  arguments(): Generator<Value> {
    return this.output.arguments();
  }
}

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

/** One of its values after the other, each time that it is rendered. Those with the same name, or the same values, take turns. */
class TurnsTag extends CycleTag {
  override *render(ctx: Context, emitter: Emitter): RenderSteps {
    const { candidates, group } = this as unknown as { readonly candidates: readonly { getText(): string }[]; readonly group?: never };
    const key = group === undefined ? `values ${candidates.map((one) => one.getText()).join(',')}` : `name ${textOf(yield evalToken(group, ctx))}`;
    const { turns } = ctx as RenderContext;
    const turn = turns.get(key) ?? 0;
    turns.set(key, turn + 1 < candidates.length ? turn + 1 : 0);
    const taken = candidates[turn];
    if (!taken) return;
    const value = yield new Value(taken as never, this.liquid).value(ctx, false);
    emitter.write((this.liquid as Sandbox).isHtml ? htmlWithin(value, ctx as RenderContext) : value);
  }
}

interface PartialParts {
  readonly file: unknown;
  readonly hash: Hash;
  readonly with?: { readonly value: never; readonly alias?: string };
  readonly forBinding?: { readonly value: never; readonly alias?: string };
}

/** Includes a partial of the account by its key, which is a text in quotes. It reads the values of the message, and no variables of the template. */
class PartialTag extends RenderTag {
  protected readonly key: string;
  protected readonly parts: PartialParts;

  constructor(token: TagToken, rest: TopLevelToken[], liquid: Liquid, parser: Parser) {
    super(token, rest, liquid, parser);
    this.parts = this as unknown as PartialParts;
    const { file } = this.parts;
    if (typeof file !== 'string') throw new Error(`the tag '${this.name}' names a partial in quotes, such as {% ${this.name} 'footer' %}`);
    this.key = file;
    (liquid as Sandbox).references.add(file);
  }

  protected *templates(ctx: Context): Generator<unknown, Template[], unknown> {
    return (yield this.liquid._parsePartialFile(this.key, ctx.sync) as unknown) as Template[];
  }

  override *render(ctx: Context, emitter: Emitter): RenderSteps {
    const { hash, with: one, forBinding: many } = this.parts;
    const given = (yield hash.render(ctx)) as Record<string, unknown>;
    const bound = one ?? many;
    const value = bound ? yield evalToken(bound.value, ctx) : undefined;
    const elements = many && typeof plainOf(value) === 'object' && !isNil(value) ? loopElements(value) : null;
    const state = elements && new LoopState(elements.length, this.key);
    for (const [at, element] of (elements ?? [value]).entries()) {
      const inner = ctx.spawn();
      const scope = inner.bottom() as Record<string, unknown>;
      if (state) Object.assign(scope, { forloop: Object.assign(state, { at }) });
      for (const [name, own] of Object.entries(given)) setOwnField(scope, name, own);
      if (bound && !isNil(element)) setOwnField(scope, bound.alias ?? this.key, element);
      yield this.liquid.renderer.renderTemplates(yield* this.templates(inner), inner, emitter);
    }
  }
}

/** The older way, which shares its variables with the template. */
class IncludeTag extends PartialTag {
  override *render(ctx: Context, emitter: Emitter): RenderSteps {
    const { hash, with: one, forBinding: many } = this.parts;
    const given = (yield hash.render(ctx)) as Record<string, unknown>;
    const bound = one ?? many;
    const value = bound ? yield evalToken(bound.value, ctx) : undefined;
    const scope = Object.create(null) as Record<string, unknown>;
    for (const [name, own] of Object.entries(given)) setOwnField(scope, name, own);
    ctx.push(scope);
    for (const element of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (bound) setOwnField(scope, bound.alias ?? this.key, element);
      yield this.liquid.renderer.renderTemplates(yield* this.templates(ctx), ctx, emitter);
      if (ctx.breakCalled || ctx.continueCalled) break;
    }
    ctx.pop();
  }
}

class CapturingTag extends CaptureTag {
  override *render(ctx: Context): Generator<unknown, void, string> {
    const text = yield this.liquid.renderer.renderTemplates(this.templates, ctx);
    (ctx as RenderContext).budget.use(text.length);
    setOwnField(ctx.bottom() as Record<string, unknown>, this.variable, (this.liquid as Sandbox).isHtml ? new MarkedText(text) : text);
  }
}

/** Its content is shown only where it differs from what was shown before. */
export class IfChangedTag extends Tag {
  readonly templates: Template[] = [];
  constructor(token: TagToken, rest: TopLevelToken[], liquid: Liquid, parser: Parser) {
    super(token, rest, liquid);
    for (let next = rest.shift(); next; next = rest.shift()) {
      if (TypeGuards.isTagToken(next) && next.name === 'endifchanged') return;
      this.templates.push(parser.parseToken(next, rest));
    }
    throw new Error(`tag ${token.getText()} not closed`);
  }
  override *render(ctx: Context, emitter: Emitter): RenderSteps {
    const text = (yield this.liquid.renderer.renderTemplates(this.templates, ctx)) as string;
    (ctx as RenderContext).budget.use(text.length);
    const { shown } = ctx as RenderContext;
    if (shown.last === text) return;
    shown.last = text;
    emitter.write(text);
  }
  // biome-ignore lint/correctness/useYield: the library asks for a generator
  *children(): Generator<unknown, Template[]> {
    return this.templates;
  }
}

/** A comment for whoever reads the template. */
export class DocTag extends Tag {
  constructor(token: TagToken, rest: TopLevelToken[], liquid: Liquid) {
    super(token, rest, liquid);
    for (let next = rest.shift(); next; next = rest.shift()) if (TypeGuards.isTagToken(next) && next.name === 'enddoc') return;
    throw new Error(`tag ${token.getText()} not closed`);
  }
  override render(): void {}
}

/** The tags that take the place of the library's, or that it lacks. */
export const ownTags = {
  render: PartialTag,
  include: IncludeTag,
  capture: CapturingTag,
  case: ShortCaseTag,
  cycle: TurnsTag,
  for: LoopTag,
  tablerow: RowsTag,
  ifchanged: IfChangedTag,
  doc: DocTag,
  echo: EchoOutputTag,
} as const;
