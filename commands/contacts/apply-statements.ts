import { type Consents, consentChannels, consentOf, MARKETING_PURPOSE } from '../../domain/consent/consent.js';
import { addressKeysOf } from '../../domain/contacts/facts.js';
import type { ImportSource } from '../../domain/contacts/import.js';
import { isOptOut, type RowStatement, type StatementMeaning } from '../../domain/contacts/statements.js';
import type { ListDetails } from '../../domain/lists/list.js';
import { membership, membershipStream } from '../../domain/lists/membership.js';
import type { SuppressionReason } from '../../domain/suppressions/reasons.js';
import type { SuppressionChannel } from '../../domain/suppressions/suppression.js';
import { type FoundContact, findContact } from '../../log/aggregates/contacts/load-contact.js';
import { loadUnifiedMemberships } from '../../log/aggregates/lists/load-memberships.js';
import { loadConsents } from '../../log/aggregates/load-consents.js';
import { addContactToList } from '../lists/add-to-list.js';
import type { Context } from '../runtime/command.js';
import { recordImportedConsent, recordImportedConsentIfAbsent } from './import-consent.js';
import { additionBy } from './import-row.js';
import { addressesOf, type RowAddress, suppressAddresses } from './own-addresses.js';
import type { ContactRow } from './row-identity.js';

/** An address of a row. `isPrimary`: the first one of the contact that the row is about; else another contact may hold it, or this one as a further one. */
type StatedAddress = RowAddress & { readonly isPrimary: boolean };

/** A row that is applied. `isWeak`: it speaks for somebody else than its contact. */
interface AppliedRow {
  readonly row: ContactRow;
  readonly contact_id: string;
  readonly isWeak: boolean;
  readonly lists: readonly ListDetails[];
}

type OptOut = StatementMeaning & SuppressionReason;

/**
 * Applies what a row says of consent, suppressions and lists. An opt-out holds for the row's own addresses, whatever contact they belong
 * to: where the record of the contact does not refuse them, they are suppressed. Grants count only where the caller has mapped their
 * column, and never against an earlier statement. Safe to repeat.
 */
export async function applyStatements(
  part: Context,
  source: ImportSource,
  { row, contact_id, isWeak, lists }: AppliedRow,
  statements: readonly RowStatement[],
): Promise<void> {
  const found = await findContact(part.log, part.cause.account, contact_id);
  const addresses = statedAddresses(row, found);
  const isOwn = !isWeak && (addresses.length === 0 || addresses[0]?.isPrimary === true);
  for (const statement of statements) {
    if (statement.kind === 'list') {
      const list = lists.find(({ id }) => id === statement.list_id);
      if (list && isOwn) await applyToList(part, source, found, { list, meaning: statement.meaning });
    } else await applyToChannel(part, source, found, { ...statement, addresses, isOwn });
  }
}

interface ChannelStatement extends RowStatement {
  readonly addresses: readonly StatedAddress[];
  readonly isOwn: boolean;
}

/** A bounce or a complaint is about the address; the person's own opt-out is on the record of the contact. */
async function applyToChannel(part: Context, source: ImportSource, found: FoundContact, said: ChannelStatement): Promise<void> {
  const { kind, channel = 'all', meaning, scope = 'all', at, mapped, exact, purpose, lawful_basis, addresses, isOwn } = said;
  const about = { channel, at, ...(purpose && { purpose }), ...(lawful_basis && { lawful_basis }) };
  const isMarketing = purpose === undefined || purpose === MARKETING_PURPOSE;
  if (isOptOut(meaning)) {
    const isPersonal = kind === 'consent' && (meaning === 'unsubscribed' || meaning === 'stop_keyword');
    if (!isPersonal) await suppressAddresses(part, addresses, { channel, reason: meaning, scope, ...byImport, occurred_at: at });
    else if (isOwn && exact) await recordImportedConsent(part, source, found, { ...about, status: 'withdrawn', oncePerCause: true });
    else if (isMarketing) await withdraw(part, source, found, { channel, at, addresses, isOwn, reason: meaning });
  } else if (kind === 'consent' && isOwn && (meaning !== 'granted' || mapped))
    await recordImportedConsentIfAbsent(part, source, found, { ...about, status: meaning === 'granted' ? 'granted' : 'pending' });
}

/** Whether a row says something that a consent for all rows must not overrule. */
export const lowersConsent = (statements: readonly RowStatement[], channel: string): boolean =>
  statements.some(
    ({ kind, channel: of = 'all', purpose = MARKETING_PURPOSE, meaning }) =>
      kind === 'consent' && purpose === MARKETING_PURPOSE && meaning !== 'granted' && (of === 'all' || channel === 'all' || of === channel),
  );

function statedAddresses({ patch }: ContactRow, { unified }: FoundContact): StatedAddress[] {
  const primary = new Set(addressKeysOf([unified]).map(({ key }) => key));
  return addressesOf(patch).map((one) => ({ ...one, isPrimary: primary.has(one.key) }));
}

const byImport = { source: 'import', via: 'import' } as const;

interface Withdrawal {
  readonly channel: SuppressionChannel;
  readonly at: string | undefined;
  readonly addresses: readonly StatedAddress[];
  readonly isOwn: boolean;
  readonly reason: OptOut;
}

/** The withdrawal is on the record of the contact if the row speaks for it. A later grant outweighs it there, so then the address is suppressed. */
async function withdraw(
  part: Context,
  source: ImportSource,
  found: FoundContact,
  { channel, at, addresses, isOwn, reason }: Withdrawal,
): Promise<void> {
  if (isOwn) await recordImportedConsent(part, source, found, { channel, status: 'withdrawn', at, oncePerCause: true });
  const consents: Consents = isOwn ? await loadConsents(part.log, found.unified) : {};
  const refuses = (channel === 'all' ? consentChannels : [channel]).every((one) => consentOf(consents, one, MARKETING_PURPOSE) === 'withdrawn');
  const others = refuses ? addresses.filter(({ isPrimary }) => !isPrimary) : addresses;
  await suppressAddresses(part, others, { channel, reason, scope: 'marketing', ...byImport, occurred_at: at });
}

interface ListStatement {
  readonly list: ListDetails;
  readonly meaning: StatementMeaning;
}

/** Neither overrides what the person decided. A contact that has never been on the list can have left it elsewhere. */
async function applyToList(part: Context, source: ImportSource, found: FoundContact, { list, meaning }: ListStatement): Promise<void> {
  if (meaning === 'none') return;
  if (!isOptOut(meaning)) {
    await addContactToList(part, list, found, additionBy(source));
    return;
  }
  const unified = await loadUnifiedMemberships(part.log, found.unified);
  const subject = { contact_id: found.named.id, list_id: list.id, source: 'import', unified, now: part.now } as const;
  const ending = meaning === 'bounced' ? ({ type: 'Clean' } as const) : ({ type: 'Unsubscribe', by: 'account' } as const);
  await part.decide(membership, membershipStream(found.named.id), { ...ending, ...subject, evenIfAbsent: true });
}
