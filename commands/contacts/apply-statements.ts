import {
  type ConsentStatus,
  type Consents,
  consent,
  consentChannels,
  consentOf,
  consentStream,
  type LawfulBasis,
  MARKETING_PURPOSE,
  noProof,
} from '../../domain/consent/consent.js';
import { addressKeysOf } from '../../domain/contacts/facts.js';
import { isOptOut, type RowStatement, type StatementMeaning } from '../../domain/contacts/statements.js';
import { takesAddress } from '../../domain/kernel/channels.js';
import { ownField } from '../../domain/kernel/own-fields.js';
import type { ListDetails } from '../../domain/lists/list.js';
import { membership, membershipStream } from '../../domain/lists/membership.js';
import type { SuppressionReason, SuppressionScope } from '../../domain/suppressions/reasons.js';
import type { SuppressionChannel } from '../../domain/suppressions/suppression.js';
import { type FoundContact, findContact } from '../../log/aggregates/contacts/find-contact.js';
import { loadUnifiedMemberships } from '../../log/aggregates/lists/load-memberships.js';
import { loadConsents } from '../../log/aggregates/load-consents.js';
import { confirmContacts } from '../consent/confirm-contact.js';
import { addContactToList } from '../lists/add-to-list.js';
import type { Context } from '../runtime/command.js';
import { suppressAddress } from '../suppressions/suppress-address.js';
import type { ImportSource } from './import-row.js';
import type { ContactRow } from './row-identity.js';

/** An address of a row. */
interface RowAddress {
  readonly kind: 'email' | 'phone';
  readonly key: string;
  readonly address: string | null;
  /** It is the first one of the contact that the row is about. Another contact may hold it, or this one as a further one. */
  readonly isPrimary: boolean;
}

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
  const addresses = addressesOf(row, found);
  const isOwn = !isWeak && (addresses.length === 0 || addresses[0]?.isPrimary === true);
  for (const statement of statements) {
    if (statement.kind === 'list') {
      const list = lists.find(({ id }) => id === statement.list_id);
      if (list && isOwn) await applyToList(part, source, found, { list, meaning: statement.meaning });
    } else await applyToChannel(part, source, found, { ...statement, addresses, isOwn });
  }
}

interface ChannelStatement extends RowStatement {
  readonly addresses: readonly RowAddress[];
  readonly isOwn: boolean;
}

/** A bounce or a complaint is about the address; the person's own opt-out is on the record of the contact. */
async function applyToChannel(part: Context, source: ImportSource, found: FoundContact, said: ChannelStatement): Promise<void> {
  const { kind, channel = 'all', meaning, scope = 'all', at, mapped, exact, purpose, lawful_basis, addresses, isOwn } = said;
  const about = { channel, at, ...(purpose && { purpose }), ...(lawful_basis && { lawful_basis }) };
  const isMarketing = purpose === undefined || purpose === MARKETING_PURPOSE;
  if (isOptOut(meaning)) {
    const isPersonal = kind === 'consent' && (meaning === 'unsubscribed' || meaning === 'stop_keyword');
    if (!isPersonal) await suppress(part, addresses, { channel, reason: meaning, scope, at });
    else if (isOwn && exact) await record(part, source, found, { ...about, status: 'withdrawn', oncePerCause: true });
    else if (isMarketing) await withdraw(part, source, found, { channel, at, addresses, isOwn, reason: meaning });
  } else if (kind === 'consent' && isOwn && (meaning !== 'granted' || mapped))
    await recordIfAbsent(part, source, found, { ...about, status: meaning === 'granted' ? 'granted' : 'pending' });
}

/** Whether a row says something that a consent for all rows must not overrule. */
export const lowersConsent = (statements: readonly RowStatement[], channel: string): boolean =>
  statements.some(
    ({ kind, channel: of = 'all', purpose = MARKETING_PURPOSE, meaning }) =>
      kind === 'consent' && purpose === MARKETING_PURPOSE && meaning !== 'granted' && (of === 'all' || channel === 'all' || of === channel),
  );

function addressesOf({ patch, keys }: ContactRow, { unified }: FoundContact): RowAddress[] {
  const primary = new Set(addressKeysOf([unified]).map(({ key }) => key));
  return (['email', 'phone'] as const).flatMap((kind) => {
    const key = keys.find(({ name }) => name === kind)?.key;
    const address = (ownField(patch.personal, kind) as string | undefined) ?? null;
    return key === undefined ? [] : [{ kind, key, address, isPrimary: primary.has(key) }];
  });
}

interface AddressSuppression {
  readonly channel: SuppressionChannel;
  readonly reason: OptOut;
  readonly scope: SuppressionScope;
  readonly at: string | undefined;
}

async function suppress(part: Context, addresses: readonly RowAddress[], { channel, reason, scope, at }: AddressSuppression): Promise<void> {
  // What a test key says of an address is not for live messages.
  if (part.cause.test) return;
  for (const { kind, key, address } of addresses) {
    if (!takesAddress(channel, kind)) continue;
    const entry = { channel, reason, scope, source: 'import', via: 'import' } as const;
    await suppressAddress.handle({ address, address_key: key, ...entry, ...(at !== undefined && { occurred_at: at }) }, part);
  }
}

interface Withdrawal {
  readonly channel: SuppressionChannel;
  readonly at: string | undefined;
  readonly addresses: readonly RowAddress[];
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
  if (isOwn) await record(part, source, found, { channel, status: 'withdrawn', at, oncePerCause: true });
  const consents: Consents = isOwn ? await loadConsents(part.log, found.unified) : {};
  const refuses = (channel === 'all' ? consentChannels : [channel]).every((one) => consentOf(consents, one, MARKETING_PURPOSE) === 'withdrawn');
  const others = refuses ? addresses.filter(({ isPrimary }) => !isPrimary) : addresses;
  await suppress(part, others, { channel, reason, scope: 'marketing', at });
}

interface ConsentRecord {
  readonly channel: SuppressionChannel;
  readonly status: ConsentStatus;
  readonly at: string | undefined;
  /** Default: marketing. */
  readonly purpose?: string;
  readonly lawful_basis?: LawfulBasis;
  readonly oncePerCause?: boolean;
  readonly onlyIfAbsent?: boolean;
}

/** A statement about all channels applies to each of them, so it needs each of them to have none. */
async function recordIfAbsent(part: Context, source: ImportSource, found: FoundContact, entry: ConsentRecord): Promise<void> {
  const known = await loadConsents(part.log, found.unified);
  const channels = entry.channel === 'all' ? consentChannels : [entry.channel];
  if (channels.some((channel) => consentOf(known, channel, entry.purpose ?? MARKETING_PURPOSE) !== 'none')) return;
  await record(part, source, found, { ...entry, onlyIfAbsent: true });
}

async function record(part: Context, { id, options }: ImportSource, { named }: FoundContact, entry: ConsentRecord): Promise<void> {
  const { channel, status, at, purpose = MARKETING_PURPOSE, lawful_basis, ...when } = entry;
  await part.decide(consent, consentStream(named.id), {
    type: 'Record',
    contact_id: named.id,
    channel,
    purpose,
    status,
    lawful_basis: lawful_basis ?? options.consent?.lawful_basis ?? 'consent',
    source: 'import',
    proof: status === 'granted' ? (options.proof ?? noProof) : noProof,
    cause: { kind: 'import', id },
    occurred_at: at ?? part.now,
    ...when,
    now: part.now,
  });
  // A grant with credentials ends the wait for a confirmation.
  if (status === 'granted' && purpose === MARKETING_PURPOSE)
    await confirmContacts(part, [named.id], { confirmed: { by: 'consent', of: null }, source: 'import' });
}

interface ListStatement {
  readonly list: ListDetails;
  readonly meaning: StatementMeaning;
}

/** Neither overrides what the person decided. A contact that has never been on the list can have left it elsewhere. */
async function applyToList(part: Context, { id, options }: ImportSource, found: FoundContact, { list, meaning }: ListStatement): Promise<void> {
  if (meaning === 'none') return;
  if (!isOptOut(meaning)) {
    const confirmed = options.confirmed && options.proof && { proof: options.proof, cause: { kind: 'import', id } as const };
    const added = { by: 'account', source: 'import', base_url: options.base_url } as const;
    await addContactToList(part, list, found, { ...added, ...(options.test && { test: true }), ...(confirmed && { confirmed }) });
    return;
  }
  const unified = await loadUnifiedMemberships(part.log, found.unified);
  const subject = { contact_id: found.named.id, list_id: list.id, source: 'import', unified, now: part.now } as const;
  const ending = meaning === 'bounced' ? ({ type: 'Clean' } as const) : ({ type: 'Unsubscribe', by: 'account' } as const);
  await part.decide(membership, membershipStream(found.named.id), { ...ending, ...subject, evenIfAbsent: true });
}
