import Type from 'typebox';
import { identityWarning } from '../../domain/contacts/identity.js';
import { contactResource } from '../../domain/contacts/resource.js';
import { flag, list, named, optional, record, text } from '../../domain/kernel/schema.js';

/** The fields of an upsert's response besides the contact. */
export const upsertedContact = named(
  'UpsertedContact',
  record({
    ...contactResource.properties,
    /** Whether the contact existed. */
    merged: flag,
    /** Merges of this request. Each can be undone. */
    merge_ids: list(text),
    warnings: optional(list(Type.Union([text, identityWarning]))),
  }),
);

export const mergedContact = named('MergedContact', record({ contact: contactResource, merge_id: text }));
export const unmergedContact = named('UnmergedContacts', record({ contact: contactResource, released: contactResource }));
