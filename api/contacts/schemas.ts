import { type ContactResource, contactResource } from '../../domain/contacts/resource.js';
import { flag, list, named, record, text } from '../../domain/kernel/schema.js';

export const exampleContact: ContactResource = {
  id: 'con_01JHM4B3W6TQ8X2N5R7Y9Z0A1C',
  email: 'ada@example.com',
  phone: '+14155550100',
  first_name: 'Ada',
  last_name: 'Lovelace',
  locale: 'en-GB',
  timezone: 'Europe/London',
  custom_fields: { plan: 'pro' },
  tags: ['vip'],
  lists: [{ id: 'lst_01JHM4B3W6TQ8X2N5R7Y9Z0A1C', status: 'subscribed' }],
  consents: { email: { marketing: 'granted' } },
  suppressed_channels: ['sms'],
  scores: {},
  source: 'api',
  merged_ids: [],
  created_at: '2026-01-15T10:30:00.000Z',
  updated_at: '2026-01-15T10:30:00.000Z',
  version: 1,
};

/** What an upsert answers besides the contact. */
export const upsertedContact = named(
  'UpsertedContact',
  record({
    ...contactResource.properties,
    /** Whether it was there already. */
    merged: flag,
    /** Links that this request made between contacts, each of which can be taken away again. */
    merge_ids: list(text),
  }),
);

export const mergedContact = named('MergedContact', record({ contact: contactResource, merge_id: text }));
export const unmergedContact = named('UnmergedContacts', record({ contact: contactResource, released: contactResource }));
