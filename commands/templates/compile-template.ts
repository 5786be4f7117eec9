/** How the fields of a template are compiled, with the partials of the account and the HTML of their MJML. */

import type { FieldProblem } from '../../domain/kernel/errors.js';
import type { TemplateContent } from '../../domain/templates/template.js';
import { templateLimits } from '../../formats/templates/limits.js';
import { misplacedPartials, withMjmlPartials } from '../../formats/templates/mjml.js';
import type { CompileTemplate } from '../../formats/templates/template-engine.js';
import type { ReadBound } from '../../log/aggregates/load-aggregate.js';
import { findPartial } from '../../log/aggregates/templates/load-template.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import type { Context } from '../runtime/command.js';
import { type CompiledContent, compileContent } from './content.js';
import type { CompileMjml } from './ports.js';

interface Source {
  readonly log: EventLog;
  readonly account: string;
  readonly compile: CompileTemplate;
  /** Partials as they were then. */
  readonly until?: ReadBound | undefined;
}

/** Compiles the fields of a template with the partials of the account that they name, directly or not, as they are now. */
export async function compileTemplate(
  content: TemplateContent,
  { log, cause, ports }: Pick<Context, 'log' | 'cause' | 'ports'>,
): Promise<CompiledContent> {
  const compile = ports.templates.compile;
  const partials = await partialsOf(content, { log, account: cause.account, compile });
  const found = await contentWithHtml({ content, partials }, (mjml) => ports.templates.compileMjml(mjml), true);
  const compiled = compileContent(compile, 'content' in found ? found.content : content, partials);
  return 'problems' in found ? { ...compiled, problems: [...found.problems, ...compiled.problems] } : compiled;
}

/** The sources of the partials that the fields of a template name, directly or not, by key. Those that do not exist are left out. */
export async function partialsOf(
  { mjml, ...others }: TemplateContent,
  { log, account, compile, until }: Source,
): Promise<ReadonlyMap<string, string>> {
  const content = mjml === undefined ? others : { ...others, html: mjml };
  const partials = new Map<string, string>();
  const unknown = new Set<string>();
  for (let round = 0; round <= templateLimits.depth; round++) {
    const { missingPartials } = compileContent(compile, content, partials);
    const wanted = missingPartials.filter((key) => !unknown.has(key)).slice(0, templateLimits.partials);
    if (wanted.length === 0) break;
    const found = await Promise.all(wanted.map((key) => findPartial(log, account, key, until)));
    for (const [i, key] of wanted.entries()) {
      const source = found[i]?.source;
      if (source === undefined) unknown.add(key);
      else partials.set(key, source);
    }
  }
  return partials;
}

interface Sources {
  readonly content: TemplateContent;
  readonly partials: ReadonlyMap<string, string>;
}

type WithHtml = { readonly content: TemplateContent } | { readonly problems: readonly FieldProblem[] };

/**
 * The content with the HTML of its MJML. Where it includes partials of MJML, these are compiled with it, as they are now. `isSaved`: its
 * HTML is that of its MJML without such partials.
 */
export async function contentWithHtml({ content, partials }: Sources, compile: CompileMjml, isSaved: boolean): Promise<WithHtml> {
  const { mjml, html } = content;
  if (mjml === undefined) return checked(content, partials);
  const whole = withMjmlPartials(mjml, partials);
  if ('problems' in whole) return whole;
  if (whole.mjml === mjml && isSaved && html !== undefined) return checked(content, partials);
  const compiled = await compile(whole.mjml);
  if ('html' in compiled) return checked({ ...content, html: compiled.html }, partials);
  // Lines are those of the source with its partials.
  const within = whole.mjml === mjml ? '' : 'With its partials: ';
  return { problems: compiled.problems.map((problem) => ({ ...problem, message: `${within}${problem.message}` })) };
}

function checked(content: TemplateContent, partials: ReadonlyMap<string, string>): WithHtml {
  const { html, mjml } = content;
  const misplaced = html === undefined ? [] : misplacedPartials(html, partials, mjml === undefined ? 'html' : 'mjml');
  return misplaced.length > 0 ? { problems: misplaced } : { content };
}
