import { expect } from 'chai';
import fc from 'fast-check';
import { type EnrollmentEvent, enrollmentStream } from '../../domain/journeys/enrollment.js';
import { pathOf } from '../../queries/journeys/path.js';
import { JourneyApp } from './journey-app.js';
import { definitionOf, type PlainEvent, type PlainNode, plainPath } from './plain-interpreter.js';

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
    drawn.map(({ kind, minutes, a, b }, i): PlainNode => {
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
/** Half a minute beside every timer, and one of them a second before. */
const histories = fc
  .uniqueArray(fc.record({ name: fc.constantFrom('seen', 'seen', 'bye'), minute: fc.integer({ min: 1, max: 200 }) }), {
    maxLength: 5,
    selector: ({ minute }) => minute,
  })
  .map((drawn) => drawn.map(({ name, minute }): PlainEvent => ({ name: name as PlainEvent['name'], at: minute * MINUTE - 1_000 })))
  .map((events) => [...events].sort((a, b) => a.at - b.at));

/** What really happens: node, how it was left, and when. */
async function realPath(nodes: readonly PlainNode[], events: readonly PlainEvent[]): Promise<string[]> {
  const world = new JourneyApp();
  await world.publish(definitionOf(nodes));
  const contact = await world.contact('ada@example.com');
  const begin = world.app.clock.now();
  await world.event(contact, 'go');
  const until = async (at: number) => {
    await world.app.run(begin + at - world.app.clock.now());
    await world.app.clock.advance(Math.max(0, begin + at - world.app.clock.now()));
  };
  await world.app.run(1);
  for (const { name, at } of events) {
    await until(at);
    await world.event(contact, name);
  }
  await until(2_000 * MINUTE);
  const [one] = await world.enrollments();
  const stored = (await world.app.log.read<EnrollmentEvent>(enrollmentStream(one?.id ?? ''))) ?? [];
  const [, ...steps] = pathOf('t', stored);
  return steps.map(({ node, outcome, left_at }) => `${node} ${outcome} ${Date.parse(left_at ?? '') - begin}`);
}

describe('Random journeys over random histories', () => {
  it('go as a plain reading of their definitions says', async () => {
    await fc.assert(
      fc.asyncProperty(journeys, histories, async (nodes, events) => {
        expect(await realPath(nodes, events)).to.deep.equal(plainPath(nodes, events));
      }),
      { numRuns: RUNS },
    );
  });
});
