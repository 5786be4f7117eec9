import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { eventually, TIMEOUT_FACTOR } from '../support/eventually.js';
import { Service } from '../support/service.js';
import { type Received, Receiver } from '../webhooks/receiver.js';
import { between, chosenSeed, seeded } from './random.js';
import { sizeOf } from './sizes.js';

const KILLS = sizeOf('FAULTS_ENDPOINT_KILLS');
const CONTACTS = sizeOf('FAULTS_ENDPOINT_CONTACTS');
const DELAYS_MS = [1_500, 2_500, 3_500];
/** Attempts that fail of each delivery to `/shaky`. */
const FAILURES = 2;
const PENDING = 20;
const SETTLE_MS = 60_000;
/** Of the receiver, so that attempts are in flight at a kill. */
const ANSWER_MS = 15;
/** Of clocks that are read in two processes. */
const ROUNDING_MS = 5;

describe(`webhook endpoints of a service that is killed ${2 * KILLS} times`, () => {
  const seed = chosenSeed();
  const random = seeded(seed);
  const service = Service.own({
    HELIOGRAPH_WEBHOOK_RETRY_DELAYS: DELAYS_MS.map((ms) => `${ms}ms`).join(','),
    HELIOGRAPH_WEBHOOK_REPLAY_PENDING: String(PENDING),
  });
  const receiver = Receiver.own(async ({ url, headers }) => {
    await sleep(ANSWER_MS);
    return url === '/shaky' && Number(headers['x-service-attempt']) <= FAILURES ? 500 : 200;
  });
  let ids: readonly string[];

  after(() => {
    console.log(`    seed ${seed} (FAULTS_SEED=${seed} repeats the choices)`);
  });

  const received = (path: string): readonly Received[] => receiver.requests.filter(({ url }) => url === path);
  const eventId = ({ headers }: Received): string => String(headers['webhook-id']);
  const attempt = ({ headers }: Received): number => Number(headers['x-service-attempt']);

  async function create(path: string, events: readonly string[]): Promise<string> {
    const { status, body } = await service.api('POST', '/v1/webhook-endpoints', { url: receiver.origin + path, events });
    expect(status).to.equal(201);
    return body.id;
  }

  /** Spread over the requests that are still to come of `all`: each time some more have come. */
  async function killAfterRequests(path: string, all: number): Promise<void> {
    const requests = (all - received(path).length) / (KILLS + 1);
    for (let n = 0; n < KILLS; n++) {
      const until = received(path).length + between(random, requests / 2, requests);
      await eventually('some more requests have come', () => received(path).length >= until, { within: SETTLE_MS, every: 1 });
      await service.kill9();
      await service.restart();
    }
  }

  it('get each event until they answer with 2xx, with one id, by the schedule', async () => {
    await create('/shaky', ['contact.created']);
    const created: string[] = [];
    for (let n = 0; n < CONTACTS; n++) {
      const { status, body } = await service.api('POST', '/v1/contacts', { email: `person${n}@example.com` });
      expect(status).to.equal(201);
      created.push(body.id);
    }
    await killAfterRequests('/shaky', (FAILURES + 1) * CONTACTS);
    const ofContact = (id: string) => received('/shaky').filter(({ body }) => JSON.parse(body).data.contact.id === id);
    const made = (id: string) => ofContact(id).some((one) => attempt(one) === FAILURES + 1);
    await eventually('each event was answered with 2xx', () => created.every(made), { within: SETTLE_MS, every: 100 });
    for (const id of created) {
      const requests = ofContact(id);
      for (const same of [eventId, ({ headers }: Received) => headers['x-service-delivery'], ({ body }: Received) => body])
        expect(new Set(requests.map(same)).size, id).to.equal(1);
      for (let number = 2; number <= FAILURES + 1; number++) {
        const before = Math.max(...requests.filter((one) => attempt(one) === number - 1).map(({ at }) => at));
        const first = Math.min(...requests.filter((one) => attempt(one) === number).map(({ at }) => at));
        expect(first - before, `${id}, attempt ${number}`).to.be.at.least((DELAYS_MS[number - 2] as number) + ANSWER_MS - ROUNDING_MS);
      }
    }
    ids = created.map((id) => eventId(ofContact(id)[0] as Received));
  });

  it('get each past event of a replay with its first id, and at most those twice that were pending at a kill', async () => {
    const endpoint = await create('/replay', []);
    const { status, body: job } = await service.api('POST', `/v1/webhook-endpoints/${endpoint}/replay`, { events: ['contact.created'] });
    expect(status).to.equal(202);
    await killAfterRequests('/replay', CONTACTS);
    const done = await eventually(
      'the replay is over',
      async () => {
        const { body } = await service.api('GET', `/v1/jobs/${job.id}`);
        return body.finished_at !== null && body;
      },
      { within: SETTLE_MS, every: 100 },
    );
    expect(done).to.deep.include({ status: 'completed', done: CONTACTS, errors: 0 });
    expect(done.result).to.deep.include({ delivered: CONTACTS, failed: 0 });
    const requests = received('/replay');
    expect(new Set(requests.map(eventId))).to.deep.equal(new Set(ids));
    expect(new Set(requests.map(attempt))).to.deep.equal(new Set([1]));
    expect(requests.length - CONTACTS).to.be.at.most(KILLS * PENDING);
    expect(service.logged('error')).to.deep.equal([]);
  });
}).timeout(120_000 * TIMEOUT_FACTOR);
