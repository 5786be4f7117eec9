import { expect } from 'chai';
import { Follower } from '../inbox/follower.js';
import { eventually } from '../support/eventually.js';
import { HIGH_RATE_LIMITS, Service } from '../support/service.js';
import { sizeOf } from './sizes.js';

const KILLS = sizeOf('FAULTS_INBOX_KILLS');
const CONTACTS = 3;
const BROWSERS_EACH = 2;
const SENDERS = 2;

const ACTIONS = ['seen', 'read', 'click', 'unread', 'archive', 'unarchive', 'read', 'archive'] as const;

interface Marks {
  seen: boolean;
  read: boolean;
  archived: boolean;
}
const effects: Readonly<Record<(typeof ACTIONS)[number], (marks: Marks) => void>> = {
  seen: (marks) => Object.assign(marks, { seen: true }),
  read: (marks) => Object.assign(marks, { seen: true, read: true }),
  click: (marks) => Object.assign(marks, { seen: true, read: true }),
  unread: (marks) => Object.assign(marks, { read: false }),
  archive: (marks) => Object.assign(marks, { archived: true }),
  unarchive: (marks) => Object.assign(marks, { archived: false }),
};

describe(`inboxes and their streams in a service that is killed ${KILLS} times`, () => {
  let service: Service;
  const contacts: string[] = [];
  const followers = new Map<string, Follower[]>();
  /** By contact: the messages that were answered. */
  const sent = new Map<string, Set<string>>();
  /** By item: what its contact was answered to have done. */
  const marks = new Map<string, Marks>();
  let actions = 0;
  let keys = 0;
  let over = false;
  let working: Promise<unknown> = Promise.resolve();
  let following: Promise<unknown> = Promise.resolve();
  before(async () => {
    service = await Service.start({ HELIOGRAPH_RATE_LIMITS: JSON.stringify({ ...JSON.parse(HIGH_RATE_LIMITS), inbox: 1_000_000 }) });
    for (let nth = 0; nth < CONTACTS; nth++) {
      const contact_id = (await service.api('POST', '/v1/contacts', { email: `inbox${nth}@example.com` })).body.id;
      const { token } = (await service.api('POST', '/v1/inbox/tokens', { contact_id, ttl_seconds: 86_400 })).body;
      contacts.push(contact_id);
      sent.set(contact_id, new Set());
      followers.set(
        contact_id,
        Array.from({ length: BROWSERS_EACH }, () => new Follower(() => service.url, token)),
      );
    }
    const all = [...followers.values()].flat();
    following = Promise.all(all.map((follower) => follower.run()));
    await eventually('all streams are open', () => all.every((follower) => follower.of('counts').length > 0), { within: 60_000 });
  });
  after(async () => {
    over = true;
    for (const follower of [...followers.values()].flat()) follower.stop();
    await service?.close();
    await Promise.allSettled([working, following]);
  });

  /** The answer, asked for again until there is one. */
  async function answered(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
    for (;;) {
      const reply = await service.ask(method, path, body, headers).catch(() => null);
      if (reply && reply.status < 500) return reply;
      await eventually('the service is back', () => service.ask('GET', '/healthz').catch(() => null), { within: 60_000, every: 50 });
    }
  }

  async function sendAll(): Promise<void> {
    while (!over) {
      const [key, to] = [`inbox-${++keys}`, contacts[keys % CONTACTS] as string];
      const reply = await answered('POST', '/v1/messages/send', { to, channel: 'in_app', message: key }, { 'Idempotency-Key': key });
      expect(reply.status, reply.text).to.equal(202);
      sent.get(to)?.add(reply.body.id);
    }
  }

  /** One person: each action is answered before the next. */
  async function actAll(contact_id: string): Promise<void> {
    for (let nth = 0; !over; nth++) {
      const filter = nth % 4 === 3 ? 'archived' : 'all';
      const { body } = await answered('GET', `/v1/inbox/messages?contact_id=${contact_id}&filter=${filter}&limit=5`);
      const item: string | undefined = body.data[nth % 5]?.id ?? body.data[0]?.id;
      if (item === undefined) continue;
      const action = ACTIONS[nth % ACTIONS.length] as (typeof ACTIONS)[number];
      const reply = await answered('POST', `/v1/inbox/messages/${item}/${action}`);
      expect(reply.status, reply.text).to.equal(200);
      const known = marks.get(item) ?? { seen: false, read: false, archived: false };
      effects[action](known);
      marks.set(item, known);
      actions += 1;
    }
  }

  // biome-ignore lint/suspicious/noExplicitAny: messages of an inbox
  async function list(contact_id: string, filter: string): Promise<any[]> {
    const found = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const more: string = cursor && `&cursor=${encodeURIComponent(cursor)}`;
      const { body } = await service.api('GET', `/v1/inbox/messages?contact_id=${contact_id}&filter=${filter}&limit=200${more}`);
      found.push(...body.data);
      cursor = body.next_cursor;
    }
    return found;
  }
  const whole = async (contact_id: string) => [...(await list(contact_id, 'all')), ...(await list(contact_id, 'archived'))];

  it('have each message that was answered once, and what was done with it', async () => {
    working = Promise.all([...Array.from({ length: SENDERS }, sendAll), ...contacts.map(actAll)]);
    const messages = () => [...sent.values()].reduce((sum, of) => sum + of.size, 0);
    for (let n = 0; n < KILLS; n++) {
      const enough = [messages() + 15, actions + 15 + n] as const;
      await eventually('answers', () => messages() >= enough[0] && actions >= enough[1], { within: 60_000 });
      await service.kill9();
      await service.restart();
    }
    over = true;
    await working;
    await service.caughtUp();
    for (const contact_id of contacts) {
      const ids = [...(sent.get(contact_id) ?? [])];
      const items = await eventually(
        `all messages of ${contact_id} are stored`,
        async () => {
          const found = await whole(contact_id);
          return found.length >= ids.length ? found : null;
        },
        { within: 60_000, every: 100 },
      );
      expect(
        items.map(({ message_id }) => message_id),
        'each message once',
      ).to.have.members(ids);
      for (const { id, seen_at, read_at, archived_at } of items) {
        const shown = { seen: seen_at !== null, read: read_at !== null, archived: archived_at !== null };
        expect(shown, id).to.deep.equal(marks.get(id) ?? { seen: false, read: false, archived: false });
      }
    }
    console.log(`    ${messages()} messages and ${actions} actions were answered, ${KILLS} kills`);
  });

  it('have counts that equal their lists', async () => {
    for (const contact_id of contacts) {
      const [all, { body }] = [await list(contact_id, 'all'), await service.api('GET', `/v1/inbox/counts?contact_id=${contact_id}`)];
      expect(body).to.deep.equal({
        unseen: all.filter(({ seen_at }) => seen_at === null).length,
        unread: all.filter(({ read_at }) => read_at === null).length,
      });
    }
  });

  it('show each browser every message once, in order, and how it is now', async () => {
    for (const [contact_id, browsers] of followers) {
      const items = await whole(contact_id);
      const { body: counts } = await service.api('GET', `/v1/inbox/counts?contact_id=${contact_id}`);
      for (const browser of browsers) {
        await eventually(
          'the last counts and all messages have arrived',
          () => {
            expect(browser.of('message').length).to.be.at.least(items.length);
            expect(browser.of('counts').at(-1)?.data).to.deep.equal(counts);
            return true;
          },
          { within: 60_000 },
        );
        expect(
          browser.of('message').map(({ data }) => data.id),
          'each message once',
        ).to.have.members(items.map(({ id }) => id));
        const changes = browser.events.filter(({ event }) => event !== 'counts');
        const positions = changes.map(({ id }) => id);
        expect(positions, 'in the order of the log, nothing twice').to.deep.equal([...new Set(positions)].sort());
        const last = new Map(changes.map(({ data }) => [data.id, data]));
        for (const item of items) expect(last.get(item.id), item.id).to.deep.equal(item);
        expect(browser.connections, 'it was cut').to.be.above(1);
      }
    }
  });

  it('log no error', () => {
    expect(service.logged('error')).to.deep.equal([]);
  });
});
