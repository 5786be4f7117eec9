/** What the schema of a campaign cannot express. */
import {
  type CampaignContent,
  type CampaignDefinition,
  type CampaignDefinitionInput,
  completeCampaignDefinition,
  MAX_CAMPAIGN_BYTES,
  namesNobody,
  type Selection,
  sendAtProblems,
} from '../../domain/campaigns/definition.js';
import { type FieldProblem, isDomainError } from '../../domain/kernel/errors.js';
import { inexactNumbers } from '../../domain/kernel/exact-numbers.js';
import { omitUndefined } from '../../domain/kernel/omit-undefined.js';
import { settingsDurationMs } from '../../domain/messages/frequency.js';
import { contentFields, missingSubject, templateChannelProblems } from '../../domain/templates/template-fields.js';
import { utcOffsetsOf } from '../../formats/messages/utc-offsets.js';
import { loadCampaign } from '../../log/aggregates/campaigns/load-campaign.js';
import { unknownSegments } from '../../log/aggregates/segments/load-segment.js';
import { unknownLists } from '../contacts/accept-import.js';
import { internationalProblems } from '../messages/international-addresses.js';
import { messageProblems, missingText } from '../messages/message-problems.js';
import { recipientProblems } from '../messages/recipient-contacts.js';
import { givenSenderProblems } from '../messages/sender-problems.js';
import type { Context } from '../runtime/command.js';
import type { ValidationRule, WellFormed } from '../runtime/rules.js';
import { compileTemplate } from '../templates/compile-template.js';
import { templateProblems } from '../templates/message-templates.js';
import { checkSenders } from '../templates/sender-names.js';

/** A year. */
const MAX_CAP_MS = 366 * 86_400_000;

/** A definition, or the well-formed parts of one. */
type WellFormedDefinition = WellFormed<CampaignDefinition>;
type IsMalformed = (field: string) => boolean;
const nothing: IsMalformed = () => false;

/** All problems of a complete definition, each with its path. */
export async function campaignDefinitionProblems(
  definition: CampaignDefinition,
  given: Partial<CampaignDefinitionInput>,
  context: Context,
): Promise<FieldProblem[]> {
  const size = Buffer.byteLength(JSON.stringify(definition));
  const ofTime = sendAtProblems(given.schedule ?? {}, 'schedule.');
  return [
    ...ofTime,
    ...(await knownProblems(definition, given.webhook_url, context, nothing)),
    ...(size > MAX_CAMPAIGN_BYTES ? [tooLargeProblem(size)] : []),
  ];
}

/** For the well-formed parts of a body: what is missing there is no problem of its own. A change is about the campaign of the path. */
export const definitionRule: ValidationRule<Partial<CampaignDefinitionInput>> = async (given, { context, isMalformed, params }) => {
  const { channel, audience, content, webhook_url } = given;
  const before = params.id === undefined ? null : await findCampaign(context, params.id);
  if (params.id !== undefined && before === null) return [];
  const completed = completeCampaignDefinition(given as Partial<CampaignDefinitionInput>, before);
  const known: WellFormedDefinition = before ? completed : { ...completed, channel, audience, content };
  return [...sendAtProblems(given.schedule ?? {}, 'schedule.'), ...(await knownProblems(known, webhook_url, context, isMalformed))];
};

async function findCampaign({ log, cause }: Context, id: string): Promise<CampaignDefinition | null> {
  try {
    return (await loadCampaign(log, cause.account, id)).definition;
  } catch (e) {
    if (isDomainError(e)) return null;
    throw e;
  }
}

async function knownProblems(
  definition: WellFormedDefinition,
  webhook_url: string | null | undefined,
  context: Context,
  isMalformed: IsMalformed,
): Promise<FieldProblem[]> {
  const target = webhook_url ? context.ports.messages.checkWebhookUrl(webhook_url) : null;
  return [
    ...(await contentProblems(definition, context, isMalformed)),
    ...variantProblems(definition, isMalformed),
    ...timeProblems(definition, isMalformed),
    ...capProblems(definition),
    ...(target === null ? [] : [{ field: 'webhook_url', ...target }]),
    ...(await audienceProblems(definition.audience, context, isMalformed)),
  ];
}

const tooLargeProblem = (received: number): FieldProblem => ({
  field: 'content',
  code: 'too_large',
  message: `A campaign has at most ${MAX_CAMPAIGN_BYTES} bytes, this one has ${received}.`,
  details: { limit: MAX_CAMPAIGN_BYTES, received },
});

/** The content of each variant must be complete. Lengths are checked before variables are filled in, and again for each message. */
async function contentProblems(
  { channel, content: common, variants }: WellFormedDefinition,
  context: Context,
  isMalformed: IsMalformed,
): Promise<FieldProblem[]> {
  if (common === undefined || isMalformed('content') || isMalformed('variants')) return [];
  const parts = variants && variants.length > 0 ? variants : [null];
  const found: FieldProblem[] = [];
  for (const [i, variant] of parts.entries()) {
    if (variant === undefined || isMalformed(`variants[${i}].content`)) continue;
    const own: Readonly<Record<string, unknown>> = variant?.content ?? {};
    const wherever = (field: string): string => `${variant !== null && Object.hasOwn(own, field) ? `variants[${i}].content` : 'content'}.${field}`;
    const isWrong = (field: string): boolean => isMalformed(`content.${field}`) || isMalformed(`variants[${i}].content.${field}`);
    const problems = await problemsOfContent(channel, { ...common, ...variant?.content }, context, isWrong);
    found.push(...problems.filter(({ field }) => field !== 'channel').map((problem) => ({ ...problem, field: wherever(problem.field) })));
  }
  return [...new Map(found.map((problem) => [`${problem.field}/${problem.code}`, problem])).values()];
}

async function problemsOfContent(
  channel: WellFormedDefinition['channel'],
  { data, ...content }: CampaignContent,
  context: Context,
  isMalformed: IsMalformed,
): Promise<FieldProblem[]> {
  const senders = checkSenders(content, context.ports.templates.compile);
  const request = { ...(channel !== undefined && { channel }), ...content, ...senders.plain };
  const { subject, preheader, html, message, title, action_url, template_id } = content;
  const templates = await compileTemplate(omitUndefined({ subject, preheader, html, message, title, action_url }), context);
  const ofTemplate = (await templateProblems([request], context)).get(0) ?? [];
  const hasText = ['message', 'html', 'template_id'].some(isMalformed);
  const hasSubject = subject !== undefined || template_id !== undefined || ['subject', 'template_id'].some(isMalformed);
  return [
    ...foreignFields(channel, content),
    ...inexactNumbers(data, 'data'),
    ...messageProblems(request, context),
    ...(await givenSenderProblems({ channel, from: request.from }, context)),
    ...(await internationalProblems({ ...request, channel }, context)),
    ...(hasText ? [] : missingText(request)),
    ...ofTemplate,
    ...senders.problems,
    ...templates.problems,
    ...(channel === undefined ? [] : missingSubject(channel, hasSubject)),
  ];
}

/** As in templates and journeys. */
function foreignFields(channel: WellFormedDefinition['channel'], content: CampaignContent): FieldProblem[] {
  if (channel === undefined) return [];
  const given = new Set(contentFields.filter((field) => field in content));
  // With a template, its HTML may have the preheader.
  const codes = content.template_id === undefined ? ['not_for_channel', 'needs_html'] : ['not_for_channel'];
  return templateChannelProblems(channel, given).filter(({ code }) => codes.includes(code));
}

function variantProblems({ variants, ab_test }: WellFormedDefinition, isMalformed: IsMalformed): FieldProblem[] {
  if (variants === undefined || isMalformed('variants')) return [];
  const problems: FieldProblem[] = [];
  for (const [i, variant] of variants.entries())
    if (variant?.key !== undefined && variants.findIndex((one) => one?.key === variant.key) !== i)
      problems.push({ field: `variants[${i}].key`, code: 'duplicate', message: 'Each variant needs a key of its own.' });
  if (ab_test && variants.length < 2) problems.push({ field: 'variants', code: 'required', message: 'A test compares at least two variants.' });
  return problems;
}

function timeProblems({ schedule }: WellFormedDefinition, isMalformed: IsMalformed): FieldProblem[] {
  if (!schedule) return [];
  const { timezone, window, use_contact_timezone, send_at } = schedule;
  const problems: FieldProblem[] = [];
  if (timezone !== undefined && !utcOffsetsOf(timezone))
    problems.push({ field: 'schedule.timezone', code: 'invalid_timezone', message: 'Use an IANA name, for example Europe/Paris.' });
  if (window?.start !== undefined && window.end !== undefined && window.start >= window.end)
    problems.push({ field: 'schedule.window.end', code: 'invalid_window', message: 'The window ends after its start, on the same day.' });
  if (use_contact_timezone && send_at === undefined && !window && !['schedule.send_at', 'schedule.window'].some(isMalformed))
    problems.push({ field: 'schedule.send_at', code: 'required', message: 'Local time needs a time to send or a window.' });
  return problems;
}

function capProblems({ frequency_cap }: WellFormedDefinition): FieldProblem[] {
  if (frequency_cap?.per === undefined) return [];
  const ms = settingsDurationMs(frequency_cap.per);
  if (ms > 0 && ms <= MAX_CAP_MS) return [];
  const message = 'Use a duration in weeks, days, hours, minutes and seconds, for example P7D, of at most 366 days.';
  return [{ field: 'frequency_cap.per', code: 'invalid_duration', message }];
}

const SELECTIONS = ['everyone', 'list_ids', 'segment_ids', 'contact_ids'];

async function audienceProblems(audience: WellFormedDefinition['audience'], context: Context, isMalformed: IsMalformed): Promise<FieldProblem[]> {
  const { include, exclude } = audience ?? {};
  const isKnown = include !== undefined && !SELECTIONS.some((name) => isMalformed(`audience.include.${name}`));
  const nobody =
    isKnown && namesNobody(include as Selection)
      ? [{ field: 'audience.include', code: 'empty_audience', message: 'Name lists, segments or contacts, or set `everyone`.' }]
      : [];
  const problems = await Promise.all([selectionProblems(include ?? {}, context), selectionProblems(exclude ?? {}, context)]);
  const at = (name: string, found: readonly FieldProblem[]) => found.map((problem) => ({ ...problem, field: `audience.${name}.${problem.field}` }));
  return [...nobody, ...at('include', problems[0]), ...at('exclude', problems[1])];
}

/** Malformed ids are undefined. */
async function selectionProblems(
  { list_ids = [], segment_ids = [], contact_ids = [] }: WellFormed<Selection>,
  context: Context,
): Promise<FieldProblem[]> {
  const segmentsAt = segment_ids.flatMap((id, at) => (id === undefined ? [] : [{ id, at }]));
  const [lists, contacts, segments] = await Promise.all([
    unknownLists(context, list_ids),
    recipientProblems(
      contact_ids.map((contact_id) => ({ ...(contact_id !== undefined && { contact_id }) })),
      context,
    ),
    unknownSegments(
      context.log,
      context.cause.account,
      segmentsAt.map(({ id }) => id),
    ),
  ]);
  const unknown = [...contacts.keys()].map((i) => ({ field: `contact_ids[${i}]`, code: 'not_found', message: 'There is no such contact.' }));
  return [
    ...lists,
    ...unknown,
    ...segments.map((i) => ({ field: `segment_ids[${segmentsAt[i]?.at}]`, code: 'not_found', message: 'There is no such segment.' })),
  ];
}
