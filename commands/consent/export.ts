import type { Consents } from '../../domain/consent/consent.js';
import { partsOf } from '../../domain/consent/consent.js';
import type { KnownContact } from '../../domain/contacts/contact.js';
import type { EventLog } from '../../log/event-log.js';
import { wholeOf } from '../contacts/contact-tree.js';
import { consentsOf, ledgerOf, type Moment, suppressionsOf } from './ledger.js';
import { chained, type SigningKey, signed } from './signed-document.js';

export const EXPORT_FORMAT = 'heliograph-consent-export/1';

/** What holds on each channel for each purpose, in one order. */
export const standing = (consents: Consents) =>
  Object.entries(consents)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, { value, at }]) => {
      const [channel, purpose] = partsOf(key);
      const { status, said_on, contact_id, lawful_basis, source, cause, recorded_at } = value;
      return { channel, purpose, status, said_on, contact_id, lawful_basis, source, cause, occurred_at: at, recorded_at };
    });

/** Everything that the ledger knows of a contact, in a document that proves itself (see signed-document). */
export async function consentExport(log: EventLog, about: { account: string; root: KnownContact; moment: Moment; now: string }, key: SigningKey) {
  const { account, root, moment, now } = about;
  const { members, facts } = await wholeOf(log, root, moment.knownAt);
  const ids = members.map(({ id }) => id);
  const [consents, ledger, suppressions] = await Promise.all([
    consentsOf(log, root, moment),
    ledgerOf(log, ids, moment),
    suppressionsOf(log, root, moment),
  ]);
  const entries = chained(ledger);
  const document = {
    format: EXPORT_FORMAT,
    account_id: account,
    contact: { id: root.id, merged_ids: ids.slice(1), email: facts.values.email?.value ?? null, phone: facts.values.phone?.value ?? null },
    as_of: moment.asOf ?? null,
    known_at: moment.knownAt ?? null,
    exported_at: now,
    standing: standing(consents),
    suppressions,
    entries,
    chain_head: entries.at(-1)?.hash ?? null,
  };
  return signed(document, key);
}
