import { expect } from 'chai';
import fc from 'fast-check';
import type { Condition } from '../../domain/segments/rule.js';
import { pathOf } from '../../projections/journeys/path.js';
import {
  type EnrollmentFacts,
  type EnrollmentRecord,
  type EntryRecord,
  type JourneyFacts,
  journeyFacts,
  msOf,
} from '../simulation/capabilities/journey-facts.js';
import { pathProblems } from '../simulation/capabilities/journey-paths.js';
import { reentryRefusal, triggersAreAnswered } from '../simulation/capabilities/journey-records.js';
import type { Final } from '../simulation/capability.js';
import { byStream } from '../simulation/history.js';
import { JourneyApp } from './journey-app.js';

const RUNS = Number(process.env.PROPERTY_RUNS ?? 8);
const MINUTE = 60_000;

type Node = Readonly<Record<string, unknown>> & { readonly id: string };

/** Conditions on what events say, and what they say: numbers as shops write them, and texts in any case. */
const conditions: fc.Arbitrary<{ readonly where?: readonly Condition[] }> = fc.constantFrom(
  {},
  { where: [{ property: 'total', op: 'gte', value: 10 }] },
  { where: [{ property: 'total', op: 'in', value: [10, 25] }] },
  { where: [{ property: 'kind', op: 'eq', value: 'shoe' }] },
  { where: [{ property: 'kind', op: 'not_in', value: ['SHOE'], case_sensitive: true }] },
  { where: [{ property: 'kind', op: 'exists' }] },
);
const said = fc.record({
  total: fc.constantFrom<unknown>(10, '10.00', '9.99', 25, '25', '', 'much'),
  kind: fc.constantFrom<unknown>('SHOE', 'shoe', '', ['Shoe'], [], null),
});

/** Each node leads to later ones only. Branches and waits look for `seen`. */
const journeys = fc
  .array(
    fc.record({
      kind: fc.constantFrom('delay', 'until', 'wait', 'branch', 'send', 'exit'),
      days: fc.constantFrom('', '', '', '1D', '2D'),
      offset: fc.constantFrom(undefined, undefined, '-P2D', '-PT48H', 'P1DT30M', '-P1DT1H'),
      minutes: fc.integer({ min: 1, max: 90 }),
      a: fc.nat(),
      b: fc.nat(),
      wanted: conditions,
    }),
    { minLength: 1, maxLength: 8 },
  )
  .map((drawn) =>
    drawn.map(({ kind, minutes, a, b, days, offset, wanted }, i): Node => {
      const duration = `P${days}T${minutes}M`;
      const later = (n: number): string | null => {
        const rest = drawn.length - i - 1;
        const to = n % (rest + 1);
        return to === rest ? null : `n${i + 1 + to}`;
      };
      const common = { id: `n${i}`, kind };
      const seen = { type: 'event', event: 'seen', ...wanted };
      if (kind === 'delay') return { ...common, mode: 'duration', duration, next: later(a) };
      if (kind === 'until')
        return { ...common, kind: 'delay', mode: 'until', field: 'properties.at', ...(offset && { offset }), if_past: 'continue', next: later(a) };
      if (kind === 'wait') return { ...common, for: [{ id: 'met', on: seen, next: later(b) }], timeout: duration, on_timeout: later(a) };
      if (kind === 'branch') return { ...common, mode: 'rule', branches: [{ id: 'yes', rule: seen, next: later(b) }], else: later(a) };
      return kind === 'send' ? { ...common, channel: 'email', category: 'transactional', subject: 'Hi', message: 'Hi', next: later(a) } : common;
    }),
  );
const reentries = fc.oneof(
  fc.constant({ mode: 'once' }),
  fc.constantFrom({}, { cooldown: 'PT30M' }).map((cooldown) => ({ mode: 'after_exit', ...cooldown })),
  fc.integer({ min: 1, max: 3 }).map((max_concurrent) => ({ mode: 'always', max_concurrent })),
);
/** Some nodes are gone, and delays last longer or shorter. */
const migrations = fc.option(
  fc.record({ minute: fc.integer({ min: 1, max: 120 }), gone: fc.infiniteStream(fc.nat(3)), minutes: fc.integer({ min: 1, max: 90 }) }),
  { nil: null },
);
/** Around changes of clocks, and not at the very time of an event. */
const BEGINS = ['2026-03-28T09:00:00.037Z', '2026-10-24T09:00:00.037Z', '2026-06-15T09:00:00.037Z'] as const;
/** What a delay waits for: days, times with and without a zone, numbers, and what is no time. */
const times = fc.constantFrom<unknown>(
  ...[
    '2026-03-29',
    '2026-03-30',
    '2026-10-25',
    '2026-10-26',
    '2026-06-16',
    '2026-03-29T02:30:00',
    '2026-10-25 02:30:00',
    '2026-03-29T09:00:00+02:00',
  ],
  ...[Date.parse('2026-03-29T01:00:00Z') / 1_000, Date.parse('2026-10-25T01:30:00Z'), '2026-02-30', '29.03.2026', 'tomorrow', '', true, null, 7],
);
const zones = fc.constantFrom('Europe/Berlin', 'America/Los_Angeles', 'Pacific/Auckland', 'Australia/Lord_Howe', null);

/** `go` starts, and `bye` makes the enrollments of its key leave. Nothing happens at the very time of a timer: what is first then depends on the spec. */
const histories = fc
  .uniqueArray(
    fc.record({
      name: fc.constantFrom('go', 'go', 'seen', 'seen', 'bye'),
      key: fc.constantFrom('one', 'one', 'two'),
      at: times,
      minute: fc.integer({ min: 1, max: 200 }),
      properties: said,
    }),
    { maxLength: 8, selector: ({ minute }) => minute },
  )
  .chain((drawn) =>
    times.map((at) => [
      { name: 'go', key: 'one', minute: 0, at, properties: { total: '10.0', kind: 'Shoe' } },
      ...drawn.sort((a, b) => a.minute - b.minute),
    ]),
  )
  .map((drawn) =>
    drawn.map(({ name, key, minute, at: time, properties }, i) => ({
      ...{ name, properties: { ...properties, key, at: time }, at: minute * MINUTE + i * 100 },
    })),
  );

const drawnCases = fc.record({
  ...{ nodes: journeys, reentry: reentries, drawn: migrations, events: histories, go: conditions, bye: conditions },
  ...{ timezone: zones, begin: fc.constantFrom(...BEGINS) },
});
const cases = drawnCases.map(({ nodes, reentry, drawn, events, timezone, begin, go, bye }) => {
  const gone = new Set(drawn ? nodes.filter(() => drawn.gone.next().value === 0).map(({ id }) => id) : []);
  const other = (node: Node): Node => ('duration' in node ? { ...node, duration: `PT${drawn?.minutes ?? 1}M` } : node);
  const migration = drawn && { at: drawn.minute * MINUTE + 30_000, definition: definitionOf(without(nodes, gone).map(other), reentry, go, bye) };
  return { definition: definitionOf(nodes, reentry, go, bye), migration, events, timezone, begin };
});
type Case = typeof cases extends fc.Arbitrary<infer One> ? One : never;

/** The nodes without some of them: ways to these lead to what comes after. */
function without(nodes: readonly Node[], gone: ReadonlySet<string>): Node[] {
  const resolved = (id: unknown): unknown => {
    if (typeof id !== 'string' || !gone.has(id)) return id;
    const node = nodes.find((one) => one.id === id);
    return resolved(node?.next ?? node?.on_timeout ?? node?.else ?? null);
  };
  const isWay = (key: string): boolean => ['next', 'on_timeout', 'else'].includes(key);
  return JSON.parse(JSON.stringify(nodes.filter(({ id }) => !gone.has(id))), (key, value) => (isWay(key) ? resolved(value) : value));
}

const definitionOf = (nodes: readonly Node[], reentry: object, go: object, bye: object) => ({
  nodes: [{ id: 't', kind: 'trigger', on: { type: 'event', event: 'go', ...go }, next: nodes[0]?.id ?? null }, ...nodes] as never,
  settings: { reentry: { key: 'properties.key', ...reentry }, exit_when: [{ type: 'event', event: 'bye', key: 'properties.key', ...bye }] } as never,
});

/** Nothing disturbs it. */
const RUN = { rates: { clockJumpsPerHour: 0, lostLeases: 0 }, world: { startedAt: 0 }, disturbances: [] };

/** Lets it happen. What the plain reading of definition and log says against it. */
async function problemsOf({ definition, migration, events, timezone, begin: from }: Case): Promise<string[]> {
  const world = new JourneyApp();
  await world.app.clock.advance(Date.parse(from) - world.app.clock.now());
  const journey = await world.publish(definition);
  const contact = await world.contact('ada@example.com', timezone === null ? {} : { timezone });
  const begin = world.app.clock.now();
  const until = async (at: number) => {
    await world.app.run(begin + at - world.app.clock.now());
    await world.app.clock.advance(Math.max(0, begin + at - world.app.clock.now()));
  };
  const acts = [
    ...events.map(({ name, properties, at }) => ({ at, act: (): Promise<unknown> => world.event(contact, name, properties) })),
    ...(migration ? [{ at: migration.at, act: () => world.republish(journey, migration.definition, 'migrate') }] : []),
  ].sort((a, b) => a.at - b.at);
  for (const { at, act } of acts) {
    await until(at);
    await act();
    await world.app.run(1);
  }
  await until(400 * 24 * 60 * MINUTE);
  const recorded = await world.app.log.open((await world.app.log.readAll('start', 100_000)).events);
  const facts = {
    ...journeyFacts({ run: RUN, events: recorded, byStream: byStream(recorded) } as unknown as Final),
    slackMs: 0,
    zoneOf: () => timezone ?? 'UTC',
  };
  // The same definition again is no new version.
  const versions = facts.journeys.get(journey)?.filter(({ event }) => event.type === 'JourneyPublished') ?? [];
  const migratedAt = migration && versions.length > 1 ? begin + migration.at : null;
  const refused = (await world.stats(journey))?.refused ?? {};
  return [
    ...facts.enrollments.flatMap((one) => [...pathProblems(facts, one), ...untimely(facts, one, migratedAt), ...pathShown(one)]),
    ...[...facts.journeys].flatMap(([id, records]) => triggersAreAnswered(facts, id, records)),
    ...[...facts.entries.values()].flatMap((records) => entryProblems(facts, records, refused)),
  ];
}

/** Each step comes at the very time of what causes it, by the version of that time. */
function untimely({ custom }: JourneyFacts, { id, start, records }: EnrollmentFacts, migratedAt: number | null): string[] {
  const times = new Map(custom.get(start.contact_id)?.map((one) => [one.event.data.event_id, msOf(one)]));
  const isOld = migratedAt !== null && Date.parse(start.at) < migratedAt;
  let [last, moved] = [times.get(start.trigger.event_id ?? ''), 0];
  const causedAt = ({ event }: EnrollmentRecord) => {
    if (event.type === 'EnrollmentTimerFired') return Math.max(Date.parse(event.data.due_at), moved);
    if (isMove(event)) return migratedAt;
    return 'event_id' in event.data && event.data.event_id ? times.get(event.data.event_id) : last;
  };
  const problems = start.version === (isOld || migratedAt === null ? 1 : 2) ? [] : [`${id} starts by the version ${start.version}`];
  for (const record of records) {
    const at = msOf(record);
    const must = causedAt(record);
    if (at !== must) problems.push(`${id} has ${record.event.type} at ${at}, not at ${must}`);
    if (isMove(record.event)) moved = at;
    if (isOld && moved === 0 && at > migratedAt) problems.push(`${id} goes on by its old version`);
    last = at;
  }
  return problems;
}

const isMove = ({ type, data }: EnrollmentRecord['event']): boolean =>
  type === 'EnrollmentMigrated' || (type === 'EnrollmentExited' && data.reason === 'node_removed');

/** The path that callers are shown has each node, how it was left, and when. */
function pathShown({ id, records }: EnrollmentFacts): string[] {
  const steps: { node: string; outcome: string | null; left_at: string | null }[] = [];
  for (const { event } of records) {
    const outcome = outcomeOf(event);
    const last = steps.at(-1);
    if (event.type === 'EnrollmentNodeEntered') steps.push({ node: event.data.node_id, outcome: null, left_at: null });
    else if (outcome !== null && last?.outcome === null) Object.assign(last, { outcome, left_at: event.data.at });
  }
  const [, ...shown] = pathOf('t', records as never).map(({ node, outcome, left_at }) => ({ node, outcome, left_at }));
  return JSON.stringify(shown) === JSON.stringify(steps) ? [] : [`${id} is shown as ${JSON.stringify(shown)}, not ${JSON.stringify(steps)}`];
}

function outcomeOf({ type, data }: EnrollmentRecord['event']): string | null {
  if (type === 'EnrollmentTimerFired' || type === 'EnrollmentBranchTaken') return data.branch;
  if (type === 'EnrollmentMigrated') return data.node_id === null ? 'migrated' : null;
  if (type === 'EnrollmentExited') return `exited:${data.reason}`;
  return type === 'EnrollmentSendRequested' ? 'sent' : null;
}

/** Each start and each refusal is what the rules of re-entry say, and refusals are counted. */
function entryProblems(facts: JourneyFacts, records: readonly EntryRecord[], counted: Readonly<Record<string, number>>): string[] {
  const refused: Record<string, number> = {};
  const problems = records.flatMap((record, i) => {
    const reason = record.event.type === 'JourneyEntryRefused' ? record.event.data.reason : null;
    if (reason !== null) refused[reason] = (refused[reason] ?? 0) + 1;
    const must = reentryRefusal(facts, records.slice(0, i), record);
    return reason === must ? [] : [`the entry ${i} is refused as ${reason}, not as ${must}`];
  });
  expect(counted).to.deep.equal(refused);
  return problems;
}

describe('Random journeys over random histories', () => {
  it('go as a plain reading of their definitions says: with keys, exits in mid-delay and migrations', async function () {
    this.timeout(Math.max(120_000, RUNS * 1_000));
    await fc.assert(
      fc.asyncProperty(cases, async (one) => {
        expect((await problemsOf(one)).join('\n')).to.equal('');
      }),
      { numRuns: RUNS },
    );
  });
});
