import { expect } from 'chai';
import { amounts, BEFORE_CHANGE, Dice, dates, eventNames, kinds, lists, plans, randomRule, START, TICK_MS, textAt, zones } from './rules.js';
import { LiveWorld } from './world.js';

const RUNS = Number(process.env.PROPERTY_RUNS ?? 5);
const FIRST = Number(process.env.PROPERTY_FIRST ?? 1);
const STEPS = 60;
const SEGMENTS = 8;
/** From seconds to hours. */
const DAYS_FASTER = 600;

/** Mostly round steps, so that windows end exactly at an event. */
const step = (dice: Dice): number =>
  dice.one([0, 0, 1, TICK_MS, TICK_MS, 2 * TICK_MS, 7_777, 60_000, dice.chance(0.1) ? dice.one([86_400_000, 3_600_000]) : TICK_MS - 1]);
/** Up to a minute late. */
const past = (dice: Dice, now: number): number => (dice.chance(0.7) ? now : now - dice.below(12) * TICK_MS);

const changes: readonly ((dice: Dice, world: LiveWorld, id: string) => void)[] = [
  ...Array.from({ length: 6 }, () => (dice: Dice, world: LiveWorld, id: string) => {
    const properties = { ...(dice.chance(0.8) && { value: dice.one(amounts) }), ...(dice.chance(0.6) && { kind: dice.one(kinds) }) };
    world.happen(id, { name: dice.one(eventNames), time: past(dice, world.now), properties });
  }),
  ...Array.from({ length: 2 }, () => (dice: Dice, world: LiveWorld, id: string) => {
    const named = { channel: dice.one(['email', 'sms'] as const), campaign_id: null, journey_id: null, node_id: null, template_id: null };
    world.message(id, { action: dice.one(['opened', 'clicked'] as const), time: past(dice, world.now), ...named, machine: dice.chance(0.3) });
  }),
  (dice, world, id) => world.set(id, 'custom_fields.plan', dice.chance(0.2) ? null : dice.one(plans)),
  (dice, world, id) => world.set(id, 'locale', dice.chance(0.2) ? null : dice.one(['de', 'de-DE', 'de_de', 'en-GB'])),
  (dice, world, id) => world.set(id, 'custom_fields.age', dice.chance(0.2) ? null : dice.chance(0.2) ? String(dice.below(8)) : dice.below(8)),
  (dice, world, id) => world.set(id, 'custom_fields.secret', dice.chance(0.2) ? null : dice.below(8)),
  (dice, world, id) => world.set(id, 'first_name', dice.chance(0.2) ? null : dice.one(['Ann', 'Ben', 'ana'])),
  (dice, world, id) => world.set(id, 'custom_fields.due', dice.chance(0.2) ? null : textAt(world.now + (dice.below(24) - 12) * TICK_MS)),
  (dice, world, id) => world.set(id, 'custom_fields.birthday', dice.one([...dates, null])),
  ...Array.from({ length: 2 }, () => (dice: Dice, world: LiveWorld, id: string) => world.set(id, 'timezone', dice.one([...zones, null]))),
  ...Array.from({ length: 2 }, () => (dice: Dice, world: LiveWorld) => world.zone(dice.one(zones))),
  (dice, world, id) =>
    world.set(
      id,
      'custom_fields.place',
      dice.one([
        { latitude: 52.2, longitude: 21 },
        { latitude: 10, longitude: 21 },
      ]),
    ),
  (dice, world, id) => world.tag(id, dice.one(['vip', 'new']), dice.chance(0.6)),
  (dice, world, id) =>
    world.list(id, dice.one(lists), dice.one(['subscribed', 'unsubscribed', 'pending'] as const), dice.one(['person', 'account'] as const)),
  (dice, world, id) =>
    world.consent(id, {
      type: dice.one(['ConsentGranted', 'ConsentWithdrawn', 'ConsentRequested'] as const),
      data: {
        contact_id: id,
        channel: dice.one(['email', 'all'] as const),
        purpose: 'marketing',
        lawful_basis: 'consent',
        cause: { kind: 'api', id: null },
        occurred_at: textAt(past(dice, world.now)),
        at: textAt(world.now),
        sealed: '',
      },
    } as unknown as Parameters<LiveWorld['consent']>[1]),
  ...Array.from({ length: 3 }, () => (dice: Dice, world: LiveWorld, id: string) => {
    const kind = dice.one(['email', 'phone'] as const);
    world.address(id, kind, dice.chance(0.3) ? null : `${kind}-${id}-${dice.below(2)}`);
  }),
  (dice, world, id) => world.suppress(`email-${id}-${dice.below(2)}`, dice.one(['all', 'email', 'sms']), dice.chance(0.6)),
  (dice, world, id) => {
    const named = { channel: dice.one(['email', 'sms'] as const), campaign_id: null, journey_id: null, node_id: null, template_id: null };
    const about = { action: dice.one(['opened', 'clicked'] as const), time: past(dice, world.now), ...named, machine: dice.chance(0.3) };
    world.messageTo(`${dice.one(['email', 'phone'])}-${id}-${dice.below(2)}`, about);
  },
  (dice, world, id) => world.score(id, dice.below(5) / 4),
  (dice, world) => {
    const [a, b] = [dice.one(world.roots), dice.one(world.roots)];
    if (a !== b) world.merge(a, b);
  },
  (dice, world) => {
    if (world.merged.length > 0) world.unmerge(dice.one(world.merged));
  },
  (dice, world, id) => {
    if (dice.chance(0.2) && world.roots.length > 2) world.end(id);
  },
  (_, world) => {
    if (world.present.length < 6) world.create();
  },
  (dice, world) => {
    const id = `seg_${1 + dice.below(SEGMENTS)}`;
    if (dice.chance(0.5)) world.define(id, dice.chance(0.2) ? null : ruleOf(dice, world, id));
  },
];

/** It refers only to segments with lower numbers, so never in a circle, and in chains of at most four. */
function ruleOf(dice: Dice, world: LiveWorld, id: string) {
  const number = Number(id.slice(4));
  return randomRule(
    dice,
    world.segmentIds.filter((other) => Number(other.slice(4)) < number && number - Number(other.slice(4)) < 4 && number <= 5),
  );
}

describe('live membership', () => {
  it(`equals the plain reading of the whole history after each step (${RUNS} random histories)`, function () {
    this.timeout(Math.max(30_000, RUNS * 1_000));
    let pairs = 0;
    for (let seed = FIRST; seed < FIRST + RUNS; seed++) {
      const dice = new Dice(seed);
      // Every other one is over days and dates, the others over seconds and windows.
      const ofDays = seed % 2 === 1;
      const world = new LiveWorld(ofDays ? BEFORE_CHANGE : START);
      for (let n = 1; n <= SEGMENTS; n++) world.define(`seg_${n}`, ruleOf(dice, world, `seg_${n}`));
      for (let n = 0; n < 3; n++) world.create();
      for (let n = 0; n < STEPS; n++) {
        world.now += step(dice) * (ofDays ? DAYS_FASTER : 1);
        const store = dice.chance(0.5);
        const before = world.check(store);
        expect(before, `seed ${seed}, step ${n}, before the change`).to.equal(null);
        dice.one(changes)(dice, world, dice.one(world.present));
        expect(world.check(store), `seed ${seed}, step ${n}`).to.equal(null);
      }
      pairs += world.pairs;
    }
    if (process.env.PROPERTY_RUNS) console.log(`      ${pairs} pairs of a segment and a contact`);
    expect(pairs).to.be.greaterThan(RUNS);
  });
});
