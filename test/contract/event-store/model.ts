import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { type Checkpoint, type EventStore, type ExpectedRevision, isWrongRevision, type RecordedEvent } from '../../../domain/kernel/ports.js';
import { eventsOf, everythingAfter, newEvent } from '../helpers.js';

const STREAMS = 3;
const IDS = 6;

/** `expect` is relative to the current revision of the stream: 0 is correct, -1 one behind. */
const append = fc.record({
  do: fc.constant('append' as const),
  stream: fc.nat({ max: STREAMS - 1 }),
  ids: fc.array(fc.nat({ max: IDS - 1 }), { minLength: 1, maxLength: 3 }),
  /** With the call for several chains. */
  amongMany: fc.boolean(),
  expect: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 3, arbitrary: fc.integer({ min: -4, max: 2 }) }),
});
const read = fc.record({
  do: fc.constant('read' as const),
  stream: fc.nat({ max: STREAMS - 1 }),
  from: fc.option(fc.nat({ max: 8 }), { nil: undefined }),
  limit: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
  backwards: fc.boolean(),
});
const readAll = fc.record({ do: fc.constant('readAll' as const), skip: fc.nat({ max: 20 }), limit: fc.integer({ min: 1, max: 6 }) });
type Value<A> = A extends fc.Arbitrary<infer T> ? T : never;
type Step = Value<typeof append> | Value<typeof read> | Value<typeof readAll>;

/** Runs each step on a real store and on a model of plain lists, and compares. */
class StoreAndModel {
  readonly #names = Array.from({ length: STREAMS }, () => `test-${randomUUID()}`);
  readonly #ids = Array.from({ length: IDS }, () => randomUUID());
  readonly #streams: RecordedEvent[][] = Array.from({ length: STREAMS }, () => []);
  readonly #log: RecordedEvent[] = [];

  constructor(
    private readonly store: EventStore,
    private readonly from: Checkpoint,
  ) {}

  run(step: Step): Promise<void> {
    return step.do === 'append' ? this.#append(step) : step.do === 'read' ? this.#read(step) : this.#readAll(step);
  }

  async #append({ stream: which, ids, amongMany, expect: offset }: Extract<Step, { do: 'append' }>): Promise<void> {
    const stream = this.#names[which] as string;
    const plain = this.#streams[which] as RecordedEvent[];
    const first = Math.max(0, plain.length + offset);
    const expected: ExpectedRevision = first === 0 ? 'no-stream' : first - 1;
    const events = ids.map((id, n) => newEvent({ id: this.#ids[id] as string, data: `{"written":${this.#log.length + n}}` }));
    const known = plain.slice(first, first + events.length);
    const repeated = known.length === events.length && known.every(({ id }, i) => id === events[i]?.id);

    const call = amongMany ? this.store.appendAll([[{ stream, expected, events }]]) : this.store.append(stream, expected, events);
    const outcome = [await call.catch((e: unknown) => e)].flat()[0];
    if (first === plain.length) {
      expect(outcome).to.include({ revision: plain.length + events.length - 1 });
      // Positions come from the store. Later comparisons check that they do not change.
      const written = (await eventsOf(this.store, stream)).slice(first);
      events.forEach((event, i) => {
        const recorded = { ...event, stream, revision: first + i, position: written[i]?.position as string };
        plain.push(recorded);
        this.#log.push(recorded);
      });
      expect(outcome).to.include({ position: plain.at(-1)?.position });
    } else if (repeated) {
      expect(outcome).to.deep.equal({ revision: known.at(-1)?.revision, position: known.at(-1)?.position });
    } else {
      expect(isWrongRevision(outcome), String(outcome)).to.equal(true);
      expect(outcome).to.include({ stream, expected, actual: plain.length === 0 ? 'no-stream' : plain.length - 1 });
    }
  }

  async #read({ stream, from, limit, backwards }: Extract<Step, { do: 'read' }>): Promise<void> {
    const plain = this.#streams[stream] as RecordedEvent[];
    // Engines differ for backward reads from beyond the end, which no caller makes.
    if (backwards && from !== undefined && from >= plain.length) return;
    const options = { backwards, ...(from === undefined ? {} : { from }), ...(limit === undefined ? {} : { limit }) };
    const wanted = plain.filter(({ revision }) => from === undefined || (backwards ? revision <= from : revision >= from));
    if (backwards) wanted.reverse();
    expect(await this.store.read(this.#names[stream] as string, options)).to.deep.equal(plain.length === 0 ? 'not-found' : wanted.slice(0, limit));
  }

  async #readAll({ skip, limit }: Extract<Step, { do: 'readAll' }>): Promise<void> {
    const place = Math.min(skip, this.#log.length);
    const after = place === 0 ? this.from : (this.#log[place - 1] as RecordedEvent).position;
    const events = this.#log.slice(place, place + limit);
    const page = { events, upTo: events.at(-1)?.position ?? after, caughtUp: place + limit >= this.#log.length };
    expect(await this.store.readAll(after, limit)).to.deep.equal(page);
  }

  async compare(): Promise<void> {
    expect(await everythingAfter(this.store, this.from, 7)).to.deep.equal(this.#log);
  }
}

export function likeTheModel(store: () => EventStore): void {
  it('behaves like the model', async () => {
    const steps = fc.array(fc.oneof({ weight: 3, arbitrary: append }, read, readAll), { minLength: 1, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(steps, async (chosen) => {
        const pair = new StoreAndModel(store(), await store().head());
        for (const step of chosen) await pair.run(step);
        await pair.compare();
      }),
      { numRuns: 60 },
    );
  });
}
