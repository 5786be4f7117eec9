import { type Liquid, type TagToken, Token, Tokenizer, TokenKind, type TopLevelToken, TypeGuards } from 'liquidjs';
import { argumentsProblem } from './filters/filter-table.js';
import { floatOf, RANGE } from './values.js';

type Options = Liquid['options'];
type ValueToken = NonNullable<ReturnType<Tokenizer['readValue']>>;

/** Tags whose content is not read as Liquid. */
const VERBATIM = new Set(['raw', 'comment', 'doc']);
const NESTING = String.raw`\{%-?\s*(end)?(raw|comment|doc)\b[^%]*?%\}`;

/** `(1..n)`, as the library looks up a variable. */
class RangeAccess extends Token {
  readonly props: readonly unknown[];
  constructor({ input, begin, end }: Token, lhs: ValueToken, rhs: ValueToken) {
    super(TokenKind.PropertyAccess, input, begin, end);
    this.props = [{ content: RANGE }, lhs, rhs];
  }
}

/** Reads Liquid as Shopify's reads it, where the library's own tokenizer does not. */
export class SandboxTokenizer extends Tokenizer {
  /** The tag whose content comes next. */
  private verbatim: string | null = null;

  static like(tokenizer: Tokenizer, operators: Options['operators']): SandboxTokenizer {
    const copy = new SandboxTokenizer(tokenizer.input, operators, undefined, [tokenizer.p, tokenizer.N]);
    return copy;
  }

  override readTopLevelToken(options: Options): TopLevelToken {
    const name = this.verbatim;
    this.verbatim = null;
    if (name !== null) {
      const end = this.endOfVerbatim(name);
      if (end > this.p) return this.readTextTo(end);
    }
    const token = super.readTopLevelToken(options as Parameters<Tokenizer['readTopLevelToken']>[0]);
    if (!TypeGuards.isTagToken(token)) return token;
    // biome-ignore lint/complexity/useLiteralKeys: the field is private in the types of the library
    (this as unknown as Record<string, unknown>)['rawBeginAt'] = -1;
    if (VERBATIM.has(token.name)) this.verbatim = token.name;
    return withTokenizer(token, options);
  }

  override readLiquidTagToken(options: Options): ReturnType<Tokenizer['readLiquidTagToken']> {
    const token = super.readLiquidTagToken(options as Parameters<Tokenizer['readLiquidTagToken']>[0]);
    if (token) withTokenizer(token as unknown as TagToken, options);
    return token;
  }

  private readTextTo(end: number): TopLevelToken {
    const whole = this.N;
    this.N = end;
    const text = this.readHTMLToken([]);
    this.N = whole;
    return text;
  }

  /** Where the end tag begins. Comments may hold comments, and raw parts, which hold anything. Where there is none, the tag is not closed. */
  private endOfVerbatim(name: string): number {
    const nesting = new RegExp(NESTING, 'g');
    nesting.lastIndex = this.p;
    const open = [name];
    for (let found = nesting.exec(this.input); found; found = nesting.exec(this.input)) {
      const [, end, tag = ''] = found;
      const inner = open.at(-1);
      if (end && tag === inner) open.pop();
      else if (!end && inner === 'comment' && (tag === 'comment' || tag === 'raw')) open.push(tag);
      if (open.length === 0) return found.index;
    }
    return this.p;
  }

  override readNumber(): ReturnType<Tokenizer['readNumber']> {
    const token = super.readNumber();
    if (token?.getText().includes('.')) (token as { content: unknown }).content = floatOf(token.content);
    return token;
  }

  override readGroupOrRange(): ReturnType<Tokenizer['readGroupOrRange']> {
    const token = super.readGroupOrRange();
    if (!token || !TypeGuards.isRangeToken(token)) return token;
    return new RangeAccess(token, token.lhs, token.rhs) as unknown as typeof token;
  }

  override readFilteredValue(): ReturnType<Tokenizer['readFilteredValue']> {
    const begin = this.p;
    const value = super.readFilteredValue();
    let operands = 0;
    for (const token of value.initial.postfix) {
      const taken = !TypeGuards.isOperatorToken(token) ? 0 : token.operator === 'not' ? 1 : 2;
      this.assert(operands >= taken, () => `an operator has no value beside it: ${this.snapshot(begin)}`, begin);
      operands += 1 - taken;
    }
    this.assert(operands === 1, () => `there is no operator between two values: ${this.snapshot(begin)}`, begin);
    return value;
  }

  override readFilter(): ReturnType<Tokenizer['readFilter']> {
    const token = super.readFilter();
    if (!token) return token;
    const given = token.args.filter((argument) => !Array.isArray(argument)).length;
    const problem = argumentsProblem(token.name, given);
    this.assert(problem === undefined, problem ?? '', token.begin);
    return token;
  }
}

function withTokenizer(token: TagToken, { operators }: Options): TagToken {
  return Object.assign(token, { tokenizer: SandboxTokenizer.like(token.tokenizer, operators) });
}
