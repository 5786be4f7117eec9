import Type from 'typebox';
import { contactReferencesRule } from '../../commands/lists/add-to-list.js';
import { withRule } from '../../commands/runtime/rules.js';
import { annotate, boundedText, lineOf, named, nullable, optional, record, text, time } from '../../domain/kernel/schema.js';
import { optInSchema } from '../../domain/lists/list.js';
import { membershipStatusSchema } from '../../domain/lists/membership.js';
import { confirmedFields, confirmedProblems } from '../consent/confirmed.js';
import { truncated } from '../http/shared-schemas.js';

const line = (maxLength: number, description: string) => Type.String({ ...lineOf(maxLength), description });

export const listName = line(200, 'Name of the list, also shown in confirmation mails.');
export const listDescription = nullable(Type.String({ maxLength: 2_000 }));
const optInNote = '`single`: contacts are subscribed when they are added. `double`: they are `pending`, and confirm by email within 72 hours.';
/** Without a default, for changes. */
export const optInField = annotate(optInSchema, { description: optInNote });
export const optInWithDefault = optional(annotate(optInField, { default: 'single' }));

const count = Type.Integer({ minimum: 0 });
export const listResource = named(
  'ContactList',
  record({
    id: text,
    name: text,
    description: nullable(Type.String()),
    opt_in: optInSchema,
    counts: named('MemberCounts', record({ subscribed: count, pending: count, unsubscribed: count, cleaned: count })),
    created_at: time,
    updated_at: time,
    version: count,
  }),
);

const maybeText = nullable(boundedText({}));
export const memberContact = named('ListMemberContact', record({ first_name: maybeText, last_name: maybeText, email: maybeText, phone: maybeText }));
export const memberResource = named(
  'ListMember',
  record({
    contact_id: Type.String({ description: 'The contact; merged contacts count once, under the surviving one.' }),
    status: membershipStatusSchema,
    source: text,
    since: Type.String({ format: 'date-time', description: 'Time of its latest change of status.' }),
    contact: optional(
      annotate(nullable(memberContact), { description: 'Only with `include=contact`; null for a contact that is deleted or erased.' }),
    ),
  }),
);

const references = (description: string) => optional(Type.Array(Type.String({ maxLength: 320 }), { maxItems: 1_000, description }));
export const addMembersRequest = withRule(
  named(
    'AddMembersRequest',
    record({
      contact_ids: references('Ids of contacts.'),
      emails: references('Email addresses of contacts.'),
      phones: references('Phone numbers of contacts, with country prefix.'),
      source: optional(
        Type.String({
          minLength: 1,
          maxLength: 128,
          default: 'api',
          description: 'Where the request comes from, for example `checkout`.',
        }),
      ),
      ...confirmedFields,
    }),
  ),
  async (body, about) => [...(await contactReferencesRule(body, about)), ...confirmedProblems(body, about.isMalformed)],
);

const unchanged = optional(
  annotate(named('MembershipUnchanged', record({ code: text, message: text })), { description: 'Why nothing changed, where `changed` is false.' }),
);
export const resubscribeRequest = named(
  'ResubscribeRequest',
  record({
    reason: Type.String({ minLength: 1, maxLength: 500, description: 'Why the contact is put back.' }),
    proof: Type.String({ minLength: 1, maxLength: 10_000, description: 'The proof that the person wants it: a quotation, a form, a ticket.' }),
  }),
);
export const resubscribeResult = named(
  'ResubscribeResult',
  record({ list_id: text, contact_id: text, status: nullable(membershipStatusSchema), changed: Type.Boolean(), unchanged }),
);

export const resentConfirmation = named(
  'ResentConfirmation',
  record({
    list_id: text,
    contact_id: text,
    status: membershipStatusSchema,
    resent: Type.Integer({ minimum: 0, description: 'How often it was sent again.' }),
    remaining: Type.Integer({ minimum: 0, description: 'How often it can still be sent again.' }),
    next_at: annotate(nullable(time), { description: 'From when on; null where it cannot be sent again any more.' }),
  }),
);

export const addMembersResult = named(
  'AddMembersResult',
  record({
    list_id: text,
    added: Type.Array(
      named(
        'AddedMember',
        record({
          contact_id: text,
          status: membershipStatusSchema,
          changed: Type.Boolean({ description: 'False if nothing changed, also for a contact that had unsubscribed.' }),
          unchanged,
        }),
      ),
    ),
    errors: Type.Array(named('AddMemberError', record({ field: text, code: text, message: text }))),
    errors_truncated: optional(truncated),
  }),
);
