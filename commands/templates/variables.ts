/** What a template reads, and where the values come from. */
import { baseFields, contactFields } from '../../domain/contacts/contact-fields.js';
import type { CustomField } from '../../domain/contacts/custom-field.js';
import type { ChannelName } from '../../domain/kernel/channels.js';

/** A variable of templates, for the catalog. */
export interface TemplateVariable {
  /** Its path: `contact.first_name`. A star stands for any name. */
  readonly name: string;
  readonly description: string;
  readonly example: unknown;
  /** Where it has a value; `all` in every message. */
  readonly available: 'all' | 'contact' | 'campaign' | 'journey' | 'event';
}

const variable = (available: TemplateVariable['available'], name: string, description: string, example: unknown): TemplateVariable => ({
  name,
  description,
  example,
  available,
});

const ofContact = [
  variable('contact', 'contact.id', 'Id of the contact.', 'con_01JHM4B3W6TQ8X2N5R7Y9Z0A1D'),
  ...baseFields.map((name) => {
    const { description, example } = contactFields[name].variable;
    return variable('contact', `contact.${name}`, description, example);
  }),
  variable('contact', 'contact.other_emails', 'List of further email addresses.', ['ada@example.org']),
  variable('contact', 'contact.other_phones', 'List of further phone numbers.', ['+14155550101']),
  variable('contact', 'contact.tags', 'List of tags.', ['vip']),
];
const others = [
  variable('all', 'data.*', 'The `data` of the request.', { order: 'A1' }),
  variable('all', 'account.name', 'Name of the account.', 'Example Ltd'),
  variable('all', 'account.timezone', 'Time zone of the account.', 'Europe/Paris'),
  variable('all', 'account.locale', 'Language of the account.', 'en'),
  variable('all', 'now', 'Time of rendering, RFC 3339 in UTC.', '2026-01-15T10:30:00.000Z'),
  variable('campaign', 'campaign.id', 'Id of the campaign.', 'cmp_01JHM4B3W6TQ8X2N5R7Y9Z0A1D'),
  variable('campaign', 'campaign.name', 'Name of the campaign.', 'Spring'),
  variable('journey', 'journey.id', 'Id of the journey.', 'jrn_01JHM4B3W6TQ8X2N5R7Y9Z0A1D'),
  variable('journey', 'journey.name', 'Name of the journey.', 'Welcome'),
  variable('event', 'event.name', 'Name of the event that started the journey.', 'purchase'),
  variable('event', 'event.properties.*', 'Properties of that event.', { total: 49.9 }),
  variable('event', 'events', 'Of a digest: its events, each with `name` and `properties`.', [{ name: 'purchase', properties: { total: 49.9 } }]),
];
const ofEmail = [
  variable('all', 'unsubscribe_url', 'Page on which the recipient unsubscribes from marketing.', 'https://example.com/v1/public/unsubscribe/token'),
  variable('all', 'preferences_url', 'Page on which the recipient chooses channels and lists.', 'https://example.com/v1/public/preferences/token'),
];

const examples: Readonly<Record<CustomField['type'], unknown>> = {
  string: 'pro',
  number: 3,
  boolean: true,
  date: '2026-01-15',
  datetime: '2026-01-15T10:30:00.000Z',
  string_list: ['a', 'b'],
  json: { any: 'value' },
};

/** The variables of messages on a channel, with the custom fields of the account. */
export function variablesOfChannel(channel: ChannelName | undefined, fields: Iterable<CustomField>): TemplateVariable[] {
  const custom = [...fields].map(({ key, label, type, options }) =>
    variable('contact', `contact.custom_fields.${key}`, `${label} (custom field, ${type}).`, options?.[0] ?? examples[type]),
  );
  return [...ofContact, ...custom, ...others, ...(channel === undefined || channel === 'email' ? ofEmail : [])];
}
