/** The messages that reached contacts, from the history of messages. */

import { addressKeysOf } from '../../domain/contacts/facts.js';
import type { ChannelName } from '../../domain/kernel/channels.js';
import type { UtcOffsetAt } from '../../domain/kernel/clocks.js';
import type { ReadModels } from '../../domain/kernel/ports.js';
import { type MessageEvent, messageStream } from '../../domain/messages/message.js';
import { type ChannelHistory, FIT_DAYS } from '../../domain/scores/fit-engagement.js';
import { COUNTED_DAYS, hourCounts, type ReachedByChannel, type ReachedMessage, type ReachedPage } from '../../domain/scores/reached-messages.js';
import { messageReportOf } from '../../domain/segments/message-reports.js';
import { utcOffsetsOf } from '../../formats/messages/utc-offsets.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import type { LogEvent } from '../../log/runtime/log-event.js';
import { type ContactQueries, contactQueries } from '../contacts/queries.js';
import type { MessageDoc } from '../messages/message-doc.js';
import { MessageQueries } from '../messages/queries.js';

const DAY_MS = 86_400_000;
const PAGE = 500;
const CONTACT_PAGE = 100;
/** Of one contact: the latest. */
const MAX_OF_CONTACT = 1_000;
/** Of an account: the latest. */
const MAX_OF_ACCOUNT = 200_000;
/** Contacts of a channel whose hours a fit compares. */
const MAX_OF_HOURS = 5_000;

export interface ReachedOf {
  readonly account: string;
  /** A contact with all that is merged into it. */
  readonly members: readonly string[];
  /** Of its addresses: messages that name no contact went to them. */
  readonly addressKeys: readonly string[];
  /** Milliseconds since 1970: what was delivered later does not count. */
  readonly at: number;
}

interface OfFit {
  readonly timezone: string;
  readonly now: number;
  readonly turns: () => Promise<void>;
}

export function reachedQueries({ log, views }: { readonly log: EventLog; readonly views: ReadModels }) {
  const history = new MessageQueries(views, log);
  const contacts = contactQueries({ log, views });

  async function ofContact({ account, members, addressKeys, at }: ReachedOf): Promise<ReachedByChannel> {
    const found = new Map<ChannelName, ReachedMessage[]>();
    const ways = [...members.map((contact_id) => ({ contact_id })), ...addressKeys.map((to_key) => ({ to_key, contact_id: null }))];
    const latest = await Promise.all(ways.map((way) => ofWay({ log, history }, account, way, at)));
    for (const { doc, message } of latest.flat()) if (message.delivered <= at) add(found, doc.channel as ChannelName, message);
    return found;
  }

  return {
    /** Of one contact, by channel. */
    ofContact,

    /** Of a page of contacts in the order of their creation. */
    async page(account: string, after: string | null, at: number): Promise<ReachedPage> {
      const found = await contacts.stored(account, after, CONTACT_PAGE);
      const reached = await Promise.all(
        found.map(({ node: { members } }) => {
          const addressKeys = [...new Set(addressKeysOf(members).map(({ key }) => key))];
          return ofContact({ account, members: members.map(({ id }) => id), addressKeys, at });
        }),
      );
      return {
        contacts: found.map(({ node: { tree } }, i) => ({ contact_id: tree.id, reached: reached[i] as ReachedByChannel })),
        next: found.length === CONTACT_PAGE ? (found.at(-1)?.cursor ?? null) : null,
      };
    },

    /** Of an account, for a fit. `timezone` is that of contacts without one. Other work of the thread goes on in `turns`. */
    async ofAccount(account: string, timezone: string, now: number, turns: () => Promise<void>): Promise<ChannelHistory[]> {
      const byChannel = new Map<string, Map<string, ReachedMessage[]>>();
      let count = 0;
      for await (const docs of pages(history, account, {}, { from: now - FIT_DAYS * DAY_MS, to: now })) {
        for (const { doc, message } of await reachedIn(log, docs)) {
          const channel = byChannel.get(doc.channel) ?? new Map<string, ReachedMessage[]>();
          byChannel.set(doc.channel, channel);
          add(channel, doc.contact_id ?? `key/${doc.to_key}`, message);
        }
        count += docs.length;
        if (count >= MAX_OF_ACCOUNT) break;
        await turns();
      }
      const found: ChannelHistory[] = [];
      for (const [channel, own] of [...byChannel].sort(([a], [b]) => (a < b ? -1 : 1)))
        found.push({ channel, contacts: [...own.values()], hours: await hoursOf(contacts, account, own, { timezone, now, turns }) });
      return found;
    },
  };
}

interface Messages {
  readonly log: EventLog;
  readonly history: MessageQueries;
}

interface ReachedDoc {
  readonly doc: MessageDoc;
  readonly message: ReachedMessage;
}

/** Those that named a contact, or named none and went to an address. */
async function ofWay(
  { log, history }: Messages,
  account: string,
  { contact_id, ...way }: { readonly contact_id: string | null; readonly to_key?: string },
  at: number,
) {
  const where: Record<string, string | null> = way.to_key === undefined ? { contact_id } : { to_key: way.to_key };
  const found: ReachedDoc[] = [];
  let count = 0;
  for await (const docs of pages(history, account, where, { from: at - (COUNTED_DAYS + 1) * DAY_MS, to: at })) {
    found.push(
      ...(await reachedIn(
        log,
        docs.filter((one) => one.contact_id === contact_id),
      )),
    );
    count += docs.length;
    if (count >= MAX_OF_CONTACT) break;
  }
  return found;
}

/** The docs of a query from the latest on, as long as `take` says so. */
async function* pages(history: MessageQueries, account: string, where: Readonly<Record<string, string | null>>, range: { from: number; to: number }) {
  const bounds = { created_after: new Date(range.from).toISOString(), created_before: new Date(range.to + 1).toISOString() };
  for (let after: string | null = null; ; ) {
    const docs: MessageDoc[] = await history.page(account, { where, ...bounds, after, descending: true, take: PAGE });
    yield docs;
    const last = docs.at(-1);
    if (!last || docs.length < PAGE) return;
    after = last.seq;
  }
}

/** Those of some documents that arrived. */
async function reachedIn(log: EventLog, docs: readonly MessageDoc[]): Promise<ReachedDoc[]> {
  const found = await Promise.all(docs.map(async (doc) => ({ doc, message: await reachedOf(log, doc) })));
  return found.flatMap(({ doc, message }) => (message && doc.test !== true ? [{ doc, message }] : []));
}

/** Of those contacts that have engaged, by their own clocks. */
async function hoursOf(
  contacts: ContactQueries,
  account: string,
  own: ReadonlyMap<string, readonly ReachedMessage[]>,
  { timezone, now, turns }: OfFit,
) {
  const engaged = [...own].filter(([, messages]) => messages.some((one) => one.engaged !== null)).slice(0, MAX_OF_HOURS);
  const zones = new Map<string, string>();
  const ids = engaged.flatMap(([id]) => (id.startsWith('key/') ? [] : [id]));
  for (let from = 0; from < ids.length; from += PAGE) {
    const some = ids.slice(from, from + PAGE);
    for (const [i, contact] of (await contacts.survivors(account, some)).entries()) {
      const zone = contact?.facts.values.timezone?.value;
      if (typeof zone === 'string') zones.set(some[i] as string, zone);
    }
    await turns();
  }
  return engaged.map(([id, messages]) => hourCounts(messages, now, contactClocksOf(zones.get(id), timezone)));
}

function add<K>(found: Map<K, ReachedMessage[]>, key: K, message: ReachedMessage): void {
  const known = found.get(key);
  if (known) known.push(message);
  else found.set(key, [message]);
}

/** Null for a message that did not arrive. What was engaged with has arrived, even if no carrier reported it. */
async function reachedOf(log: EventLog, doc: MessageDoc): Promise<ReachedMessage | null> {
  const { opened_at, clicked_at, read_at } = doc.engagement;
  const times = [opened_at, clicked_at, read_at].flatMap((time) => (time === null ? [] : [Date.parse(time)]));
  if (times.length === 0 && doc.replied) times.push(...(await repliesOf(log, doc.id)));
  const arrived = doc.delivered_at ?? (times.length > 0 ? doc.sent_at : null);
  return arrived === null ? null : { delivered: Date.parse(arrived), engaged: times.length > 0 ? Math.min(...times) : null };
}

/** The history has no times of replies. */
async function repliesOf(log: EventLog, id: string): Promise<number[]> {
  const stored = ((await log.readSealed(messageStream(id))) ?? []) as LogEvent<MessageEvent>[];
  return stored.flatMap(({ event }) => {
    const report = messageReportOf(event);
    return report?.action === 'replied' ? [Date.parse(report.occurred_at)] : [];
  });
}

/** The clocks of a contact: of its own time zone, or else of the account's. */
export const contactClocksOf = (own: unknown, timezone: string): UtcOffsetAt =>
  (typeof own === 'string' ? utcOffsetsOf(own) : null) ?? utcOffsetsOf(timezone) ?? (() => 0);
