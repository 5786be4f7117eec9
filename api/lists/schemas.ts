import Type, { type TString } from 'typebox';
import { emailRule, phoneRule } from '../../commands/contacts/address-rules.js';
import { withRule } from '../../commands/rules.js';
import { annotate, named, nullable, optional, record, text, time } from '../../domain/kernel/schema.js';
import { optInSchema } from '../../domain/lists/list.js';
import { membershipStatusSchema } from '../../domain/lists/membership.js';

const line = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, pattern: '^[^\\u0000-\\u001f\\u007f]*$', description });

export const listName = line(200, 'What the list is called, also in mails that ask for a confirmation.');
export const listDescription = nullable(Type.String({ maxLength: 2_000 }));
const optInNote = '`single`: whoever is added is on the list. `double`: is `pending`, and asked by email to confirm within 72 hours.';
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

export const memberResource = named(
  'ListMember',
  record({
    contact_id: Type.String({ description: 'The contact; one that was merged counts once, under the contact that stays.' }),
    status: membershipStatusSchema,
    source: text,
    since: Type.String({ format: 'date-time', description: 'When it got this status.' }),
  }),
);

const names = (description: string, element: TString = Type.String({ maxLength: 320 })) =>
  optional(Type.Array(element, { maxItems: 1_000, description }));
const address = () => Type.String({ maxLength: 320 });
export const addMembersRequest = named(
  'AddMembersRequest',
  record({
    contact_ids: names('By id.'),
    emails: names('By email address, of contacts that exist.', withRule(address(), emailRule)),
    phones: names('By phone number with country prefix, of contacts that exist.', withRule(address(), phoneRule)),
    source: optional(Type.String({ minLength: 1, maxLength: 128, default: 'api', description: 'Where it is known from, in your own word.' })),
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
          changed: Type.Boolean({ description: 'False where it was so before, or where the contact left the list and stays away.' }),
        }),
      ),
    ),
    errors: Type.Array(named('AddMemberError', record({ field: text, code: text, message: text }))),
  }),
);
