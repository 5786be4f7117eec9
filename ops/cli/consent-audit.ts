import type { ExistingContact } from '../../domain/contacts/contact.js';
import { type ContactKeyEvent, contactKeyStream } from '../../domain/contacts/contact-key.js';
import { ERASED } from '../../domain/kernel/erased.js';
import type { Position } from '../../domain/kernel/ports.js';
import { causesOf, suppression, suppressionStream } from '../../domain/suppressions/suppression.js';
import { chainEntries, type SigningKey, signDocument } from '../../formats/consent/signed-document.js';
import { type LoadedContact, loadContact, loadRoot, unifyContact } from '../../log/aggregates/contacts/load-contact.js';
import { loadUnifiedMemberships } from '../../log/aggregates/lists/load-memberships.js';
import { isOwn, loadHistory } from '../../log/aggregates/load-aggregate.js';
import { loadConsents } from '../../log/aggregates/load-consents.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import { openSources } from '../../log/runtime/open-sources.js';
import { effectiveConsents } from '../../projections/consent/export.js';
import { type LedgerEntry, loadLedger } from '../../projections/consent/ledger.js';

export const AUDIT_FORMAT = 'heliograph-consent-audit/1';

/** An audit of one address of one account, at a moment or now (RFC 3339 in milliseconds and UTC). */
export interface AuditRequest {
  readonly account: string;
  /** The keyed hash of the address. It is all that remains after an erasure. */
  readonly address_key: string;
  /** Those of the other spellings of a number. */
  readonly other_keys: readonly string[];
  readonly as_of: string | null;
  readonly now: string;
}

/**
 * Everything in the log about an address: the contacts that claimed it, with the contacts merged into them, their consents
 * and list memberships, and the suppressions of the address. Uses no read model. After an erasure the keyed hash, dates,
 * channels and lawful bases remain; the rest reads `<erased>`.
 */
export async function auditConsent(log: EventLog, { account, address_key, other_keys, as_of, now }: AuditRequest) {
  const keys = [address_key, ...other_keys];
  const read = await Promise.all(keys.map((key) => log.read<ContactKeyEvent>(contactKeyStream(key))));
  const claims = read.flatMap((events) => events ?? []).map(({ event }) => event);
  const ids = [...new Set(claims.map(({ data }) => data.contact_id))];
  const roots = new Map<string, LoadedContact>();
  for (const id of ids) {
    const named = await loadContact(log, id);
    const root = await loadRoot(log, named);
    if (isOwn(named, account) && root.state.status !== 'new') roots.set(root.id, root);
  }
  const people = await Promise.all([...roots.values()].map((root) => auditContact(log, root, as_of)));
  return {
    format: AUDIT_FORMAT,
    account_id: account,
    address_key,
    as_of,
    audited_at: now,
    claims: claims.map(({ type, data: { contact_id, at } }) => ({ event: type, contact_id, at })),
    contacts: people.map(({ contact }) => contact),
    suppressions: await suppressionsOf(log, keys, as_of),
    entries: people.flatMap(({ ledger }) => ledger),
  };
}

export type Audit = Awaited<ReturnType<typeof auditConsent>>;

/** The audit as a signed document whose entries are chained by hashes. */
export function signedAudit(audit: Audit, key: SigningKey) {
  const entries = chainEntries(audit.entries);
  return signDocument({ ...audit, entries, chain_head: entries.at(-1)?.hash ?? null }, key);
}

async function auditContact(log: EventLog, loaded: LoadedContact, asOf: string | null) {
  const { erased } = loaded;
  const events = await loaded.events();
  const last = events.at(-1)?.position;
  const whole = await unifyContact(log, loaded);
  const { root } = whole;
  const moment = { asOf: asOf ?? undefined };
  const [consents, ledger, memberships] = await Promise.all([
    loadConsents(log, whole, moment),
    loadLedger(
      log,
      whole.members.map(({ id }) => id),
      moment,
    ),
    membershipsAt(log, root, asOf),
  ]);
  const isErased = erased === true || root.status === 'erased';
  const contact = {
    id: root.id,
    status: isErased ? 'erased' : root.status,
    merged_ids: whole.members.slice(1).map(({ id }) => id),
    email: valueOrErased(whole.facts.values.email?.value, isErased),
    phone: valueOrErased(whole.facts.values.phone?.value, isErased),
    created_at: root.created_at,
    last_position: (last ?? null) as Position | null,
    standing: effectiveConsents(consents, ledger),
    memberships,
  };
  return { contact, ledger: ledger as readonly LedgerEntry[] };
}

/** Memberships by the time at which they were recorded. */
async function membershipsAt(log: EventLog, { id }: ExistingContact, asOf: string | null) {
  const until = asOf ?? undefined;
  const contact = await loadContact(log, id, until);
  if (contact.state.status === 'new') return [];
  const memberships = await loadUnifiedMemberships(log, await unifyContact(log, contact, until), until);
  const all = Object.entries(memberships).map(([list_id, { value, at }]) => ({ list_id, status: value.status, source: value.source, since: at }));
  return openSources(log, all);
}

const valueOrErased = (value: unknown, isErased: boolean): unknown => (isErased ? ERASED : (value ?? null));

/** Of all spellings of a number. */
async function suppressionsOf(log: EventLog, keys: readonly string[], asOf: string | null) {
  const found = await Promise.all(keys.map((key) => suppressionHistory(log, key, asOf)));
  return { standing: found.flatMap(({ standing }) => standing), history: found.flatMap(({ history }) => history) };
}

/** The suppression events of the address, and the suppressions that were active at the moment. */
async function suppressionHistory(log: EventLog, addressKey: string, asOf: string | null) {
  const { state, events } = await loadHistory(log, suppression, suppressionStream(addressKey), {
    where: ({ event: { data } }) => asOf === null || ('occurred_at' in data ? data.occurred_at : data.at) <= asOf,
  });
  return { standing: causesOf(state), history: events.map(({ event: { type, data } }) => ({ event: type, ...data })) };
}
