import Type from 'typebox';
import { contactResource } from '../../domain/contacts/resource.js';
import { annotate, flag, list, named, nullable, oneOf, optional, record, text } from '../../domain/kernel/schema.js';

/** A warning about the addresses of a contact or row. */
export const identityWarning = named(
  'IdentityWarning',
  record({
    row: optional(Type.Integer({ minimum: 1, description: 'The row of an import, from 1.' })),
    code: named('IdentityWarningCode', oneOf('matched_by_phone', 'email_kept_by', 'phone_kept_by', 'identifier_kept_by')),
    message: text,
    field: Type.String({ description: 'What belongs to the other contact.' }),
    contact_id: Type.String({ description: 'The contact that has it.' }),
    email: optional(nullable(Type.String({ description: 'Of `matched_by_phone`: the email that the contact has among `other_emails` now.' }))),
    not_applied: optional(annotate(list(text), { description: 'Of `matched_by_phone`: the names of what the contact did not take.' })),
  }),
);

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
