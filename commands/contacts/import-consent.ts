import {
  type ConsentStatus,
  consent,
  consentAt,
  consentChannels,
  consentOf,
  consentStream,
  type LawfulBasis,
  MARKETING_PURPOSE,
  noProof,
} from '../../domain/consent/consent.js';
import type { ImportSource } from '../../domain/contacts/import.js';
import type { SuppressionChannel } from '../../domain/suppressions/suppression.js';
import type { FoundContact } from '../../log/aggregates/contacts/load-contact.js';
import { loadConsents } from '../../log/aggregates/load-consents.js';
import { confirmContacts } from '../consent/confirm-contact.js';
import type { Context } from '../runtime/command.js';

/** What an import says of a contact's consent. */
export interface ImportedConsent {
  readonly channel: SuppressionChannel;
  readonly status: ConsentStatus;
  /** RFC 3339. Default: now. */
  readonly at: string | undefined;
  /** Default: marketing. */
  readonly purpose?: string;
  readonly lawful_basis?: LawfulBasis;
  /** Where the consent was given. Default: import. */
  readonly source?: string;
  /** Default: that of the import for a grant, else none. */
  readonly proof?: ImportSource['options']['proof'];
  readonly oncePerCause?: boolean;
  readonly onlyIfAbsent?: boolean;
}

/** Records the consent in the ledger. A grant with credentials ends the wait for a confirmation. */
export async function recordImportedConsent(
  part: Context,
  { id, options }: ImportSource,
  { named }: FoundContact,
  said: ImportedConsent,
): Promise<void> {
  const { channel, status, at, purpose = MARKETING_PURPOSE, lawful_basis, source = 'import', proof, ...when } = said;
  await part.decide(consent, consentStream(named.id), {
    type: 'Record',
    contact_id: named.id,
    channel,
    purpose,
    status,
    lawful_basis: lawful_basis ?? options.consent?.lawful_basis ?? 'consent',
    source,
    proof: proof ?? (status === 'granted' ? options.proof : null) ?? noProof,
    cause: { kind: 'import', id },
    occurred_at: at === undefined ? part.now : new Date(at).toISOString(),
    ...when,
    now: part.now,
  });
  if (status === 'granted' && purpose === MARKETING_PURPOSE)
    await confirmContacts(part, [named.id], { confirmed: { by: 'consent', of: null }, source: 'import' });
}

/**
 * The same where nothing is known yet. A statement about all channels applies to each of them, so it needs each of them to have none.
 * What was said of all channels counts against a grant for one of them, and not against a withdrawal.
 */
export async function recordImportedConsentIfAbsent(part: Context, source: ImportSource, found: FoundContact, said: ImportedConsent): Promise<void> {
  const { channel, status, purpose = MARKETING_PURPOSE } = said;
  const known = await loadConsents(part.log, found.unified);
  const isKnown = (one: string): boolean =>
    status === 'withdrawn' ? consentAt(known, one, purpose) !== undefined : consentOf(known, one, purpose) !== 'none';
  if ((channel === 'all' ? consentChannels : [channel]).some(isKnown)) return;
  await recordImportedConsent(part, source, found, { ...said, onlyIfAbsent: true });
}
