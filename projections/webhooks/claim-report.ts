import { spellingsOf } from '../../domain/contacts/phone-spellings.js';
import type { ReadModels } from '../../domain/kernel/ports.js';
import { messageStream } from '../../domain/messages/message.js';
import { isPhoneSender, isShortSender } from '../../domain/messages/senders.js';
import { keywordLanguages, matchKeyword } from '../../domain/suppressions/keywords.js';
import type { IncomingEmail, IncomingReceipt, IncomingText } from '../../domain/webhooks/incoming.js';
import { normalizeEmail } from '../../formats/contacts/addresses.js';
import { parseAddress, parseTextSender } from '../../formats/contacts/parse-address.js';
import { loadMessageOwner } from '../../log/aggregates/messages/load-owner.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import { keysOfAddress, peerKey, senderKey } from '../../log/vault/address-keys.js';
import type { AddressKeys } from '../../log/vault/vault.js';
import type { MessageDoc } from '../messages/message-doc.js';
import { carrierIdLookup, onlySender, peerLookup, peers } from '../messages/message-lookups.js';
import { MessageQueries } from '../messages/queries.js';

/** What carriers report that somebody must claim. */
export type ClaimableReport = IncomingReceipt | IncomingText | IncomingEmail;

/** An account that a report belongs to, with the message that it is about. */
export interface Claim {
  readonly account: string;
  /** Null: of an email or a text, where the account is known and no message is. */
  readonly message_id: string | null;
  /** The report concerns this copy of the message alone. */
  readonly copy?: { readonly address: string; readonly address_key: string };
  /** The report names a recipient to whom the message did not go, such as one to whom it was forwarded. */
  readonly elsewhere?: true;
}

export interface ClaimParts {
  readonly log: EventLog;
  readonly views: ReadModels;
  readonly addresses: AddressKeys;
  /** Waits for a read model, so that an answer finds even a message that was sent right before it. */
  readonly caughtUp?: (projection: string) => Promise<unknown>;
}

const ULID = '[0-9a-hjkmnp-tv-z]{26}';
const OUR_IDS = new RegExp(`msg_${ULID}`, 'gi');
const CARRIER_IDS = /<([^<>@\s]{1,200})@[^<>\s]{1,200}>/g;
/** Header fields of an email can name thousands. */
const MAX_IDS = 20;
/** Characters of a receiving address that are compared. */
const MAX_RECEIVER = 1_000;
/** Messages of an account to one address that are compared with the number or address that received the answer. */
const MAX_COMPARED = 20;
/** Accounts whose messages are read at the same time. */
const AT_ONCE = 32;

/**
 * Whose report it is. A receipt belongs to the account of its message; a STOP to every account that has written from that number to
 * that sender; any other text or email to the account of the message it answers, or else to the last that has written. Empty: nobody's.
 * A report that came with an account's own credentials belongs to that account or to nobody: a receipt of another account's message
 * proves nothing.
 */
export function reportClaims(parts: ClaimParts): (report: ClaimableReport) => Promise<readonly Claim[]> {
  const owners = new ReportOwners(parts);
  return (report) => owners.of(report);
}

class ReportOwners {
  readonly #log: EventLog;
  readonly #addresses: AddressKeys;
  readonly #byCarrierId: ReturnType<typeof carrierIdLookup>;
  readonly #writers: ReturnType<typeof writersTo>;

  constructor(parts: ClaimParts) {
    this.#log = parts.log;
    this.#addresses = parts.addresses;
    this.#byCarrierId = carrierIdLookup(parts.views);
    this.#writers = writersTo(parts);
  }

  async of(report: ClaimableReport): Promise<readonly Claim[]> {
    switch (report.kind) {
      case 'receipt':
        return this.#ofReceipt(report);
      case 'text':
        return this.#ofText(report);
      case 'email':
        return this.#ofEmail(report);
      default:
        return report satisfies never;
    }
  }

  async #ofReceipt(report: IncomingReceipt): Promise<readonly Claim[]> {
    const { carrier, carrier_message_id } = report.receipt;
    const claim = (await this.#byOurIds(report)) ?? (await this.#byIdOfCarrier(carrier, carrier_message_id));
    return isOf(claim, report) ? [report.recipient === undefined ? claim : await this.#ofRecipient(claim, report.recipient)] : [];
  }

  async #ofText(report: IncomingText): Promise<readonly Claim[]> {
    const { from: given, to, channel, carrier, text, kind, replies_to = null } = report.report;
    const { account } = report;
    const from = parseTextSender(given);
    if (from === null) return [];
    if (isShortSender(from)) return this.#ofShortSender(report);
    const answer = { address: from, channel, carrier, receivers: to === null ? [] : [to] };
    const keyword = kind ?? matchKeyword(text, keywordLanguages(from))?.kind;
    const quoted = keyword === 'stop' ? null : await this.#byIdOfCarrier(carrier, replies_to);
    if (isOf(quoted, report)) return [quoted];
    if (account !== undefined) return [await this.#writers.ofAccount(account, answer)];
    const found = await this.#writers.all(answer);
    return keyword === 'stop' ? found : found.slice(0, 1);
  }

  /** A short code or a name answers nobody: it may have written to whoever sends from the number. */
  async #ofShortSender({ account, report: { to, carrier } }: IncomingText): Promise<readonly Claim[]> {
    const owner =
      account ??
      (to === null ? null : await this.#writers.onlyFrom([senderKey(this.#addresses, to, carrier), senderKey(this.#addresses, null, carrier)]));
    return owner === null ? [] : [{ account: owner, message_id: null }];
  }

  async #ofEmail(report: IncomingEmail): Promise<readonly Claim[]> {
    if (report.for_operator) return [];
    const claim = await this.#answered(report);
    if (claim) return [claim];
    const from = parseAddress('email', report.from);
    if (typeof from !== 'string') return [];
    const receivers = report.to.slice(0, MAX_IDS).map((one) => one.slice(0, MAX_RECEIVER));
    const answer = { address: from, channel: 'email', carrier: report.carrier, receivers };
    return report.account === undefined ? (await this.#writers.all(answer)).slice(0, 1) : [await this.#writers.ofAccount(report.account, answer)];
  }

  /** What the email answers: a message that it names. */
  async #answered(email: IncomingEmail): Promise<Claim | null> {
    const { carrier, references } = email;
    for (const id of namedIds(email)) {
      const claim = await this.#byOurId(id);
      if (isOf(claim, email)) return claim;
    }
    for (const [, id = ''] of [...references.matchAll(CARRIER_IDS)].slice(0, MAX_IDS)) {
      const claim = await this.#byIdOfCarrier(carrier, id);
      if (isOf(claim, email)) return claim;
    }
    return null;
  }

  async #byOurIds({ message_id, other_ids = [] }: IncomingReceipt): Promise<Claim | null> {
    for (const id of [message_id ?? [], other_ids].flat().slice(0, MAX_IDS)) {
      const claim = await this.#byOurId(id);
      if (claim) return claim;
    }
    return null;
  }

  async #byOurId(id: string): Promise<Claim | null> {
    const [first] = (await this.#log.readSealed(messageStream(id), { limit: 1 })) ?? [];
    return first ? { account: first.meta.account, message_id: id } : null;
  }

  async #byIdOfCarrier(carrier: string, id: string | null): Promise<Claim | null> {
    const found = id === null ? undefined : await this.#byCarrierId(carrier, id);
    return found ? { account: found.account, message_id: found.message_id } : null;
  }

  async #ofRecipient(claim: Claim, recipient: string): Promise<Claim> {
    const owner = claim.message_id === null ? null : await loadMessageOwner(this.#log, claim.message_id);
    const address = normalizeEmail(recipient);
    if (owner === null || address === null || address === owner.to) return claim;
    const address_key = this.#addresses.key(claim.account, address);
    return owner.copies.some(({ key }) => key === address_key) ? { ...claim, copy: { address, address_key } } : { ...claim, elsewhere: true };
  }
}

const isOf = (claim: Claim | null, { account }: ClaimableReport): claim is Claim =>
  claim !== null && (account === undefined || claim.account === account);

/**
 * The reports of one request that count. Where one is about a recipient of the message, others about recipients elsewhere say nothing of it:
 * they would be taken for a report on the same address.
 */
export async function reportsOnRecipients<R extends ClaimableReport>(
  claims: (report: ClaimableReport) => Promise<readonly Claim[]>,
  reports: readonly R[],
): Promise<readonly R[]> {
  const elsewhere = new Set<R>();
  const found = new Set<string | null>();
  const named = reports.filter((report) => report.kind === 'receipt' && report.recipient !== undefined);
  if (named.length < 2) return reports;
  for (const report of named) {
    const owners = await claims(report);
    if (owners.every((owner) => owner.elsewhere === true)) elsewhere.add(report);
    else for (const { message_id } of owners) found.add(message_id);
  }
  return reports.filter((report) => !elsewhere.has(report) || report.kind !== 'receipt' || !found.has(report.message_id));
}

/** Our ids that an email names: in the parts of its receiving addresses, and in what it answers. At most 20. */
export function namedIds({ references, token, to }: Pick<IncomingEmail, 'references' | 'token' | 'to'>): readonly string[] {
  const named = [token ?? '', references, ...to].join(' ');
  return [...new Set([...named.matchAll(OUR_IDS)].map(([id]) => `msg_${id.slice(4).toUpperCase()}`))].slice(0, MAX_IDS);
}

interface Answer {
  readonly address: string;
  readonly channel: string;
  readonly carrier: string;
  /** The numbers or addresses that received it; empty where the carrier does not give them. */
  readonly receivers: readonly string[];
}

interface Writers {
  /** The accounts that have written to an address from one of the receivers, the last one first, each with that message. */
  readonly all: (answer: Answer) => Promise<readonly Claim[]>;
  /** The only account that has sent from one of these numbers, by their keyed hashes, or null. */
  readonly onlyFrom: (senders: readonly string[]) => Promise<string | null>;
  /** The account, with the last message that it has written so; without one if there is none. */
  readonly ofAccount: (account: string, answer: Answer) => Promise<Claim>;
}

function writersTo({ log, views, addresses, caughtUp }: ClaimParts): Writers {
  const history = new MessageQueries(views, log);
  const wroteTo = peerLookup(views);

  async function lastOf(account: string, { address, channel, carrier, receivers }: Answer): Promise<MessageDoc | undefined> {
    const recipients = keysOfAddress(addresses, account, address).map((to_key) => ({ to_key }));
    const docs = await history.pageOfAny(account, recipients, { after: null, descending: true, take: MAX_COMPARED });
    const sent = docs.filter((doc) => doc.channel === channel && doc.carrier !== null && doc.test !== true);
    if (receivers.length === 0 || sent.length === 0) return sent[0];
    const shown = await history.show(sent);
    const wanted = new Set(receivers.map(comparable));
    return sent.find((doc, i) => {
      const from = shown[i]?.from ?? null;
      // Without a sender of its own the message went out from the carrier's.
      return from === null ? doc.carrier?.name === carrier : wanted.has(comparable(String(from)));
    });
  }

  const all = async (answer: Answer): Promise<readonly Claim[]> => {
    const found: MessageDoc[] = [];
    await caughtUp?.(peers.name);
    const accounts = new Set<string>();
    for (const address of spellingsOf(answer.address))
      for await (const page of wroteTo(peerKey(addresses, address))) for (const account of page) accounts.add(account);
    const asked = [...accounts];
    for (let n = 0; n < asked.length; n += AT_ONCE) {
      const last = await Promise.all(asked.slice(n, n + AT_ONCE).map((account) => lastOf(account, answer)));
      found.push(...last.filter((doc) => doc !== undefined));
    }
    return found.sort((a, b) => (a.seq < b.seq ? 1 : -1)).map(({ account_id: account, id: message_id }) => ({ account, message_id }));
  };
  const only = onlySender(views);
  const onlyFrom = async (senders: readonly string[]): Promise<string | null> => {
    await caughtUp?.(peers.name);
    return only(senders);
  };
  return { all, onlyFrom, ofAccount: async (account, answer) => ({ account, message_id: (await lastOf(account, answer))?.id ?? null }) };
}

/** A number by its digits, an address or a name in lower case and without the name beside it. */
const comparable = (sender: string): string => (isPhoneSender(sender) ? sender.replace(/\D/g, '') : sender.replace(/^.*<(.*)>$/, '$1').toLowerCase());
