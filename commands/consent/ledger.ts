import {
  type ConsentEvent,
  type ConsentProof,
  type ConsentStatus,
  type Consents,
  consent,
  consentStatusOf,
  consentStream,
  uniteConsents,
} from '../../domain/consent/consent.js';
import { ERASED } from '../../domain/kernel/erased.js';
import { causesOf, type SuppressionCause, suppression, suppressionStream } from '../../domain/suppressions/suppression.js';
import { type UnitedContact, uniteOver } from '../../log/contacts/unite-contact.js';
import type { EventLog } from '../../log/event-log.js';
import { hashId } from '../../log/ids.js';
import { isWithin, loadAggregate, type Until } from '../../log/load-aggregate.js';
import type { LogEvent } from '../../log/log-event.js';

/**
 * Which moment is asked about. Both RFC 3339 in milliseconds and UTC; without them, now.
 * `asOf`: what people had said up to then. `knownAt`: of what was recorded up to then.
 */
export interface PointInTime {
  readonly asOf?: string | undefined;
  readonly knownAt?: Until | undefined;
}

/**
 * What holds of a contact with all that is merged into it, from the log alone. Who was linked to whom is a matter of what was
 * known: `whole` is as it was at `knownAt`.
 */
export const loadConsents = (log: EventLog, whole: UnitedContact, moment: PointInTime = {}): Promise<Consents> =>
  uniteOver(
    whole,
    async ({ id }) => (await loadAggregate(log, consent, consentStream(id), { sealed: true, where: (stored) => within(stored, moment) })).state,
    uniteConsents,
  );

const within = ({ event, position }: LogEvent<ConsentEvent>, { asOf, knownAt }: PointInTime): boolean =>
  (asOf === undefined || event.data.occurred_at <= asOf) && isWithin(knownAt, event.data.at, position);

/** One statement of the ledger, with what shows it. */
export interface LedgerEntry {
  readonly event_id: string;
  /** Of which it was said: the contact, or one that is merged into it. */
  readonly contact_id: string;
  readonly channel: string;
  readonly purpose: string;
  readonly status: ConsentStatus;
  readonly lawful_basis: string;
  readonly source: string;
  /** Each field reads `<erased>` once the contact is. */
  readonly proof: ConsentProof;
  readonly cause: { readonly kind: string; readonly id: string };
  /** Who recorded it, and in which request or chain of events. */
  readonly actor: { readonly kind: string; readonly id: string };
  readonly request_id: string;
  readonly occurred_at: string;
  readonly recorded_at: string;
  /** Place in the log: what was said at one moment stands in the order in which it was recorded. */
  readonly position: string;
}

/** Every statement of these contacts, in the order in which they were made. */
export async function loadLedger(log: EventLog, contactIds: readonly string[], moment: PointInTime = {}): Promise<LedgerEntry[]> {
  const streams = await Promise.all(contactIds.map((id) => log.read<ConsentEvent>(consentStream(id))));
  const entries = streams.flatMap((events) => (events ?? []).filter((stored) => within(stored, moment)).map(toLedgerEntry));
  return entries.sort((a, b) => compare(ledgerSortKey(a), ledgerSortKey(b)));
}

/** Sorts the ledger: when it was said, then where it stands in the log. */
export const ledgerSortKey = ({ occurred_at, position }: Pick<LedgerEntry, 'occurred_at' | 'position'>): string => `${occurred_at}/${position}`;
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const erasedProof: ConsentProof = { form_id: ERASED, text_version: ERASED, text: ERASED, ip: ERASED, user_agent: ERASED };

export function toLedgerEntry({ event, id, position, meta }: LogEvent<ConsentEvent>): LedgerEntry {
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

/** A reason for which an address of the contact must not be written to, whatever was agreed. */
export interface ActiveSuppression extends SuppressionCause {
  /** Which address: the contact's own, or that of one that is merged into it. */
  readonly address: 'email' | 'phone';
  readonly address_key: string;
}

/** The do-not-contact entries of all addresses that a contact and its parts have. */
export async function loadActiveSuppressions(log: EventLog, { members }: UnitedContact, moment: PointInTime = {}): Promise<ActiveSuppression[]> {
  const named = members.flatMap(({ facts }) =>
    (['email', 'phone'] as const).flatMap((address) => {
      const key = facts.keys[address]?.value;
      return key ? [[address, key] as const] : [];
    }),
  );
  const addresses = [...new Map(named.map(([address, key]) => [key, address]))];
  const found = await Promise.all(
    addresses.map(async ([address_key, address]) => {
      const causes = await loadSuppressionCauses(log, address_key, moment);
      return causes.map((cause) => ({ ...cause, address, address_key }));
    }),
  );
  return found.flat();
}

/** What stands on one address at a moment. */
export async function loadSuppressionCauses(
  log: EventLog,
  addressKey: string,
  { asOf, knownAt }: PointInTime = {},
): Promise<readonly SuppressionCause[]> {
  const { state } = await loadAggregate(log, suppression, suppressionStream(addressKey), {
    until: knownAt,
    sealed: true,
    where: ({ event: { data } }) => asOf === undefined || ('occurred_at' in data ? data.occurred_at : data.at) <= asOf,
  });
  return causesOf(state);
}
