import { expect } from 'chai';
import { readNow } from '../../../domain/segments/earlier-reading.js';
import type { PastCustomEvent } from '../../../domain/segments/history.js';
import type { LeafOf } from '../../../domain/segments/rule.js';
import { customEvents } from '../../../projections/events/projection.js';
import { type ExplainedRule, explainMembership } from '../../../projections/segments/explain.js';
import { ACCOUNT } from '../../support/test-app.js';
import { expectedNames, explainedEvents } from './named-events.js';
import { amounts, Dice, eventNames, kinds, lists, plans, randomRule, TICK_MS, textAt, zones } from './rules.js';
import { SegmentApp } from './segment-app.js';

const RUNS = Number(process.env.PROPERTY_RUNS ?? 8);
const STEPS = 12;
const SEGMENTS = 3;

const changes: readonly ((dice: Dice, house: SegmentApp, id: string) => Promise<void>)[] = [
  ...Array.from({ length: 5 }, () => (dice: Dice, house: SegmentApp, id: string) => {
    const properties = { value: dice.one(amounts), ...(dice.chance(0.6) && { kind: dice.one(kinds) }) };
    // Some are late: what is known then does not have them.
    return house.happen(id, dice.one(eventNames), house.app.clock.now() - (dice.chance(0.5) ? 0 : dice.below(12) * TICK_MS), properties);
  }),
  (dice, house, id) => house.set(id, 'first_name', dice.one(['Ann', 'Ben', 'ana'])),
  (dice, house, id) => house.set(id, 'custom_fields.plan', dice.chance(0.2) ? null : dice.one(plans)),
  (dice, house, id) => house.set(id, 'custom_fields.due', textAt(house.app.clock.now() + (dice.below(24) - 12) * TICK_MS)),
  (dice, house, id) => house.set(id, 'custom_fields.birthday', dice.one(['2026-01-15', '2026-01-16', '1999-01-15'])),
  (dice, house, id) => house.set(id, 'timezone', dice.one([...zones, null])),
  (dice, house) => house.zone(dice.one(zones)),
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
    // Explanations show rules without the marks of the time before.
    return house.define(`seg_${n}`, readNow(randomRule(dice, below)));
  },
];

/** Who was in a segment at a moment by the plain reading, of the contacts that were not merged into others then. */
interface Known {
  readonly at: number;
  readonly roots: readonly string[];
  readonly members: ReadonlyMap<string, readonly string[]>;
  /** The custom events that were recorded by then, by root. */
  readonly events: ReadonlyMap<string, readonly PastCustomEvent[]>;
}

/** Custom fields count from their definition on. */
const defined = (key: string, type: string, at: string) => ({
  type: 'CustomFieldDefined',
  data: { field_id: `fld_${key}`, key, type, label: key, options: null, unique: false, pii: key === 'birthday', at },
});
const customFields = [['plan', 'string'] as const, ['due', 'datetime'] as const, ['birthday', 'date'] as const];

async function contactSignals(dice: Dice, house: SegmentApp): Promise<readonly Known[]> {
  const past: Known[] = [];
  for (const [key, type] of customFields) await house.append(`customFields-${ACCOUNT}`, defined(key, type, house.at));
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
    const members = new Map(segmentIds.map((id) => [id, house.world.membersOf(id)]));
    const events = new Map(roots.map((id) => [id, house.world.eventsOf(id)]));
    past.push({ at: house.app.clock.now(), roots: [...roots], members, events });
    // What happens next is recorded later.
    await house.pass(1);
  }
  return past;
}

/** Each leaf over events names those that the history has, and no others. Returns how many are named. */
function compareNames(explanation: ExplainedRule, { at, events }: Known, contact: string, about: string): number {
  let count = 0;
  for (const { rule, events: named = [], event_count } of explainedEvents(explanation)) {
    const wanted = expectedNames(rule as LeafOf<'event'>, events.get(contact) ?? [], at);
    expect(event_count, `${about}: ${JSON.stringify(rule)}`).to.equal(wanted.length);
    // At most 20 are named, the latest.
    if (wanted.length <= 20) expect(named.map(({ id }) => id).sort(), `${about}: ${JSON.stringify(rule)}`).to.deep.equal(wanted);
    count += wanted.length;
  }
  return count;
}

interface Compared {
  readonly asked: number;
  readonly members: number;
  readonly named: number;
}

/** Compares every explanation with the plain reading. Returns how many there are, of how many members, and how many events they name. */
async function compare({ app: { log, views, clock } }: SegmentApp, past: readonly Known[], about: string): Promise<Compared> {
  let [asked, members, named] = [0, 0, 0];
  for (const { at, roots, members: known, events } of past)
    for (const [segment_id, those] of known)
      for (const contact_id of roots) {
        const query = { account: ACCOUNT, segment_id, contact_id, until: textAt(at), now: clock.now() };
        const { is_member, contact_id: root, explanation } = await explainMembership(log, views, query);
        const wanted = those.includes(contact_id);
        expect(is_member, `${about}: ${contact_id} in ${segment_id} at ${textAt(at)}: ${JSON.stringify(explanation)}`).to.equal(wanted);
        expect([root, explanation?.result]).to.deep.equal([contact_id, is_member]);
        if (explanation)
          named += compareNames(explanation, { at, roots, members: known, events }, contact_id, `${about}, ${contact_id} at ${textAt(at)}`);
        asked += 1;
        if (is_member) members += 1;
      }
  return { asked, members, named };
}

describe('explaining a membership', () => {
  it(`gives what the plain reading gave at each moment, by what was known then, and names the events (${RUNS} random histories)`, async () => {
    let [asked, members, named] = [0, 0, 0];
    for (let seed = 1; seed <= RUNS; seed++) {
      const house = new SegmentApp();
      const past = await contactSignals(new Dice(seed), house);
      await house.app.documents(customEvents, 'events');
      const compared = await compare(house, past, `seed ${seed}`);
      asked += compared.asked;
      members += compared.members;
      named += compared.named;
    }
    if (process.env.PROPERTY_RUNS) console.log(`      ${asked} explanations, ${members} of them of members; ${named} events are named`);
    expect(members).to.be.above(0).and.below(asked);
    expect(named).to.be.above(0);
  });
});
