import Type from 'typebox';
import { DomainError, invalid } from '../../domain/kernel/errors.js';
import { count, nullable, text } from '../../domain/kernel/schema.js';
import { type FoundContact, findContact } from '../../log/contacts/find-contact.js';
import { type LoadedClaim, loadClaims } from '../../log/contacts/load-claims.js';
import { loadVersion } from '../../log/contacts/unite-contact.js';
import { type Context, command } from '../kernel.js';
import { contactInput, readContactInput } from './contact-input.js';
import { applyToContact, type ContactRow, findRoots, MAX_ROUNDS, type UpdateResult } from './upsert.js';
import { loadOwnCustomFields } from './upsert-contact.js';

/**
 * Changes what is said of one contact: what is given replaces what was known, null takes a value away, what is not given
 * stays; `tags` are all that it has from now on. An address that another contact has is refused (`conflict`, with that
 * contact's id): the two may be merged. Throws `not_found`, `contact_erased`, `version_conflict` and `validation_error`.
 */
export const changeContact = command({
  name: 'ChangeContact',
  input: Type.Object({ contact_id: text, change: contactInput, expected_version: nullable(count) }),

  async handle({ contact_id, change, expected_version }, context): Promise<{ readonly contact_id: string }> {
    const { account } = context.cause;
    const reading = readContactInput(change, { account, addresses: context.addresses, fields: await loadOwnCustomFields(context) });
    if ('problems' in reading) throw invalid(reading.problems);
    const { row } = reading;
    const things = [contact_id, ...row.keys.map(({ key }) => key)];
    return context.exclusively(things, () => changeExclusively(context, contact_id, row, change.tags, expected_version));
  },
});

async function changeExclusively(context: Context, id: string, row: ContactRow, tags: readonly string[] | undefined, expected: number | null) {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const contact = await findContact(context.log, context.cause.account, id);
    await requireVersion(context, contact, expected);
    const claims = await loadClaims(context, row.keys);
    const { rootOfKey } = await findRoots(context, claims);
    requireOwnKeys(claims, rootOfKey, contact.root.id);
    const said = tags ? { ...row, patch: { ...row.patch, ...replaceTags(contact, tags) } } : row;
    const done: UpdateResult | null = await applyToContact(
      context,
      said,
      claims,
      { roots: [contact.root], rootOfKey },
      { source: 'api', import_id: null },
      contact.named,
    );
    if (done) return { contact_id: done.contact_id };
  }
  throw new DomainError('conflict', 'Others say something of the same contact at the same moment. Try again.');
}

async function requireVersion({ log }: Context, { united }: FoundContact, expected: number | null): Promise<void> {
  if (expected === null) return;
  const actual = await loadVersion(log, united);
  if (actual === expected) return;
  throw new DomainError('version_conflict', `The contact is at version ${actual}, not ${expected}. Read it again, then change it.`, {
    expected,
    actual,
  });
}

function requireOwnKeys(claims: readonly LoadedClaim[], rootOfKey: ReadonlyMap<string, string>, root: string): void {
  const foreign = claims.filter(({ name }) => rootOfKey.has(name) && rootOfKey.get(name) !== root);
  if (foreign.length === 0) return;
  const names = foreign.map(({ name }) => name).join(' and ');
  const contact_ids = [...new Set(foreign.map(({ name }) => rootOfKey.get(name)))];
  throw new DomainError('conflict', `Another contact has this ${names}. Merge the two if they are one person.`, { contact_ids });
}

/** The tags that a contact shall have, as what is to be said so that it has them. */
function replaceTags({ united }: FoundContact, tags: readonly string[]) {
  const present = Object.keys(united.facts.tags).filter((tag) => united.facts.tags[tag]?.value);
  return { tags_added: [...tags], tags_removed: present.filter((tag) => !tags.includes(tag)) };
}
