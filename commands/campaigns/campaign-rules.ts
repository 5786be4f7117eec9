/** What the schema of a campaign cannot express. */
import {
  type CampaignDefinition,
  type CampaignDefinitionInput,
  completeCampaignDefinition,
  MAX_CAMPAIGN_BYTES,
  namesNobody,
  type Selection,
  sendAtProblems,
} from '../../domain/campaigns/definition.js';
import { type FieldProblem, isDomainError } from '../../domain/kernel/errors.js';
import { settingsDurationMs } from '../../domain/messages/frequency.js';
import { utcOffsetsOf } from '../../formats/messages/utc-offsets.js';
import { loadCampaign } from '../../log/aggregates/campaigns/load-campaign.js';
import { unknownSegments } from '../../log/aggregates/segments/load-segment.js';
import { unknownLists } from '../contacts/accept-import.js';
import { recipientProblems } from '../messages/recipient-contacts.js';
import type { Context } from '../runtime/command.js';
import type { ValidationRule, WellFormed } from '../runtime/rules.js';
import { campaignContentProblems, type IsMalformed, type WellFormedDefinition } from './content-rules.js';

/** A year. */
const MAX_CAP_MS = 366 * 86_400_000;

const nothing: IsMalformed = () => false;

/** All problems of a complete definition, each with its path. */
export async function campaignDefinitionProblems(
  definition: CampaignDefinition,
  given: Partial<CampaignDefinitionInput>,
  context: Context,
): Promise<FieldProblem[]> {
  const size = Buffer.byteLength(JSON.stringify(definition));
  return [
    ...sendAtProblems(given.schedule ?? {}, 'schedule.'),
    ...(await knownProblems(definition, given, context, nothing)),
    ...(size > MAX_CAMPAIGN_BYTES ? [tooLargeProblem(size)] : []),
  ];
}

/** For the well-formed parts of a body: what is missing there is no problem of its own. A change is about the campaign of the path. */
export const definitionRule: ValidationRule<Partial<CampaignDefinitionInput>> = async (given, { context, isMalformed, params }) => {
  const { channel, audience, content } = given;
  const before = params.id === undefined ? null : await findCampaign(context, params.id);
  if (params.id !== undefined && before === null) return [];
  const completed = completeCampaignDefinition(given as Partial<CampaignDefinitionInput>, before);
  const known: WellFormedDefinition = before ? completed : { ...completed, channel, audience, content: content && completed.content };
  return [...sendAtProblems(given.schedule ?? {}, 'schedule.'), ...(await knownProblems(known, given, context, isMalformed))];
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
  { webhook_url, translations, content }: WellFormed<Partial<CampaignDefinitionInput>>,
  context: Context,
  isMalformed: IsMalformed,
): Promise<FieldProblem[]> {
  const target = webhook_url ? context.ports.messages.checkWebhookUrl(webhook_url) : null;
  // Problems of translations that stand beside the content are named there.
  const isBeside = translations !== undefined && translations !== null;
  const isWrong: IsMalformed = (field) => isMalformed(field) || (isBeside && isMalformed(field.replace(WITHIN_CONTENT, 'translations')));
  const ofContent = await campaignContentProblems(definition, context, isWrong);
  return [
    ...ofContent.map((problem) => (isBeside ? { ...problem, field: problem.field.replace(WITHIN_CONTENT, 'translations') } : problem)),
    ...(isBeside && content?.translations !== undefined ? [twoTranslations] : []),
    ...variantProblems(definition, isMalformed),
    ...timeProblems(definition, isMalformed),
    ...capProblems(definition),
    ...(target === null ? [] : [{ field: 'webhook_url', ...target }]),
    ...(await audienceProblems(definition.audience, context, isMalformed)),
  ];
}

const WITHIN_CONTENT = /^content\.translations/;
const twoTranslations: FieldProblem = {
  ...{ field: 'translations', code: 'conflicting', message: 'Give the translations in `content` or beside it, not in both.' },
};

const tooLargeProblem = (received: number): FieldProblem => ({
  field: 'content',
  code: 'too_large',
  message: `A campaign has at most ${MAX_CAMPAIGN_BYTES} bytes, this one has ${received}.`,
  details: { limit: MAX_CAMPAIGN_BYTES, received },
});

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
