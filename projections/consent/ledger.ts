import { type ConsentEvent, type ConsentProof, type ConsentStatus, consentStatusOf, consentStream } from '../../domain/consent/consent.js';
import { ERASED } from '../../domain/kernel/erased.js';
import { isKnown, type PointInTime } from '../../log/aggregates/load-consents.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import { hashId } from '../../log/runtime/ids.js';
import type { LogEvent } from '../../log/runtime/log-event.js';

/** One statement of the consent ledger, with its proof. */
export interface LedgerEntry {
  readonly event_id: string;
  /** The contact that the statement was recorded for: the contact itself or one merged into it. */
  readonly contact_id: string;
  readonly channel: string;
  readonly purpose: string;
  readonly status: ConsentStatus;
  readonly lawful_basis: string;
  readonly source: string;
  /** Each field reads `<erased>` once the contact is erased. */
  readonly proof: ConsentProof;
  readonly cause: { readonly kind: string; readonly id: string };
  readonly actor: { readonly kind: string; readonly id: string };
  /** Correlation id: the request, or the event that started the chain. */
  readonly request_id: string;
  readonly occurred_at: string;
  readonly recorded_at: string;
  /** Position in the log. Orders statements with the same `occurred_at`. */
  readonly position: string;
}

/** All statements of these contacts, in the order of `ledgerSortKey`. */
export async function loadLedger(log: EventLog, contactIds: readonly string[], moment: PointInTime = {}): Promise<LedgerEntry[]> {
  const streams = await Promise.all(contactIds.map((id) => log.read<ConsentEvent>(consentStream(id))));
  const entries = streams.flatMap((events) => (events ?? []).filter((stored) => isKnown(stored, moment)).map(toLedgerEntry));
  return entries.sort((a, b) => compare(ledgerSortKey(a), ledgerSortKey(b)));
}

/** Sort key of the ledger: the time of the statement, then its position in the log. */
export const ledgerSortKey = ({ occurred_at, position }: Pick<LedgerEntry, 'occurred_at' | 'position'>): string => `${occurred_at}/${position}`;
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const erasedProof: ConsentProof = { form_id: ERASED, text_version: ERASED, text: ERASED, ip: ERASED, user_agent: ERASED };

function toLedgerEntry({ event, id, position, meta }: LogEvent<ConsentEvent>): LedgerEntry {
  const { contact_id, channel, purpose, lawful_basis, source, proof, cause, occurred_at, at: recorded_at } = event.data;
  return {
    event_id: hashId('evt', id),
    contact_id,
    channel,
    purpose,
    status: consentStatusOf[event.type],
    lawful_basis,
    source,
    proof: Object.keys(proof).length === 0 ? erasedProof : proof,
    cause,
    actor: meta.actor,
    request_id: meta.$correlationId,
    occurred_at,
    recorded_at,
    position,
  };
}

/** The ledger entry at one revision of a contact's consent stream, or null. */
export async function loadLedgerEntry(log: EventLog, contactId: string, revision: number): Promise<LedgerEntry | null> {
  const [stored] = (await log.read<ConsentEvent>(consentStream(contactId), { from: revision, limit: 1 })) ?? [];
  return stored ? toLedgerEntry(stored) : null;
}
