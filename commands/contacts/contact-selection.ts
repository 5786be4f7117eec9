import type { FieldProblem } from '../../domain/kernel/errors.js';
import { boundedText, mapOf, optional, record, type Static, text } from '../../domain/kernel/schema.js';
import { normalizeEmail, normalizePhone } from '../../formats/contacts/addresses.js';
import { emailHint, phoneHint } from '../../formats/contacts/parse-address.js';
import { loadCustomFields } from '../../log/aggregates/contacts/load-custom-fields.js';
import { findSegment } from '../../log/aggregates/segments/load-segment.js';
import type { Context } from '../runtime/command.js';
import { unknownLists } from './accept-import.js';
import { readCustomFieldFilter } from './contact-filter.js';
import type { ExportedContacts } from './ports.js';

/** What jobs over contacts choose them by; every part must match. */
export const selectionFields = {
  email: optional(boundedText({ minLength: 1, maxLength: 320 })),
  phone: optional(boundedText({ minLength: 1, maxLength: 64 })),
  tag: optional(boundedText({ minLength: 1, maxLength: 64 })),
  /** Contacts with the status `subscribed` on this list. */
  list_id: optional(text),
  /** Contacts that are in this segment when their page is collected. */
  segment_id: optional(text),
  /** Exact values, by the key of the field. */
  custom_fields: optional(mapOf(boundedText({ maxLength: 256 }))),
};
const selection = record(selectionFields);
export type ContactSelection = Static<typeof selection>;

/** The contacts that a request chooses, and every invalid part of it. */
export async function readSelection(
  context: Context,
  { email, phone, tag, list_id, segment_id, custom_fields = {} }: ContactSelection,
): Promise<{ readonly which: ExportedContacts; readonly problems: readonly FieldProblem[] }> {
  const { log, cause, addresses } = context;
  const hmac = (address: string): string => addresses.key(cause.account, address);
  const problems: FieldProblem[] = [];
  const keys: string[] = [];
  const normalEmail = email === undefined ? undefined : normalizeEmail(email);
  const normalPhone = phone === undefined ? undefined : normalizePhone(phone);
  if (email !== undefined && normalEmail === null) problems.push({ field: 'email', code: 'invalid_email', message: emailHint(email) });
  if (phone !== undefined && normalPhone === null) problems.push({ field: 'phone', code: 'invalid_phone', message: phoneHint(phone) });
  for (const address of [normalEmail, normalPhone]) if (address) keys.push(hmac(address));
  const custom = readCustomFieldFilter(custom_fields, await loadCustomFields(log, cause.account), hmac);
  problems.push(...custom.problems.map((problem) => ({ ...problem, field: `custom_fields.${problem.field}` })));
  problems.push(...(await unknownLists(context, [list_id])).map((problem) => ({ ...problem, field: 'list_id' })));
  if (segment_id !== undefined && !(await findSegment(log, cause.account, segment_id)))
    problems.push({ field: 'segment_id', code: 'not_found', message: 'There is no such segment.' });
  const which = {
    ...{ keys: [...keys, ...custom.keys], fields: custom.fields },
    ...(tag !== undefined && { tag }),
    ...(list_id !== undefined && { list_id }),
    ...(segment_id !== undefined && { segment_id }),
  };
  return { which, problems };
}
