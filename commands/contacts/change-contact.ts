import Type, { type Static } from 'typebox';
import { membersOf } from '../../domain/contacts/contact-tree.js';
import { type ContactPatch, emptyPatch } from '../../domain/contacts/facts.js';
import { addressOf, otherFieldOf, shownName } from '../../domain/contacts/other-addresses.js';
import { DomainError, invalid } from '../../domain/kernel/errors.js';
import { ownField } from '../../domain/kernel/own-fields.js';
import { count, nullable, text } from '../../domain/kernel/schema.js';
import { type IdentifyingKey, identifyingKeysOf, loadClaims } from '../../log/aggregates/contacts/load-claims.js';
import { type FoundContact, findContact, type LoadedContact, loadVersion } from '../../log/aggregates/contacts/load-contact.js';
import { loadCustomFields } from '../../log/aggregates/contacts/load-custom-fields.js';
import { type Context, command, type Plan } from '../runtime/command.js';
import { withRule } from '../runtime/rules.js';
import { releaseKeys } from './claims.js';
import { contactInput, contactRule, readContactInput } from './contact-input.js';
import { appendsTo } from './links.js';
import { type ContactRow, claimedKeysOf, keyTextsOf, rootIdOf } from './row-identity.js';
import { loadPaths, releaseReplaced } from './upsert.js';
import { completeRowLinks, type LoadedUpdate, planUpdate, type UpdateOutcome, type UpsertProgress } from './upsert-plan.js';

/** What a request changes of a contact that it names. */
export const changeInput = withRule(
  Type.Object(
    {
      ...contactInput.properties,
      forget_previous: Type.Optional(
        Type.Boolean({
          default: false,
          description: 'An email or a phone that is replaced does not stay among `other_emails` or `other_phones`: the contact has it no more.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  contactRule,
);

/**
 * Changes one contact: given values replace the present ones, null removes a value, absent values stay, and `tags` and further addresses
 * become the contact's only ones. An email or a phone that is replaced stays as a further one, unless it is to be forgotten. Throws `conflict` with the ids of contacts that have one of the addresses, `not_found`,
 * `contact_erased`, `version_conflict` and `validation_error`.
 */
export const changeContact = command({
  name: 'ChangeContact',
  input: Type.Object({ contact_id: text, change: changeInput, expected_version: nullable(count) }),

  async handle({ contact_id, change, expected_version }, context): Promise<{ readonly contact_id: string }> {
    const { account } = context.cause;
    const fields = await loadCustomFields(context.log, account);
    const reading = readContactInput(change, { account, addresses: context.addresses, fields });
    if ('problems' in reading) throw invalid(reading.problems);
    const { row } = reading;
    const keys = [contact_id, ...keyTextsOf(row)];
    return context.exclusively(keys, () => applyChange(context, { id: contact_id, row, change, expected: expected_version }));
  },
});

type Change = Static<typeof changeInput>;

interface AskedChange {
  readonly id: string;
  readonly row: ContactRow;
  readonly change: Change;
  readonly expected: number | null;
}

interface LoadedChange extends Omit<LoadedUpdate, 'named'> {
  readonly contact: FoundContact;
  /** Null if the caller expects none. */
  readonly version: number | null;
}

async function applyChange(context: Context, { id, row, change, expected }: AskedChange) {
  const load = async (): Promise<LoadedChange> => {
    const contact = await findContact(context.log, context.cause.account, id);
    const { root, unified } = contact;
    const version = expected === null ? null : await loadVersion(context.log, unified);
    const claims = await loadClaims(context, claimedKeysOf(row));
    return { contact, version, claims, paths: await loadPaths(context, claims), root, unified: new Map([[root.id, unified.facts]]) };
  };
  const taken = new Map<string, IdentifyingKey[]>();
  const by = { source: 'api', import_id: null, ...(context.cause.test && { test: true as const }) } as const;
  const plan = ({ contact, version, ...loaded }: LoadedChange, progress: readonly UpsertProgress[]): Plan<UpdateOutcome, UpsertProgress> => {
    // Once the patch is recorded, the version is higher by this change itself.
    if (progress.length === 0) requireVersion(version, expected);
    const half = completeRowLinks(loaded, context.now);
    if (half.length > 0) return { appends: half };
    requireOwnKeys(loaded);
    const lost = lostAddresses(contact, row, change);
    for (const { of, keys } of lost) taken.set(of.id, [...(taken.get(of.id) ?? []), ...keys]);
    const elsewhere = lost.filter(({ of }) => of.id !== contact.named.id);
    // The parts first: the contact itself takes the patch at the end, with the result.
    const parts = elsewhere.flatMap(({ of, patch }) => appendsTo(of, { type: 'Update', contact_id: of.id, patch, ...by, now: context.now }));
    if (parts.length > 0) return { appends: parts };
    const own = lost.find(({ of }) => of.id === contact.named.id)?.patch ?? emptyPatch;
    const given = { ...row, patch: joined(own, change.tags ? { ...row.patch, ...replaceTags(contact, change.tags) } : row.patch) };
    const forget = new Set(lost.flatMap(({ keys }) => keys.map(({ key }) => key)));
    const effect = { reach: 'whole', placements: new Map(), forget, warnings: [] } as const;
    return planUpdate({ ...loaded, named: contact.named }, progress, given, by, context.now, effect);
  };
  const { contact_id } = await releaseReplaced(context, await context.attempt(load, plan));
  for (const [member, keys] of taken) await releaseKeys(context, member, keys);
  return { contact_id };
}

interface LostAddresses {
  readonly of: LoadedContact;
  readonly patch: ContactPatch;
  readonly keys: readonly IdentifyingKey[];
}

/** By member, the addresses that the request takes away: null removes one, `forget_previous` the one that is replaced, a list all others. */
function lostAddresses({ unified }: FoundContact, { patch }: ContactRow, change: Change): LostAddresses[] {
  const kept = new Set(Object.values(patch.keys).filter((key) => key !== null));
  return membersOf(unified.tree).flatMap(({ own }) => {
    const keys = identifyingKeysOf(own.state).filter(({ name, key }) => {
      const kind = addressOf(name);
      if (kind === null || kept.has(key)) return false;
      const isPrimary = ownField(unified.facts.keys, kind)?.value === key;
      if (isPrimary) return change[kind] === null || (change.forget_previous === true && change[kind] !== undefined);
      return change[otherFieldOf(kind)] !== undefined;
    });
    const names = keys.map(({ name }) => name);
    const lost = { ...emptyPatch, cleared: names, keys: Object.fromEntries(names.map((name) => [name, null])) };
    return names.length > 0 ? [{ of: own, patch: lost, keys }] : [];
  });
}

/** Both patches; what the second says of a name counts. */
function joined(lost: ContactPatch, patch: ContactPatch): ContactPatch {
  const said = new Set([...Object.keys(patch.values), ...Object.keys(patch.personal), ...patch.cleared]);
  const cleared = lost.cleared.filter((name) => !said.has(name));
  return { ...patch, cleared: [...cleared, ...patch.cleared], keys: { ...Object.fromEntries(cleared.map((name) => [name, null])), ...patch.keys } };
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
  throw new DomainError(
    'conflict',
    `Another contact has this ${[...new Set(foreign.map(shownName))].join(' and ')}. Merge the two if they are one person.`,
    { contact_ids },
  );
}

/** The changes that leave a contact with exactly these tags. */
function replaceTags({ unified }: FoundContact, tags: readonly string[]) {
  const present = Object.keys(unified.facts.tags).filter((tag) => ownField(unified.facts.tags, tag)?.value);
  return { tags_added: [...tags], tags_removed: present.filter((tag) => !tags.includes(tag)) };
}
