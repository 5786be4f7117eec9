import { type Consents, effectiveForGates, MARKETING_PURPOSE, noConsents } from '../../domain/consent/consent.js';
import { needsMemberships } from '../../domain/consent/marketing-basis.js';
import { addressKeysOf, type Facts } from '../../domain/contacts/facts.js';
import { isSharedKey } from '../../domain/contacts/other-addresses.js';
import { channels, isChannel } from '../../domain/kernel/channels.js';
import type { AnyEvent } from '../../domain/kernel/event.js';
import type { ReadOptions } from '../../domain/kernel/ports.js';
import { type LoadedClaim, loadClaims } from '../../log/aggregates/contacts/load-claims.js';
import { type LoadedContact, loadContact, loadRoot, unifyContact } from '../../log/aggregates/contacts/load-contact.js';
import { loadMemberBasis, type MemberBasis } from '../../log/aggregates/lists/member-basis.js';
import { loadConsents } from '../../log/aggregates/load-consents.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import type { LogEvent } from '../../log/runtime/log-event.js';
import type { FrequencySubjects } from './frequency-caps.js';

/** What the gates need to know of the recipient of a message. */
export interface Recipient {
  /** Ids under which frequency slots are recorded; the first is the contact, or the address key if no contact has it. */
  readonly subjects: FrequencySubjects;
  /** Ids of the contact and of all that are merged into it; none where no contact has the address. */
  readonly members: readonly string[];
  /** The keys of all addresses of the contact: a message to a contact is refused where one of them is suppressed. */
  readonly addressKeys: readonly string[];
  readonly consents: Consents;
  /** Of the contact that holds the address; of all members on a channel to contacts. None where no contact has the address. */
  readonly bases: readonly MemberBasis[];
  /** Its memberships decide, too: it is not cached. */
  readonly isVolatile?: true;
  /** IANA name, or null where it is not known. */
  readonly timezone: string | null;
  /** BCP 47 tag, or null where it is not known. */
  readonly locale: string | null;
}

/** The keys of one address: its own first, then those of the other spellings of a number. On a channel to contacts the id of one. */
export type AddressKeyList = readonly [string, ...string[]];

/** The first subject is the same for all spellings of a number: messages to it take their slots in one stream. */
export const unknownRecipient = (toKeys: AddressKeyList): Recipient => ({
  subjects: toKeys.length === 1 ? toKeys : ([...toKeys].sort() as [string, ...string[]]),
  members: [],
  addressKeys: [],
  consents: noConsents,
  bases: [],
  timezone: null,
  locale: null,
});

/** The contact that has an address now, with all that is merged into it. On a channel that reaches contacts it is given by its id. */
export async function loadRecipient(opened: EventLog, toKeys: AddressKeyList, channel: string): Promise<Recipient> {
  const [toKey, ...spellings] = toKeys;
  const name = isChannel(channel) ? channels[channel].address : 'contact';
  // Opened: a number of a version before names its other spelling by its value alone.
  if (name === 'contact') return recipientOf(opened, toKeys, channel, await loadContact(opened, toKey));
  const log = closed(opened);
  const [claim] = await loadClaims({ log }, [{ name, key: toKey, spellings }]);
  if (!claim?.holder) return { ...unknownRecipient(toKeys), members: claim ? staleOf(claim) : [] };
  return recipientOf(log, toKeys, channel, claim.holder);
}

/** Contacts that have given the address up, in any spelling. */
const staleOf = ({ stale, others = [] }: LoadedClaim): string[] => [stale, ...others.map((one) => one.stale)].flatMap((id) => id ?? []);

async function recipientOf(log: EventLog, toKeys: AddressKeyList, channel: string, holder: LoadedContact): Promise<Recipient> {
  const [toKey] = toKeys;
  const root = await loadRoot(log, holder);
  const { state } = root;
  if (state.status !== 'active') return { ...unknownRecipient(toKeys), members: [holder.id, ...(state.status === 'new' ? [] : [state.id])] };
  const whole = await unifyContact(log, root);
  const { members, facts } = whole;
  const addressKeys = [...new Set(addressKeysOf(members).map(({ key }) => key))];
  const consents = await loadConsents(log, whole);
  const isShared = members.some((member) => isSharedKey(member.facts, 'email', toKey));
  const own = isShared ? withoutGrants(consents) : consents;
  // Whoever has an entry is not asked how it came to be.
  const isOpen = effectiveForGates(own, channel, MARKETING_PURPOSE) === undefined;
  const asked = toKey === holder.id ? members : members.filter(({ id }) => id === holder.id);
  const bases = await Promise.all(asked.map((member) => loadMemberBasis(log, member, isOpen)));
  const known = knownRecipient({ id: state.id, members: members.map(({ id }) => id), addressKeys, facts, consents: own, bases }, toKeys);
  return { ...known, ...(isOpen && asked.some(({ source, basis }) => needsMemberships(source, basis)) && { isVolatile: true }) };
}

/** What the contact has granted is not granted for the address of somebody with the same phone; what it refuses is refused there, too. */
const withoutGrants = (consents: Consents): Consents =>
  Object.fromEntries(Object.entries(consents).filter(([, { value }]) => value.status !== 'granted'));

/** A contact with all that is merged into it. */
interface KnownContact extends Pick<Recipient, 'members' | 'addressKeys' | 'consents' | 'bases'> {
  readonly id: string;
  /** Unified. */
  readonly facts: Facts;
}

/** The recipient of a message to a contact that is loaded already. */
export function knownRecipient({ id, members, addressKeys, facts, consents, bases }: KnownContact, toKeys: AddressKeyList): Recipient {
  const others = [...members, ...toKeys, ...addressKeys].filter((one) => one !== id);
  const { timezone, locale } = facts.values;
  const holding = bases.filter(({ keys }) => toKeys.some((key) => keys.includes(key)));
  return {
    subjects: [id, ...new Set(others)],
    ...{ members, addressKeys, consents, bases: holding.length > 0 ? holding : bases },
    timezone: textOrNull(timezone?.value),
    locale: textOrNull(locale?.value),
  };
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** The same log with what is personal left sealed, which costs less: addresses are known by their keys, and no name is asked for. */
function closed(log: EventLog): EventLog {
  const read: EventLog['read'] = async <E extends AnyEvent>(stream: string, options?: ReadOptions) => {
    const events = await log.readSealed(stream, options);
    return events && (events.map((stored) => ({ ...stored, event: unread(log, stored.event) })) as LogEvent<E>[]);
  };
  return Object.create(log, { read: { value: read } }) as EventLog;
}

const unread = (log: EventLog, { type, data }: AnyEvent): AnyEvent => ({ type, data: { ...log.erased(type), ...(data as object) } });
