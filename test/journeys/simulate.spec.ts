import { expect } from 'chai';
import fc from 'fast-check';
import { enrollByRequest } from '../../commands/journeys/enroll-by-request.js';
import { simulateJourney } from '../../commands/journeys/simulate-journey.js';
import { completeJourneyDefinition } from '../../domain/journeys/definition.js';
import type { JourneyCommand } from '../../domain/journeys/journey.js';
import { noNumbers, numbersOf } from '../../domain/journeys/numbers.js';
import { ACCOUNT } from '../support/test-app.js';
import { JourneyApp } from './journey-app.js';

const RUNS = Number(process.env.PROPERTY_RUNS ?? 5);
const MINUTE = 60_000;

/** Every way out depends on something: the key, a rule, a wait, chance, an exit. */
const definition = {
  nodes: [
    {
      ...{ id: 't', kind: 'trigger', on: { type: 'event', event: 'cart', where: [{ property: 'value', op: 'gt', value: 20 }] }, next: 'd' },
      filter: { type: 'not', rule: { type: 'attribute', field: 'tags', op: 'contains', value: 'staff' } },
    },
    { id: 'd', kind: 'delay', mode: 'duration', duration: 'PT30M', next: 'ab' },
    {
      ...{ id: 'ab', kind: 'branch', mode: 'random' },
      branches: [
        { id: 'a', weight: 50, next: 'w' },
        { id: 'b', weight: 50, next: 'b' },
      ],
    },
    { id: 'w', kind: 'wait', for: [{ id: 'seen', on: { type: 'event', event: 'seen' }, next: 'b' }], timeout: 'PT40M', on_timeout: 's1' },
    {
      ...{ id: 'b', kind: 'branch', mode: 'rule', else: 's1' },
      branches: [{ id: 'often', rule: { type: 'event', event: 'seen', count: { op: 'gte', value: 2 } }, next: 's2' }],
    },
    { id: 's1', kind: 'send', channel: 'email', category: 'transactional', subject: 'Hi', message: 'Hi', next: null },
    { id: 's2', kind: 'send', channel: 'sms', category: 'transactional', message: 'Hi', next: null },
  ] as never,
  settings: {
    reentry: { mode: 'after_exit', cooldown: 'PT1H', key: 'properties.cart_id' },
    exit_when: [{ type: 'event', event: 'purchase', key: 'properties.cart_id' }],
  } as never,
};

const contactSignals = fc
  .uniqueArray(
    fc.record({
      minute: fc.integer({ min: 1, max: 240 }),
      who: fc.integer({ min: 0, max: 3 }),
      what: fc.constantFrom('cart', 'cart', 'cart', 'seen', 'purchase', 'tag', 'request'),
      cart_id: fc.constantFrom('c1', 'c2'),
      value: fc.constantFrom(10, 30, 50),
    }),
    { minLength: 5, maxLength: 25, selector: ({ minute }) => minute },
  )
  .map((drawn) => [...drawn].sort((a, b) => a.minute - b.minute));
type Signals = typeof contactSignals extends fc.Arbitrary<infer T> ? T : never;

async function lived(history: Signals): Promise<{ world: JourneyApp; journey: string; from: string }> {
  const world = new JourneyApp();
  const journey = await world.publish(definition);
  const contacts: string[] = [];
  for (const name of ['ada', 'bob', 'cy', 'dan'])
    contacts.push(await world.contact(`${name}@example.com`, name === 'cy' ? { phone: '+14155550100' } : {}));
  const begin = world.app.clock.now();
  for (const [i, { minute, who, what, cart_id, value }] of history.entries()) {
    // Never at the very time of a timer: what is first then depends on the spec, not on the journey.
    const until = begin + minute * MINUTE - 1_000 - i * 7;
    await world.app.run(until - world.app.clock.now());
    await world.app.clock.advance(Math.max(0, until - world.app.clock.now()));
    const contact = contacts[who] ?? '';
    if (what === 'tag') await world.contact(`${['ada', 'bob', 'cy', 'dan'][who]}@example.com`, { tags: ['staff'] });
    else if (what === 'request')
      await world.app.execute(enrollByRequest, { journey_id: journey, request: { contact_id: contact, trigger: { properties: { cart_id } } } });
    else await world.event(contact, what, { cart_id, value });
    await world.app.run(1);
  }
  const end = begin + 250 * MINUTE;
  await world.app.run(end - world.app.clock.now());
  await world.app.clock.advance(Math.max(0, end - world.app.clock.now()));
  return { world, journey, from: world.at(begin) };
}

const simulate = async (world: JourneyApp, journey_id: string, request: object) => {
  const { output } = await world.app.execute(simulateJourney, { journey_id, request });
  if (output.job) throw new Error('expected a result');
  return output;
};

describe('A simulation', () => {
  it('of a published journey over the history it lived through gives what really happened', async function () {
    this.timeout(120_000);
    await fc.assert(
      fc.asyncProperty(contactSignals, async (history) => {
        const { world, journey, from } = await lived(history);
        const { id: _, account: __, ...real } = { ...noNumbers, ...(await world.stats(journey)) };
        const { counts, sample } = await simulate(world, journey, { from, sample: 100 });
        expect(numbersOf(counts)).to.deep.equal(real);
        const enrollments = await world.enrollments(journey);
        const ends = sample.map(({ enrollment_id, path, ended, ended_at }) => {
          const last = path.at(-1);
          return [enrollment_id, ended, ended_at, last?.outcome === null ? last.node : null];
        });
        expect(ends.sort()).to.deep.equal(
          enrollments.map(({ id, reason, exited_at, status, node_id }) => [id, reason, exited_at, status === 'active' ? node_id : null]).sort(),
        );
      }),
      { numRuns: RUNS },
    );
  });

  it('of a draft says who would get what, and records nothing', async () => {
    const world = new JourneyApp();
    const journey = 'jrn_draft';
    const draft = {
      nodes: [
        { id: 't', kind: 'trigger', on: { type: 'event', event: 'cart' }, next: 's' },
        { id: 's', kind: 'send', channel: 'sms', message: 'Hi', category: 'transactional', next: null },
      ] as never,
    };
    const command = { type: 'Draft', journey_id: journey, account_id: ACCOUNT, ...completeJourneyDefinition({ name: 'Test', ...draft }), now: '' };
    await world.command(command as JourneyCommand);
    const from = world.at(world.app.clock.now());
    const ada = await world.contact('ada@example.com', { phone: '+14155550100' });
    const bob = await world.contact('bob@example.com');
    await world.app.clock.advance(MINUTE);
    await world.event(ada, 'cart');
    await world.event(bob, 'cart');
    await world.app.clock.advance(MINUTE);
    const head = await world.app.engine.events.head();
    const { counts, sample } = await simulate(world, journey, { from });
    expect(numbersOf(counts)).to.deep.include({ started: 2, exited: { completed: 2 }, sent: { s: 1 }, skipped: { 's/no_address': 1 } });
    expect(sample.map(({ contact_id, path }) => [contact_id, path.at(-1)?.outcome])).to.have.deep.members([
      [ada, 'sent'],
      [bob, 'skipped:no_address'],
    ]);
    expect(await world.app.engine.events.head()).to.equal(head);
    expect(await world.enrollments()).to.deep.equal([]);
  });
});
