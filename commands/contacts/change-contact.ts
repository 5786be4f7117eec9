import Type from 'typebox';
import { DomainError, invalid } from '../../domain/kernel/errors.js';
import { ownField } from '../../domain/kernel/own-fields.js';
import { count, nullable, text } from '../../domain/kernel/schema.js';
import { type FoundContact, findContact } from '../../log/aggregates/contacts/find-contact.js';
import { loadClaims } from '../../log/aggregates/contacts/load-claims.js';
import { loadVersion } from '../../log/aggregates/contacts/unify-contact.js';
import { type Context, command, type Plan } from '../runtime/command.js';
import { contactInput, readContactInput } from './contact-input.js';
import { loadPaths, releaseReplaced } from './upsert.js';
import { loadOwnCustomFields } from './upsert-contact.js';
import {
  type ContactRow,
  completeRowLinks,
  type LoadedUpdate,
  planUpdate,
  rootIdOf,
  type UpdateOutcome,
  type UpsertProgress,
} from './upsert-plan.js';

/**
 * Changes one contact: given values replace the present ones, null removes a value, absent values stay, and `tags` become the
 * contact's only tags. Throws `conflict` with the ids of contacts that have one of the addresses, `not_found`,
 * `contact_erased`, `version_conflict` and `validation_error`.
 */
export const changeContact = command({
  name: 'ChangeContact',
  input: Type.Object({ contact_id: text, change: contactInput, expected_version: nullable(count) }),

  async handle({ contact_id, change, expected_version }, context): Promise<{ readonly contact_id: string }> {
    const { account } = context.cause;
    const reading = readContactInput(change, { account, addresses: context.addresses, fields: await loadOwnCustomFields(context) });
    if ('problems' in reading) throw invalid(reading.problems);
    const { row } = reading;
    const keys = [contact_id, ...row.keys.map(({ key }) => key)];
    return context.exclusively(keys, () => applyChange(context, contact_id, row, change.tags, expected_version));
  },
});

interface LoadedChange extends Omit<LoadedUpdate, 'named'> {
  readonly contact: FoundContact;
  /** Null if the caller expects none. */
  readonly version: number | null;
}

async function applyChange(context: Context, id: string, row: ContactRow, tags: readonly string[] | undefined, expected: number | null) {
  const load = async (): Promise<LoadedChange> => {
    const contact = await findContact(context.log, context.cause.account, id);
    const { root, unified } = contact;
    const version = expected === null ? null : await loadVersion(context.log, unified);
    const claims = await loadClaims(context, row.keys);
    return { contact, version, claims, paths: await loadPaths(context, claims), root, unified: unified.facts };
  };
  const plan = ({ contact, version, ...loaded }: LoadedChange, progress: readonly UpsertProgress[]): Plan<UpdateOutcome, UpsertProgress> => {
    // Once the patch is recorded, the version is higher by this change itself.
    if (progress.length === 0) requireVersion(version, expected);
    const half = completeRowLinks(loaded, context.now);
    if (half.length > 0) return { appends: half };
    requireOwnKeys(loaded);
    const given = tags ? { ...row, patch: { ...row.patch, ...replaceTags(contact, tags) } } : row;
    return planUpdate(
      { ...loaded, named: contact.named },
      progress,
      given,
      { source: 'api', import_id: null, ...(context.cause.test && { test: true }) },
      context.now,
    );
  };
  const { contact_id } = await releaseReplaced(context, await context.attempt(load, plan));
  return { contact_id };
}

function requireVersion(actual: number | null, expected: number | null): void {
  if (actual === expected) return;
  throw new DomainError('version_conflict', `The contact is at version ${actual}, not ${expected}. Read it again, then change it.`, {
    expected,
    actual,
  });
}

/** Throws `conflict` for keys of other contacts. */
function requireOwnKeys(loaded: Omit<LoadedUpdate, 'named'>): void {
  const rootOf = (name: string) => rootIdOf(loaded, name);
  const foreign = loaded.claims.map(({ name }) => name).filter((name) => rootOf(name) !== undefined && rootOf(name) !== loaded.root.id);
  if (foreign.length === 0) return;
  const contact_ids = [...new Set(foreign.map(rootOf))];
  throw new DomainError('conflict', `Another contact has this ${foreign.join(' and ')}. Merge the two if they are one person.`, { contact_ids });
}

/** The changes that leave a contact with exactly these tags. */
function replaceTags({ unified }: FoundContact, tags: readonly string[]) {
  const present = Object.keys(unified.facts.tags).filter((tag) => ownField(unified.facts.tags, tag)?.value);
  return { tags_added: [...tags], tags_removed: present.filter((tag) => !tags.includes(tag)) };
}
