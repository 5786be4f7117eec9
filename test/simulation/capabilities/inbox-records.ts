import type { SealedInboxEvent } from '../../../domain/inbox/item.js';
import { statuses } from '../../../domain/messages/status.js';
import type { LogEvent } from '../../../log/runtime/log-event.js';
import type { Final } from '../capability.js';
import { isPlain, streamsOf } from '../history.js';
import { ask, askAll, bodyOf, isSuccess } from '../recipients.js';
import type { Exchange } from '../world/caller.js';
import type { InboxBrowser } from './inbox-browser.js';
import { statusOf } from './messages.js';

/** What callers have sent to inboxes and done there, and who followed them. */
export interface InboxTraffic {
  readonly sent: readonly Exchange[];
  readonly acted: readonly Exchange[];
  readonly browsers: readonly InboxBrowser[];
}

/** An item on record. */
interface Item {
  readonly id: string;
  readonly contact_id: string;
  readonly message_id: string;
  readonly expires: number;
  readonly events: readonly LogEvent<SealedInboxEvent>[];
  readonly stored: string;
  readonly changed: string;
}

/** What is violated of: a message is one item, counts equal lists, both are what was done, and streams neither lose nor repeat. */
export async function inboxProblems(final: Final, { sent, acted, browsers }: InboxTraffic): Promise<string[]> {
  const items = itemsOf(final);
  const byId = new Map(items.map((item) => [item.id, item]));
  return [
    ...eachIsOneItem(final, sent, items),
    ...actionsAreOnRecord(acted, byId),
    ...messagesKnow(final, items),
    ...(await listsAgree(final, items)),
    ...(await streamsAreWhole(final, browsers, items)),
  ];
}

function itemsOf(final: Final): Item[] {
  return [...streamsOf(final, 'inbox-').values()].flatMap((sealed) => {
    const events = sealed as readonly LogEvent<SealedInboxEvent>[];
    const [first] = events;
    if (first?.event.type !== 'InboxItemStored') return [];
    const { item_id: id, contact_id, message_id, expires_at } = first.event.data;
    const expires = expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(expires_at);
    return [{ id, contact_id, message_id, expires, events, stored: first.position, changed: events.at(-1)?.position ?? '' }];
  });
}

const has = ({ events }: Item, ...types: readonly SealedInboxEvent['type'][]): boolean => events.some(({ event }) => types.includes(event.type));

function eachIsOneItem(final: Final, sent: readonly Exchange[], items: readonly Item[]): string[] {
  const { byStream } = final;
  const problems = [...streamsOf(final, 'inbox-')].flatMap(([stream, events]) => {
    const stored = events.filter(({ event }) => event.type === 'InboxItemStored').length;
    return stored === 1 && events[0]?.event.type === 'InboxItemStored' ? [] : [`the item ${stream} is stored ${stored} times`];
  });
  const byMessage = new Set(items.map(({ message_id }) => message_id));
  if (byMessage.size < items.length) problems.push(`${items.length} items are of ${byMessage.size} messages`);
  for (const exchange of sent.filter(isSuccess)) {
    const { id } = bodyOf(exchange);
    const status = statusOf(byStream.get(`message-${id}`) ?? []);
    if (status === 'new' || !(status === 'sent' || statuses[status].final)) problems.push(`the message ${id} to an inbox ends as ${status}`);
    const isDispatched = (byStream.get(`message-${id}`) ?? []).some(({ event }) => event.type === 'MessageSent');
    if (isDispatched && !byMessage.has(id)) problems.push(`the message ${id} is sent and in no inbox`);
  }
  return problems;
}

/** What must be on record once an action was answered. */
const effects: Readonly<Record<string, readonly SealedInboxEvent['type'][]>> = {
  seen: ['InboxItemSeen', 'InboxItemRead'],
  read: ['InboxItemRead'],
  archive: ['InboxItemArchived'],
  click: ['InboxItemClicked'],
};

function actionsAreOnRecord(acted: readonly Exchange[], byId: ReadonlyMap<string, Item>): string[] {
  return acted.filter(isSuccess).flatMap(({ request }) => {
    const [id = '', action = ''] = request.path.split('/').slice(-2);
    const item = byId.get(id);
    const due = effects[action];
    return due === undefined || (item && has(item, ...due)) ? [] : [`${action} of ${id} was answered and is not on record`];
  });
}

/** The message of an item that was read or clicked says so. */
function messagesKnow({ byStream }: Final, items: readonly Item[]): string[] {
  return items.flatMap((item) => {
    const known = new Set((byStream.get(`message-${item.message_id}`) ?? []).map(({ event }) => event.type));
    const missing = [
      ...(has(item, 'InboxItemRead') && !known.has('MessageRead') ? ['read'] : []),
      ...(has(item, 'InboxItemClicked') && !known.has('MessageClicked') ? ['clicked'] : []),
    ];
    return missing.map((what) => `the item ${item.id} is ${what}, and its message ${item.message_id} does not say so`);
  });
}

interface Marks {
  readonly seen: boolean;
  readonly read: boolean;
  readonly archived: boolean;
}

/** By the plain meaning of the events. */
function marksOf({ events }: Item): Marks {
  const last = (...types: readonly string[]) => events.findLast(({ event }) => types.includes(event.type))?.event.type;
  return {
    seen: last('InboxItemSeen', 'InboxItemRead') !== undefined,
    read: last('InboxItemRead', 'InboxItemUnread') === 'InboxItemRead',
    archived: last('InboxItemArchived', 'InboxItemUnarchived') === 'InboxItemArchived',
  };
}

const FILTERS: Readonly<Record<string, (marks: Marks) => boolean>> = {
  all: ({ archived }) => !archived,
  unseen: ({ archived, seen }) => !archived && !seen,
  unread: ({ archived, read }) => !archived && !read,
  archived: ({ archived }) => archived,
};

/** Counts equal the lists, and the lists of contacts that were never merged are what was done. */
async function listsAgree(final: Final, items: readonly Item[]): Promise<string[]> {
  const { run } = final;
  const problems: string[] = [];
  for (const contact of new Set(items.map(({ contact_id }) => contact_id))) {
    const counts = await ask(run, `/v1/inbox/counts?contact_id=${contact}`);
    if (counts.status !== 200) continue;
    const own = items.filter(({ contact_id }) => contact_id === contact);
    for (const [filter, holds] of Object.entries(FILTERS)) {
      const listed: string[] = (await askAll(run, `/v1/inbox/messages?contact_id=${contact}&filter=${filter}`)).map(({ id }) => id);
      const count = counts.body[filter];
      if (count !== undefined && count !== listed.length)
        problems.push(`the inbox of ${contact} counts ${count} ${filter} and lists ${listed.length}`);
      const expected = own.filter((item) => item.expires > run.world.now && holds(marksOf(item))).map(({ id }) => id);
      if (isPlain(final, contact) && listed.sort().join() !== expected.sort().join())
        problems.push(`the inbox of ${contact} lists ${listed.length} ${filter}, by its events ${expected.length}`);
    }
  }
  return problems;
}

/** Each browser of a contact that was never merged has, in the end, each message once and the last state of each. */
async function streamsAreWhole(final: Final, browsers: readonly InboxBrowser[], items: readonly Item[]): Promise<string[]> {
  const problems: string[] = [];
  for (const browser of browsers) {
    if (browser.start === null || browser.refused !== null || !isPlain(final, browser.contact_id)) continue;
    await browser.catchUp();
    const shown = new Map<string, object>();
    for (const filter of ['all', 'archived'])
      for (const one of await askAll(final.run, `/v1/inbox/messages?contact_id=${browser.contact_id}&filter=${filter}`)) shown.set(one.id, one);
    problems.push(...repeats(browser), ...losses(browser, items, shown));
  }
  return problems;
}

function repeats({ contact_id, start, events }: InboxBrowser): string[] {
  const ids = events.filter(({ event }) => event !== 'counts').map(({ id }) => id);
  const back = ids.filter((id, i) => id <= (ids[i - 1] ?? start ?? '')).length;
  const messages = events.filter(({ event }) => event === 'message').map(({ data }) => data.id);
  return [
    ...(back > 0 ? [`a stream of ${contact_id} has repeated ${back} of ${ids.length} events`] : []),
    ...(new Set(messages).size < messages.length ? [`a stream of ${contact_id} has repeated a new message`] : []),
  ];
}

function losses({ contact_id, start, events, resumed }: InboxBrowser, items: readonly Item[], shown: ReadonlyMap<string, object>): string[] {
  // What expires may expire before it is shown.
  const own = items.filter((item) => item.contact_id === contact_id && item.changed > (start ?? '') && item.expires === Number.POSITIVE_INFINITY);
  return own.flatMap(({ id, stored, changed }) => {
    const got = events.filter(({ event, data }) => event !== 'counts' && data.id === id);
    const last = got.at(-1);
    const isNew = stored > (start ?? '');
    const wrong = got.filter(({ event }, i) => (event === 'message') !== (isNew && i === 0)).length;
    return [
      ...(last?.id === changed ? [] : [`a stream of ${contact_id} that resumed ${resumed} times has lost the item ${id} at ${changed}`]),
      ...(wrong > 0 ? [`a stream of ${contact_id} has shown ${id} ${wrong} times as what it was not`] : []),
      ...(!last || JSON.stringify(last.data) === JSON.stringify(shown.get(id)) ? [] : [`a stream of ${contact_id} shows ${id} unlike the list`]),
    ];
  });
}
