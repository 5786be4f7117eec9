import type { FieldProblem } from '../../domain/kernel/errors.js';
import type { TemplateContent } from '../../domain/templates/template.js';
import { misplacedPartials, withMjmlPartials } from '../../formats/templates/mjml.js';
import type { CompileMjml } from './ports.js';

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
