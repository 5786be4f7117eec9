import { expect } from 'chai';
import { customEvents } from '../../../projections/events/projection.js';
import { explainMembership } from '../../../queries/segments/explain.js';
import { ACCOUNT } from '../../support/test-app.js';
import { House } from './house.js';
import { Dice, eventNames, lists, plans, randomRule, TICK_MS, textAt } from './rules.js';

const RUNS = Number(process.env.PROPERTY_RUNS ?? 2);
const STEPS = 12;
const SEGMENTS = 3;

const changes: readonly ((dice: Dice, house: House, id: string) => Promise<void>)[] = [
  ...Array.from({ length: 5 }, () => (dice: Dice, house: House, id: string) => {
    const properties = { value: dice.below(5) * 10, ...(dice.chance(0.6) && { kind: dice.one(['a', 'b', 'ab']) }) };
    // Some are late: what is known then does not have them.
    return house.happen(id, dice.one(eventNames), house.app.clock.now() - (dice.chance(0.5) ? 0 : dice.below(12) * TICK_MS), properties);
  }),
  (dice, house, id) => house.set(id, 'first_name', dice.one(['Ann', 'Ben', 'ana'])),
  (dice, house, id) => house.set(id, 'custom_fields.plan', dice.chance(0.2) ? null : dice.one(plans)),
  (dice, house, id) => house.tag(id, dice.one(['vip', 'new']), dice.chance(0.6)),
  (dice, house, id) => house.list(id, dice.one(lists), dice.chance(0.6)),
  (dice, house, id) => house.consent(id, dice.one(['ConsentGranted', 'ConsentWithdrawn'] as const), house.app.clock.now() - dice.below(3) * TICK_MS),
  async (dice, house) => {
    const { roots } = house.world;
    const [a, b] = [dice.one(roots), dice.one(roots)];
    if (a !== b) await house.merge(a, b);
  },
  async (dice, house) => {
    const { merged } = house.world;
    if (merged.length > 0) await house.unmerge(dice.one(merged));
  },
  (dice, house) => {
    const n = 1 + dice.below(SEGMENTS);
    const below = house.world.segmentIds.filter((id) => Number(id.slice(4)) < n);
    return house.define(`seg_${n}`, randomRule(dice, below));
  },
];

/** Who was in a segment at a moment by the plain reading, of the contacts that were not merged into others then. */
interface Known {
  readonly at: number;
  readonly roots: readonly string[];
  readonly members: ReadonlyMap<string, readonly string[]>;
}

/** Custom fields count from their definition on. */
const planDefined = (at: string) => ({
  type: 'CustomFieldDefined',
  data: { field_id: 'fld_plan', key: 'plan', type: 'string', label: 'Plan', options: null, unique: false, pii: false, at },
});

async function happenings(dice: Dice, house: House): Promise<readonly Known[]> {
  const past: Known[] = [];
  await house.append(`customFields-${ACCOUNT}`, planDefined(house.at));
  // Lists that do not exist have no members.
  for (const list_id of lists)
    await house.append(`list-${list_id}`, {
      type: 'ListCreated',
      data: { list_id, name: list_id, description: null, opt_in: 'single', at: house.at },
    });
  for (let n = 0; n < 3; n++) await house.create();
  for (let n = 0; n < STEPS; n++) {
    for (let more = dice.below(4); more >= 0; more--) await dice.one(changes)(dice, house, dice.one(house.world.present));
    await house.pass(dice.one([1, TICK_MS, 7_777, 60_000]));
    const { roots, segmentIds } = house.world;
    past.push({ at: house.app.clock.now(), roots: [...roots], members: new Map(segmentIds.map((id) => [id, house.world.membersOf(id)])) });
    // What happens next is recorded later.
    await house.pass(1);
  }
  return past;
}

/** Compares every explanation with the plain reading. Returns how many there are, and of how many contacts that are members. */
async function compare({ app: { log, views, clock } }: House, past: readonly Known[], about: string): Promise<[asked: number, members: number]> {
  let [asked, members] = [0, 0];
  for (const { at, roots, members: known } of past)
    for (const [segment_id, those] of known)
      for (const contact_id of roots) {
        const of = { account: ACCOUNT, segment_id, contact_id, until: textAt(at), now: clock.now() };
        const { is_member, contact_id: root, explanation } = await explainMembership(log, views, of);
        const wanted = those.includes(contact_id);
        expect(is_member, `${about}: ${contact_id} in ${segment_id} at ${textAt(at)}: ${JSON.stringify(explanation)}`).to.equal(wanted);
        expect([root, explanation?.result]).to.deep.equal([contact_id, is_member]);
        asked += 1;
        if (is_member) members += 1;
      }
  return [asked, members];
}

describe('explaining a membership', () => {
  it(`gives what the plain reading gave at each moment, by what was known then (${RUNS} random histories)`, async () => {
    let [asked, members] = [0, 0];
    for (let seed = 1; seed <= RUNS; seed++) {
      const house = new House();
      const past = await happenings(new Dice(seed), house);
      await house.app.documents(customEvents, 'events');
      const [more, ofMembers] = await compare(house, past, `seed ${seed}`);
      asked += more;
      members += ofMembers;
    }
    if (process.env.PROPERTY_RUNS) console.log(`      ${asked} explanations, ${members} of them of members`);
    expect(members).to.be.above(0).and.below(asked);
  });
});
