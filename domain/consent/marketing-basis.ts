/**
 * Whether there is a basis for marketing to a contact on a channel: one table of all cases. The first part is what the consent ledger
 * says of the channel, the second how the contact came to be.
 */

import type { consentRules } from '../accounts/settings.js';
import { nullable, oneOf, optional, record, type Static, text } from '../kernel/schema.js';
import type { Consent } from './consent.js';

/** A double opt-in that is not answered: `id` is that of the submission of the form, or of the list. */
export const optInRequest = record({ kind: oneOf('form', 'list'), id: text });
export type OptInRequest = Static<typeof optInRequest>;

/** What a contact that a form or an import makes may be written to by, as its first event has it. */
export const creationBasis = record({
  /** `account`: the account names it. `list`: its form puts it onto a list. `none`: its form is none, unless it consents. */
  of: oneOf('account', 'list', 'none'),
  /** The submission or list that it came by. */
  by: optional(optInRequest),
  /** It exists only because of a request that nobody has confirmed. */
  unconfirmed: optional(optInRequest),
});
export type CreationBasis = Static<typeof creationBasis>;

/** What ended a wait for a confirmation: the link in the mail, a proof of the account, or a consent that it has recorded as granted. */
export const confirmation = record({ by: oneOf('link', 'proof', 'consent'), of: nullable(optInRequest) });
export type Confirmation = Static<typeof confirmation>;

/** The basis of a contact as it is now. */
export interface ContactBasis extends CreationBasis {
  readonly confirmed?: Confirmation['by'];
}

/** The basis of what calls with credentials make; of no form and no import. */
export const ACCOUNT_BASIS: ContactBasis = { of: 'account' };

/** Whether a contact exists only because of a request that nobody has confirmed. */
export const isUnconfirmed = (basis: ContactBasis | undefined): boolean => basis?.unconfirmed !== undefined && basis.confirmed === undefined;

/** What the ledger says. `list_request`: a double opt-in that an earlier release recorded as a pending consent, and nothing else. */
type LedgerCase = 'granted' | 'granted_by_form' | 'withdrawn' | 'pending' | 'list_request' | 'none';
/** How the contact came to be. `by_consent`: a consent on some channel has ended the wait, and nobody has used the link. */
type OriginCase = 'named' | 'unconfirmed' | 'by_consent' | 'without_basis';
/** `rule`: that of the account for the channel. `entry`: the entry refuses. `request`: the open request does. `form`: its form gave no basis. */
type Verdict = 'granted' | 'rule' | 'entry' | 'request' | 'form';

/** Anybody can fill in a form with the address of somebody else: its box ends no wait for a confirmation. */
const table: Readonly<Record<LedgerCase, Readonly<Record<OriginCase, Verdict>>>> = {
  granted: { named: 'granted', unconfirmed: 'granted', by_consent: 'granted', without_basis: 'granted' },
  granted_by_form: { named: 'granted', unconfirmed: 'request', by_consent: 'granted', without_basis: 'granted' },
  withdrawn: { named: 'entry', unconfirmed: 'entry', by_consent: 'entry', without_basis: 'entry' },
  pending: { named: 'entry', unconfirmed: 'entry', by_consent: 'entry', without_basis: 'entry' },
  list_request: { named: 'entry', unconfirmed: 'entry', by_consent: 'entry', without_basis: 'entry' },
  none: { named: 'rule', unconfirmed: 'request', by_consent: 'request', without_basis: 'form' },
};

function ledgerCaseOf(entry: Pick<Consent, 'status' | 'cause' | 'list_request'> | undefined): LedgerCase {
  if (!entry) return 'none';
  if (entry.list_request) return 'list_request';
  return entry.status === 'granted' && entry.cause.kind === 'form' ? 'granted_by_form' : entry.status;
}

function originCaseOf({ of, unconfirmed, confirmed }: ContactBasis): OriginCase {
  if (unconfirmed && confirmed === undefined) return 'unconfirmed';
  if (unconfirmed && confirmed === 'consent') return 'by_consent';
  return of === 'none' ? 'without_basis' : 'named';
}

export type BasisDecision =
  | { readonly allowed: true }
  /** The entry of the ledger, or the account's rule that there must be one. */
  | { readonly allowed: false; readonly because: 'entry' }
  /** The request that waits, or the form that gave no basis; null where the log of an earlier release does not say which. */
  | { readonly allowed: false; readonly because: 'unconfirmed' | 'no_basis'; readonly request: OptInRequest | null };

/** `entry`: the effective one of the channel. `basis`: of the contact that holds the address. */
export function marketingBasis(
  entry: Pick<Consent, 'status' | 'cause' | 'list_request'> | undefined,
  basis: ContactBasis,
  rule: (typeof consentRules)[number],
): BasisDecision {
  const verdict = table[ledgerCaseOf(entry)][originCaseOf(basis)];
  switch (verdict) {
    case 'granted':
      return { allowed: true };
    case 'rule':
      return rule === 'opt_out' ? { allowed: true } : { allowed: false, because: 'entry' };
    case 'entry':
      return { allowed: false, because: 'entry' };
    case 'request':
      return { allowed: false, because: 'unconfirmed', request: isNamed(basis.unconfirmed) };
    case 'form':
      return { allowed: false, because: 'no_basis', request: isNamed(basis.by) };
    default:
      return verdict satisfies never;
  }
}

const isNamed = (request: OptInRequest | undefined): OptInRequest | null => (request && request.id !== UNKNOWN_REQUEST ? request : null);
/** Of a request that the log of an earlier release does not name. */
const UNKNOWN_REQUEST = 'unknown';

/** The contact as a form makes it. `lists`: those that it puts people onto and that exist. */
export function formBasis(
  id: string,
  { double_opt_in, asksConsent, consented }: { readonly double_opt_in: boolean; readonly asksConsent: boolean; readonly consented: boolean },
  lists: readonly ListOptIn[],
): CreationBasis {
  const by = { kind: 'form', id } as const;
  const of = !asksConsent && lists.length > 0 ? 'list' : 'none';
  const list = consented && asksConsent ? null : awaitedList(lists);
  const unconfirmed = double_opt_in ? by : list;
  return { of, by, ...(unconfirmed && { unconfirmed }) };
}

/**
 * A contact as an import makes it: straight onto lists with double opt-in alone, it waits for their confirmation. `confirmed`: the import has
 * a proof that it was given elsewhere.
 */
export function importBasis(lists: readonly ListOptIn[], confirmed: boolean): CreationBasis {
  const unconfirmed = confirmed ? null : awaitedList(lists);
  return { of: 'account', ...(unconfirmed && { unconfirmed }) };
}

interface ListOptIn {
  readonly id: string;
  readonly opt_in: 'single' | 'double';
}

/** The list whose confirmation is waited for, where all of them wait for one. */
function awaitedList(lists: readonly ListOptIn[]): OptInRequest | null {
  const [first] = lists;
  return first && lists.every(({ opt_in }) => opt_in === 'double') ? { kind: 'list', id: first.id } : null;
}

/**
 * The basis of a contact whose first event is of a release that did not record one. Who came by a form has one only where it is on a
 * list; of imports, those who are on lists wait where all of them do.
 */
export function earlierBasis(source: string, statuses: readonly string[]): ContactBasis {
  const isSubscribed = statuses.includes('subscribed');
  const isPending = statuses.length > 0 && statuses.every((status) => status === 'pending');
  const unconfirmed = { kind: source === 'form' ? 'form' : 'list', id: UNKNOWN_REQUEST } as const;
  if (source === 'form' && !isSubscribed) return { of: 'none', ...(isPending && { unconfirmed }) };
  return source === 'import' && isPending ? { of: 'account', unconfirmed } : ACCOUNT_BASIS;
}

/** Whether memberships decide about a contact without a recorded basis. */
export const needsMemberships = (source: string, basis: ContactBasis | undefined): boolean =>
  basis === undefined && (source === 'form' || source === 'import');
