import { ACCOUNT_BASIS, type ContactBasis, earlierBasis, needsMemberships } from '../../../domain/consent/marketing-basis.js';
import type { ExistingContact } from '../../../domain/contacts/contact.js';
import { addressKeysOf, type Facts } from '../../../domain/contacts/facts.js';
import type { Memberships } from '../../../domain/lists/membership.js';
import type { EventLog } from '../../runtime/event-log.js';
import { loadMemberships } from './load-memberships.js';

/** A contact, or one that is merged into it, with its own addresses and what it may be written to for marketing by. */
export interface MemberBasis {
  readonly contact_id: string;
  /** Of its addresses. */
  readonly keys: readonly string[];
  readonly basis: ContactBasis;
  readonly created_at: string;
}

interface KnownMember {
  readonly id: string;
  readonly source: string;
  readonly created_at: string;
  readonly facts: Facts;
  readonly basis?: ContactBasis;
}

/** `memberships`: null where they are not worth a read. They decide only where nothing recorded a basis. */
export const memberBasis = ({ id: contact_id, source, basis, created_at, facts }: KnownMember, memberships: Memberships | null): MemberBasis => ({
  contact_id,
  keys: addressKeysOf([{ facts }]).map(({ key }) => key),
  basis: basis ?? (memberships ? earlierBasis(source, statusesOf(memberships)) : ACCOUNT_BASIS),
  created_at,
});

const statusesOf = (memberships: Memberships): string[] => Object.values(memberships).map(({ value }) => value.status);

/** `isOpen`: whether no consent decides. One more read, of contacts that forms and imports of earlier releases made. */
export const loadMemberBasis = async (log: EventLog, member: ExistingContact, isOpen: boolean): Promise<MemberBasis> =>
  memberBasis(member, isOpen && needsMemberships(member.source, member.basis) ? await loadMemberships(log, member.id) : null);
