import { expect } from 'chai';
import fc from 'fast-check';
import { anyOrigin } from '../../api/http/cors.js';
import type { AnyRoute, Caller } from '../../api/http/route.js';
import type { Services } from '../../api/http/services.js';
import { InboxAccess } from '../../api/inbox/access.js';
import { inboxMessageRoutes } from '../../api/inbox/messages.js';
import { eraseContact } from '../../commands/contacts/erase-contact.js';
import { mergeContact } from '../../commands/contacts/merge-contact.js';
import { unmergeContact } from '../../commands/contacts/unmerge-contact.js';
import { upsertContact } from '../../commands/contacts/upsert-contact.js';
import { storeInboxItem } from '../../commands/inbox/store-item.js';
import { type InboxAction, inboxActions } from '../../domain/inbox/item.js';
import { findContact } from '../../log/aggregates/contacts/load-contact.js';
import { INBOX_ITEMS, inboxItems } from '../../projections/inbox/projection.js';
import { type InboxFilter, type InboxRecord, inboxFilters } from '../../projections/inbox/queries.js';
import { ACCOUNT, TestApp } from '../support/test-app.js';

const RUNS = Number(process.env.PROPERTY_RUNS ?? 8);
const CONTACTS = 3;
/** Smaller than the lists, so that they have several pages. */
const PAGE = 2;
const MINUTE = 60_000;

/** What the specification says about an item, beside what the service stores. */
interface Known {
  readonly id: string;
  readonly contact_id: string;
  readonly expires: number;
  seen: boolean;
  read: boolean;
  archived: boolean;
}

const marks: Readonly<Record<InboxAction, (item: Known) => void>> = {
  seen: (item) => Object.assign(item, { seen: true }),
  read: (item) => Object.assign(item, { seen: true, read: true }),
  unread: (item) => Object.assign(item, { read: false }),
  archive: (item) => Object.assign(item, { archived: true }),
  unarchive: (item) => Object.assign(item, { archived: false }),
  click: (item) => Object.assign(item, { seen: true, read: true }),
};
const fits: Readonly<Record<InboxFilter, (item: Known) => boolean>> = {
  all: ({ archived }) => !archived,
  unseen: ({ archived, seen }) => !archived && !seen,
  unread: ({ archived, read }) => !archived && !read,
  archived: ({ archived }) => archived,
};
const allActions = {
  'seen-all': ['seen', 'unseen'],
  'read-all': ['read', 'unread'],
  'archive-all': ['archive', 'all'],
} as const satisfies Record<string, readonly [InboxAction, InboxFilter]>;

/** Inboxes of a few contacts, used by the routes of the API. */
class Inboxes {
  readonly app = new TestApp();
  readonly contacts: string[] = [];
  readonly items: Known[] = [];
  readonly merges: { readonly contact_id: string; readonly merge_id: string }[] = [];
  readonly #services = {
    ...{ log: this.app.log, views: this.app.views, clock: this.app.clock, purposeKey: () => Buffer.alloc(32, 7) },
  } as unknown as Services;
  readonly #access = new InboxAccess(this.#services);
  readonly #routes: readonly AnyRoute[] = inboxMessageRoutes(this.#services, this.#access, anyOrigin);

  async begin(): Promise<void> {
    for (let nth = 0; nth < CONTACTS; nth++) {
      const { output } = await this.app.execute(upsertContact, { contact: { email: `reader${nth}@example.com` }, source: 'api' });
      this.contacts.push(output.contact_id);
    }
  }

  /** The answer of a route to the token of a contact; the code of the error where it is refused. */
  async call(contact_id: string, path: string, { params = {}, query = {} }: { params?: object; query?: object } = {}): Promise<unknown> {
    const route = this.#routes.find((one) => one.path === `/v1/inbox/${path}`) as AnyRoute;
    const token = this.#access.tokens.sign({ account: ACCOUNT, contact_id, expires: this.app.clock.now() / 1_000 + 60 });
    const caller = this.#access.inHeader({ headers: { authorization: `Bearer ${token}` }, target: '/' }) as Caller;
    const request = {
      ...{ params, query, body: undefined, caller, headers: {}, ip: '', requestId: 'req' },
      signal: new AbortController().signal,
      execute: this.app.execute.bind(this.app),
      ruleContext: () => undefined,
      consistent: async () => void (await this.app.documents(inboxItems, INBOX_ITEMS)),
    };
    try {
      return (await route.handle(request as never)).body;
    } catch (error) {
      return (error as { readonly code?: string }).code ?? error;
    }
  }

  /** All pages of a list. */
  async list(contact_id: string, filter: InboxFilter): Promise<InboxRecord[] | string> {
    const found: InboxRecord[] = [];
    for (let cursor: string | null = null, isFirst = true; isFirst || cursor !== null; isFirst = false) {
      const query = { filter, limit: PAGE, order: 'desc', ...(cursor !== null && { cursor }) };
      const page = (await this.call(contact_id, 'messages', { query })) as { data: InboxRecord[]; next_cursor: string | null } | string;
      if (typeof page === 'string') return page;
      found.push(...page.data);
      cursor = page.next_cursor;
    }
    return found;
  }

  /** The items that the inbox of a contact has now; null of an erased one. */
  async ofContact(contact_id: string): Promise<Known[] | null> {
    const found = await findContact(this.app.log, ACCOUNT, contact_id).catch(() => null);
    const members = found?.unified.members.map(({ id }) => id);
    return members ? this.items.filter((item) => members.includes(item.contact_id) && item.expires > this.app.clock.now()) : null;
  }

  async check(): Promise<void> {
    for (const contact_id of this.contacts) {
      const own = await this.ofContact(contact_id);
      const counts = await this.call(contact_id, 'counts');
      const lists = Object.fromEntries(await Promise.all(inboxFilters.map(async (filter) => [filter, await this.list(contact_id, filter)] as const)));
      if (own === null) {
        expect([counts, ...Object.values(lists)]).to.deep.equal(Array.from({ length: 5 }, () => 'contact_erased'));
        continue;
      }
      for (const filter of inboxFilters) {
        const ids = (lists[filter] as InboxRecord[]).map(({ id }) => id);
        expect(ids, filter).to.have.members(own.filter(fits[filter]).map(({ id }) => id));
      }
      const open = lists.all as InboxRecord[];
      expect(counts).to.deep.equal({
        unseen: open.filter(({ seen_at }) => seen_at === null).length,
        unread: open.filter(({ read_at }) => read_at === null).length,
      });
      expect(counts).to.deep.equal({ unseen: lists.unseen?.length, unread: lists.unread?.length });
    }
  }
}

type Step = (inboxes: Inboxes) => Promise<void>;

const nth = fc.nat({ max: 1_000 });
const pick = <T>(from: readonly T[], at: number): T => from[at % from.length] as T;

const send = fc.tuple(nth, fc.option(fc.integer({ min: 1, max: 10 }))).map(
  ([to, minutes]): Step =>
    async ({ app, contacts, items }) => {
      const contact_id = pick(contacts, to);
      const expires = minutes === null ? Number.POSITIVE_INFINITY : app.clock.now() + minutes * MINUTE;
      const expires_at = minutes === null ? null : new Date(expires).toISOString();
      const content = { title: null, message: 'Hello', action_url: null, data: null };
      const delivery = { message_id: `msg_${items.length}`, contact_id, ...content, expires_at };
      const { output: id } = await app.execute(storeInboxItem, delivery as never);
      if (typeof id === 'string') items.push({ id, contact_id, expires, seen: false, read: false, archived: false });
    },
);
const act = fc.tuple(nth, nth, fc.constantFrom(...inboxActions)).map(
  ([who, which, action]): Step =>
    async (inboxes) => {
      if (inboxes.items.length === 0) return;
      const [contact_id, item] = [pick(inboxes.contacts, who), pick(inboxes.items, which)];
      const found = await findContact(inboxes.app.log, ACCOUNT, contact_id).catch(() => null);
      const isOwn = found?.unified.members.some(({ id }) => id === item.contact_id);
      const answer = await inboxes.call(contact_id, `messages/:id/${action}`, { params: { id: item.id } });
      if (!isOwn) expect(answer).to.be.oneOf(['not_found', 'contact_erased']);
      else {
        expect(answer).to.include({ id: item.id });
        marks[action](item);
      }
    },
);
const actOnAll = fc.tuple(nth, fc.constantFrom(...(Object.keys(allActions) as (keyof typeof allActions)[]))).map(
  ([who, path]): Step =>
    async (inboxes) => {
      const contact_id = pick(inboxes.contacts, who);
      const own = await inboxes.ofContact(contact_id);
      const [action, filter] = allActions[path];
      const due = own?.filter(fits[filter]);
      const answer = await inboxes.call(contact_id, `messages/${path}`);
      for (const item of due ?? []) marks[action](item);
      if (!own) expect(answer).to.equal('contact_erased');
      else
        expect(answer).to.deep.equal({
          changed: due?.length,
          unseen: own.filter(fits.unseen).length,
          unread: own.filter(fits.unread).length,
        });
    },
);
const wait = fc.integer({ min: 1, max: 5 }).map(
  (minutes): Step =>
    ({ app }) =>
      app.clock.advance(minutes * MINUTE),
);
const merge = fc.tuple(nth, nth).map(
  ([a, b]): Step =>
    async ({ app, contacts, merges }) => {
      const [contact_id, source_contact_id] = [pick(contacts, a), pick(contacts, b)];
      const merged = await app.execute(mergeContact, { contact_id, source_contact_id }).catch(() => null);
      if (merged) merges.push(merged.output);
    },
);
const unmerge: Step = async ({ app, merges }) => {
  const last = merges.pop();
  if (last) await app.execute(unmergeContact, last).catch(() => {});
};
const erase = nth.map(
  (who): Step =>
    async ({ app, contacts }) =>
      void (await app.execute(eraseContact, { contact_id: pick(contacts, who) })),
);

const step = fc.oneof(
  { weight: 12, arbitrary: send },
  { weight: 16, arbitrary: act },
  { weight: 4, arbitrary: actOnAll },
  { weight: 4, arbitrary: wait },
  { weight: 2, arbitrary: merge },
  { weight: 2, arbitrary: fc.constant(unmerge) },
  { weight: 1, arbitrary: erase },
);

describe('the counts of an inbox', () => {
  it('equal its list after every step, whatever is sent, done, expired, merged and erased', () =>
    fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 30 }), async (steps) => {
        const inboxes = new Inboxes();
        await inboxes.begin();
        for (const next of steps) {
          await next(inboxes);
          await inboxes.app.clock.advance(1);
          await inboxes.check();
        }
      }),
      { numRuns: RUNS },
    ));
});
