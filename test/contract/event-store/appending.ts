import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { type Append, type EventStore, isWrongRevision } from '../../../domain/kernel/ports.js';
import { eventsOf, everythingAfter, expectConflict, failureOf, newEvent, newEvents, newStream } from '../helpers.js';

/** The rules of appends, as in EventStoreDB's server. */
export function appending(store: () => EventStore): void {
  it('starts a stream', async () => {
    const stream = newStream();
    const event = newEvent();
    const { revision, position } = await store().append(stream, 'no-stream', [event]);
    expect(revision).to.equal(0);
    expect(position).to.match(/^\d{20}$/);
    expect(await store().read(stream)).to.deep.equal([{ ...event, stream, revision, position }]);
  });

  it('appends at the expected revision and returns the position of the last event', async () => {
    const stream = newStream();
    await store().append(stream, 'no-stream', newEvents(2));
    const batch = newEvents(3);
    const answer = await store().append(stream, 1, batch);
    expect(answer.revision).to.equal(4);
    const stored = await eventsOf(store(), stream);
    expect(stored.slice(2).map(({ id }) => id)).to.deep.equal(batch.map(({ id }) => id));
    expect(stored.at(-1)?.position).to.equal(answer.position);
    expect((await store().head()) === answer.position).to.equal(true);
  });

  it('rejects no-stream for an existing stream', async () => {
    const stream = newStream();
    await store().append(stream, 'no-stream', newEvents(2));
    await expectConflict(store().append(stream, 'no-stream', newEvents(1)), { stream, expected: 'no-stream', actual: 1 });
  });

  it('rejects a revision that is behind or ahead, or any for a missing stream', async () => {
    const stream = newStream();
    await expectConflict(store().append(stream, 0, newEvents(1)), { stream, expected: 0, actual: 'no-stream' });
    await store().append(stream, 'no-stream', newEvents(3));
    await expectConflict(store().append(stream, 1, newEvents(1)), { stream, expected: 1, actual: 2 });
    await expectConflict(store().append(stream, 3, newEvents(1)), { stream, expected: 3, actual: 2 });
    expect(await eventsOf(store(), stream)).to.have.length(3);
  });

  for (const { at, expected } of [
    { at: 'a new stream', expected: 'no-stream' },
    { at: 'a revision', expected: 0 },
  ] as const) {
    it(`returns the same result for a repeat of the same ids at ${at}, and keeps the first data`, async () => {
      const stream = newStream();
      if (expected !== 'no-stream') await store().append(stream, 'no-stream', newEvents(1));
      const batch = newEvents(2);
      const first = await store().append(stream, expected, batch);
      const changed = batch.map((event) => ({ ...event, type: 'Changed', data: '{"changed":true}' }));
      expect(await store().append(stream, expected, changed)).to.deep.equal(first);

      await store().append(stream, first.revision, newEvents(1));
      expect(await store().append(stream, expected, changed), 'after later appends to the stream').to.deep.equal(first);

      const stored = await eventsOf(store(), stream);
      expect(stored).to.have.length(first.revision + 2);
      expect(stored.slice(first.revision - 1, first.revision + 1)).to.containSubset(batch);
    });
  }

  it('writes the same ids again at the current revision', async () => {
    const stream = newStream();
    const batch = newEvents(2);
    await store().append(stream, 'no-stream', batch);
    expect((await store().append(stream, 1, batch)).revision).to.equal(3);
    expect((await eventsOf(store(), stream)).map(({ id }) => id)).to.deep.equal([...batch, ...batch].map(({ id }) => id));
  });

  it('rejects a repeat with only some matching ids', async () => {
    const stream = newStream();
    const [a, b] = newEvents(2);
    if (!a || !b) throw new Error('two events are needed');
    await store().append(stream, 'no-stream', [a, b]);
    const conflict = { stream, expected: 'no-stream', actual: 1 } as const;
    await expectConflict(store().append(stream, 'no-stream', [a, newEvent()]), conflict);
    await expectConflict(store().append(stream, 'no-stream', [a, b, newEvent()]), conflict);
    await expectConflict(store().append(stream, 'no-stream', [newEvent(), b]), conflict);
    await expectConflict(store().append(stream, 'no-stream', [b, a]), conflict);
    expect(await eventsOf(store(), stream)).to.have.length(2);
  });

  it('accepts an id that exists in another stream, or twice in one append', async () => {
    const [one, other] = [newStream(), newStream()];
    const event = newEvent();
    await store().append(one, 'no-stream', [event]);
    expect((await store().append(other, 'no-stream', [event, event])).revision).to.equal(1);
    expect(await eventsOf(store(), other)).to.have.length(2);
  });

  it('rejects an append without events and creates no stream', async () => {
    const stream = newStream();
    expect(await failureOf(store().append(stream, 'no-stream', []))).to.satisfy((e: unknown) => e instanceof RangeError || e instanceof TypeError);
    expect(await store().read(stream)).to.equal('not-found');
    await store().append(stream, 'no-stream', newEvents(1));
    expect(await failureOf(store().append(stream, 0, []))).to.satisfy((e: unknown) => e instanceof RangeError || e instanceof TypeError);
  });

  it('accepts exactly one of 64 concurrent appends with the same expected revision', async () => {
    const stream = newStream();
    await store().append(stream, 'no-stream', newEvents(1));
    const batches = Array.from({ length: 64 }, () => newEvents(3));
    const outcomes = await Promise.allSettled(batches.map((batch) => store().append(stream, 0, batch)));
    const winners = batches.filter((_, i) => outcomes[i]?.status === 'fulfilled');
    expect(winners).to.have.length(1);
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).to.include({ name: 'WrongExpectedRevision', actual: 3 });
    expect((await eventsOf(store(), stream)).slice(1).map(({ id }) => id)).to.deep.equal(winners[0]?.map(({ id }) => id));
  });

  it('returns the same result for 64 concurrent repeats of one append, and writes once', async () => {
    const stream = newStream();
    const batch = newEvents(3);
    const answers = await Promise.all(Array.from({ length: 64 }, () => store().append(stream, 'no-stream', batch)));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).to.equal(1);
    expect(await eventsOf(store(), stream)).to.have.length(3);
  });

  it('writes each batch contiguously, also among conflicts', async () => {
    const from = await store().head();
    const taken = newStream();
    await store().append(taken, 'no-stream', newEvents(1));
    const batches = Array.from({ length: 40 }, () => ({ stream: newStream(), events: newEvents(5) }));
    await Promise.all(
      batches.flatMap(({ stream, events }) => [
        store().append(stream, 'no-stream', events),
        expectConflict(store().append(taken, 'no-stream', newEvents(5)), { stream: taken, expected: 'no-stream', actual: 0 }),
      ]),
    );
    const log = await everythingAfter(store(), from);
    expect(log).to.have.length(1 + 40 * 5);
    const streams = log.slice(1).map(({ stream }) => stream);
    for (let i = 0; i < streams.length; i += 5) expect(new Set(streams.slice(i, i + 5)).size, 'a batch is contiguous').to.equal(1);
  });

  it('assigns increasing positions', async () => {
    const from = await store().head();
    const streams = Array.from({ length: 30 }, newStream);
    await Promise.all(streams.map((stream) => store().append(stream, 'no-stream', newEvents(2))));
    const log = await everythingAfter(store(), from);
    expect(log).to.have.length(60);
    log.reduce((before, { position }) => {
      expect(position).to.match(/^\d{20}$/);
      expect(before === 'start' || position > before, `${position} comes after ${before}`).to.equal(true);
      return position;
    }, from);
  });

  describe('many in one call', () => {
    const fresh = (count = 1): Append => ({ stream: newStream(), expected: 'no-stream', events: newEvents(count) });
    const idsOf = (append: Append): string[] => append.events.map(({ id }) => id);

    it('writes all chains, each in order, and returns the result of each last append', async () => {
      const from = await store().head();
      const chains = Array.from({ length: 200 }, () => [fresh(), fresh(2), fresh()]);
      const answers = await store().appendAll(chains);
      expect(answers).to.have.length(200);
      const positionById = new Map((await everythingAfter(store(), from)).map(({ id, position }) => [id, position]));
      expect(positionById.size).to.equal(800);
      for (const [i, chain] of chains.entries()) {
        const positions = chain.flatMap(idsOf).map((id) => positionById.get(id) ?? '');
        expect(positions).to.deep.equal([...positions].sort());
        expect(answers[i]).to.include({ revision: 0, position: positions.at(-1) });
      }
    });

    it('accepts several appends to one stream in a chain', async () => {
      const [stream, first, second] = [newStream(), newEvents(2), newEvents(1)];
      const [answer] = await store().appendAll([
        [
          { stream, expected: 'no-stream', events: first },
          { stream, expected: 1, events: second },
        ],
      ]);
      expect(answer).to.include({ revision: 2 });
      expect((await eventsOf(store(), stream)).map(({ id }) => id)).to.deep.equal([...first, ...second].map(({ id }) => id));
    });

    it('ends a chain at the first rejected append and writes the others', async () => {
      const taken = newStream();
      await store().append(taken, 'no-stream', newEvents(3));
      const [before, after, other] = [fresh(), fresh(), fresh()];
      const refused: Append = { stream: taken, expected: 0, events: newEvents(1) };
      const [answer, kept] = await store().appendAll([[before, refused, after], [other]]);
      expect(isWrongRevision(answer), String(answer)).to.equal(true);
      expect(answer).to.include({ stream: taken, expected: 0, actual: 2 });
      expect(kept).to.include({ revision: 0 });
      expect(await eventsOf(store(), before.stream)).to.have.length(1);
      expect(await store().read(after.stream)).to.equal('not-found');
      expect(await eventsOf(store(), taken)).to.have.length(3);
    });

    it('accepts one of several chains to the same streams', async () => {
      const [one, other] = [newStream(), newStream()];
      const chain = (): Append[] => [one, other].map((stream) => ({ stream, expected: 'no-stream', events: newEvents(1) }));
      const answers = await store().appendAll(Array.from({ length: 20 }, chain));
      expect(answers.filter((answer) => !isWrongRevision(answer))).to.have.length(1);
      for (const stream of [one, other]) expect(await eventsOf(store(), stream)).to.have.length(1);
    });

    it('returns the same results for a repeated call, and completes an interrupted one', async () => {
      const chain = [fresh(2), fresh(), fresh()];
      const [begun] = chain as [Append];
      await store().append(begun.stream, begun.expected, begun.events);
      const first = await store().appendAll([chain]);
      expect(first[0]).to.include({ revision: 0 });
      expect(await store().appendAll([chain])).to.deep.equal(first);
      for (const { stream, events } of chain) expect(await eventsOf(store(), stream)).to.have.length(events.length);
    });

    it('rejects empty chains and accepts a call without chains', async () => {
      expect(await store().appendAll([])).to.deep.equal([]);
      const nothing = { ...fresh(), events: [] };
      for (const chains of [[[]], [[nothing]]]) expect(await failureOf(store().appendAll(chains))).to.be.instanceOf(RangeError);
      expect(await store().read(nothing.stream)).to.equal('not-found');
    });
  });

  /** With name and metadata this is EventStoreDB's maximum for one append: 1 MiB. */
  const LARGE = 1_048_576 - 1_024;
  const texts: Readonly<Record<string, string>> = {
    'an event of 1 MiB': 'x'.repeat(LARGE - 2),
    'letters of many bytes': 'Żółć ελληνικά 日本語 עברית',
    'emoji, also joined ones': '😀 👩‍👩‍👧‍👦 🏳️‍🌈',
    'line and paragraph separators': 'a\u2028b\u2029c',
    'half of a surrogate pair, escaped': '\ud83d and \udc00',
    'control characters and quotes': '\u0000\u0001\b\f\n\r\t"\\\u007f',
    'texts that look like SQL and JSON': `'; DROP TABLE events; -- {"a":[1,{}]} %_?`,
  };
  for (const [what, text] of Object.entries(texts)) {
    it(`preserves ${what}`, async () => {
      const stream = newStream();
      const event = newEvent({ id: randomUUID(), data: JSON.stringify(text), metadata: text.length > 1_000 ? '{}' : JSON.stringify({ text }) });
      const { position } = await store().append(stream, 'no-stream', [event]);
      expect((await store().read(stream)) as unknown).to.deep.equal([{ ...event, stream, revision: 0, position }]);
      expect((await everythingAfter(store(), 'start')).at(-1)?.data === event.data, 'in the log as well').to.equal(true);
    });
  }
}
