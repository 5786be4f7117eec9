import { expect } from 'chai';
import { type EventStore, PAGE_BYTES, PAGE_OVERRUN, type Position, type RecordedEvent } from '../../../domain/kernel/ports.js';
import { eventsOf, everythingAfter, newEvent, newEvents, newStream } from '../helpers.js';

const LARGE = 300_000;
const large = () => newEvent({ data: JSON.stringify('x'.repeat(LARGE)) });
/** The most large events that a page within its budget has. */
const mostLarge = (bytes: number): number => Math.ceil(bytes / LARGE) + PAGE_OVERRUN;

export function reading(store: () => EventStore): void {
  describe('one stream', () => {
    const stream = newStream();
    const revisions = async (options: Parameters<EventStore['read']>[1]) => {
      const events = await store().read(stream, options);
      return events === 'not-found' ? events : events.map(({ revision }) => revision);
    };
    before(() => store().append(stream, 'no-stream', newEvents(6)));

    const cases: readonly [string, Parameters<EventStore['read']>[1], number[]][] = [
      ['the whole stream, in order', {}, [0, 1, 2, 3, 4, 5]],
      ['from a revision, inclusive', { from: 4 }, [4, 5]],
      ['up to the limit', { limit: 2 }, [0, 1]],
      ['up to the limit, from a revision', { from: 2, limit: 3 }, [2, 3, 4]],
      ['fewer than the limit at the end', { from: 4, limit: 10 }, [4, 5]],
      ['nothing beyond the end', { from: 6 }, []],
      ['nothing far beyond the end', { from: 1_000, limit: 5 }, []],
      ['backwards from the end', { backwards: true }, [5, 4, 3, 2, 1, 0]],
      ['only the last event', { backwards: true, limit: 1 }, [5]],
      ['backwards from a revision, inclusive', { backwards: true, from: 2 }, [2, 1, 0]],
      ['backwards up to the limit', { backwards: true, from: 4, limit: 2 }, [4, 3]],
      ['backwards from the first', { backwards: true, from: 0 }, [0]],
    ];
    for (const [what, options, expected] of cases) it(`reads ${what}`, async () => expect(await revisions(options)).to.deep.equal(expected));

    it('returns not-found for a missing stream, with any options', async () => {
      for (const options of [{}, { from: 3 }, { backwards: true }, { limit: 1 }])
        expect(await store().read(newStream(), options)).to.equal('not-found');
    });

    it('distinguishes a stream from one with a longer name', async () => {
      await store().append(`${stream}-1`, 'no-stream', newEvents(1));
      expect(await eventsOf(store(), stream)).to.have.length(6);
      expect(await store().read(stream.slice(0, -1))).to.equal('not-found');
    });

    it('reads its own writes', async () => {
      const fresh = newStream();
      for (let revision = 0; revision < 10; revision++) {
        await store().append(fresh, revision === 0 ? 'no-stream' : revision - 1, newEvents(1));
        expect(await eventsOf(store(), fresh)).to.have.length(revision + 1);
      }
    });
  });

  describe('the whole log', () => {
    let from: Awaited<ReturnType<EventStore['head']>>;
    let written: readonly RecordedEvent[];
    before(async () => {
      from = await store().head();
      const streams = [newStream(), newStream(), newStream()];
      for (let round = 0; round < 4; round++)
        for (const stream of streams) await store().append(stream, round === 0 ? 'no-stream' : round * 2 - 1, newEvents(2));
      const all = await Promise.all(streams.map((stream) => eventsOf(store(), stream)));
      written = all.flat().sort((a, b) => (a.position < b.position ? -1 : 1));
    });

    it('reads all events after a position, in order', async () => {
      expect(await everythingAfter(store(), from)).to.deep.equal(written);
      const fifth = written[4] as RecordedEvent;
      expect(await everythingAfter(store(), fifth.position)).to.deep.equal(written.slice(5));
    });

    it('reads all events from the start', async () => {
      const all = await everythingAfter(store(), 'start');
      expect(all.slice(-written.length)).to.deep.equal(written);
      expect(new Set(all.map(({ position }) => position)).size).to.equal(all.length);
    });

    for (const limit of [1, 5, 7, 24, 25])
      it(`reads the same events in pages of ${limit}`, async () => {
        const read: RecordedEvent[] = [];
        for (let at = from, caughtUp = false; !caughtUp; ) {
          const page = await store().readAll(at, limit);
          expect(page.events.length).to.be.at.most(limit);
          expect(page.upTo).to.equal(page.events.at(-1)?.position ?? at);
          read.push(...page.events);
          expect(page.caughtUp).to.equal(read.length === written.length);
          ({ upTo: at, caughtUp } = page);
        }
        expect(read).to.deep.equal(written);
      });

    it('ends a page at an event, within the limit, and the last page at the head', async () => {
      const positions = written.map(({ position }) => position);
      for (const limit of [1, 5, 24, 1_000]) {
        let at = from;
        for (let next = 0; next < positions.length; next = positions.indexOf(at) + 1) {
          at = await store().pageEnd(at, limit);
          expect(positions.indexOf(at)).to.be.within(next, next + limit - 1);
        }
        expect(await store().pageEnd(at, limit)).to.equal(at);
      }
    });

    it('is read backwards, from the end to its beginning', async () => {
      const newestFirst = written.toReversed();
      for (const limit of [1, 7, 1_000]) {
        const read: RecordedEvent[] = [];
        for (let before: Position | 'end' = 'end'; read.length < newestFirst.length; ) {
          const page = await store().readBackwards(before, limit);
          expect(page.length).to.be.within(1, limit);
          read.push(...page);
          before = (page.at(-1) as RecordedEvent).position;
        }
        expect(read.slice(0, newestFirst.length)).to.deep.equal(newestFirst);
      }
      const [oldest] = (await store().readAll('start', 1)).events;
      expect(await store().readBackwards((oldest as RecordedEvent).position, 10)).to.deep.equal([]);
    });

    it('reports caughtUp and the position at the head', async () => {
      const head = await store().head();
      expect(head).to.equal(written.at(-1)?.position);
      expect(await store().readAll(head, 10)).to.deep.equal({ events: [], upTo: head, caughtUp: true });
    });

    it('ends a page by its bytes, with at least one event, and leaves none out', async () => {
      const before = await store().head();
      const stream = newStream();
      for (let revision = -1; revision < 39; revision++) await store().append(stream, revision === -1 ? 'no-stream' : revision, [large()]);
      const all: RecordedEvent[] = [];
      for (const maxBytes of [1, 1_000_000, undefined]) {
        const read: RecordedEvent[] = [];
        for (let at = before, caughtUp = false; !caughtUp; ) {
          const page = await store().readAll(at, 1_000, maxBytes);
          expect(page.events.length)
            .to.be.at.least(1)
            .and.at.most(mostLarge(maxBytes ?? PAGE_BYTES));
          read.push(...page.events);
          ({ upTo: at, caughtUp } = page);
        }
        expect(read.map(({ revision }) => revision)).to.deep.equal(Array.from({ length: 40 }, (_, i) => i));
        all.push(...read);
      }
      expect(all).to.have.length(120);
    });

    it('ends no page far beyond the bytes of a page', async () => {
      const before = await store().head();
      const stream = newStream();
      for (let revision = -1; revision < 39; revision++) await store().append(stream, revision === -1 ? 'no-stream' : revision, [large()]);
      const upTo = await store().pageEnd(before, 1_000);
      const { events } = await store().readAll(before, 1_000, Number.MAX_SAFE_INTEGER);
      expect(events.findIndex(({ position }) => position === upTo) + 1).to.be.within(1, mostLarge(PAGE_BYTES));
    });

    for (const prefix of [undefined, 'large'])
      it(`ends a page of a subscription ${prefix ? 'to some streams ' : ''}by its bytes`, async () => {
        const before = await store().head();
        const stream = `large-${newStream()}`;
        for (let revision = -1; revision < 39; revision++) await store().append(stream, revision === -1 ? 'no-stream' : revision, [large()]);
        const ending = new AbortController();
        let read = 0;
        for await (const { events } of store().subscribe(before, ending.signal, 1_000, prefix)) {
          expect(events.length).to.be.at.most(mostLarge(PAGE_BYTES));
          read += events.length;
          if (read === 40) ending.abort();
        }
        expect(read).to.equal(40);
      });
  });
}
