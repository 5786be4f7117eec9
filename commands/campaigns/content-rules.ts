/** What the schema of the contents of a campaign cannot express. */
import type { CampaignContent, CampaignDefinition } from '../../domain/campaigns/definition.js';
import type { FieldProblem } from '../../domain/kernel/errors.js';
import { inexactNumbers } from '../../domain/kernel/exact-numbers.js';
import { omitUndefined, ownField } from '../../domain/kernel/own-fields.js';
import { contentFields, missingSubject, templateChannelProblems } from '../../domain/templates/template-fields.js';
import {
  contentInLanguage,
  contentOver,
  missingTexts,
  readTranslations,
  translationPath,
  withLanguageTags,
} from '../../domain/templates/translations.js';
import { internationalProblems } from '../messages/email-fields.js';
import { messageProblems, missingText } from '../messages/message-problems.js';
import { routeProblems } from '../messages/route-problems.js';
import type { Context } from '../runtime/command.js';
import type { WellFormed } from '../runtime/rules.js';
import { languagesOfContent, ofTranslation } from '../templates/compile-languages.js';
import { compileTemplate } from '../templates/compile-template.js';
import { type NamedTemplates, namedTemplates } from '../templates/message-templates.js';
import { checkSenders } from '../templates/sender-names.js';

/** A definition, or the well-formed parts of one. */
export type WellFormedDefinition = WellFormed<CampaignDefinition>;
export type IsMalformed = (field: string) => boolean;
type Channel = WellFormedDefinition['channel'];
/** A content in one language: each language is checked by itself. */
type OneContent = Omit<CampaignContent, 'translations'>;

/**
 * The content of each variant must be complete, in each language. Lengths are checked before variables are filled in, and again for each
 * message.
 */
export async function campaignContentProblems(
  { channel, content: common, variants }: WellFormedDefinition,
  context: Context,
  isMalformed: IsMalformed,
): Promise<FieldProblem[]> {
  if (common === undefined || isMalformed('content') || isMalformed('variants')) return [];
  const parts = variants && variants.length > 0 ? variants : [null];
  const content = withLanguageTags(common as CampaignContent);
  const found: FieldProblem[] = tagProblems('content', content);
  const wholes = parts.flatMap((variant, i) => {
    if (variant === undefined || isMalformed(`variants[${i}].content`)) return [];
    const own = withLanguageTags((variant?.content ?? {}) as CampaignContent);
    return [{ i, variant, own, whole: contentOver(content, own) }];
  });
  const templates = await namedTemplates(
    wholes.map(({ whole }) => whole),
    context,
  );
  for (const { i, variant, own, whole } of wholes) {
    const at = `variants[${i}].content`;
    const wherever = (field: string): string => `${variant !== null && isOwn(own, field) ? at : 'content'}.${field}`;
    const isWrong = (field: string): boolean => isMalformed(`content.${field}`) || isMalformed(`${at}.${field}`);
    const problems = await problemsInLanguages(whole, { channel, context, templates }, isWrong);
    found.push(...tagProblems(at, own));
    found.push(...problems.filter(({ field }) => field !== 'channel').map((problem) => ({ ...problem, field: wherever(problem.field) })));
  }
  return [...new Map(found.map((problem) => [`${problem.field}/${problem.code}`, problem])).values()];
}

/** What is wrong with the tags themselves. */
const tagProblems = (at: string, { translations = {} }: CampaignContent): FieldProblem[] =>
  readTranslations(translations).problems.map((problem) => ({ ...problem, field: `${at}.${problem.field}` }));

/** Whether a content of a variant says what a field is: a text of its own needs translations of its own, too. */
function isOwn({ translations = {}, ...own }: CampaignContent, path: string): boolean {
  const [, language = '', field = ''] = /^translations\.([^.]+)\.(\w+)/.exec(path) ?? [];
  if (field === '') return Object.hasOwn(own, path.split(/[.[]/)[0] ?? '');
  return Object.hasOwn(own, field) || Object.hasOwn(ownField(translations, language) ?? {}, field);
}

/** What contents are checked with. */
interface ContentSurroundings {
  readonly channel: Channel;
  readonly context: Context;
  readonly templates: NamedTemplates;
}

async function problemsInLanguages(content: CampaignContent, around: ContentSurroundings, isWrong: IsMalformed): Promise<FieldProblem[]> {
  const problems = incompleteTranslations(content, around.templates);
  for (const language of languagesOfContent(content)) {
    const isMalformed: IsMalformed = (field) => isWrong(language === null ? field : translationPath(language, field));
    const found = await problemsOfContent(contentInLanguage(content, language), around, isMalformed);
    // `missingTexts` names what a translation lacks, and a problem that all languages share is named once.
    const own = ownField(content.translations ?? {}, language ?? '') ?? {};
    const isOfLanguage = ({ field, code }: FieldProblem) =>
      language === null || ((code !== 'required' || field.includes('.')) && Object.hasOwn(own, field.split(/[.[]/)[0] ?? ''));
    problems.push(...ofTranslation(language, found.filter(isOfLanguage)));
  }
  return problems;
}

/** Texts that translations lack: also where a text of the campaign takes the place of a translated one of its template. */
function incompleteTranslations(content: CampaignContent, templates: NamedTemplates): FieldProblem[] {
  const { template_id } = content;
  const ofTemplate = template_id === undefined ? null : templates.contentOf(template_id);
  return missingTexts(contentOver<CampaignContent>((ofTemplate ?? {}) as CampaignContent, content));
}

async function problemsOfContent(
  { data, ...content }: OneContent,
  { channel, context, templates: named }: ContentSurroundings,
  isMalformed: IsMalformed,
): Promise<FieldProblem[]> {
  const senders = checkSenders(content, context.ports.templates.compile);
  const request = { ...(channel !== undefined && { channel }), ...content, ...senders.plain };
  const { subject, preheader, html, message, title, action_url, whatsapp_template, template_id } = content;
  const templates = await compileTemplate(omitUndefined({ subject, preheader, html, message, title, action_url, whatsapp_template }), context);
  const hasText = ['message', 'html', 'template_id'].some(isMalformed);
  const hasSubject = subject !== undefined || template_id !== undefined || ['subject', 'template_id'].some(isMalformed);
  return [
    ...foreignFields(channel, content),
    ...inexactNumbers(data, 'data'),
    ...messageProblems(request, context),
    ...(await routeProblems({ channel, from: request.from, whatsapp_template }, context, { isMalformed })),
    ...(await internationalProblems({ ...request, channel }, context)),
    ...(hasText ? [] : missingText(request)),
    ...named.problemsOf(request),
    ...senders.problems,
    ...templates.problems,
    ...(channel === undefined ? [] : missingSubject(channel, hasSubject)),
  ];
}

/** As in templates and journeys. */
function foreignFields(channel: Channel, content: OneContent): FieldProblem[] {
  if (channel === undefined) return [];
  const given = new Set(contentFields.filter((field) => field in content));
  // With a template, its HTML may have the preheader.
  const codes = content.template_id === undefined ? ['not_for_channel', 'needs_html'] : ['not_for_channel'];
  return templateChannelProblems(channel, given).filter(({ code }) => codes.includes(code));
}
