/** The settings of an account, their defaults and validation. */

import { type ChannelName, channelNames } from '../kernel/channels.js';
import type { FieldProblem } from '../kernel/errors.js';
import { languageSchema } from '../kernel/languages.js';
import { boundedText, flag, integer, lineOf, list, named, nullable, oneOf, partial, record, type Static } from '../kernel/schema.js';
import { textPattern, wallTime } from '../kernel/text-patterns.js';
import { isOrigin, parseUrl } from '../kernel/urls.js';

const outcomes = named('UnknownOutcomePolicy', oneOf('retry', 'fail'));

/** No control characters: a sender is written into headers of mails and of HTTP requests. */
const line = (maxLength: number) => boundedText(lineOf(maxLength));
const timeOfDay = boundedText(wallTime);
/** ISO 8601 without years and months, because their length varies; at most four digits for each unit. */
const duration = boundedText(
  textPattern(
    '^P(?=.*[1-9])([0-9]{1,4}W|([0-9]{1,4}D)?(T(?=[0-9])([0-9]{1,4}H)?([0-9]{1,4}M)?([0-9]{1,4}S)?)?)$',
    'Use an ISO 8601 duration of weeks, days, hours, minutes or seconds, for example P7D or PT12H.',
  ),
);
const days = boundedText(textPattern('^P[1-9][0-9]{0,3}D$', 'Use a number of days as an ISO 8601 duration, for example P90D.'));

const sender = nullable(line(320));
const senders = named('Senders', record(Object.fromEntries(channelNames.map((name) => [name, sender])) as Record<ChannelName, typeof sender>));
const quietHours = named('QuietHours', record({ enabled: flag, start: timeOfDay, end: timeOfDay }));
const capChannel = named('FrequencyCapChannel', oneOf('any', ...channelNames));
const frequencyCap = named('FrequencyCap', record({ channel: capChannel, max: integer({ minimum: 1, maximum: 1000 }), per: duration }));
const softBounceLimit = named('SoftBounceLimit', record({ count: integer({ minimum: 2, maximum: 100 }), within: duration }));
/** Channels whose received messages webhooks tell of. */
export const receivedChannels = ['email', 'sms', 'whatsapp', 'rcs'] as const satisfies readonly ChannelName[];
const receivedWebhooks = named(
  'ReceivedWebhooks',
  record({ channels: list(named('ReceivedChannel', oneOf(...receivedChannels)), { uniqueItems: true }) }),
);
const purchase = named('PurchaseEvent', record({ event: line(128), value_property: line(128), currency_property: line(128) }));
const onUnknownOutcome = named('OnUnknownOutcome', record({ transactional: outcomes, marketing: outcomes }));

const logoUrl = boundedText({
  maxLength: 2_048,
  ...textPattern('^https://[^\\s\\u0000-\\u001f\\u007f"\';,]+$', 'Use an absolute URL that begins with https://.'),
});
const color = boundedText(textPattern('^#[0-9a-fA-F]{6}$', 'Use a colour of six hexadecimal digits, for example #0a4f9e.'));
const branding = named('Branding', record({ logo_url: nullable(logoUrl), color: nullable(color), locale: languageSchema }));

/** Whether marketing needs a granted consent (`opt_in`), or only no withdrawn or pending one (`opt_out`). */
export const consentRules = ['opt_in', 'opt_out'] as const;
export type ConsentRule = (typeof consentRules)[number];
const consentRule = named('ConsentRule', oneOf(...consentRules));
const marketingConsent = named(
  'MarketingConsent',
  record(Object.fromEntries(channelNames.map((name) => [name, consentRule])) as Record<ChannelName, typeof consentRule>),
);

/**
 * How the contact of a device is verified: not at all; `existing`: without a proof a device belongs to no contact that there is;
 * `required`: no device names a contact without a proof.
 */
export const identityVerifications = ['off', 'existing', 'required'] as const;
export type IdentityVerification = (typeof identityVerifications)[number];
export const identityVerificationSchema = named('IdentityVerification', oneOf(...identityVerifications));
/** What new accounts record when they are created. Accounts that have recorded nothing read `off`, as they were. */
export const IDENTITY_VERIFICATION_OF_NEW_ACCOUNTS: IdentityVerification = 'existing';
/** The two modes of earlier releases, which requests may still name. */
export const identityVerificationOf = (value: IdentityVerification | boolean): IdentityVerification =>
  typeof value === 'string' ? value : value ? 'required' : 'off';

/** What happens to a row that names several people: they become one, the row is refused, or each stays as it is. */
export const onConflictSchema = named('OnConflict', oneOf('merge', 'reject', 'keep_separate'));
export type OnConflict = Static<typeof onConflictSchema>;
const identity = named('IdentitySettings', record({ on_conflict: onConflictSchema }));

const route = nullable(list(boundedText({ minLength: 1, maxLength: 50 }), { minItems: 1, maxItems: 10 }));
const routes = named('CarrierRoutes', record(Object.fromEntries(channelNames.map((name) => [name, route])) as Record<ChannelName, typeof route>));

export const accountSettingsSchema = record({
  name: line(200),
  /** IANA name; used for contacts without a time zone. */
  timezone: line(64),
  /** Default `from` of messages, by channel. */
  senders,
  /**
   * By channel: with `opt_in` marketing is sent only to contacts with granted consent, with `opt_out` also to those without
   * any record. With withdrawn or pending consent none is sent in either mode.
   */
  marketing_consent: marketingConsent,
  /** Marketing waits between these times in the recipient's time zone. The end may be on the next day. */
  quiet_hours: quietHours,
  /** All caps apply, each over a rolling window. */
  frequency_caps: list(frequencyCap, { maxItems: 10 }),
  /** So many soft bounces within a time, without a delivery between, suppress an address for marketing; null: they never do. */
  soft_bounce_limit: nullable(softBounceLimit),
  /** The channels whose received messages are sent as `message.received`. */
  received_webhooks: receivedWebhooks,
  /** The custom event of a purchase, and its properties with the amount and the currency. */
  purchase,
  /** A contact without a purchase for so many days counts as lost. */
  churn_window: days,
  /** A custom event that lies further back when it is recorded starts no journey. It counts in rules all the same. */
  events_start_journeys_within: duration,
  /** Whether to repeat or fail a message whose dispatch has an unknown outcome, with a carrier that does not deduplicate. */
  on_unknown_outcome: onUnknownOutcome,
  /**
   * How public pages and the service's own mails look: a logo (https), a color, and the language for recipients whose own is
   * not known.
   */
  branding,
  /** Whether a push subscription that names a contact must prove it. */
  identity_verification: identityVerificationSchema,
  /** What happens to rows that name several people, where a call or an import does not say. */
  identity,
  /** Origins whose pages may use inboxes of the account's contacts in a browser; empty for all. */
  inbox_allowed_origins: list(line(300), { maxItems: 50 }),
  /** The account's own routes: by channel the carriers in order of preference; null: those of its own carriers, or else of the service. */
  routes,
});
export type Settings = Static<typeof accountSettingsSchema>;

/** A partial change. Objects are merged field by field, lists replaced. */
export const settingsPatch = partial(
  record({
    ...accountSettingsSchema.properties,
    senders: named('SendersPatch', partial(senders)),
    marketing_consent: named('MarketingConsentPatch', partial(marketingConsent)),
    quiet_hours: named('QuietHoursPatch', partial(quietHours)),
    received_webhooks: named('ReceivedWebhooksPatch', partial(receivedWebhooks)),
    purchase: named('PurchaseEventPatch', partial(purchase)),
    on_unknown_outcome: named('OnUnknownOutcomePatch', partial(onUnknownOutcome)),
    identity: named('IdentitySettingsPatch', partial(identity)),
    branding: named('BrandingPatch', partial(branding)),
    routes: named('CarrierRoutesPatch', partial(routes)),
  }),
);
export type SettingsPatch = Static<typeof settingsPatch>;

/** `identity_verification`: what the account has recorded when it was created. */
export const defaultSettings = (name: string, timezone: string, identity_verification: IdentityVerification = 'off'): Settings => ({
  name,
  timezone,
  senders: Object.fromEntries(channelNames.map((channel) => [channel, null])) as Record<ChannelName, null>,
  marketing_consent: Object.fromEntries(channelNames.map((channel) => [channel, 'opt_out'])) as Record<ChannelName, ConsentRule>,
  quiet_hours: { enabled: false, start: '21:00', end: '08:00' },
  frequency_caps: [],
  soft_bounce_limit: { count: 5, within: 'P30D' },
  received_webhooks: { channels: ['email'] },
  purchase: { event: 'purchase', value_property: 'value', currency_property: 'currency' },
  churn_window: 'P90D',
  events_start_journeys_within: 'P1D',
  on_unknown_outcome: { transactional: 'retry', marketing: 'fail' },
  branding: { logo_url: null, color: null, locale: 'en' },
  identity_verification,
  identity: { on_conflict: 'merge' },
  inbox_allowed_origins: [],
  routes: Object.fromEntries(channelNames.map((channel) => [channel, null])) as Record<ChannelName, null>,
});

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The settings after a patch. Settings that the patch does not contain stay unchanged. */
export function mergeSettings(settings: Settings, patch: SettingsPatch): Settings {
  const merged: Record<string, unknown> = { ...settings };
  for (const field of Object.keys(settings) as (keyof Settings)[]) {
    const value = patch[field];
    if (value !== undefined) merged[field] = isObject(value) ? { ...(settings[field] as object), ...value } : value;
  }
  return merged as Settings;
}

/** The fields of a patch whose values differ from the current ones. */
export function changedSettings(settings: Settings, patch: SettingsPatch): SettingsPatch {
  const after = mergeSettings(settings, patch);
  const differs = (field: keyof Settings) => JSON.stringify(after[field]) !== JSON.stringify(settings[field]);
  const fields = (Object.keys(settings) as (keyof Settings)[]).filter(differs);
  return Object.fromEntries(fields.map((field) => [field, patch[field]]));
}

/** Problems beyond the schema: an unknown time zone, a URL or an origin that is none, and quiet hours with equal start and end. */
export function settingsProblems({
  timezone,
  quiet_hours: quiet,
  branding: brand,
  inbox_allowed_origins: origins = [],
}: Pick<SettingsPatch, 'timezone' | 'quiet_hours' | 'branding' | 'inbox_allowed_origins'>): FieldProblem[] {
  const problems: FieldProblem[] = [];
  if (timezone !== undefined && !isTimeZone(timezone))
    problems.push({ field: 'timezone', code: 'unknown_timezone', message: 'Use an IANA time zone, for example Europe/Paris.' });
  if (quiet?.start !== undefined && quiet.start === quiet.end)
    problems.push({ field: 'quiet_hours.end', code: 'empty_range', message: 'Quiet hours must end at another time than they start.' });
  if (typeof brand?.logo_url === 'string' && !parseUrl(brand.logo_url))
    problems.push({ field: 'branding.logo_url', code: 'invalid_format', message: 'Use an https URL, for example https://example.com/logo.png.' });
  for (const [at, origin] of origins.entries())
    if (!isOrigin(origin))
      problems.push({ field: `inbox_allowed_origins[${at}]`, code: 'invalid_url', message: 'Use an origin, for example https://www.example.com.' });
  return problems;
}

/** Names for which the slow check, a third of a millisecond each, is unnecessary: all canonical zones, and common links. */
const commonZones: ReadonlySet<string> = new Set([
  ...Intl.supportedValuesOf('timeZone'),
  ...['UTC', 'GMT', 'Etc/UTC', 'US/Eastern', 'US/Central', 'US/Mountain', 'US/Pacific', 'Europe/Kyiv', 'America/Argentina/Buenos_Aires'],
  ...['Asia/Kolkata', 'Asia/Kathmandu', 'Asia/Ho_Chi_Minh', 'Asia/Yangon', 'Asia/Calcutta', 'Asia/Katmandu', 'Asia/Saigon', 'Asia/Rangoon'],
]);

/** Whether a name is in the IANA database, in any case of letters. Offsets such as `+01:00` are not names, although `Intl` accepts them. */
export function isTimeZone(name: string): boolean {
  if (commonZones.has(name)) return true;
  if (!/^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+)*$/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
