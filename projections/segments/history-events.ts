/** What happened to a contact, for rules: its custom events, and what became of messages to it. */
import { addressKeysOf } from '../../domain/contacts/facts.js';
import type { ChannelName } from '../../domain/kernel/channels.js';
import type { ReadModels } from '../../domain/kernel/ports.js';
import { type MessageEvent, messageStream } from '../../domain/messages/message.js';
import type { PastCustomEvent, PastMessageEvent } from '../../domain/segments/history.js';
import { messageReportOf } from '../../domain/segments/message-reports.js';
import type { MessageAction } from '../../domain/segments/rule.js';
import { isWithinBound, type ReadBound } from '../../log/aggregates/load-aggregate.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import type { LogEvent } from '../../log/runtime/log-event.js';
import { customEventQueries } from '../events/queries.js';
import type { MessageDoc } from '../messages/message-doc.js';
import { MessageQueries } from '../messages/queries.js';
import type { WholeContact } from './history-facts.js';
import type { NamedEvents } from './named-events.js';

const PAGE = 500;
const STREAMS_AT_ONCE = 50;

/** Those of the members with these names that were recorded up to `until` (RFC 3339), in no order. */
export async function customEventsOf(
  { log, views, account }: { readonly log: EventLog; readonly views: ReadModels; readonly account: string },
  { members }: Pick<WholeContact, 'members'>,
  names: ReadonlySet<string>,
  until: string | undefined,
  named: NamedEvents | null,
): Promise<PastCustomEvent[]> {
  const queries = customEventQueries({ log, views });
  const contact_ids = members.map(({ id }) => id);
  const found: PastCustomEvent[] = [];
  for (const event of names) {
    for (let after: string | null = null; ; ) {
      const docs = await queries.page({ account, contact_ids, event, after, descending: false, limit: PAGE });
      const counting = docs.filter(({ accepted_at }) => until === undefined || accepted_at <= until);
      for (const { id, event: name, occurred_at, properties } of await queries.show(counting)) {
        named?.add({ id, type: name, occurred_at });
        found.push({ id, name, time: Date.parse(occurred_at), properties });
      }
      const last = docs.at(-1);
      if (!last || docs.length < PAGE) break;
      after = last.sort;
    }
  }
  return found;
}

/**
 * What became of the messages that named a contact, or named none and went to an address that it has, of these kinds, recorded up to
 * `until`. Messages of test keys count for no rule.
 */
export async function messageEventsOf(
  { log, views, account }: { readonly log: EventLog; readonly views: ReadModels; readonly account: string },
  { members }: Pick<WholeContact, 'members'>,
  wanted: ReadonlySet<MessageAction>,
  until: ReadBound | undefined,
  named: NamedEvents | null,
): Promise<PastMessageEvent[]> {
  if (wanted.size === 0) return [];
  const history = new MessageQueries(views, log);
  const found: PastMessageEvent[] = [];
  const ways = [
    ...members.map(({ id }) => ({ contact_id: id })),
    ...[...new Set(addressKeysOf(members).map(({ key }) => key))].map((to_key) => ({ to_key, contact_id: null })),
  ];
  for (const { contact_id, ...way } of ways) {
    const where = 'to_key' in way ? way : { contact_id };
    for (let after: string | null = null; ; ) {
      const docs: MessageDoc[] = await history.page(account, { where, after, descending: false, take: PAGE });
      const meant = docs.filter((doc) => doc.contact_id === contact_id && doc.test !== true);
      for (let from = 0; from < meant.length; from += STREAMS_AT_ONCE) {
        const some = meant.slice(from, from + STREAMS_AT_ONCE).map((doc) => pastOf(log, doc, wanted, until, named));
        found.push(...(await Promise.all(some)).flat());
      }
      const last = docs.at(-1);
      if (!last || docs.length < PAGE) break;
      after = last.seq;
    }
  }
  return found;
}

async function pastOf(
  log: EventLog,
  doc: MessageDoc,
  wanted: ReadonlySet<MessageAction>,
  until: ReadBound | undefined,
  named: NamedEvents | null,
): Promise<PastMessageEvent[]> {
  const stored = ((await log.readSealed(messageStream(doc.id))) ?? []) as LogEvent<MessageEvent>[];
  const { campaign_id, journey_id, node_id, template_id } = doc;
  const channel = doc.channel as ChannelName;
  return stored.flatMap((one) => {
    const report = messageReportOf(one.event);
    if (!report || !wanted.has(report.action)) return [];
    const { action, occurred_at, received_at, machine } = report;
    if (!isWithinBound(until, received_at, one.position)) return [];
    const id = named?.note(one, occurred_at) ?? one.id;
    return [{ id, action, time: Date.parse(occurred_at), machine, channel, campaign_id, journey_id, node_id, template_id }];
  });
}
