/** What the schema of a campaign cannot express. */
import {
  type Audience,
  contentOf,
  type Definition,
  type DefinitionInput,
  MAX_DEFINITION_BYTES,
  namesNobody,
  type Selection,
} from '../../domain/campaigns/definition.js';
import { definedFields } from '../../domain/kernel/defined-fields.js';
import type { FieldProblem } from '../../domain/kernel/errors.js';
import { durationMs } from '../../domain/messages/frequency.js';
import { utcOffsetsOf } from '../../formats/messages/utc-offsets.js';
import { unknownLists } from '../contacts/accept-import.js';
import type { Context } from '../kernel.js';
import { webhookUrlCheck } from '../messages/dependencies.js';
import { messageProblems, missingText } from '../messages/message-problems.js';
import { recipientProblems } from '../messages/recipient-contacts.js';
import { compileTemplate } from '../templates/compile-template.js';
import { templateProblems } from '../templates/message-templates.js';
import { audienceChecks } from './dependencies.js';

/** A year. */
const MAX_CAP_MS = 366 * 86_400_000;

/** All problems of a complete definition, each with its path. */
export async function definitionProblems(definition: Definition, given: Partial<DefinitionInput>, context: Context): Promise<FieldProblem[]> {
  const size = Buffer.byteLength(JSON.stringify(definition));
  const tooLarge = size > MAX_DEFINITION_BYTES ? [tooLargeProblem(size)] : [];
  const target = given.webhook_url ? context.use(webhookUrlCheck)(given.webhook_url) : null;
  return [
    ...(await contentProblems(definition, context)),
    ...variantProblems(definition),
    ...timeProblems(definition),
    ...capProblems(definition),
    ...(target === null ? [] : [{ field: 'webhook_url', ...target }]),
    ...(await audienceProblems(definition.audience, context)),
    ...tooLarge,
  ];
}

const tooLargeProblem = (received: number): FieldProblem => ({
  field: 'content',
  code: 'too_large',
  message: `A campaign has at most ${MAX_DEFINITION_BYTES} bytes, this one has ${received}.`,
  details: { limit: MAX_DEFINITION_BYTES, received },
});

/** The content of each variant must be complete. Lengths are checked before variables are filled in, and again for each message. */
async function contentProblems(definition: Definition, context: Context): Promise<FieldProblem[]> {
  const { variants, channel } = definition;
  const keys = variants.length > 0 ? variants.map(({ key }) => key) : [null];
  const found: FieldProblem[] = [];
  for (const [i, key] of keys.entries()) {
    const { data: _, ...content } = contentOf(definition, key);
    const own: Record<string, unknown> = variants[i]?.content ?? {};
    const request = { channel, ...content };
    const { subject, html, message, title, action_url } = content;
    const templates = await compileTemplate(definedFields({ subject, html, message, title, action_url }), context);
    const ofTemplate = (await templateProblems([request], context)).get(0) ?? [];
    const problems = [...messageProblems(request, context), ...missingText(request), ...ofTemplate, ...templates.problems];
    if (channel === 'email' && subject === undefined && content.template_id === undefined) problems.push(noSubject);
    const at = (field: string): string => `${key !== null && field in own ? `variants[${i}].content` : 'content'}.${field}`;
    found.push(...problems.filter(({ field }) => field !== 'channel').map((problem) => ({ ...problem, field: at(problem.field) })));
  }
  return [...new Map(found.map((problem) => [`${problem.field}/${problem.code}`, problem])).values()];
}

const noSubject: FieldProblem = { field: 'subject', code: 'required', message: 'An email needs a subject.' };

function variantProblems({ variants, ab_test }: Definition): FieldProblem[] {
  const problems: FieldProblem[] = [];
  for (const [i, { key }] of variants.entries())
    if (variants.findIndex((one) => one.key === key) !== i)
      problems.push({ field: `variants[${i}].key`, code: 'duplicate', message: 'Each variant needs a key of its own.' });
  if (ab_test && variants.length < 2) problems.push({ field: 'variants', code: 'required', message: 'A test compares at least two variants.' });
  return problems;
}

function timeProblems({ schedule }: Definition): FieldProblem[] {
  if (!schedule) return [];
  const { timezone, window, use_contact_timezone, send_at } = schedule;
  const problems: FieldProblem[] = [];
  if (timezone !== undefined && !utcOffsetsOf(timezone))
    problems.push({ field: 'schedule.timezone', code: 'invalid_timezone', message: 'Use an IANA name, for example Europe/Paris.' });
  if (window && window.start >= window.end)
    problems.push({ field: 'schedule.window.end', code: 'invalid_window', message: 'The window ends after its start, on the same day.' });
  if (use_contact_timezone && send_at === undefined && !window)
    problems.push({ field: 'schedule.send_at', code: 'required', message: 'Local time needs a time to send or a window.' });
  return problems;
}

function capProblems({ frequency_cap }: Definition): FieldProblem[] {
  if (!frequency_cap) return [];
  const ms = durationMs(frequency_cap.per);
  if (ms > 0 && ms <= MAX_CAP_MS) return [];
  const message = 'Use a duration in weeks, days, hours, minutes and seconds, for example P7D, of at most 366 days.';
  return [{ field: 'frequency_cap.per', code: 'invalid_duration', message }];
}

async function audienceProblems({ include, exclude }: Audience, context: Context): Promise<FieldProblem[]> {
  const nobody = namesNobody(include)
    ? [{ field: 'audience.include', code: 'empty_audience', message: 'Name lists, segments or contacts, or set `everyone`.' }]
    : [];
  const problems = await Promise.all([selectionProblems(include, context), selectionProblems(exclude ?? {}, context)]);
  const at = (name: string, found: readonly FieldProblem[]) => found.map((problem) => ({ ...problem, field: `audience.${name}.${problem.field}` }));
  return [...nobody, ...at('include', problems[0]), ...at('exclude', problems[1])];
}

async function selectionProblems({ list_ids = [], segment_ids = [], contact_ids = [] }: Selection, context: Context): Promise<FieldProblem[]> {
  const [lists, contacts, segments] = await Promise.all([
    unknownLists(context, list_ids),
    recipientProblems(
      contact_ids.map((contact_id) => ({ contact_id })),
      context,
    ),
    context.use(audienceChecks).unknownSegments(context.cause.account, segment_ids),
  ]);
  const unknown = [...contacts.keys()].map((i) => ({ field: `contact_ids[${i}]`, code: 'not_found', message: 'There is no such contact.' }));
  return [...lists, ...unknown, ...segments.map((i) => ({ field: `segment_ids[${i}]`, code: 'not_found', message: 'There is no such segment.' }))];
}
