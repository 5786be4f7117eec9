/** What an account decides for all its messages, and what holds until it does. */
import { type ChannelName, channelNames } from '../kernel/channels.js';
import type { FieldProblem } from '../kernel/errors.js';
import { flag, integer, list, named, nullable, oneOf, partial, record, type Static, textOf } from '../kernel/schema.js';

const outcomes = named('UnknownOutcomePolicy', oneOf('retry', 'fail'));

/** No control characters: a sender ends up in headers of mails and of HTTP requests. */
const line = (maxLength: number) => textOf({ minLength: 1, maxLength, pattern: '^[^\\u0000-\\u001f\\u007f]*$' });
const wallTime = textOf({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$' });
/** ISO 8601 without years and months, whose length depends on when they begin; at most four digits a part. */
const duration = textOf({ pattern: '^P(?=.*[1-9])([0-9]{1,4}W|([0-9]{1,4}D)?(T(?=[0-9])([0-9]{1,4}H)?([0-9]{1,4}M)?([0-9]{1,4}S)?)?)$' });
const days = textOf({ pattern: '^P[1-9][0-9]{0,3}D$' });

const sender = nullable(line(320));
const senders = named('Senders', record(Object.fromEntries(channelNames.map((name) => [name, sender])) as Record<ChannelName, typeof sender>));
const quietHours = named('QuietHours', record({ enabled: flag, start: wallTime, end: wallTime }));
const capChannel = named('FrequencyCapChannel', oneOf('any', ...channelNames));
const frequencyCap = named('FrequencyCap', record({ channel: capChannel, max: integer({ minimum: 1, maximum: 1000 }), per: duration }));
const purchase = named('PurchaseEvent', record({ event: line(128), value_property: line(128) }));
const onUnknownOutcome = named('OnUnknownOutcome', record({ transactional: outcomes, marketing: outcomes }));

/** Who may be told things that are marketing: whoever agreed to it, or whoever did not object. */
export const consentRules = ['opt_in', 'opt_out'] as const;
export type ConsentRule = (typeof consentRules)[number];
const consentRule = named('ConsentRule', oneOf(...consentRules));
const marketingConsent = named(
  'MarketingConsent',
  record(Object.fromEntries(channelNames.map((name) => [name, consentRule])) as Record<ChannelName, typeof consentRule>),
);

export const settingsSchema = record({
  name: line(200),
  /** IANA name of the zone that stands in where a contact has none. */
  timezone: line(64),
  /** Who a message comes from where it does not say so itself. */
  senders,
  /**
   * By channel: with `opt_in` marketing goes to people only who granted it, with `opt_out` also to those of whom nothing is
   * recorded. Who withdrew it, or was asked and has not answered, gets none either way.
   */
  marketing_consent: marketingConsent,
  /** Times between which marketing waits, by the recipient's clock. The end may lie on the next day. */
  quiet_hours: quietHours,
  /** All of them hold at once, each over a rolling window. */
  frequency_caps: list(frequencyCap, { maxItems: 10 }),
  /** Which event is a purchase, and which of its properties is the amount. */
  purchase,
  /** Without a purchase in so many days to come, a contact counts as lost. */
  churn_window: days,
  /** What becomes of a message when a crash hid whether a carrier took it that cannot tell duplicates. */
  on_unknown_outcome: onUnknownOutcome,
});
export type Settings = Static<typeof settingsSchema>;

/** What a change may name. Objects are merged field by field, lists replaced. */
export const settingsPatch = partial(
  record({
    ...settingsSchema.properties,
    senders: named('SendersPatch', partial(senders)),
    marketing_consent: named('MarketingConsentPatch', partial(marketingConsent)),
    quiet_hours: named('QuietHoursPatch', partial(quietHours)),
    purchase: named('PurchaseEventPatch', partial(purchase)),
    on_unknown_outcome: named('OnUnknownOutcomePatch', partial(onUnknownOutcome)),
  }),
);
export type SettingsPatch = Static<typeof settingsPatch>;

export const defaultSettings = (name: string, timezone: string): Settings => ({
  name,
  timezone,
  senders: Object.fromEntries(channelNames.map((channel) => [channel, null])) as Record<ChannelName, null>,
  marketing_consent: Object.fromEntries(channelNames.map((channel) => [channel, 'opt_out'])) as Record<ChannelName, ConsentRule>,
  quiet_hours: { enabled: false, start: '21:00', end: '08:00' },
  frequency_caps: [],
  purchase: { event: 'purchase', value_property: 'value' },
  churn_window: 'P90D',
  on_unknown_outcome: { transactional: 'retry', marketing: 'fail' },
});

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The settings after a change. A setting that the change does not name, or that came later than the change, keeps its value. */
export function mergeSettings(settings: Settings, patch: SettingsPatch): Settings {
  const merged: Record<string, unknown> = { ...settings };
  for (const field of Object.keys(settings) as (keyof Settings)[]) {
    const value = patch[field];
    if (value !== undefined) merged[field] = isObject(value) ? { ...(settings[field] as object), ...value } : value;
  }
  return merged as Settings;
}

/** What of a patch really changes something. */
export function changedSettings(settings: Settings, patch: SettingsPatch): SettingsPatch {
  const after = mergeSettings(settings, patch);
  const differs = (field: keyof Settings) => JSON.stringify(after[field]) !== JSON.stringify(settings[field]);
  const fields = (Object.keys(settings) as (keyof Settings)[]).filter(differs);
  return Object.fromEntries(fields.map((field) => [field, patch[field]]));
}

/** What the schema cannot see: a zone that does not exist, and quiet hours of no length. */
export function settingsProblems({ timezone, quiet_hours: quiet }: Pick<SettingsPatch, 'timezone' | 'quiet_hours'>): FieldProblem[] {
  const problems: FieldProblem[] = [];
  if (timezone !== undefined && !isTimeZone(timezone))
    problems.push({ field: 'timezone', code: 'unknown_timezone', message: 'Use an IANA time zone, for example Europe/Paris.' });
  if (quiet?.start !== undefined && quiet.start === quiet.end)
    problems.push({ field: 'quiet_hours.end', code: 'empty_range', message: 'Quiet hours must end at another time than they start.' });
  return problems;
}

/** Zones that were asked for: `Intl` takes a quarter of a millisecond for each question. There are some hundreds, in any case of letters. */
const knownZones = new Set<string>();
const MOST_KNOWN = 2_000;

/** Names of the IANA data base only: `Intl` would take offsets such as `+01:00` as well. */
export function isTimeZone(name: string): boolean {
  if (knownZones.has(name)) return true;
  if (!/^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+)*$/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    if (knownZones.size < MOST_KNOWN) knownZones.add(name);
    return true;
  } catch {
    return false;
  }
}
