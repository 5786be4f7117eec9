import type { BounceMeaning } from './meanings.js';

/**
 * What enhanced status codes mean, by subject and detail. Null: the code is generic, and words say more. Codes that are not listed mean
 * what `subjects` says.
 *
 * Sources: RFC 3463 (section 3); the IANA registry "SMTP Enhanced Status Codes" (RFC 5248) for the later ones, with RFC 7504 (null MX) and
 * RFC 7372 (authentication); Microsoft, "Non-delivery reports in Exchange Online" for x.y.NNN; Google, "SMTP error reference".
 */
export const enhancedStatuses: ReadonlyMap<string, BounceMeaning | null> = new Map([
  // X.0: other or undefined.
  ['0.0', null],
  // X.1: addresses.
  ['1.0', null],
  ['1.1', 'no_mailbox'],
  ['1.2', 'no_domain'],
  // Bad syntax: of the address, or of what a gateway made of it.
  ['1.3', 'no_mailbox'],
  ['1.4', 'routing'],
  ['1.6', 'moved'],
  ['1.7', 'sender_address'],
  ['1.8', 'sender_address'],
  ['1.9', 'sender_address'],
  ['1.10', 'takes_no_mail'],
  ['1.20', 'sender_address'],
  ['1.351', 'no_mailbox'],
  ['1.90', 'rate'],
  // X.2: mailboxes.
  ['2.0', null],
  ['2.1', 'disabled'],
  ['2.2', 'full'],
  ['2.3', 'too_large'],
  ['2.4', 'routing'],
  ['2.121', 'rate'],
  ['2.122', 'rate'],
  // X.3: mail systems.
  ['3.0', null],
  ['3.4', 'too_large'],
  ['3.5', 'system'],
  // X.4: network and routing.
  ['4.0', null],
  ['4.1', 'network'],
  ['4.2', 'network'],
  ['4.3', 'name_server'],
  // "Unable to route": no host of that name, or a name server that fails. Words say which.
  ['4.4', null],
  ['4.6', 'routing'],
  ['4.7', 'expired'],
  ['4.8', 'routing'],
  ['4.14', 'routing'],
  ['4.310', 'no_domain'],
  ['4.312', 'name_server'],
  ['4.316', 'expired'],
  // X.5: the protocol. Some systems give 5.5.0 to everything.
  ['5.0', null],
  ['5.1', null],
  ['5.3', 'rate'],
  ['5.4', null],
  // X.6: the content.
  ['6.0', null],
  ['6.7', 'content'],
  // X.7: security and policy.
  ['7.0', null],
  ['7.1', null],
  ['7.2', 'restricted'],
  ['7.13', 'disabled'],
  ['7.14', 'restricted'],
  ['7.17', 'restricted'],
]);

/** By the subject alone. */
export const statusSubjects: ReadonlyMap<string, BounceMeaning | null> = new Map([
  ['0', null],
  ['1', null],
  ['2', null],
  ['3', 'system'],
  ['4', 'network'],
  ['5', 'protocol'],
  ['6', 'content'],
  ['7', 'policy'],
]);

/** More than the table says of codes of authentication (RFC 7372 and the registry: SPF, DKIM, DMARC, reverse DNS). */
const AUTHENTICATION = /^7\.(?:[3-9]|1[12]|15|16|2\d|509|515|750)$/;

/** What a code such as `5.1.1` means; null where it is generic. */
export function meaningOfStatus(code: string): BounceMeaning | null {
  const [, subject = '', detail = ''] = code.split('.');
  const name = `${Number(subject)}.${Number(detail)}`;
  const known = enhancedStatuses.get(name);
  if (known !== undefined) return known;
  if (AUTHENTICATION.test(name)) return 'authentication';
  return statusSubjects.get(String(Number(subject))) ?? null;
}
