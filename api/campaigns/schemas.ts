import Type from 'typebox';
import { definitionRule } from '../../commands/campaigns/campaign-rules.js';
import { type ValidationRule, withRule } from '../../commands/runtime/rules.js';
import { campaignStatusSchema, type KnownCampaign } from '../../domain/campaigns/campaign.js';
import {
  abTestSchema,
  audienceSchema,
  type CampaignDefinitionInput,
  campaignDefinitionFields,
  campaignDefinitionSchema,
  contentSchema,
  errorPolicySchema,
  scheduleSchema,
  variantSchema,
} from '../../domain/campaigns/definition.js';
import { skipReasons } from '../../domain/campaigns/expansion.js';
import { channelSchema } from '../../domain/kernel/channels.js';
import { languageTagInput } from '../../domain/kernel/languages.js';
import { annotate, boundedText, list, mapOf, named, nullable, oneOf, optional, partial, record, text, time } from '../../domain/kernel/schema.js';
import { category } from '../../domain/messages/accepted-fields.js';
import { statusNames } from '../../domain/messages/status.js';
import { counterNames } from '../../projections/messages/counters.js';
import { etag } from '../http/versions.js';

const count = Type.Integer({ minimum: 0 });

export const campaignCreateRequest = withRule(
  named('CampaignRequest', campaignDefinitionSchema),
  definitionRule as ValidationRule<CampaignDefinitionInput>,
);
/** The channel of a campaign stays. */
const { channel: _, ...changeable } = campaignDefinitionFields;
export const campaignChangeRequest = withRule(named('CampaignChange', partial(record(changeable))), definitionRule);

const testResultSchema = named('CampaignTestResult', oneOf('winner', 'no_clear_winner', 'void'));
const testResource = named(
  'CampaignTestState',
  record({
    decide_at: annotate(time, { description: 'When the test is decided.' }),
    variant: annotate(nullable(text), { description: 'What all others get; null before the decision.' }),
    result: nullable(testResultSchema),
  }),
);

const summaryFields = {
  id: text,
  name: text,
  channel: channelSchema,
  category,
  status: campaignStatusSchema,
  start_at: annotate(nullable(time), { description: 'When it starts, or was to start; null where it is not scheduled.' }),
  started_at: nullable(time),
  finished_at: nullable(time),
  audience_count: annotate(nullable(count), { description: 'Contacts of the frozen audience; null before it is frozen.' }),
  created_at: time,
  updated_at: time,
  version: count,
};
export const campaignSummary = named('CampaignSummary', record(summaryFields));

export const campaignResource = named(
  'Campaign',
  record({
    ...summaryFields,
    status_reason: annotate(nullable(text), { description: 'Why it is paused or failed.' }),
    warnings: optional(
      annotate(list(text), {
        description:
          'When it is stored: variables of its contents that nobody has, with the nearest known name, and divisions whose result is another one than before.',
      }),
    ),
    audience: audienceSchema,
    content: contentSchema,
    variants: list(variantSchema),
    ab_test: nullable(abTestSchema),
    schedule: nullable(scheduleSchema),
    throttle: nullable(record({ per_minute: count })),
    frequency_cap: nullable(record({ max: count, per: text })),
    error_policy: errorPolicySchema,
    webhook_url: nullable(text),
    test: nullable(testResource),
  }),
);

/** A campaign as the API shows it. */
function campaignBody({ id, definition, status, version, created_at, updated_at, ...rest }: KnownCampaign) {
  const { name, channel, category: kind, arithmetic: _, ...defined } = definition;
  const { start_at, started_at, finished_at, audience, reason, webhook_url, test } = rest;
  return {
    id,
    name,
    channel,
    category: kind,
    status,
    status_reason: reason,
    start_at,
    started_at,
    finished_at,
    audience_count: audience?.count ?? null,
    ...defined,
    webhook_url,
    test: test && { decide_at: test.decide_at, variant: test.decided?.variant ?? null, result: test.decided?.result ?? null },
    created_at,
    updated_at,
    version,
  };
}

/** The answer with a campaign and its version. */
export const campaignAnswer = <S extends 200 | 201>(status: S, campaign: KnownCampaign) => ({
  status,
  body: campaignBody(campaign),
  headers: etag(campaign.version),
});

const rate = Type.Number({ minimum: 0, maximum: 1 });
const testPlanResource = named(
  'CampaignTestPlan',
  record({
    wording: text,
    variants: list(named('CampaignTestShare', record({ key: text, contacts: annotate(count, { description: 'In the mean.' }) }))),
    rate: annotate(rate, {
      description:
        'What is expected of the metric: the rate of the campaigns of this channel in the last 90 days; of fewer than 1,000 messages an assumed one.',
    }),
    smallest_difference: annotate(nullable(rate), {
      description: 'The smallest difference between two rates that is found in four of five tests; null where none is.',
    }),
    needed: annotate(count, { description: 'Contacts that each variant needs to find a difference of a tenth of the rate.' }),
  }),
);
export const reachResource = named(
  'CampaignReach',
  record({
    ...{ total: count, reachable: count, suppressed: count, no_consent: count, no_address: count },
    test: optional(annotate(testPlanResource, { description: 'What its test of variants can find, where it has one.' })),
    warnings: optional(
      annotate(list(text), { description: 'What to correct before it is sent: a missing sender, or a domain that is not verified.' }),
    ),
  }),
);

const counters = Object.fromEntries(counterNames.filter((name) => name !== 'messages').map((name) => [name, count]));
export const countersSchema = named('MessageCounters', record(counters as Record<(typeof counterNames)[number], typeof count>));

const probability = Type.Number({ minimum: 0, maximum: 1 });
const armResource = named(
  'CampaignTestArm',
  record({
    key: text,
    n: count,
    successes: count,
    rate: Type.Number(),
    interval: list(probability),
    p_best: probability,
    expected_loss: Type.Number(),
  }),
);
export const statsResource = named(
  'CampaignStats',
  record({
    audience: annotate(count, { description: 'Contacts of the frozen audience: those with a message, and those that are skipped.' }),
    skipped: annotate(count, { description: 'Contacts without a message: they have no address of the channel, are gone, or are one with another.' }),
    ...(counters as Record<(typeof counterNames)[number], typeof count>),
    by_variant: mapOf(countersSchema),
    test: nullable(named('CampaignTestNumbers', record({ wording: text, p_sample_ratio: probability, arms: list(armResource) }))),
  }),
);

const clicks = annotate(count, { description: 'How often people followed it; repeats within an hour count once.' });
const clickers = annotate(count, { description: 'How many people followed it.' });
const linkCounts = { clicks, clickers, clicks_by_machine: count, clickers_by_machine: count };
export const linkResource = named(
  'CampaignLink',
  record({
    url: annotate(nullable(text), {
      description: 'As the content names it, with its Liquid; null for all addresses that it does not name, or not clearly.',
    }),
    ...linkCounts,
    by_variant: mapOf(named('CampaignLinkCounters', record(linkCounts))),
  }),
);

export const skippedRecipient = named(
  'SkippedRecipient',
  record({
    contact_id: text,
    status: named('SkippedStatus', oneOf('skipped')),
    reason: named('SkipReason', oneOf(...skipReasons)),
    skipped_at: time,
  }),
);
export const recipientStatus = named('CampaignRecipientStatus', oneOf(...statusNames, 'skipped'));

export const scheduleRequest = named(
  'ScheduleCampaignRequest',
  record({
    send_at: optional(annotate(time, { description: 'Default: that of the campaign’s schedule.' })),
    start_at: optional(annotate(time, { description: 'Another name of `send_at`.' })),
  }),
);
export const duplicateRequest = named('DuplicateCampaignRequest', record({ name: optional(boundedText({ minLength: 1, maxLength: 200 })) }));
export const testSendRequest = named(
  'CampaignTestSendRequest',
  record({
    to: annotate(list(boundedText({ minLength: 1, maxLength: 500 }), { minItems: 1, maxItems: 10 }), { description: 'Addresses that get the test.' }),
    contact_id: optional(annotate(boundedText({ minLength: 1, maxLength: 64 }), { description: 'The contact whose data fills the variables in.' })),
    variant: optional(annotate(boundedText({ minLength: 1, maxLength: 32 }), { description: 'Default: the first one.' })),
    locale: optional(languageTagInput('Language tag of the reader, which picks the translation. Default: the `locale` of the contact.')),
  }),
);
export const testSendResult = named(
  'CampaignTestSendResult',
  record({ messages: list(named('CampaignTestMessage', record({ id: text, to: text, status: text }))) }),
);
