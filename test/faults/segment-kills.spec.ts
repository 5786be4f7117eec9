import { expect } from 'chai';
import { eventually, TIMEOUT_FACTOR } from '../support/eventually.js';
import { type Reply, Service } from '../support/service.js';
import { between, chosenSeed, type Random, seeded } from './random.js';
import { sizeOf } from './sizes.js';

const EVENTS = sizeOf('FAULTS_SEGMENT_EVENTS');
const KILLS = sizeOf('FAULTS_SEGMENT_KILLS');
const CONTACTS = 20;
const CALLERS = 4;
const WITHIN = 60_000;
/** A window that passes during the run. */
const SHORT_SECONDS = 3;

/** What happened to a contact, as this program asked for it. */
interface Person {
  readonly email: string;
  id: string;
  readonly events: { readonly name: string; readonly value: number }[];
  tags: string[];
}
interface Case {
  readonly name: string;
  readonly rules: object;
  readonly holds: (person: Person) => boolean;
}

const count = (person: Person, name: string, least = 0): number => person.events.filter((one) => one.name === name && one.value >= least).length;
const times = (event: string, op: string, value: number) => ({ type: 'event', event, count: { op, value } });
const tagged = (tag: string) => ({ type: 'attribute', field: 'tags', op: 'contains', value: tag });
const where = (event: string, value: number) => ({ type: 'event', event, where: [{ property: 'value', op: 'gte', value }] });

/** What the rules of a segment are at first, of one that is created while events arrive, and after a change. */
const cases: readonly Case[] = [
  { name: 'often', rules: times('go', 'gte', 5), holds: (one) => count(one, 'go') >= 5 },
  { name: 'never', rules: times('buy', 'eq', 0), holds: (one) => count(one, 'buy') === 0 },
  {
    name: 'mixed',
    rules: { type: 'all', rules: [where('buy', 70), { type: 'not', rule: tagged('out') }] },
    holds: (one) => count(one, 'buy', 70) > 0 && !one.tags.includes('out'),
  },
];
const laterCases: readonly Omit<Case, 'name'>[] = [
  { rules: where('go', 90), holds: (one) => count(one, 'go', 90) > 0 },
  { rules: { type: 'any', rules: [tagged('out'), times('buy', 'gte', 4)] }, holds: (one) => one.tags.includes('out') || count(one, 'buy') >= 4 },
  { rules: times('go', 'lte', 6), holds: (one) => count(one, 'go') <= 6 },
];

describe(`memberships of segments in a service that is killed ${KILLS} times`, function () {
  this.timeout(300_000 * TIMEOUT_FACTOR);
  const seed = chosenSeed();
  const people: Person[] = Array.from({ length: CONTACTS }, (_, n) => ({ email: `live${n}@example.com`, id: '', events: [], tags: [] }));
  const expected = new Map<string, Case>();
  const service = Service.own();
  let short = '';

  /** Repeats a request until it is answered: with its key it is done once. */
  async function sure(method: string, path: string, body: object, key: string): Promise<Reply['body']> {
    const answer = await eventually(
      `${method} ${path} is answered`,
      async () => {
        const reply = service.running ? await service.api(method, `/v1${path}`, body, { 'Idempotency-Key': key }).catch(() => null) : null;
        return reply !== null && reply.status < 500 && reply.body?.code !== 'idempotency_in_progress' && reply;
      },
      { within: WITHIN, every: 50 },
    );
    expect(answer.status, `${method} ${path}: ${answer.text}`).to.be.below(300);
    return answer.body;
  }

  async function happen(person: Person, random: Random, key: string): Promise<void> {
    if (random() < 0.15) {
      person.tags = random() < 0.5 ? ['out'] : ['in'];
      await sure('PATCH', `/contacts/${person.id}`, { tags: person.tags }, key);
      return;
    }
    const event = { name: random() < 0.6 ? 'go' : 'buy', value: between(random, 0, 100) };
    person.events.push(event);
    const body = { contact: { id: person.id }, event: event.name, properties: { value: event.value }, idempotency_key: key };
    await sure('POST', '/events', body, key);
  }

  async function segment({ name, ...of }: Case, key: string): Promise<void> {
    const { id } = await sure('POST', '/segments', { name, rules: of.rules }, key);
    expected.set(id, { name, ...of });
  }

  const membersOf = async (id: string): Promise<string[]> => {
    const { data } = (await service.api('GET', `/v1/segments/${id}/contacts?limit=200`)).body;
    return data.map((one: { id: string }) => one.id).sort();
  };

  it(`equal a plain reading of what happened (seed ${seed})`, async () => {
    for (const person of people) person.id = (await sure('POST', '/contacts', { email: person.email }, person.email)).id;
    for (const one of cases) await segment(one, `segment-${one.name}`);
    const rules = { type: 'event', event: 'go', window: { last: `PT${SHORT_SECONDS}S` } };
    short = (await sure('POST', '/segments', { name: 'short', rules }, 'segment-short')).id;

    let done = 0;
    const contactSignal = Promise.all(
      Array.from({ length: CALLERS }, async (_, caller) => {
        const random = seeded(seed + caller + 1);
        // Each has contacts of its own, so that what happens to one has an order.
        const own = people.filter((__, n) => n % CALLERS === caller);
        for (let n = 0; n < EVENTS / CALLERS; n++) {
          await happen(own[between(random, 0, own.length)] as Person, random, `event-${caller}-${n}`);
          done += 1;
        }
      }),
    );
    const random = seeded(seed);
    for (let kill = 1; kill <= KILLS; kill++) {
      const share = Math.floor((EVENTS * kill) / (KILLS + 1));
      await eventually('so much has happened', () => done >= share, { within: 2 * WITHIN, every: 5 });
      // A build, or a change of rules, is under way when it dies.
      const of = laterCases[kill % laterCases.length] as Case;
      const [first] = expected;
      const changing =
        kill % 2 === 1 || !first
          ? segment({ ...of, name: `later ${kill}` }, `later-${kill}`)
          : sure('PATCH', `/segments/${first[0]}`, { rules: of.rules }, `later-${kill}`).then(() =>
              expected.set(first[0], { ...of, name: `changed ${kill}` }),
            );
      const moment = Date.now() + between(random, 0, 400);
      await eventually('the moment of the kill', () => Date.now() >= moment, { within: WITHIN, every: 1 });
      await service.kill9();
      await service.restart();
      await changing;
    }
    await contactSignal;

    for (const [id, { name, holds }] of expected) {
      const naive = people
        .filter(holds)
        .map((one) => one.id)
        .sort();
      const isLive = async () => (await service.api('GET', `/v1/segments/${id}`)).body.status === 'live';
      await eventually(`'${name}' is live`, isLive, { within: WITHIN });
      await service.caughtUp();
      await eventually(`'${name}' has the members of the plain reading`, async () => `${await membersOf(id)}` === `${naive}`, { within: WITHIN });
      expect((await service.api('GET', `/v1/segments/${id}`)).body.count).to.equal(naive.length);
    }
    expect(
      [...expected.values()].some(({ holds }) => people.some(holds) && !people.every(holds)),
      'some are members',
    ).to.equal(true);
  });

  it('explain themselves the same way', async () => {
    for (const [id, { holds, name }] of expected)
      for (const person of people.slice(0, 5)) {
        const { body } = await service.api('GET', `/v1/segments/${id}/explain?contact_id=${person.id}`);
        expect(body.is_member, `${name}: ${JSON.stringify(body)}`).to.equal(holds(person));
      }
  });

  it('end when a window passes, to the millisecond, whatever died in between', async () => {
    await eventually('nobody is in it', async () => (await membersOf(short)).length === 0, { within: WITHIN });
    let moved = 0;
    for (const { id, events } of people.slice(0, 5)) {
      const { data } = (await service.api('GET', `/v1/segments/${short}/history?contact_id=${id}`)).body;
      const { data: happened } = (await service.api('GET', `/v1/events?contact_id=${id}&limit=200`)).body;
      const go = happened.filter((one: { event: string }) => one.event === 'go').map((one: { occurred_at: string }) => Date.parse(one.occurred_at));
      expect(go.length).to.equal(count({ id, events, email: '', tags: [] }, 'go'));
      const timed = (data as { change: string; cause: string; at: string }[]).filter(({ change, cause }) => change === 'left' && cause === 'timer');
      moved += timed.length;
      for (const { at } of timed) expect(go, `${id} left at ${at}`).to.include(Date.parse(at) - SHORT_SECONDS * 1_000);
    }
    expect(moved, 'the time moved somebody').to.be.above(0);
  });

  it('are as a rebuild makes them', async () => {
    for (const name of ['segment-members', 'segment-definitions', 'todo/segments/memberships']) {
      const { code, stdout, stderr } = await service.cli('projections', 'verify', name);
      expect(code, stdout + stderr).to.equal(0);
    }
  });
});
