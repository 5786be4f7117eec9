import type { SealedConsentEvent } from '../../../domain/consent/consent.js';
import type { SealedContactEvent } from '../../../domain/contacts/contact.js';
import type { ContactKeyEvent } from '../../../domain/contacts/contact-key.js';
import type { CompletedErasure } from '../../../domain/contacts/erasure.js';
import { spelledKey } from '../../../domain/contacts/phone-spellings.js';
import type { SealedMessageEvent } from '../../../domain/messages/message.js';
import type { SealedSuppressionEvent } from '../../../domain/suppressions/suppression.js';
import type { LogEvent } from '../../../log/runtime/log-event.js';
import type { Capability, Final } from '../capability.js';
import { domainKeyOf, EVERY_CHANNEL, eventsUpTo, isAtMost, isPlain, memberKeysOf, streamsOf } from '../history.js';
import { spellingsOfKey } from '../recipients.js';

/**
 * No commands of its own: no dispatch begins whose recipient was suppressed, or had withdrawn, when its gate looked, or has never confirmed,
 * and none is refused without a reason.
 */
export const gates: Capability = {
  name: 'gates',
  begin: () => ({
    actions: [],
    check(final) {
      const acceptedAt = acceptedBatches(final);
      const starts = [...final.byStream].flatMap(([stream, events]) =>
        stream.startsWith('message-') ? startsOf(stream, events as readonly LogEvent<SealedMessageEvent>[], acceptedAt) : [],
      );
      const refusals = [...final.byStream].flatMap(([stream, events]) =>
        stream.startsWith('message-') ? refusalProblems(stream, events as readonly LogEvent<SealedMessageEvent>[], final) : [],
      );
      return [
        ...refusals,
        ...starts.flatMap((start) => [
          ...suppressionProblems(start, final),
          ...erasureProblems(start, final),
          ...consentProblems(start, final),
          ...unconfirmedProblems(start, final),
        ]),
      ];
    },
  }),
};

/** A dispatch that began. What was recorded up to `known` its gate has seen; it was recorded itself at `at`. */
export interface Start {
  readonly id: string;
  readonly toKey: string;
  readonly channel: string;
  readonly category: string;
  readonly known: string;
  readonly at: string;
  readonly attempt: number;
}

/** By batch id, where it was accepted. */
export const acceptedBatches = ({ events }: Final): ReadonlyMap<string, string> =>
  new Map(
    events.flatMap(({ event, position }) => (event.type === 'BulkAccepted' ? [[(event.data as { batch_id: string }).batch_id, position]] : [])),
  );

/** The dispatches of a message that began, without repeats of one. */
export function startsOf(stream: string, events: readonly LogEvent<SealedMessageEvent>[], acceptedAt: ReadonlyMap<string, string>): Start[] {
  const accepted = events[0]?.event;
  if (accepted?.type !== 'MessageQueued' && accepted?.type !== 'MessageScheduled') return [];
  const { to_key: toKey, channel, category, batch_id, test } = accepted.data;
  // Messages of test keys reach nobody, and ask no gate of addresses.
  if (test) return [];
  return events.flatMap(({ event, position: at }, i) => {
    if (event.type !== 'MessageDispatchStarted') return [];
    const known = lastSeen(events, i) ?? acceptedAt.get(batch_id ?? '');
    return known === undefined ? [] : [{ id: stream.slice('message-'.length), toKey, channel, category, known, at, attempt: event.data.attempt }];
  });
}

/** The position of the last event of the message before those that were appended together with the start. */
function lastSeen(events: readonly LogEvent[], start: number): string | undefined {
  for (let i = start; i > 0; i--) {
    const [before, after] = [events[i - 1]?.position ?? '', events[i]?.position ?? ''];
    if (BigInt(after) !== BigInt(before) + 1n) return before;
  }
  return undefined;
}

/** A suppression of the number in any spelling that holds from what the gate has seen until the start was on record, without a gap. */
export const suppressionProblems = (start: Start, final: Final): string[] =>
  spellingsOfKey(final.run, start.toKey).flatMap((key) => suppressionProblemsOf(key, start, final));

function suppressionProblemsOf(key: string, { id, channel, category, known, at }: Start, { byStream }: Final): string[] {
  const events = (byStream.get(`suppression-${key}`) ?? []) as readonly LogEvent<SealedSuppressionEvent>[];
  const isExcepted = events.some(({ event }) => event.type === 'SuppressionExcepted' && event.data.message_id === id);
  if (isExcepted) return [];
  const moments = [known, ...events.map(({ position }) => position).filter((position) => position > known && isAtMost(position, at))];
  const causes = moments.map((moment) => refusingCauses(eventsUpTo(events, moment), channel, category));
  const first = causes[0] ?? [];
  return first.length > 0 && causes.every((one) => one.length > 0)
    ? [`${id} was handed over although its address was suppressed (${first.join()})`]
    : [];
}

/** Nothing goes to an address whose erasure was completed before the gate looked, whatever its suppressions say, unless the account has lifted it since. */
function erasureProblems({ id, toKey, known, at }: Start, { events, byStream }: Final): string[] {
  const erased = events.find(({ event, position }) => isAtMost(position, known) && isErasureOf(event, toKey));
  if (!erased) return [];
  const lifted = (byStream.get(`suppression-${toKey}`) ?? []).some(
    ({ event, position }) =>
      event.type === 'SuppressionLifted' && (event.data as { reasons: string[] }).reasons.includes('erased') && isAtMost(position, at),
  );
  return lifted ? [] : [`${id} was handed over although its recipient was erased`];
}

const isErasureOf = ({ type, data }: LogEvent['event'], key: string): boolean =>
  type === 'ErasureCompleted' && (data as CompletedErasure).address_keys.includes(key);

/** The reasons that stop a message of this category on this channel. The widest scope of a reason counts until it is lifted. */
function refusingCauses(events: readonly LogEvent<SealedSuppressionEvent>[], channel: string, category: string): string[] {
  const scopes = new Map<string, string>();
  for (const { event } of events) {
    if (event.type === 'SuppressionExcepted') continue;
    const { channel: on } = event.data;
    if (event.type === 'SuppressionLifted') for (const reason of event.data.reasons) scopes.delete(`${on}/${reason}`);
    else if (on === EVERY_CHANNEL || on === channel) {
      const name = `${on}/${event.data.reason}`;
      scopes.set(name, scopes.get(name) === 'all' ? 'all' : event.data.scope);
    }
  }
  return [...scopes].filter(([, scope]) => scope === 'all' || category === 'marketing').map(([name]) => name);
}

/** Transactional messages are stopped only by a suppression of all messages, which must have been there at some time before. */
function refusalProblems(stream: string, events: readonly LogEvent<SealedMessageEvent>[], final: Final): string[] {
  const accepted = events[0]?.event;
  const refused = events.find(({ event }) => event.type === 'MessageSuppressed');
  if (!refused || (accepted?.type !== 'MessageQueued' && accepted?.type !== 'MessageScheduled')) return [];
  const { to_key, channel, category } = accepted.data;
  if (category !== 'transactional') return [];
  // Messages to a contact are stopped by the suppression of any of its addresses, and of those merged into it.
  const isToContact = channel === 'in_app' || channel === 'push';
  if (isToContact && !isPlain(final, to_key)) return [];
  const ofDomain = memberKeysOf(final.run).has(to_key) ? [domainKeyOf(final.run)] : [];
  const ever = (isToContact ? addressesOf(final, to_key) : [...spellingsOfKey(final.run, to_key), ...ofDomain]).some((key) => {
    const known = eventsUpTo((final.byStream.get(`suppression-${key}`) ?? []) as readonly LogEvent<SealedSuppressionEvent>[], refused.position);
    return known.some(({ position }) => refusingCauses(eventsUpTo(known, position), channel, category).length > 0);
  });
  return ever ? [] : [`${stream} is suppressed, and nothing ever stopped transactional messages to its address`];
}

/** The keys of all addresses that the contact has ever had. */
const addressesOf = (final: Final, contact: string): string[] =>
  [...streamsOf(final, 'contactKey-')].flatMap(([key, events]) =>
    events.some(({ event }) => event.type === 'ContactKeyClaimed' && (event.data as { contact_id: string }).contact_id === contact) ? [key] : [],
  );

/** Of contacts that were never merged: a consent that was withdrawn, or a request that is not answered, where nothing has changed since. */
function consentProblems({ id, toKey, channel, category, known, at }: Start, { byStream }: Final): string[] {
  if (category !== 'marketing') return [];
  const claims = (byStream.get(`contactKey-${toKey}`) ?? []) as readonly LogEvent<ContactKeyEvent>[];
  const claim = eventsUpTo(claims, known).at(-1)?.event;
  if (claim?.type !== 'ContactKeyClaimed') return [];
  const { contact_id } = claim.data;
  const contact = (byStream.get(`contact-${contact_id}`) ?? []) as readonly LogEvent<SealedContactEvent>[];
  const consents = (byStream.get(`consent-${contact_id}`) ?? []) as readonly LogEvent<SealedConsentEvent>[];
  const changes = [claims, contact, consents].some((events) => events.some(({ position }) => position > known && isAtMost(position, at)));
  if (changes || !holds(eventsUpTo(contact, known), toKey)) return [];
  const status = consentStatus(eventsUpTo(consents, known), channel);
  return status === 'withdrawn' || status === 'pending' ? [`${id} was handed over although the consent of ${contact_id} was ${status}`] : [];
}

/**
 * Of contacts that were never merged: one that a form with double opt-in has made gets no marketing before its confirmation, or before
 * somebody with credentials has recorded a grant on the channel, or on another one where a form has a grant on this one.
 */
function unconfirmedProblems({ id, toKey, channel, category, at }: Start, final: Final): string[] {
  if (category !== 'marketing') return [];
  const { byStream } = final;
  const claims = (byStream.get(`contactKey-${toKey}`) ?? []) as readonly LogEvent<ContactKeyEvent>[];
  const claim = eventsUpTo(claims, at).at(-1)?.event;
  if (claim?.type !== 'ContactKeyClaimed') return [];
  const { contact_id } = claim.data;
  const contact = (byStream.get(`contact-${contact_id}`) ?? []) as readonly LogEvent<SealedContactEvent>[];
  if (!holds(eventsUpTo(contact, at), toKey)) return [];
  const made = requestsThatMade(final).has(contact_id);
  const consents = eventsUpTo((byStream.get(`consent-${contact_id}`) ?? []) as readonly LogEvent<SealedConsentEvent>[], at);
  const grants = consents.flatMap(({ event: { type, data } }) => (type === 'ConsentGranted' && data.purpose === 'marketing' ? [data] : []));
  const byAccount = grants.filter(({ cause }) => cause.kind !== 'form');
  // Once the account has said of any channel that the contact agrees, the box of a form counts as for everybody.
  const counted = byAccount.length > 0 ? grants : byAccount;
  const isAnswered = confirmedBy(final, contact_id, at) || counted.some((grant) => [channel, EVERY_CHANNEL].includes(grant.channel));
  return made && !isAnswered ? [`${id} was handed over although nobody has confirmed that ${contact_id} wants it`] : [];
}

/** Contacts that exist because of a submission with double opt-in. */
const requestsThatMade = (final: Final): ReadonlySet<string> =>
  new Set(
    [...streamsOf(final, 'formSubmission-')].flatMap(([, [first]]) => {
      const data = first?.event.data as { contact_id: string; contact_created: boolean; double_opt_in: boolean } | undefined;
      return first?.event.type === 'FormSubmitted' && data?.contact_created && data.double_opt_in ? [data.contact_id] : [];
    }),
  );

/** By the link of a form or of a list, or elsewhere, with a proof. */
function confirmedBy(final: Final, contact_id: string, at: string): boolean {
  const changes = eventsUpTo((final.byStream.get(`contact-${contact_id}`) ?? []) as readonly LogEvent<SealedContactEvent>[], at);
  if (changes.some(({ event: { data } }) => 'confirmed' in data && data.confirmed?.by === 'proof')) return true;
  const ofLists = eventsUpTo(final.byStream.get(`membership-${contact_id}`) ?? [], at);
  if (ofLists.some(({ event }) => event.type === 'ListSubscribed' && (event.data as { request_id: string | null }).request_id !== null)) return true;
  return [...streamsOf(final, 'formSubmission-')].some(([, events]) =>
    eventsUpTo(events, at).some(
      ({ event }) => event.type === 'FormSubmissionConfirmed' && (event.data as { contact_id: string }).contact_id === contact_id,
    ),
  );
}

function holds(contact: readonly LogEvent<SealedContactEvent>[], key: string): boolean {
  let keys: Record<string, unknown> = {};
  for (const { event } of contact) {
    if (event.type !== 'ContactCreated' && event.type !== 'ContactUpdated') return false;
    keys = { ...keys, ...event.data.keys };
  }
  const has = Object.entries(keys).filter(([name]) => spelledKey(name) === null || Object.values(keys).includes(spelledKey(name)));
  return has.some(([, value]) => value === key);
}

const statusNames = { ConsentGranted: 'granted', ConsentWithdrawn: 'withdrawn', ConsentRequested: 'pending' } as const;

/** The latest entry counts, of the same time the one recorded last. A pending double opt-in concerns its list alone. */
function consentStatus(events: readonly LogEvent<SealedConsentEvent>[], channel: string): string | null {
  let latest: SealedConsentEvent | null = null;
  for (const { event } of events) {
    const { channel: on, purpose, occurred_at, cause } = event.data;
    if (purpose !== 'marketing' || (on !== EVERY_CHANNEL && on !== channel)) continue;
    if (event.type === 'ConsentRequested' && cause.kind === 'message') continue;
    if (!latest || occurred_at >= latest.data.occurred_at) latest = event;
  }
  return latest && statusNames[latest.type];
}
