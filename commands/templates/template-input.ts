import Type, { type Static } from 'typebox';
import { channelSchema } from '../../domain/kernel/channels.js';
import { type FieldProblem, invalid } from '../../domain/kernel/errors.js';
import { lineOf, nullable, optional } from '../../domain/kernel/schema.js';
import { contentProblems } from '../../domain/messages/content-problems.js';
import type { TemplateContent } from '../../domain/templates/template.js';
import {
  type ContentField,
  contentFields,
  missingSubject,
  type SenderField,
  senderFields,
  templateChannelProblems,
} from '../../domain/templates/template-fields.js';
import { isMailbox, readMailbox } from '../../formats/messages/mailbox.js';
import { templateLimits } from '../../formats/templates/limits.js';
import type { Context } from '../runtime/command.js';
import { compileTemplate, partialsOf } from './compile-template.js';
import { compileContent } from './content.js';
import { contentWithHtml } from './mjml-content.js';
import { checkSenders } from './sender-names.js';

const source = (maxLength: number, description: string) => optional(nullable(Type.String({ maxLength, description })));

const PREHEADER =
  'What mail programs show beside the subject of an email, before it is opened. It is hidden at the start of the HTML, and not in the text.';

/** The sources of a template, as requests have them. Null or an empty text is no source. */
export const sourceFields = {
  subject: source(2_000, 'Subject line of an email.'),
  preheader: source(2_000, PREHEADER),
  html: source(templateLimits.source, 'HTML body of an email. Outputs are escaped; `| raw` writes one as it is.'),
  mjml: source(templateLimits.source, 'MJML of an email, in place of `html`. It is compiled when the template is saved.'),
  message: source(templateLimits.source, 'The text. Required, except in an email with `html` or `mjml`: its text is made of the HTML.'),
  from: source(500, 'Sender of an email, or `Name <address>`. The name is Liquid, too, the address is not. Default: the sender of the account.'),
  reply_to: source(500, 'Address for replies to an email, as for `from`.'),
  title: source(1_000, 'Title of a push or in-app message.'),
  action_url: source(4_000, 'What a tap on a push or in-app message opens: an http or https URL, a path, or a link into an app.'),
};

export const templateName = Type.String({ ...lineOf(200), description: 'Name of the template.' });
export const templateChannel = channelSchema;

const sources = Type.Object(sourceFields);
export type TemplateSources = Static<typeof sources>;

/** The content after a change of some sources: null removes a field, and new HTML takes the place of MJML. */
function contentAfter(before: TemplateContent, change: TemplateSources): TemplateContent {
  const { arithmetic: _, ...sources } = before;
  const after: Partial<Record<ContentField | SenderField, string>> = sources;
  if (change.html !== undefined) delete after.mjml;
  if (change.mjml !== undefined) delete after.html;
  for (const field of [...contentFields, ...senderFields]) {
    const value = change[field];
    if (value === undefined) continue;
    if (value === null || value === '') delete after[field];
    else after[field] = value;
  }
  return { ...after, arithmetic: 'decimals' };
}

interface Change {
  readonly channel: Static<typeof templateChannel>;
  readonly before: TemplateContent;
  readonly sources: TemplateSources;
}

/** The content after a change, with its MJML compiled. Throws `validation_error` with all problems of all fields, each with its place. */
export async function completeContent({ channel, before, sources }: Change, context: Context): Promise<TemplateContent> {
  const content = contentAfter(before, sources);
  const given = new Set(contentFields.filter((field) => content[field] !== undefined));
  if (content.mjml !== undefined) given.delete('html');
  const problems: FieldProblem[] = [
    ...templateChannelProblems(channel, given),
    ...contentProblems({ channel, ...content }),
    ...senderProblems(channel, content, context),
  ];
  if (!isWithoutSubject(before)) problems.push(...missingSubject(channel, given.has('subject')));
  if (sources.html && sources.mjml) problems.push(twoBodies);
  if (content.mjml === undefined || channel !== 'email') {
    problems.push(...(await compileTemplate(content, context)).problems);
    if (problems.length > 0) throw invalid(problems);
    return content;
  }
  const compiled = await withHtml(content, context);
  problems.push(...compiled.problems);
  if (problems.length > 0) throw invalid(problems);
  return compiled.content;
}

/** Only emails have senders of their own. */
function senderProblems(channel: Change['channel'], content: TemplateContent, { ports }: Context): FieldProblem[] {
  const given = senderFields.filter((field) => content[field] !== undefined);
  if (channel !== 'email') return given.map((field) => ({ field, code: 'not_for_channel', message: `Only templates of emails have \`${field}\`.` }));
  const { problems, plain } = checkSenders(content, ports.templates.compile);
  const addresses = given.map((field) => readMailbox(field, plain[field] ?? content[field] ?? ''));
  return [...problems, ...addresses.flatMap((read) => (isMailbox(read) ? [] : [read]))];
}

/** A template of an earlier release, which stays as it is. */
const isWithoutSubject = ({ subject, arithmetic: _, ...others }: TemplateContent): boolean => subject === undefined && Object.keys(others).length > 0;

const twoBodies: FieldProblem = { field: 'html', code: 'conflicting', message: 'Give `html` or `mjml`: the HTML is made from the MJML.' };

/** All problems of MJML and of the other fields at once. */
async function withHtml(content: TemplateContent, context: Context): Promise<{ content: TemplateContent; problems: readonly FieldProblem[] }> {
  const compile = context.ports.templates.compile;
  const partials = await partialsOf(content, { log: context.log, account: context.cause.account, compile });
  const found = await contentWithHtml({ content, partials }, context.ports.templates.compileMjml, false);
  if ('content' in found) return { content: found.content, problems: compileContent(compile, found.content, partials).problems };
  // Of Liquid in the source itself; without the HTML that was made before.
  const { html: _, ...others } = content;
  return { content, problems: [...found.problems, ...compileContent(compile, { ...others, html: content.mjml as string }, partials).problems] };
}
