import Type, { type Static } from 'typebox';
import { channelSchema } from '../../domain/kernel/channels.js';
import { type FieldProblem, invalid } from '../../domain/kernel/errors.js';
import { ownField, setOwnField } from '../../domain/kernel/own-fields.js';
import { annotate, lineOf, mapOf, named, nullable, optional } from '../../domain/kernel/schema.js';
import { contentProblems } from '../../domain/messages/content-problems.js';
import type { TemplateContent, TemplateTranslation } from '../../domain/templates/template.js';
import { contentFields, missingSubject, senderFields, templateChannelProblems } from '../../domain/templates/template-fields.js';
import { translatedFields } from '../../domain/templates/translation-schema.js';
import { missingTexts, readTranslations } from '../../domain/templates/translations.js';
import { isMailbox, readMailbox } from '../../formats/messages/mailbox.js';
import { templateLimits } from '../../formats/templates/limits.js';
import { type RoutesOfAccount, routesOfAccount } from '../../log/aggregates/load-settings.js';
import type { Context } from '../runtime/command.js';
import { ofTranslation } from './compile-languages.js';
import { compileTemplate, contentWithHtml, partialsOf } from './compile-template.js';
import { compileContent } from './content.js';
import { checkSenders } from './sender-names.js';
import { whatsappFormProblems } from './whatsapp-forms.js';

const source = (maxLength: number, description: string) => optional(nullable(Type.String({ maxLength, description })));

const PREHEADER =
  'What mail programs show beside the subject of an email, before it is opened. It is hidden at the start of the HTML, and not in the text.';

const languageSources = {
  subject: source(2_000, 'Subject line of an email.'),
  preheader: source(2_000, PREHEADER),
  html: source(templateLimits.source, 'HTML body of an email. Outputs are escaped; `| raw` writes one as it is.'),
  mjml: source(templateLimits.source, 'MJML of an email, in place of `html`. It is compiled when the template is saved.'),
  message: source(templateLimits.source, 'The text. Required, except in an email with `html` or `mjml`: its text is made of the HTML.'),
  from: source(500, 'Sender of an email, or `Name <address>`. The name is Liquid, too, the address is not. Default: the sender of the account.'),
  reply_to: source(500, 'Address for replies to an email, as for `from`.'),
  title: source(1_000, 'Title of a push or in-app message.'),
  action_url: source(4_000, 'What a tap on a push or in-app message opens: an http or https URL, a path, or a link into an app.'),
  whatsapp_template: optional(nullable(translatedFields.whatsapp_template)),
};

const translationRequest = named('TemplateTranslationRequest', Type.Object(languageSources, { additionalProperties: false }));

/** The sources of a template, as requests have them. Null or an empty text is no source. */
export const sourceFields = {
  ...languageSources,
  translations: optional(
    nullable(
      annotate(mapOf(nullable(translationRequest)), {
        description:
          'The same in other languages, by language tag: `{"de": {"subject": "…", "html": "…"}}`. A translation has all texts that the default has. The `locale` of the contact picks: of `pt-BR`, then `pt`, then the default. In a change, a language that is given replaces its translation, null removes it, and the others stay.',
      }),
    ),
  ),
};

export const templateName = Type.String({ ...lineOf(200), description: 'Name of the template.' });
export const templateChannel = channelSchema;

const ownSources = Type.Object(languageSources);
type LanguageSources = Static<typeof ownSources>;
const sources = Type.Object(sourceFields);
export type TemplateSources = Static<typeof sources>;

/** The content in one language after a change of some sources: null removes a field, and new HTML takes the place of MJML. */
function contentAfter(before: TemplateContent, change: LanguageSources): TemplateContent {
  const { arithmetic: _, translations: __, ...known } = before;
  const after: Omit<TemplateContent, 'translations' | 'arithmetic'> = known;
  if (change.html !== undefined) delete after.mjml;
  if (change.mjml !== undefined) delete after.html;
  for (const field of [...contentFields, ...senderFields]) {
    const value = change[field];
    if (value === undefined) continue;
    if (value === null || value === '') delete after[field];
    else after[field] = value;
  }
  if (change.whatsapp_template === null) delete after.whatsapp_template;
  else if (change.whatsapp_template !== undefined) after.whatsapp_template = change.whatsapp_template;
  return after;
}

interface Change {
  readonly channel: Static<typeof templateChannel>;
  readonly before: TemplateContent;
  readonly sources: TemplateSources;
}

/** A content that is being made, and all that is wrong with it so far. */
interface Draft {
  readonly content: TemplateContent;
  readonly problems: readonly FieldProblem[];
}

/** The content after a change, with its MJML compiled. Throws `validation_error` with all problems of all fields, each with its place. */
export async function completeContent({ channel, before, sources: given }: Change, context: Context): Promise<TemplateContent> {
  const { translations: changed, ...own } = given;
  const routes = routesOfAccount(context.log, context.cause.account);
  const whole = await completeLanguage({ channel, content: contentAfter(before, own), given: own, isKept: false, routes }, context);
  const problems: FieldProblem[] = [...whole.problems];
  if (!isWithoutSubject(before)) problems.push(...missingSubject(channel, whole.content.subject !== undefined));
  const { read, problems: ofTags } = readTranslations(changed ?? {});
  problems.push(...ofTags);
  const kept = changed === null ? {} : (before.translations ?? {});
  const translations: Record<string, TemplateTranslation> = {};
  for (const language of [...new Set([...Object.keys(kept), ...Object.keys(read)])].sort()) {
    const change = ownField(read, language);
    if (change === null) continue;
    const content = change === undefined ? (ownField(kept, language) ?? {}) : contentAfter({}, change);
    const found = await completeLanguage({ channel, content, given: change ?? {}, isKept: change === undefined, routes }, context);
    // `missingTexts` names what it lacks, with the place of each text.
    const wrong = found.problems.filter(({ field, code }) => code !== 'required' || field.includes('.'));
    problems.push(...ofTranslation(language, wrong));
    setOwnField(translations, language, found.content);
  }
  const all = { ...whole.content, ...(Object.keys(translations).length > 0 && { translations }) };
  problems.push(...missingTexts(all));
  if (problems.length > 0) throw invalid(problems);
  return { ...all, arithmetic: 'decimals' };
}

interface LanguageDraft {
  readonly channel: Change['channel'];
  readonly content: TemplateContent;
  readonly given: LanguageSources;
  /** Its HTML is that of its MJML already. */
  readonly isKept: boolean;
  readonly routes: RoutesOfAccount;
}

async function completeLanguage({ channel, content, given, isKept, routes }: LanguageDraft, context: Context): Promise<Draft> {
  const names = new Set(contentFields.filter((field) => content[field] !== undefined));
  if (content.mjml !== undefined) names.delete('html');
  const problems: FieldProblem[] = [
    ...templateChannelProblems(channel, names),
    ...contentProblems({ channel, ...content }),
    ...senderProblems(channel, content, context),
  ];
  problems.push(...(await whatsappFormProblems({ channel, whatsapp_template: content.whatsapp_template }, context, routes)));
  if (given.html && given.mjml) problems.push(twoBodies);
  if (content.mjml === undefined || channel !== 'email') {
    problems.push(...(await compileTemplate(content, context)).problems);
    return { content, problems };
  }
  const compiled = await withHtml(content, isKept, context);
  return { content: compiled.content, problems: [...problems, ...compiled.problems] };
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
async function withHtml(content: TemplateContent, isKept: boolean, context: Context): Promise<Draft> {
  const compile = context.ports.templates.compile;
  const partials = await partialsOf(content, { log: context.log, account: context.cause.account, compile });
  const found = await contentWithHtml({ content, partials }, context.ports.templates.compileMjml, isKept);
  if ('content' in found) return { content: found.content, problems: compileContent(compile, found.content, partials).problems };
  // Of Liquid in the source itself; without the HTML that was made before.
  const { html: _, ...others } = content;
  return { content, problems: [...found.problems, ...compileContent(compile, { ...others, html: content.mjml as string }, partials).problems] };
}
