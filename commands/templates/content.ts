/** The fields of a message as templates: what is wrong with their sources, and what they are for given values. */

import { isBlank } from '../../domain/kernel/blank.js';
import type { FieldProblem } from '../../domain/kernel/errors.js';
import { omitUndefined, setOwnField } from '../../domain/kernel/own-fields.js';
import { inOneLine, variablePath, type WhatsappTemplate } from '../../domain/messages/whatsapp-template.js';
import type { Arithmetic } from '../../domain/templates/arithmetic.js';
import type { TemplateContent } from '../../domain/templates/template.js';
import type { SenderField } from '../../domain/templates/template-fields.js';
import { isTooDeep, MAX_HTML_DEPTH, textOfHtml } from '../../formats/messages/html-text.js';
import type { CompiledTemplate, CompileTemplate, RenderWarning, TemplateProblem } from '../../formats/templates/template-engine.js';
import { withPreheader } from './preheader.js';
import { renderedSenders, sendersVariables } from './sender-names.js';

/** The fields of a message that a template gives. */
export type RenderedContent = Partial<Record<RenderedField | SenderField, string>> & { readonly whatsapp_template?: WhatsappTemplate };
/** A preheader becomes a part of the HTML. */
type SourceField = RenderedField | 'preheader';
export type RenderedField = 'subject' | 'html' | 'message' | 'title' | 'action_url';
export type FieldWarning = RenderWarning & { readonly field: string };

export type RenderedTemplate =
  | { readonly content: RenderedContent; readonly warnings: readonly FieldWarning[] }
  | { readonly problems: readonly FieldProblem[] };

export interface CompiledContent {
  readonly problems: readonly FieldProblem[];
  /** The paths of all variables, sorted. */
  readonly variables: readonly string[];
  readonly missingPartials: readonly string[];
  /** Where there is no text, it is made from the HTML. Values as for `CompiledTemplate.render`. */
  render(scope: object): RenderedTemplate;
}

/** UTF-16 units that a field has at most once it is rendered. A longer subject or title is cut. */
const CUT: Partial<Record<SourceField, number>> = { subject: 998, preheader: 500, title: 200 };
const fields: readonly SourceField[] = ['subject', 'preheader', 'html', 'message', 'title', 'action_url'];
const CONTROLS = /\p{Cc}+/gu;

/**
 * Compiles the fields of a template. The engine keeps what it compiles, so this may be called for each message. `arithmeticIn`: how a field
 * calculates, where not all do so as the content says.
 */
export function compileContent(
  compile: CompileTemplate,
  content: TemplateContent,
  partials: ReadonlyMap<string, string> = new Map(),
  arithmeticIn: (field: keyof TemplateContent) => Arithmetic = () => content.arithmetic ?? 'decimals',
): CompiledContent {
  const given = fields.flatMap((field) => {
    const source = content[field];
    return source === undefined ? [] : [[field, compile(source, { html: field === 'html', arithmetic: arithmeticIn(field), partials })] as const];
  });
  const html = content.html === undefined ? undefined : given.find(([field]) => field === 'html')?.[1];
  const text =
    html && content.message === undefined
      ? textTemplate((source, of) => compile(source, { ...of, arithmetic: arithmeticIn('html') }), content.html as string, html, partials)
      : undefined;
  const values = Object.entries(content.whatsapp_template?.variables ?? {}).map(
    ([name, source]) => [name, compile(source, { html: false, arithmetic: arithmeticIn('whatsapp_template'), partials })] as const,
  );
  const all = [
    ...given.map(([field, of]) => [shownAs(field, content), of] as const),
    ...values.map(([name, of]) => [variablePath(name), of] as const),
  ];
  return {
    problems: all.flatMap(([field, { problems }]) => problems.map((problem) => fieldProblem(field, problem))),
    variables: [...new Set([...all.flatMap(([, { variables }]) => variables), ...sendersVariables(content, compile)])].sort(),
    missingPartials: [...new Set(all.flatMap(([, { missingPartials }]) => missingPartials))],
    render: (scope) => {
      const texts = render(text ? [...given, ['message', text]] : given, scope);
      const whole = withTemplate(texts, content.whatsapp_template, values, scope);
      return withSenders(whole, renderedSenders(content, compile, scope), content);
    },
  };
}

/** Senders without Liquid are as they are in the content. */
function withSenders(rendered: RenderedTemplate, senders: ReturnType<typeof renderedSenders>, { from, reply_to }: TemplateContent): RenderedTemplate {
  if ('problems' in rendered || (from === undefined && reply_to === undefined)) return rendered;
  if ('problem' in senders) return { problems: [{ field: 'from', code: 'template_failed', message: senders.problem }] };
  return { ...rendered, content: { ...omitUndefined({ from, reply_to }), ...senders, ...rendered.content } };
}

/** HTML that was compiled from MJML has the problems of the MJML. */
const shownAs = (field: SourceField, { mjml }: TemplateContent): string => (field === 'html' && mjml !== undefined ? 'mjml' : field);

const fieldProblem = (field: string, { code, message, line, column, partial }: TemplateProblem): FieldProblem => ({
  field,
  code,
  message: partial === undefined ? `${message} (line ${line}, column ${column})` : `${message} (partial '${partial}', line ${line})`,
  details: { line, column, ...(partial !== undefined && { partial }) },
});

/**
 * A text as a template of its own: made once from the source of the HTML, not for each message. Only where that is the same as making it
 * from the result: no output may be HTML itself, and all variables must have been kept.
 */
function textTemplate(
  compile: CompileTemplate,
  source: string,
  html: CompiledTemplate,
  partials: ReadonlyMap<string, string>,
): CompiledTemplate | undefined {
  if (
    /\b(?:raw|capture|render|include|liquid|comment|doc|ifchanged|tablerow|escape|escape_once|xml_escape|h|newline_to_br|strip_html)\b/.test(
      source,
    ) ||
    isTooDeep(source)
  )
    return undefined;
  const compiled = compile(source, { html: false, fromHtml: true, partials });
  return compiled.problems.length === 0 && compiled.variables.join() === html.variables.join() ? compiled : undefined;
}

function render(given: readonly (readonly [SourceField, CompiledTemplate])[], scope: object): RenderedTemplate {
  const content: Partial<Record<SourceField, string>> = {};
  const warnings: FieldWarning[] = [];
  const problems: FieldProblem[] = [];
  for (const [field, template] of given) {
    const rendered = template.render(scope);
    if ('problem' in rendered) {
      problems.push({ field, ...rendered.problem });
      continue;
    }
    for (const warning of rendered.warnings) warnings.push({ field, ...warning });
    content[field] = field === 'html' || field === 'message' ? rendered.text : rendered.text.replace(CONTROLS, ' ').trim().slice(0, CUT[field]);
  }
  if (problems.length > 0) return { problems };
  for (const field of ['subject', 'title', 'action_url', 'html'] as const)
    if (content[field] !== undefined && isBlank(content[field])) delete content[field];
  const { preheader, ...rest } = content;
  const whole = withText(rest, warnings);
  if ('problems' in whole || whole.content.html === undefined || preheader === undefined || isBlank(preheader)) return whole;
  // Last, so that it is in no text that is made of the HTML.
  return { ...whole, content: { ...whole.content, html: withPreheader(whole.content.html, preheader) } };
}

/** The template of WhatsApp with these values, beside the texts. */
function withTemplate(
  texts: RenderedTemplate,
  template: WhatsappTemplate | undefined,
  values: readonly (readonly [string, CompiledTemplate])[],
  scope: object,
): RenderedTemplate {
  if (template === undefined || 'problems' in texts) return texts;
  const warnings: FieldWarning[] = [...texts.warnings];
  const problems: FieldProblem[] = [];
  const variables: Record<string, string> = {};
  for (const [name, compiled] of values) {
    const field = variablePath(name);
    const rendered = compiled.render(scope);
    if ('problem' in rendered) problems.push({ field, ...rendered.problem });
    else {
      for (const warning of rendered.warnings) warnings.push({ field, ...warning });
      setOwnField(variables, name, rendered.text);
    }
  }
  if (problems.length > 0) return { problems };
  const whatsapp_template = inOneLine({ ...template, ...(values.length > 0 && { variables }) });
  return { content: { ...texts.content, whatsapp_template }, warnings };
}

function withText(content: Partial<Record<RenderedField, string>>, warnings: readonly FieldWarning[]): RenderedTemplate {
  const { html } = content;
  if (content.message !== undefined && !isBlank(content.message))
    return { content: html === undefined ? content : { ...content, message: content.message.replaceAll(' []', '').trim() }, warnings };
  if (html === undefined)
    return { problems: [{ field: 'message', code: 'template_empty', message: 'With these values the template has an empty text.' }] };
  if (isTooDeep(html)) {
    const message = `Elements are nested deeper than ${MAX_HTML_DEPTH}, so no text can be made of this HTML. Give the template a \`message\` too.`;
    return { problems: [{ field: 'html', code: 'html_too_deep', message, details: { limit: MAX_HTML_DEPTH } }] };
  }
  return { content: { ...content, message: textOfHtml(html) || content.subject || ' ' }, warnings };
}
