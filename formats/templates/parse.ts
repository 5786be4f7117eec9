/** How a template is read: its problems, the partials that it has, and the blocks that would leave blank lines. */

import {
  AssignTag,
  CaptureTag,
  CaseTag,
  CommentTag,
  ForTag,
  IfTag,
  InlineCommentTag,
  type Liquid,
  LiquidError,
  LiquidTag,
  ParseError,
  Parser,
  RawTag,
  TablerowTag,
  type Template,
  TokenKind,
  type TopLevelToken,
  TypeGuards,
  UnlessTag,
} from 'liquidjs';
import { templateLimits } from './limits.js';
import { DocTag, IfChangedTag, OutputTemplate, type Sandbox } from './tags/tags.js';
import { SandboxTokenizer } from './tokenizer.js';

/** What is wrong with a template, and where: lines and columns are counted from 1. */
export interface TemplateProblem {
  readonly code: 'invalid_template' | 'unknown_filter' | 'unknown_tag' | 'unknown_partial' | 'template_too_long';
  readonly message: string;
  readonly line: number;
  readonly column: number;
  /** The key of the partial that has the problem. */
  readonly partial?: string;
}

/** Follows from an earlier problem: the opening tag was not understood. */
const FOLLOWING = /^tag "(?:end\w*|else|elsif|elseif|when)" not found/;

/** Goes on after a problem, so that an answer has all of them. */
class CollectingParser extends Parser {
  readonly errors: unknown[] = [];

  constructor(private readonly sandbox: Liquid) {
    super(sandbox);
  }

  override parse(source: string): Template[] {
    const { options } = this.sandbox;
    return this.parseTokens(new SandboxTokenizer(source, options.operators).readTopLevelTokens(options));
  }

  override parseToken(token: TopLevelToken, rest: TopLevelToken[]): ReturnType<Parser['parseToken']> {
    if (token.kind !== TokenKind.HTML && token.end - token.begin > templateLimits.tag)
      throw new Error(`A tag has at most ${templateLimits.tag} characters`);
    if (!TypeGuards.isOutputToken(token)) return super.parseToken(token, rest);
    const { operators } = this.sandbox.options;
    try {
      const [begin, end] = (token as unknown as { readonly contentRange: [number, number] }).contentRange;
      return new OutputTemplate(token, new SandboxTokenizer(token.input, operators, undefined, [begin, end]), this.sandbox) as unknown as ReturnType<
        Parser['parseToken']
      >;
    } catch (e) {
      throw LiquidError.is(e) ? e : new ParseError(e as Error, token);
    }
  }

  override parseTokens(tokens: TopLevelToken[]): Template[] {
    const templates: Template[] = [];
    for (let token = tokens.shift(); token && this.errors.length < templateLimits.listed; token = tokens.shift()) {
      try {
        templates.push(this.parseToken(token, tokens));
      } catch (e) {
        if (isTooDeep(e)) {
          this.errors.push(e);
          break;
        }
        if (this.errors.length === 0 || !FOLLOWING.test(messageOf(e))) this.errors.push(e);
      }
    }
    return templates;
  }
}

const isTooDeep = (e: unknown): boolean => e instanceof RangeError || messageOf(e).startsWith('Maximum call stack');

const messageOf = (e: unknown): string => (e instanceof Error ? e.message : String(e)).replace(/, (?:file:.*, )?line:\d+, col:\d+$/s, '');

export interface ParsedSource {
  readonly templates: Template[];
  readonly problems: readonly TemplateProblem[];
  /** The keys of the partials that the source itself names. */
  readonly references: ReadonlySet<string>;
  readonly sandbox: Sandbox;
}

/** Parses a source with the tags and filters of `base`. It never throws. */
export function parseSource(source: string, base: Liquid, partialSources: (key: string) => Template[]): ParsedSource {
  const sandbox: Sandbox = Object.assign(Object.create(base), { references: new Set<string>(), _parsePartialFile: partialSources });
  const tooLong = lengthProblem(source);
  if (tooLong)
    return { templates: [], problems: [{ code: 'template_too_long', message: tooLong, line: 1, column: 1 }], references: new Set(), sandbox };
  const parser = new CollectingParser(sandbox);
  let templates: Template[] = [];
  try {
    templates = parser.parse(source);
    withoutBlankText(templates);
  } catch (e) {
    parser.errors.push(e);
  }
  return { templates, problems: parser.errors.map((e) => problemOf(e)), references: sandbox.references, sandbox };
}

function problemOf(e: unknown): TemplateProblem {
  const [line = 1, column = 1] = LiquidError.is(e) ? ((e as LiquidError).token?.getPosition() ?? []) : [];
  const at = { line, column };
  if (isTooDeep(e)) return { code: 'invalid_template', message: 'Tags are nested too deep.', ...at };
  const text = messageOf(e);
  const filter = /^undefined filter: (.*)$/s.exec(text)?.[1];
  if (filter !== undefined) return { code: 'unknown_filter', message: `There is no filter \`${filter.slice(0, 100)}\`.`, ...at };
  const tag = /^tag "(.*)" not found$/s.exec(text)?.[1];
  if (tag !== undefined) return { code: 'unknown_tag', message: `There is no tag \`${tag.slice(0, 100)}\`.`, ...at };
  const plain = text.slice(0, 300);
  return { code: 'invalid_template', message: `${plain.charAt(0).toUpperCase()}${plain.slice(1)}${/[.!?]$/.test(plain) ? '' : '.'}`, ...at };
}

function lengthProblem(source: string): string | undefined {
  if (source.length > templateLimits.source) return `A template has at most ${templateLimits.source} characters, this one has ${source.length}.`;
  let tags = 0;
  for (const _ of source.matchAll(/\{[{%]/g)) tags++;
  return tags > templateLimits.tags ? `A template has at most ${templateLimits.tags} tags and outputs, this one has ${tags}.` : undefined;
}

/** White space between the tags of a block that writes nothing is not written either. Whether these parts write nothing. */
function withoutBlankText(templates: readonly Template[]): boolean {
  return templates.map(isBlank).every((blank) => blank);
}

function isBlank(template: Template): boolean {
  const { kind } = template.token;
  if (kind === TokenKind.HTML) return (template.token as unknown as { getContent(): string }).getContent().trim() === '';
  if (template instanceof AssignTag || template instanceof CommentTag || template instanceof InlineCommentTag || template instanceof DocTag)
    return true;
  if (template instanceof CaptureTag) {
    withoutBlankText(template.templates);
    return true;
  }
  if (template instanceof RawTag) return template.render() === '';
  if (template instanceof LiquidTag || template instanceof IfChangedTag || template instanceof TablerowTag)
    return withoutBlankText(template.templates as Template[]) && !(template instanceof TablerowTag);
  const lists = branchesOf(template);
  if (lists === null) return false;
  const blank = lists.map(withoutBlankText).every((one) => one);
  if (blank) for (const list of lists) list.splice(0, list.length, ...list.filter(({ token }) => token.kind !== TokenKind.HTML));
  return blank;
}

/** The parts of a block, of which one is rendered. */
function branchesOf(template: Template): Template[][] | null {
  if (template instanceof ForTag) return [template.templates, template.elseTemplates];
  if (!(template instanceof IfTag || template instanceof UnlessTag || template instanceof CaseTag)) return null;
  return [...template.branches.map(({ templates }) => templates), template.elseTemplates ?? []];
}

interface CollectedPartials {
  readonly problems: readonly TemplateProblem[];
  /** Keys that are named and not given. */
  readonly missing: readonly string[];
}

/**
 * Parses all partials that a template has, directly or not, into `parsed`. Unknown ones, circles, and too many or too deep ones are
 * problems. Each is parsed and followed once, so the time is in proportion to their sizes.
 */
export function collectPartials(
  main: ParsedSource,
  sources: ReadonlyMap<string, string>,
  parse: (source: string) => ParsedSource,
  parsed: Map<string, ParsedSource>,
): CollectedPartials {
  const problems: TemplateProblem[] = [];
  const missing = new Set<string>();
  const heights = new Map<string, number | 'open'>();
  const bad = (code: TemplateProblem['code'], message: string, partial?: string) =>
    problems.push({ code, message, line: 1, column: 1, ...(partial !== undefined && { partial }) });

  function partial(key: string, by: string | undefined): ParsedSource | undefined {
    const known = parsed.get(key);
    if (known) return known;
    const source = sources.get(key);
    if (source === undefined) {
      if (!missing.has(key)) bad('unknown_partial', `There is no partial with the key '${key.slice(0, 100)}'.`, by);
      missing.add(key);
      return undefined;
    }
    if (parsed.size >= templateLimits.partials)
      return void bad('invalid_template', `A template has at most ${templateLimits.partials} partials.`, by);
    const part = parse(source);
    parsed.set(key, part);
    problems.push(...part.problems.map((problem) => ({ ...problem, partial: key })));
    return part;
  }

  /** How many partials are nested below; depth first, so a key that is still open is in a circle. */
  function height(from: ParsedSource, key: string | undefined): number {
    let highest = 0;
    for (const next of from.references) {
      const state = heights.get(next);
      if (state === 'open') {
        bad('invalid_template', `The partial '${next}' includes itself.`, key);
        continue;
      }
      const part = state === undefined ? partial(next, key) : undefined;
      if (part) {
        heights.set(next, 'open');
        heights.set(next, height(part, next));
      }
      const below = heights.get(next);
      if (typeof below === 'number') highest = Math.max(highest, below + 1);
    }
    return highest;
  }

  if (height(main, undefined) > templateLimits.depth) bad('invalid_template', `Partials are nested deeper than ${templateLimits.depth}.`);
  return { problems, missing: [...missing] };
}
