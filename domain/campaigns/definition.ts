/** What a campaign sends, to whom and when: the fields that its author sets. */

import { channelNames, channelSchema } from '../kernel/channels.js';
import type { FieldProblem } from '../kernel/errors.js';
import {
  annotate,
  anyRecord,
  boundedText,
  flag,
  integer,
  lineOf,
  list,
  named,
  nullable,
  oneOf,
  optional,
  partial,
  record,
  type Static,
  text,
  time,
} from '../kernel/schema.js';
import { textPattern, wallTime } from '../kernel/text-patterns.js';
import { category } from '../messages/accepted-fields.js';
import { canonicalText } from '../segments/canonical.js';
import { arithmetic } from '../templates/arithmetic.js';
import { translatedFields, translationsSchema } from '../templates/translation-schema.js';
import { contentOver, withLanguageTags } from '../templates/translations.js';

/** Contacts that are named one by one: all of them are in one event. */
export const MAX_NAMED_CONTACTS = 5_000;
export const MAX_LISTS = 100;
export const MAX_VARIANTS = 5;
/** Bytes of the JSON of a whole definition: it is one event, which stays below 512 kB. */
export const MAX_CAMPAIGN_BYTES = 380_000;

const ids = (maxItems: number, description: string) =>
  optional(annotate(list(boundedText({ minLength: 1, maxLength: 64 }), { maxItems }), { description }));

const selection = {
  list_ids: ids(MAX_LISTS, 'Contacts with the status `subscribed` on one of these lists.'),
  segment_ids: ids(MAX_LISTS, 'Members of one of these segments.'),
  contact_ids: ids(MAX_NAMED_CONTACTS, 'Contacts by their ids.'),
};

const included = named(
  'CampaignAudienceIncluded',
  record({ ...selection, everyone: optional(annotate(flag, { description: 'All contacts of the account.' })) }),
);
const excluded = named('CampaignAudienceExcluded', record(selection));

export const audienceSchema = named(
  'CampaignAudience',
  record({
    include: annotate(included, { description: 'The union of all that is named. One who is named several times is messaged once.' }),
    exclude: optional(annotate(excluded, { description: 'Contacts that get nothing, even if `include` names them.' })),
  }),
);
export type Audience = Static<typeof audienceSchema>;
export type Selection = Audience['include'];

const contentFields = record({
  ...translatedFields,
  template_id: boundedText({ minLength: 1, maxLength: 64 }),
  data: anyRecord,
  translations: translationsSchema,
});
export const contentSchema = named('CampaignContent', partial(contentFields));
export type CampaignContent = Static<typeof contentSchema>;

export const variantSchema = named(
  'CampaignVariant',
  record({
    key: boundedText(textPattern('^[a-z0-9][a-z0-9_-]{0,31}$', 'Use small letters, digits, _ and -, 32 characters at most: for example a.')),
    weight: annotate(integer({ minimum: 1, maximum: 10_000 }), { description: 'Its share, relative to the weights of the others.' }),
    content: annotate(contentSchema, { description: 'Fields that replace those of the campaign.' }),
  }),
);
export type Variant = Static<typeof variantSchema>;

export const abTestSchema = named(
  'CampaignTest',
  record({
    sample_percent: annotate(integer({ minimum: 1, maximum: 100 }), { description: 'Share of the audience that takes part in the test.' }),
    metric: named('CampaignTestMetric', oneOf('click_rate', 'open_rate')),
    duration_seconds: annotate(integer({ minimum: 60, maximum: 2_592_000 }), { description: 'The test is decided once, after this time.' }),
    auto_send_winner: optional(
      annotate(flag, { default: true, description: 'Sends the better variant to all others; otherwise the campaign pauses.' }),
    ),
  }),
);
export type AbTest = Static<typeof abTestSchema>;

const timeOfDay = boundedText(wallTime);
export const campaignWindowSchema = named(
  'CampaignWindow',
  record({
    days: annotate(list(integer({ minimum: 1, maximum: 7 }), { minItems: 1, maxItems: 7 }), { description: 'Days of the week, 1 is Monday.' }),
    start: timeOfDay,
    end: timeOfDay,
  }),
);
export type SendWindow = Static<typeof campaignWindowSchema>;

export const scheduleSchema = named(
  'CampaignSchedule',
  partial(
    record({
      send_at: annotate(time, { description: 'When it starts. With `use_contact_timezone`, its local time counts in the zone of each contact.' }),
      timezone: annotate(boundedText({ minLength: 1, maxLength: 64 }), { description: 'IANA name. Default: the zone of the account.' }),
      use_contact_timezone: flag,
      send_time: annotate(named('CampaignSendTime', oneOf('best_hour')), {
        description:
          'Each contact is messaged at its best hour within a day of the start: the local hour at which it engages most, or else the hour of the account, or else 17:00, inside the window and outside quiet hours. One in ten is messaged at another hour.',
      }),
      window: annotate(campaignWindowSchema, { description: 'Messages go out within these local times only.' }),
      skip_if_late_seconds: annotate(integer({ minimum: 60, maximum: 2_592_000 }), {
        description: 'Who could only be messaged this much after the time to send gets nothing.',
      }),
    }),
  ),
);
export type Schedule = Static<typeof scheduleSchema>;

/** As a request has it: resources of campaigns have a `start_at`, so that some requests call it so. */
const scheduleInput = named(
  'CampaignScheduleRequest',
  partial(record({ ...scheduleSchema.properties, start_at: annotate(time, { description: 'Another name of `send_at`.' }) })),
);
type ScheduleInput = Static<typeof scheduleInput>;

const withSendAt = ({ start_at, ...schedule }: ScheduleInput): Schedule => ({ ...(start_at !== undefined && { send_at: start_at }), ...schedule });

/** Of the two names of the time to send a request gives one. `at`: path of the schedule. */
export const sendAtProblems = ({ send_at, start_at }: { readonly send_at?: string; readonly start_at?: string }, at = ''): FieldProblem[] =>
  send_at === undefined || start_at === undefined || Date.parse(send_at) === Date.parse(start_at)
    ? []
    : [{ field: `${at}start_at`, code: 'ambiguous', message: '`start_at` is another name of `send_at`. Give one of them.' }];

const maybe = <S extends Parameters<typeof nullable>[0]>(schema: S) => optional(nullable(schema));

export const errorPolicySchema = named('CampaignErrorPolicy', oneOf('skip', 'pause'));

/** As a request has it. */
export const campaignDefinitionFields = {
  name: boundedText(lineOf(200)),
  channel: channelSchema,
  category: optional(annotate(category, { default: 'marketing' })),
  audience: audienceSchema,
  content: contentSchema,
  translations: maybe(annotate(translationsSchema, { description: 'The translations of `content`, beside it: the same as `content.translations`.' })),
  variants: optional(list(variantSchema, { maxItems: MAX_VARIANTS })),
  ab_test: maybe(abTestSchema),
  schedule: maybe(scheduleInput),
  throttle: maybe(named('CampaignThrottle', record({ per_minute: integer({ minimum: 1, maximum: 1_000_000 }) }))),
  frequency_cap: maybe(
    named('CampaignFrequencyCap', record({ max: integer({ minimum: 1, maximum: 100 }), per: boundedText({ minLength: 2, maxLength: 32 }) })),
  ),
  error_policy: optional(
    annotate(errorPolicySchema, {
      default: 'skip',
      description: 'What happens to a contact whose message is invalid: it is skipped, or the campaign pauses.',
    }),
  ),
  webhook_url: maybe(boundedText({ minLength: 1, maxLength: 2_048 })),
};
export const campaignDefinitionSchema = record(campaignDefinitionFields);
export type CampaignDefinitionInput = Static<typeof campaignDefinitionSchema>;

/** With the defaults filled in, as events have it. The URL is sealed apart. */
export const storedCampaignDefinition = record({
  name: text,
  channel: oneOf(...channelNames),
  category,
  audience: audienceSchema,
  content: contentSchema,
  variants: list(variantSchema),
  ab_test: nullable(abTestSchema),
  schedule: nullable(scheduleSchema),
  throttle: nullable(record({ per_minute: integer() })),
  frequency_cap: nullable(record({ max: integer(), per: text })),
  error_policy: oneOf('skip', 'pause'),
  /** How its contents calculate. Definitions without it are from before there were decimals. */
  arithmetic: optional(arithmetic),
});
export type CampaignDefinition = Static<typeof storedCampaignDefinition>;

/** Completes what a request gives; fields that it lacks keep the value of `before`. */
export function completeCampaignDefinition(given: Partial<CampaignDefinitionInput>, before: CampaignDefinition | null): CampaignDefinition {
  const { name, channel, category: kind, audience, content, variants, ab_test, schedule, throttle, frequency_cap, error_policy } = given;
  const kept = <T>(value: T | undefined, last: T | undefined, fallback: T): T => (value !== undefined ? value : last !== undefined ? last : fallback);
  return {
    name: kept(name, before?.name, ''),
    channel: kept(channel, before?.channel, 'email'),
    category: kept(kind, before?.category, 'marketing'),
    audience: kept(audience, before?.audience, { include: {} }),
    content: withLanguageTags(withTranslations(kept(content, before?.content, {}), given.translations)),
    variants: kept(variants, before?.variants, []).map(withTagsOf),
    ab_test: kept(ab_test, before?.ab_test, null),
    schedule: kept(schedule && withSendAt(schedule), before?.schedule, null),
    throttle: kept(throttle, before?.throttle, null),
    frequency_cap: kept(frequency_cap, before?.frequency_cap, null),
    error_policy: kept(error_policy, before?.error_policy, 'skip'),
    ...(before === null ? { arithmetic: 'decimals' } : before.arithmetic !== undefined && { arithmetic: before.arithmetic }),
  };
}

/** A definition after a change: contents that are not as they were calculate in decimals from now on. */
export const withDecimals = (after: CampaignDefinition, before: CampaignDefinition): CampaignDefinition =>
  canonicalText([after.content, after.variants]) === canonicalText([before.content, before.variants]) ? after : { ...after, arithmetic: 'decimals' };

/** A part of a request that is not checked yet may lack everything. */
const withTagsOf = (variant: Variant): Variant =>
  (variant as Variant | undefined)?.content ? { ...variant, content: withLanguageTags(variant.content) } : variant;

/** Translations that a request has beside the content are those of the content. */
function withTranslations({ translations: own, ...content }: CampaignContent, beside: CampaignDefinitionInput['translations']): CampaignContent {
  const translations = beside === undefined ? own : (beside ?? undefined);
  return { ...content, ...(translations !== undefined && { translations }) };
}

/** Whether nothing is named: such an audience has nobody, whatever the account holds. */
export const namesNobody = ({ everyone = false, list_ids = [], segment_ids = [], contact_ids = [] }: Selection): boolean =>
  !everyone && list_ids.length + segment_ids.length + contact_ids.length === 0;

/** The content of a variant: its fields replace those of the campaign, and those of its translations those of the translations. */
export const contentOf = ({ content, variants }: Pick<CampaignDefinition, 'content' | 'variants'>, key: string | null): CampaignContent =>
  contentOver<CampaignContent>(content, variants.find((variant) => variant.key === key)?.content ?? {});
