import { contactResource } from '../../domain/contacts/resource.js';
import { flag, list, named, record, text } from '../../domain/kernel/schema.js';
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
