import { expect } from 'chai';
import fc from 'fast-check';
import { type EnrollmentEvent, enrollmentStream } from '../../domain/journeys/enrollment.js';
import { pathOf } from '../../projections/journeys/path.js';
import { JourneyApp } from './journey-app.js';
import {
  definitionOf,
  type PlainJourney,
  type PlainReentry,
  type PlainResult,
  plainResult,
  type ReferenceEvent,
  type ReferenceNode,
  without,
} from './reference-interpreter.js';

const RUNS = Number(process.env.PROPERTY_RUNS ?? 8);
const MINUTE = 60_000;

/** Each node leads to later ones only. */
const journeys = fc
  .array(
    fc.record({
      kind: fc.constantFrom('delay', 'wait', 'branch', 'send', 'exit'),
      minutes: fc.integer({ min: 1, max: 90 }),
      a: fc.nat(),
      b: fc.nat(),
    }),
    { minLength: 1, maxLength: 8 },
  )
  .map((drawn) =>
    drawn.map(({ kind, minutes, a, b }, i): ReferenceNode => {
      const later = (n: number): string | null => {
        const rest = drawn.length - i - 1;
        const to = n % (rest + 1);
        return to === rest ? null : `n${i + 1 + to}`;
      };
      const id = `n${i}`;
      if (kind === 'delay') return { id, kind, minutes, next: later(a) };
      if (kind === 'wait') return { id, kind, minutes, met: later(b), next: later(a) };
      if (kind === 'branch') return { id, kind, yes: later(b), next: later(a) };
      return kind === 'send' ? { id, kind, next: later(a) } : { id, kind: 'exit' };
    }),
  );
const reentries = fc.oneof(
  fc.constant<PlainReentry>({ mode: 'once' }),
  fc.constantFrom(null, 30).map((cooldown): PlainReentry => ({ mode: 'after_exit', cooldown })),
  fc.integer({ min: 1, max: 3 }).map((max_concurrent): PlainReentry => ({ mode: 'always', max_concurrent })),
);
/** Some nodes are gone, and others last longer or shorter. */
const migrations = fc.option(
  fc.record({ minute: fc.integer({ min: 1, max: 120 }), gone: fc.infiniteStream(fc.nat(3)), minutes: fc.integer({ min: 1, max: 90 }) }),
  {
    nil: null,
  },
);
/** Nothing happens at the very time of a timer: what is first then depends on the spec, not on the journey. */
const histories = fc
  .uniqueArray(
    fc.record({
      name: fc.constantFrom('go', 'go', 'seen', 'seen', 'bye'),
      key: fc.constantFrom('one', 'one', 'two'),
      minute: fc.integer({ min: 1, max: 200 }),
    }),
    { maxLength: 8, selector: ({ minute }) => minute },
  )
  .map((drawn) => [{ name: 'go', key: 'one', minute: 0 }, ...drawn.sort((a, b) => a.minute - b.minute)])
  .map((drawn) =>
    drawn.map(({ name, key, minute }, i): ReferenceEvent => ({ name: name as ReferenceEvent['name'], key, at: minute * MINUTE + i * 100 })),
  );

const cases = fc.record({ nodes: journeys, reentry: reentries, drawn: migrations, events: histories }).map(({ nodes, reentry, drawn, events }) => {
  const gone = new Set(drawn ? nodes.filter(() => drawn.gone.next().value === 0).map(({ id }) => id) : []);
  const other = (node: ReferenceNode): ReferenceNode => (node.kind === 'delay' ? { ...node, minutes: drawn?.minutes ?? 1 } : node);
  const migration = drawn && { at: drawn.minute * MINUTE + 30_000, nodes: without(nodes, gone).map(other) };
  return { journey: { nodes, reentry, migration }, events };
});

/** What really happens: of each enrollment node, how it was left, and when. */
async function realResult({ nodes, reentry, migration }: PlainJourney, events: readonly ReferenceEvent[]): Promise<PlainResult> {
  const world = new JourneyApp();
  const journey = await world.publish(definitionOf(nodes, reentry));
  const contact = await world.contact('ada@example.com');
  const begin = world.app.clock.now();
  const until = async (at: number) => {
    await world.app.run(begin + at - world.app.clock.now());
    await world.app.clock.advance(Math.max(0, begin + at - world.app.clock.now()));
  };
  const acts = [
    ...events.map(({ name, key, at }) => ({ at, act: () => world.event(contact, name, { key }) })),
    ...(migration ? [{ at: migration.at, act: () => world.republish(journey, definitionOf(migration.nodes, reentry), 'migrate') }] : []),
  ].sort((a, b) => a.at - b.at);
  for (const { at, act } of acts) {
    await until(at);
    await act();
    await world.app.run(1);
  }
  await until(2_000 * MINUTE);
  const started = await world.enrollments();
  const paths = await Promise.all(
    started.map(async ({ id, started_at }) => {
      const stored = (await world.app.log.read<EnrollmentEvent>(enrollmentStream(id))) ?? [];
      const [, ...steps] = pathOf('t', stored);
      return steps.map(({ node, outcome, left_at }) => `${node} ${outcome} ${Date.parse(left_at ?? '') - Date.parse(started_at)}`);
    }),
  );
  return { paths, refused: (await world.stats(journey))?.refused ?? {} };
}

describe('Random journeys over random histories', () => {
  it('go as a plain reading of their definitions says: with keys, exits in mid-delay and migrations', async function () {
    this.timeout(120_000);
    await fc.assert(
      fc.asyncProperty(cases, async ({ journey, events }) => {
        expect(await realResult(journey, events)).to.deep.equal(plainResult(journey, events));
      }),
      { numRuns: RUNS },
    );
  });
});
