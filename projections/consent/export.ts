import type { Consents } from '../../domain/consent/consent.js';
import { parseConsentKey } from '../../domain/consent/consent.js';
import { chainEntries, type SigningKey, signDocument } from '../../formats/consent/signed-document.js';
import type { UnifiedContact } from '../../log/aggregates/contacts/load-contact.js';
import { loadConsents, type PointInTime } from '../../log/aggregates/load-consents.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import { loadActiveSuppressions } from './active-suppressions.js';
import { type LedgerEntry, loadLedger } from './ledger.js';

export const EXPORT_FORMAT = 'heliograph-consent-export/1';

/**
 * The effective consent on each channel for each purpose, sorted, with its ledger entry. A statement on all channels is
 * listed for each channel; `said_on` is the channel of the statement itself.
 */
export const effectiveConsents = (consents: Consents, ledger: readonly LedgerEntry[]) =>
  Object.entries(consents)
    .filter(([, { value }]) => !value.list_request)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([key, statement]) => {
      const [channel] = parseConsentKey(key);
      const entry = ledger.findLast((one) => isStatement(one, key, statement));
      return entry ? [{ ...entry, channel, said_on: entry.channel }] : [];
    });

const isStatement = (entry: LedgerEntry, key: string, { value, at }: Consents[string]): boolean =>
  entry.purpose === parseConsentKey(key)[1] &&
  entry.channel === value.said_on &&
  entry.contact_id === value.contact_id &&
  entry.status === value.status &&
  entry.occurred_at === at &&
  entry.recorded_at === value.recorded_at;

/** The consents, suppressions and ledger of a contact as a signed document. */
export async function exportConsents(
  log: EventLog,
  about: { account: string; whole: UnifiedContact; moment: PointInTime & { readonly knownAt?: string | undefined }; now: string },
  key: SigningKey,
) {
  const { account, whole, moment, now } = about;
  const { root, members, facts } = whole;
  const ids = members.map(({ id }) => id);
  const [consents, ledger, suppressions] = await Promise.all([
    loadConsents(log, whole, moment),
    loadLedger(log, ids, moment),
    loadActiveSuppressions(log, whole, moment),
  ]);
  const entries = chainEntries(ledger);
  const document = {
    format: EXPORT_FORMAT,
    account_id: account,
    contact: { id: root.id, merged_ids: ids.slice(1), email: facts.values.email?.value ?? null, phone: facts.values.phone?.value ?? null },
    as_of: moment.asOf ?? null,
    known_at: moment.knownAt ?? null,
    exported_at: now,
    standing: effectiveConsents(consents, ledger),
    suppressions,
    entries,
    chain_head: entries.at(-1)?.hash ?? null,
  };
  return signDocument(document, key);
}
