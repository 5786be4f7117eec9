import { expect } from 'chai';
import { type FakeBrowser, FakePushService } from '../push/fake-push-service.js';
import { eventually } from '../support/eventually.js';
import { Service } from '../support/service.js';
import { sizeOf } from './sizes.js';

const KILLS = sizeOf('FAULTS_PUSH_KILLS');
const CONTACTS = 10;
const AT_ONCE = 4;

describe(`registrations of devices and push messages in a service that is killed ${KILLS} times`, () => {
  const service = Service.own({ HELIOGRAPH_ROUTES: '{"push":["webpush"]}' });
  let push: FakePushService;
  /** By the id that was answered. */
  const registered = new Map<string, { readonly contact_id: string; readonly browser: FakeBrowser }>();
  /** By idempotency key: the ids of the messages that were answered. */
  const sent = new Map<string, Set<string>>();
  let browsers = 0;
  let keys = 0;
  let over = false;
  before(async () => {
    push = await FakePushService.start();
  });
  after(() => push?.stop());

  /** The answer, asked for again until there is one. */
  async function answered(path: string, body: object, headers: Record<string, string>) {
    for (;;) {
      const reply = await service.ask('POST', path, body, headers).catch(() => null);
      if (reply && reply.status < 500) return reply;
      await eventually(
        'the service is back',
        () =>
          service.ask('GET', '/health').then(
            () => true,
            () => false,
          ),
        { within: 60_000 },
      );
    }
  }

  async function registerAll(): Promise<void> {
    while (!over) {
      const browser = push.browser(`device${++browsers}`);
      const body = {
        ...{ account_id: service.accountId, platform: 'web', subscription: browser.subscription },
        contact: { email: `push${browsers % CONTACTS}@example.com` },
      };
      const reply = await answered('/v1/push/subscribe', body, { 'X-API-Key': service.key });
      expect(reply.status, reply.text).to.be.oneOf([200, 201]);
      registered.set(reply.body.id, { contact_id: reply.body.contact_id, browser });
    }
  }

  async function sendAll(): Promise<void> {
    while (!over) {
      const known = [...registered.values()];
      const to = known[keys % Math.max(1, known.length)]?.contact_id;
      if (to === undefined) {
        await eventually('the first device', () => registered.size > 0 || over, { within: 60_000 });
        continue;
      }
      const key = `push-${++keys}`;
      const reply = await answered('/v1/messages/send', { to, channel: 'push', message: key }, { 'X-API-Key': service.key, 'Idempotency-Key': key });
      expect(reply.status, reply.text).to.equal(202);
      sent.set(key, (sent.get(key) ?? new Set()).add(reply.body.id));
    }
  }

  it('are there once, if they were answered', async () => {
    const working = Promise.all([...Array.from({ length: AT_ONCE }, registerAll), ...Array.from({ length: AT_ONCE }, sendAll)]);
    for (let n = 0; n < KILLS; n++) {
      const enough = [registered.size + 15, sent.size + 15 + n] as const;
      await eventually('answers', () => registered.size >= enough[0] && sent.size >= enough[1], { within: 60_000 });
      await service.kill9();
      await service.restart();
    }
    over = true;
    await working;
    await service.caughtUp();
    const byContact = new Map<string, string[]>();
    for (const [id, { contact_id }] of registered) byContact.set(contact_id, [...(byContact.get(contact_id) ?? []), id]);
    expect(byContact.size, 'contacts').to.be.at.most(CONTACTS);
    for (const [contact_id, ids] of byContact) {
      const { body } = await service.api('GET', `/v1/push/subscriptions?contact_id=${contact_id}`);
      const listed: string[] = body.data.map(({ id }: { id: string }) => id);
      expect(new Set(listed).size, 'each once').to.equal(listed.length);
      expect(listed).to.include.members(ids);
    }
  });

  it('reach the devices of their contact, each message by one id', async () => {
    const ids = [...sent.values()].flatMap((of) => [...of]);
    expect(ids.length, 'a key has one message').to.equal(sent.size);
    for (const id of ids) {
      const { status, devices } = await eventually(
        `${id} is handed over`,
        async () => {
          const { body } = await service.api('GET', `/v1/messages/${id}`);
          return ['queued', 'sending'].includes(body.status) ? null : body;
        },
        { within: 60_000 },
      );
      expect(status, id).to.equal('sent');
      const taken = devices.filter(({ outcome }: { outcome: string }) => outcome === 'accepted');
      expect(taken.length, id).to.be.above(0);
      for (const { subscription_id } of taken) {
        const browser = registered.get(subscription_id)?.browser;
        const copies = browser ? push.at(browser).filter(({ body }) => JSON.parse(browser.decrypt(body)).message_id === id).length : 1;
        // Once more for each dispatch that a kill broke off: the device shows the second one in the place of the first.
        expect(copies, `${id} at ${subscription_id}`).to.be.within(1, 1 + KILLS);
      }
    }
    console.log(
      `    ${registered.size} of ${browsers} registrations and ${ids.length} messages were answered, ${push.received.length} pushes, ${KILLS} kills`,
    );
  });

  it('log no error', () => {
    expect(service.logged('error')).to.deep.equal([]);
  });
});
