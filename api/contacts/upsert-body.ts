import Type, { type Static } from 'typebox';
import { unknownLists } from '../../commands/contacts/accept-import.js';
import type { AlongWithContact } from '../../commands/contacts/along-with-contact.js';
import { type ContactInput, contactInput, identifiedContactRule } from '../../commands/contacts/contact-input.js';
import type { Context } from '../../commands/runtime/command.js';
import { type RuleContext, type WellFormed, withRule } from '../../commands/runtime/rules.js';
import { onConflictSchema } from '../../domain/accounts/settings.js';
import { type FieldProblem, invalid } from '../../domain/kernel/errors.js';
import { list, optional } from '../../domain/kernel/schema.js';
import { confirmedFields, confirmedProblems, proofOf } from '../consent/confirmed.js';
import { consentInput } from '../consent/schemas.js';

export const onConflict = optional(onConflictSchema);

const upsertFields = Type.Object(
  {
    ...contactInput.properties,
    on_conflict: onConflict,
    consents: optional(list(consentInput, { maxItems: 20 })),
    list_ids: optional(list(Type.String({ minLength: 1 }), { maxItems: 20 })),
    ...confirmedFields,
  },
  { additionalProperties: false },
);
type UpsertBody = Static<typeof upsertFields>;

/** The body of an upsert: the fields of the contact, and what is said of it besides. */
export const upsertBody = withRule(upsertFields, async (body, about) => [
  ...(await identifiedContactRule(body as WellFormed<ContactInput>, about)),
  ...(await alongProblems(body, about)),
]);

/** What is wrong with what a call says besides fields. */
async function alongProblems(
  { consents = [], list_ids = [], confirmed, proof }: WellFormed<UpsertBody>,
  { context, isMalformed }: RuleContext,
): Promise<FieldProblem[]> {
  const names = consents.map((one) => (one?.channel && one.purpose ? `${one.channel} ${one.purpose}` : null));
  const twice = names.flatMap((name, i) => {
    if (name === null || names.indexOf(name) === i) return [];
    return [{ field: `consents[${i}]`, code: 'duplicate', message: `Give one consent for a channel and purpose; '${name}' is there twice.` }];
  });
  return [...twice, ...(await unknownLists(context, list_ids)), ...confirmedProblems({ confirmed, proof }, isMalformed)];
}

/** The parts of a body. Throws `validation_error` with every wrong field. */
export async function readUpsertBody(
  body: UpsertBody,
  ruleContext: () => Context,
  base_url: string | null,
): Promise<{ contact: ContactInput; on_conflict?: UpsertBody['on_conflict']; along: AlongWithContact | null }> {
  const { on_conflict, consents, list_ids, confirmed, proof, ...contact } = body;
  const rest = { contact, ...(on_conflict && { on_conflict }) };
  if ([consents, list_ids, confirmed, proof].every((one) => one === undefined)) return { ...rest, along: null };
  const about: RuleContext = { context: ruleContext(), isMalformed: () => false, params: {} };
  const wrong = await alongProblems(body as WellFormed<UpsertBody>, about);
  if (wrong.length > 0) throw invalid([...(await identifiedContactRule(contact as WellFormed<ContactInput>, about)), ...wrong]);
  const proven = confirmed ? proofOf(proof) : null;
  const statements = (consents ?? []).map(({ proof: own, ...one }) => ({ ...one, ...(own && { proof: own }) }));
  return { ...rest, along: { consents: statements, list_ids: [...new Set(list_ids)], base_url, ...(proven && { confirmed: proven }) } };
}
