import type { Consents } from '../../domain/consent/consent.js';
import { partsOf } from '../../domain/consent/consent.js';
import type { EventLog } from '../../log/event-log.js';
import type { UnitedContact } from '../contacts/contact-tree.js';
import { consentsOf, type LedgerEntry, ledgerOf, type Moment, suppressionsOf } from './ledger.js';
import { chained, type SigningKey, signed } from './signed-document.js';

export const EXPORT_FORMAT = 'heliograph-consent-export/1';

/**
 * What holds on each channel for each purpose, in one order, each with the statement of the ledger that says so. A
 * statement on all channels stands at each of them (`said_on`).
 */
export const standing = (consents: Consents, ledger: readonly LedgerEntry[]) =>
  Object.entries(consents)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([key, said]) => {
      const [channel] = partsOf(key);
      const entry = ledger.findLast((one) => isStatement(one, key, said));
      return entry ? [{ ...entry, channel, said_on: entry.channel }] : [];
    });

const isStatement = (entry: LedgerEntry, key: string, { value, at }: Consents[string]): boolean =>
  entry.purpose === partsOf(key)[1] &&
  entry.channel === value.said_on &&
  entry.contact_id === value.contact_id &&
  entry.status === value.status &&
  entry.occurred_at === at &&
  entry.recorded_at === value.recorded_at;

/** Everything that the ledger knows of a contact, in a document that proves itself (see signed-document). */
export async function consentExport(
  log: EventLog,
  about: { account: string; whole: UnitedContact; moment: Moment & { readonly knownAt?: string | undefined }; now: string },
  key: SigningKey,
) {
  const { account, whole, moment, now } = about;
  const { root, members, facts } = whole;
  const ids = members.map(({ id }) => id);
  const [consents, ledger, suppressions] = await Promise.all([
    consentsOf(log, whole, moment),
    ledgerOf(log, ids, moment),
    suppressionsOf(log, whole, moment),
  ]);
  const entries = chained(ledger);
  const document = {
    format: EXPORT_FORMAT,
    account_id: account,
    contact: { id: root.id, merged_ids: ids.slice(1), email: facts.values.email?.value ?? null, phone: facts.values.phone?.value ?? null },
    as_of: moment.asOf ?? null,
    known_at: moment.knownAt ?? null,
    exported_at: now,
    standing: standing(consents, ledger),
    suppressions,
    entries,
    chain_head: entries.at(-1)?.hash ?? null,
  };
  return signed(document, key);
}
