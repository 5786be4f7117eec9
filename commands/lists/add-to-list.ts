import {
  type ConsentEntry,
  type ConsentProof,
  consent,
  consentOf,
  consentStream,
  MARKETING_PURPOSE,
  proofSchema,
} from '../../domain/consent/consent.js';
import { isSharedKey } from '../../domain/contacts/other-addresses.js';
import { type FieldProblem, invalid, isDomainError } from '../../domain/kernel/errors.js';
import { ownField } from '../../domain/kernel/own-fields.js';
import { boundedText, list as listOf, nullable, oneOf, optional, record, text } from '../../domain/kernel/schema.js';
import type { ListDetails } from '../../domain/lists/list.js';
import { type MembershipStatus, membership, membershipStream } from '../../domain/lists/membership.js';
import { normalizeEmail, normalizePhone } from '../../formats/contacts/addresses.js';
import { addressKind, emailHint, phoneHint } from '../../formats/contacts/parse-address.js';
import { loadClaims } from '../../log/aggregates/contacts/load-claims.js';
import { type FoundContact, findContact } from '../../log/aggregates/contacts/load-contact.js';
import { loadList } from '../../log/aggregates/lists/load-list.js';
import { loadUnifiedMemberships } from '../../log/aggregates/lists/load-memberships.js';
import { loadConsents } from '../../log/aggregates/load-consents.js';
import { hashId } from '../../log/runtime/ids.js';
import { keysOfAddress } from '../../log/vault/address-keys.js';
import { confirmContacts } from '../consent/confirm-contact.js';
import { type Context, command } from '../runtime/command.js';
import { requireMode } from '../runtime/contact-modes.js';
import { executeOnce } from '../runtime/idempotency.js';
import type { ValidationRule, WellFormed } from '../runtime/rules.js';
import { type UnchangedReason, whyUnchanged } from './unchanged.js';

/** `changed` is false if the contact was subscribed or pending already, or has unsubscribed and stays so. */
export interface AddedContact {
  readonly contact_id: string;
  readonly status: MembershipStatus;
  readonly changed: boolean;
  /** Why nothing changed. */
  readonly unchanged?: UnchangedReason;
}

export interface AddToListResult {
  readonly added: readonly AddedContact[];
  /** Problems of the references that match no contact. */
  readonly errors: readonly FieldProblem[];
}

/**
 * Adds contacts to a list; with double opt-in they are pending until they confirm by email. A contact that has unsubscribed
 * is added only `by` the person. References that match no contact are reported; throws `validation_error` if none matches,
 * and `not_found` for the list.
 */
export const addToList = command({
  name: 'AddToList',
  input: record({
    list_id: text,
    // Any text: what matches no contact is reported among the errors.
    contact_ids: listOf(boundedText({})),
    emails: listOf(boundedText({})),
    phones: listOf(boundedText({})),
    by: oneOf('person', 'account'),
    source: text,
    /** Base URL of links in mails, from the request; null for the configured one. */
    base_url: nullable(text),
    /** They have confirmed elsewhere, which this proves: nobody is asked. */
    confirmed: optional(proofSchema),
  }),

  handle({ list_id, by, source, base_url, confirmed, ...named }, context): Promise<AddToListResult> {
    const prepare = async () => {
      const list = await loadList(context.log, context.cause.account, list_id);
      const found = await resolveContacts(context, named);
      if (found.contacts.length === 0) throw invalid(found.errors);
      return { list, ...found };
    };
    return executeOnce(
      context,
      async ({ list, contacts, errors }) => {
        const added: AddedContact[] = [];
        const elsewhere = confirmed && { proof: confirmed, cause: { kind: 'request', id: context.cause.invocation } as const };
        const options = { by, source, base_url, ...(elsewhere && { confirmed: elsewhere }) };
        for (const contact of contacts) added.push(await addContactToList(context, list, contact, options));
        return { added, errors };
      },
      prepare,
    );
  },
});

interface AddOptions {
  readonly by: 'person' | 'account';
  readonly source: string;
  readonly base_url: string | null;
  /** The confirmation mail goes to the sandbox; as by default for a command of a test key. */
  readonly test?: boolean;
  readonly confirmed?: ConfirmedElsewhere;
}

/** What proves that a person has confirmed elsewhere, and what has said so. */
export interface ConfirmedElsewhere {
  readonly proof: ConsentProof;
  readonly cause: ConsentEntry['cause'];
}

/** Subscribes one contact, or requests its confirmation. */
export async function addContactToList(
  context: Context,
  list: ListDetails,
  found: FoundContact,
  { by, source, base_url, confirmed, test = context.cause.test }: AddOptions,
): Promise<AddedContact> {
  const { now, cause } = context;
  await requireMode(context, found);
  const { named, root, unified } = found;
  const subject = { contact_id: named.id, list_id: list.id, by, source, unified: await loadUnifiedMemberships(context.log, unified), now };
  // The same on every run, so that a repeated command requests one confirmation.
  const request_id = hashId('req', cause.account, cause.key ?? cause.invocation, named.id, list.id);
  if (confirmed) await recordConfirmation(context, list, found, ownField(subject.unified, list.id)?.value.status, confirmed);
  const command =
    list.opt_in === 'single' || confirmed
      ? ({ type: 'Subscribe', ...subject } as const)
      : ({ type: 'Request', ...subject, request_id, base_url, ...(test && { test }) } as const);
  const { state, position } = await context.decide(membership, membershipStream(named.id), command);
  if (position !== null) return { contact_id: root.id, status: ownField(state, list.id)?.value.status ?? 'pending', changed: true };
  const status = ownField(subject.unified, list.id)?.value.status ?? 'pending';
  return { contact_id: root.id, status, changed: false, unchanged: whyUnchanged(status) };
}

/**
 * Records the consent of a person who has confirmed elsewhere, before the membership. Nothing for who has left the list, and no consent for
 * who has withdrawn it: neither is undone by what was confirmed before.
 */
async function recordConfirmation(
  context: Context,
  list: ListDetails,
  { named, unified }: FoundContact,
  status: MembershipStatus | undefined,
  { proof, cause }: ConfirmedElsewhere,
): Promise<void> {
  if (status === 'unsubscribed' || status === 'cleaned') return;
  const { now } = context;
  if (consentOf(await loadConsents(context.log, unified), 'email', MARKETING_PURPOSE) !== 'withdrawn')
    await context.decide(consent, consentStream(named.id), {
      ...{ type: 'Record', status: 'granted', contact_id: named.id, channel: 'email', purpose: MARKETING_PURPOSE, lawful_basis: 'consent' },
      ...{ source: 'confirmed_elsewhere', proof, cause, oncePerCause: true, occurred_at: now, now },
    });
  const of = { kind: 'list', id: list.id } as const;
  await confirmContacts(context, [named.id], { confirmed: { by: 'proof', of }, source: cause.kind === 'import' ? 'import' : 'api' });
}

type ContactReferences = Readonly<Record<'contact_ids' | 'emails' | 'phones', readonly string[]>>;

/** The rule of a request that adds contacts: each reference has to match a contact. */
export const contactReferencesRule: ValidationRule<Partial<ContactReferences>> = async ({ contact_ids = [], emails = [], phones = [] }, about) => {
  const { errors } = await resolveContacts(about.context, { contact_ids, emails, phones });
  const hasMalformed = ['contact_ids', 'emails', 'phones'].some(about.isMalformed);
  return hasMalformed ? errors.filter(({ code }) => code !== 'required') : errors;
};

/** Resolves references to contacts. A contact that is referenced twice is returned once. */
async function resolveContacts(
  context: Context,
  named: WellFormed<ContactReferences>,
): Promise<{ contacts: FoundContact[]; errors: FieldProblem[] }> {
  const contacts = new Map<string, FoundContact>();
  const errors: FieldProblem[] = [];
  for (const kind of ['contact_ids', 'emails', 'phones'] as const) {
    for (const [i, name] of (named[kind] ?? []).entries()) {
      if (name === undefined) continue;
      const found = await resolveContact(context, kind, name);
      if ('code' in found) errors.push({ field: `${kind}[${i}]`, ...found });
      else if (!contacts.has(found.root.id)) contacts.set(found.root.id, found);
    }
  }
  if (contacts.size === 0 && errors.length === 0) errors.push({ field: 'contact_ids', code: 'required', message: 'Give at least one contact.' });
  return { contacts: [...contacts.values()], errors };
}

const parsers = {
  contact_ids: {
    read: (id: string): string | null => (/^con_\w{1,64}$/.test(id) ? id : null),
    code: 'not_found',
    hint: () => 'There is no such contact.',
  },
  emails: { read: normalizeEmail, code: 'invalid_email', hint: emailHint },
  phones: { read: normalizePhone, code: 'invalid_phone', hint: phoneHint },
} as const;

async function resolveContact(context: Context, kind: keyof ContactReferences, name: string): Promise<FoundContact | Omit<FieldProblem, 'field'>> {
  const { read, code, hint } = parsers[kind];
  const one = read(name);
  if (one === null) return { code, message: hint(name) };
  const holder = kind === 'contact_ids' ? null : await keyHolder(context, one);
  if (holder?.isShared) return SHARED;
  const id = kind === 'contact_ids' ? one : (holder?.id ?? null);
  try {
    if (id !== null) return await findContact(context.log, context.cause.account, id);
  } catch (e) {
    if (!isDomainError(e)) throw e;
  }
  return { code: 'not_found', message: 'There is no such contact.' };
}

const SHARED = {
  code: 'matched_by_phone',
  message:
    'This email came in with the phone of a contact that has another one: nobody knows whether it is the same person. Add the contact by its id.',
};

/** The contact that has an address, as its own or as a further one; null if there is none. `isShared`: only by a phone that two share. */
async function keyHolder({ log, addresses, cause }: Context, address: string): Promise<{ id: string; isShared: boolean } | null> {
  const name = addressKind(address);
  const [key, ...spellings] = keysOfAddress(addresses, cause.account, address);
  const [claim] = await loadClaims({ log }, [{ name, key, spellings }]);
  if (!claim?.holder) return null;
  const { id, state } = claim.holder;
  return { id, isShared: state.status !== 'new' && isSharedKey(state.facts, name, claim.key) };
}
