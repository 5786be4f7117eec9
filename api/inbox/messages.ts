import { markInboxItems } from '../../commands/inbox/mark-items.js';
import { type InboxAction, inboxActions } from '../../domain/inbox/item.js';
import { notFound } from '../../domain/kernel/errors.js';
import { optional, record, text } from '../../domain/kernel/schema.js';
import { type InboxDoc, inboxItems } from '../../projections/inbox/projection.js';
import { type InboxFilter, type InboxQueries, inboxQueries } from '../../projections/inbox/queries.js';
import type { CorsPolicy } from '../http/cors.js';
import { Cursors, pageOf, timedPagingQuery } from '../http/paging.js';
import { type AnyRoute, type Request, route } from '../http/route.js';
import type { Services } from '../http/services.js';
import type { InboxAccess, InboxOwner } from './access.js';
import { contactParameter, inboxCounts, inboxFilter, inboxMessage, markedAll } from './schemas.js';

/** Items that are marked by one command. */
const MARKED_AT_ONCE = 500;
const INBOX = inboxItems.name;

/** What an action on all items does: with those of a filter, which none of them match afterward. */
const markAllRoutes = [
  { path: 'seen-all', action: 'seen', filter: 'unseen', operationId: 'markInboxSeen', summary: 'Mark all as seen' },
  { path: 'read-all', action: 'read', filter: 'unread', operationId: 'markInboxRead', summary: 'Mark all as read' },
  { path: 'archive-all', action: 'archive', filter: 'all', operationId: 'archiveInbox', summary: 'Archive all' },
] as const satisfies readonly { path: string; action: InboxAction; filter: InboxFilter; operationId: string; summary: string }[];

const actionSummaries: Readonly<Record<InboxAction, readonly [operationId: string, summary: string, description: string]>> = {
  seen: ['seeInboxMessage', 'Mark as seen', 'It was shown in a list.'],
  read: ['readInboxMessage', 'Mark as read', 'It counts as seen, too. The message that was sent gets its `engagement.read_at`.'],
  unread: ['unreadInboxMessage', 'Mark as unread', 'It stays seen.'],
  archive: ['archiveInboxMessage', 'Archive', 'It is on the list of archived messages only, and counts nowhere.'],
  unarchive: ['unarchiveInboxMessage', 'Take out of the archive', 'It is on the lists again, as it was before.'],
  click: ['clickInboxMessage', 'Record a click', 'On its link: it counts as read, too. Up to 20 clicks are counted.'],
};

/** What the routes of inboxes work with. */
interface InboxParts {
  readonly access: InboxAccess;
  readonly cors: CorsPolicy;
  readonly queries: InboxQueries;
  readonly cursors: Cursors;
  /** The time, which decides what has expired. */
  readonly now: () => string;
}

const common = ({ access, cors }: InboxParts) => ({ tag: 'inbox', limit: 'general', token: access.inHeader, cors }) as const;
const contactQuery = record({ contact_id: contactParameter });

/** The lists and counts of inboxes, and what contacts do with their messages. */
export function inboxMessageRoutes(services: Services, access: InboxAccess, cors: CorsPolicy): AnyRoute[] {
  const queries = inboxQueries(services);
  const cursors = new Cursors(services.purposeKey('cursor'));
  const parts: InboxParts = { access, cors, queries, cursors, now: () => new Date(services.clock.now()).toISOString() };
  return [
    listInboxMessagesRoute(parts),
    getInboxCountsRoute(parts),
    ...markAllRoutes.map((definition) => markAllRoute(parts, definition)),
    ...inboxActions.map((action) => actionRoute(parts, action)),
  ];
}

const listInboxMessagesRoute = (parts: InboxParts) =>
  route({
    ...common(parts),
    method: 'GET',
    path: '/v1/inbox/messages',
    operationId: 'listInboxMessages',
    summary: 'List the messages of an inbox',
    description: 'Those of the contact and of all that are merged into it, without expired ones; `all` is without archived ones.',
    access: 'read',
    query: record({ contact_id: contactParameter, filter: optional(inboxFilter), ...timedPagingQuery() }),
    responses: { 200: { description: 'Newest first.', schema: pageOf(inboxMessage) } },
    errors: ['not_found', 'contact_erased', 'invalid_cursor'],
    async handle(request) {
      const { access, cursors, queries, now } = parts;
      const { members } = await access.ownerOf(request);
      await request.consistent(INBOX);
      const paging = cursors.read(request, `inbox/${members[0]}`);
      const found = await queries.page(members, request.query.filter ?? 'all', paging.range, now());
      return { status: 200, body: await paging.pageOfLoaded(found, ({ sort }) => [sort], queries.show) };
    },
  });

const getInboxCountsRoute = (parts: InboxParts) =>
  route({
    ...common(parts),
    method: 'GET',
    path: '/v1/inbox/counts',
    operationId: 'getInboxCounts',
    summary: 'Count the messages of an inbox',
    description: 'Archived and expired ones count nowhere.',
    access: 'read',
    query: contactQuery,
    responses: { 200: { description: 'The counts.', schema: inboxCounts } },
    errors: ['not_found', 'contact_erased'],
    async handle(request) {
      const { access, queries, now } = parts;
      const { members } = await access.ownerOf(request);
      await request.consistent(INBOX);
      return { status: 200, body: await queries.counts(members, now()) };
    },
  });

/** Marks all messages of the inbox. */
const markAllRoute = (parts: InboxParts, { path, action, filter, operationId, summary }: (typeof markAllRoutes)[number]): AnyRoute =>
  route({
    ...common(parts),
    method: 'POST',
    path: `/v1/inbox/messages/${path}`,
    operationId,
    summary,
    description: 'All messages that the inbox has now. Repeating it is not an error.',
    access: 'write',
    query: contactQuery,
    responses: { 200: { description: 'How many have changed, and the counts.', schema: markedAll } },
    errors: ['not_found', 'contact_erased'],
    async handle(request) {
      const { access, queries, now } = parts;
      const owner = await access.ownerOf(request);
      await request.consistent(INBOX);
      const changed = await markAll(parts, request, owner, action, filter);
      await request.consistent(INBOX);
      return { status: 200, body: { changed, ...(await queries.counts(owner.members, now())) } };
    },
  });

/** Does one thing with one message. */
const actionRoute = (parts: InboxParts, action: InboxAction): AnyRoute => {
  const [operationId, summary, description] = actionSummaries[action];
  return route({
    ...common(parts),
    method: 'POST',
    path: `/v1/inbox/messages/:id/${action}`,
    operationId,
    summary,
    description: `${description} Repeating it is not an error.`,
    access: 'write',
    params: record({ id: text }),
    responses: { 200: { description: 'The message.', schema: inboxMessage } },
    errors: ['not_found', 'contact_erased'],
    async handle(request) {
      const { queries } = parts;
      const { id: item_id, contact_id } = await owned(parts, request);
      await request.execute(markInboxItems, { action, items: [{ item_id, contact_id }] });
      await request.consistent(INBOX);
      const [shown] = await queries.show([(await queries.find(request.caller.account, item_id)) as InboxDoc]);
      return { status: 200, body: shown };
    },
  });
};

/** The item, if the caller may use it. */
async function owned({ access, queries }: InboxParts, { caller, params: { id }, consistent }: Request<{ readonly id: string }>): Promise<InboxDoc> {
  await consistent(INBOX);
  const doc = await queries.find(caller.account, id);
  if (!doc || !(await access.mayUse(caller, doc.contact_id))) throw notFound('inbox_message', id);
  return doc;
}

async function markAll(
  { queries, now }: InboxParts,
  request: Request,
  { members }: InboxOwner,
  action: InboxAction,
  filter: InboxFilter,
): Promise<number> {
  let changed = 0;
  let after: string | null = null;
  do {
    const found: readonly InboxDoc[] = await queries.page(members, filter, { after, descending: true, limit: MARKED_AT_ONCE }, now());
    if (found.length === 0) break;
    const items = found.map(({ id: item_id, contact_id }) => ({ item_id, contact_id }));
    changed += (await request.execute(markInboxItems, { action, items })).output.changed;
    after = found.length < MARKED_AT_ONCE ? null : (found.at(-1)?.sort ?? null);
  } while (after !== null);
  return changed;
}
