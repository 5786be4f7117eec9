import { expect } from 'chai';
import { recordEvent } from '../../commands/events/record-event.js';
import type { ReadModels } from '../../domain/kernel/ports.js';
import { customEvents } from '../../projections/events/projection.js';
import { journeyFactsReader } from '../../projections/journeys/facts.js';
import { journeyPastReader } from '../../projections/journeys/past.js';
import { ACCOUNT } from '../support/test-app.js';
import { JourneyApp } from './journey-app.js';

const HOUR = 3_600_000;
const visited = { type: 'event', event: 'visit' } as const;
const journeyWith = (node: object) => ({
  nodes: [
    { id: 't', kind: 'trigger', on: visited, next: 'n' },
    { id: 'n', ...node },
  ] as never,
});

describe('An event that was recorded by a node whose clock is ahead', () => {
  /** A contact with an event of the next second. */
  async function visitAhead(node: object) {
    const world = new JourneyApp();
    await world.publish(journeyWith(node));
    const ada = await world.contact('ada@example.com');
    const input = { contact: { id: ada }, event: 'visit', properties: {} };
    await world.app.execute(recordEvent, input as never, { at: world.app.clock.now() + 1_500 } as never);
    return { world, ada };
  }

  it('counts for the branch of the journey that it starts', async () => {
    const { world } = await visitAhead({ kind: 'branch', mode: 'rule', branches: [{ id: 'yes', rule: visited, next: null }], else: null });
    await world.app.run(HOUR);
    const [one] = await world.enrollments();
    expect(await world.path(one?.id ?? '')).to.include('took branch:yes');
  });

  it('counts for rules with a window and with a condition, and as of now', async () => {
    const { world, ada } = await visitAhead({ kind: 'exit' });
    await world.app.documents(customEvents, 'events');
    const { log, views, clock } = world.app;
    const rules = [
      { ...visited, window: { last: 'PT1S' } },
      { ...visited, count: { op: 'eq', value: 0 } },
      { type: 'not', rule: visited },
    ] as const;
    const reader = journeyFactsReader({ log, views, clock });
    expect(await reader.holds(ACCOUNT, ada, rules)).to.deep.equal([true, false, false]);
  });
});

describe('A read model that has not caught up within its time', () => {
  const behind = (views: ReadModels): ReadModels =>
    new Proxy(views, {
      get: (of, name) => {
        if (name === 'waitUntilReached') return async () => false;
        const value: unknown = of[name as keyof ReadModels];
        return typeof value === 'function' ? value.bind(of) : value;
      },
    });

  it('is answered as such, for the rules of a journey and for what a wait counts', async () => {
    const world = new JourneyApp();
    const ada = await world.contact('ada@example.com');
    await world.event(ada, 'visit');
    const { log, views, clock } = world.app;
    const stores = { log, views: behind(views), clock };
    const codeOf = (asked: Promise<unknown>) =>
      asked.then(
        () => null,
        (e) => e.code,
      );
    expect(await codeOf(journeyFactsReader(stores).holds(ACCOUNT, ada, [visited]))).to.equal('projection_behind');
    const wanted = { events: new Set(['visit']), segments: new Set<string>(), lists: new Set<string>(), forms: new Set<string>(), created: false };
    const range = { from: '2020-01-01T00:00:00.000Z', to: '2030-01-01T00:00:00.000Z' };
    const recent = journeyPastReader(stores).recent(ACCOUNT, { id: ada, members: [ada] }, wanted, range);
    expect(await codeOf(recent)).to.equal('projection_behind');
  });
});
