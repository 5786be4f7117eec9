import type { IdentityVerification } from '../../domain/accounts/settings.js';
import { DomainError, isDomainError, notFound } from '../../domain/kernel/errors.js';
import { optional, record, type Static, text } from '../../domain/kernel/schema.js';
import type { IdentityProof } from '../../domain/push/subscription.js';
import { normalizeEmail } from '../../formats/contacts/addresses.js';
import { loadClaims } from '../../log/aggregates/contacts/load-claims.js';
import { findContact, loadRoot } from '../../log/aggregates/contacts/load-contact.js';
import { readContactInput } from '../contacts/contact-input.js';
import type { ContactRow } from '../contacts/row-identity.js';
import type { Context } from '../runtime/command.js';
import type { IdentityRules } from './ports.js';
import type { SubscriptionInput } from './subscription-input.js';
import { isContactHash } from './subscriptions.js';

/** What a request has shown besides its body, checked by the API. */
export const shownCredentials = record({
  /** The id of a key of the account that may write, and is not a test key. */
  api_key: optional(text),
  /** The contact of an inbox token of the account. */
  inbox_contact: optional(text),
});
export type ShownCredentials = Static<typeof shownCredentials>;

/** The contact that a subscription names; at most one of both. */
export type NamedContact = NonNullable<SubscriptionInput['contact']>;

/** Who the device of a subscription belongs to, as far as the request says and proves. */
export interface Identity {
  readonly mode: IdentityVerification;
  /** Null for an anonymous device. */
  readonly contact: NamedContact | null;
  /** Null without a proof that holds. */
  readonly proof: IdentityProof | null;
}

/**
 * Checks the proofs of a subscription. An inbox token names its contact where the body names none. Throws `not_found` for an unknown
 * account, and `unauthorized` where the account requires a proof and there is none.
 */
export async function verifyIdentity(input: SubscriptionInput, shown: ShownCredentials, context: Context): Promise<Identity> {
  const { cause, ports } = context;
  const rules = input.account_id === cause.account ? await ports.push.identityRules(input.account_id) : null;
  if (!rules) throw notFound('account', input.account_id);
  const contact = input.contact ?? (shown.inbox_contact === undefined ? null : { id: shown.inbox_contact });
  if (!contact) return { mode: rules.mode, contact, proof: null };
  const proof = await proofOf(contact, input.contact_hash, shown, rules, context);
  if (proof === null && rules.mode === 'required')
    throw new DomainError(
      'unauthorized',
      'This account verifies contacts. Send `contact_hash`, the HMAC-SHA256 of the contact with its identity secret, or a token of the inbox of the contact.',
    );
  return { mode: rules.mode, contact, proof };
}

async function proofOf(
  contact: NamedContact,
  hash: string | null | undefined,
  { api_key, inbox_contact }: ShownCredentials,
  { secret }: IdentityRules,
  context: Context,
): Promise<IdentityProof | null> {
  if (secret !== null && typeof hash === 'string' && isContactHash(secret, textsOf(contact), hash)) return 'contact_hash';
  if (api_key !== undefined) return 'api_key';
  return inbox_contact !== undefined && (await isSameContact(contact, inbox_contact, context)) ? 'inbox_token' : null;
}

/** The texts of which a hash may be: the id, or the email as it was sent and as it is stored. */
function textsOf({ email, id = '' }: NamedContact): string[] {
  return email === undefined ? [id] : [email.trim().toLowerCase(), (normalizeEmail(email) ?? email).toLowerCase()];
}

async function isSameContact({ email, id = '' }: NamedContact, inbox_contact: string, context: Context): Promise<boolean> {
  const { log, cause } = context;
  try {
    const { root } = await findContact(log, cause.account, inbox_contact);
    if (email === undefined) return (await findContact(log, cause.account, id)).root.id === root.id;
    const [claim] = await loadClaims(context, rowOfEmail(email, context).keys);
    return claim?.holder ? (await loadRoot(log, claim.holder)).id === root.id : false;
  } catch (e) {
    if (isDomainError(e)) return false;
    throw e;
  }
}

/** What finds or makes the contact with this email. */
export function rowOfEmail(email: string, { cause, addresses }: Context): ContactRow {
  const read = readContactInput({ email }, { account: cause.account, addresses, fields: new Map() });
  if ('problems' in read) throw new Error('the email of a valid subscription is none');
  return read.row;
}
