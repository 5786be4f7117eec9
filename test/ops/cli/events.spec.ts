import { expect } from 'chai';
import { openMemoryLog } from '../../../engines/memory/index.js';
import { countEvents, exportEvents, tailEvents } from '../../../ops/cli/operator-events.js';
import { collect, NotesFixture } from './notes-fixture.js';

const { signal } = new AbortController();

describe("the operator's events", () => {
  let notes: NotesFixture;
  beforeEach(async () => {
    notes = new NotesFixture(openMemoryLog());
    await notes.take('ann', 'buy milk');
    await notes.take('bob', 'sell milk', 'red');
    await notes.move('ann', 0, 'green');
  });

  describe('export', () => {
    it('writes every event in the order of the log, with personal fields sealed', async () => {
      const events = await collect(exportEvents(notes.log, { signal }));
      expect(events.map(({ type, stream, revision }) => [type, stream, revision])).to.deep.equal([
        ['NoteTaken', 'note-ann', 0],
        ['NoteTaken', 'note-bob', 0],
        ['NoteMoved', 'note-ann', 1],
      ]);
      expect(events[0]?.metadata).to.include({ account: 'acc_1', schemaVersion: 1 });
      expect(events[0]?.data).to.have.property('sealed');
      expect(JSON.stringify(events)).not.to.include(' milk');
    });

    it('opens personal fields with `open`, but not erased ones', async () => {
      await notes.vault.erase('bob');
      const events = await collect(exportEvents(notes.log, { open: true, signal }));
      expect(events.map(({ data }) => data)).to.deep.equal([
        { by: 'ann', note: 'buy milk', color: 'blue' },
        { by: 'bob', note: '<erased>', color: 'red' },
        { by: 'ann', color: 'green' },
      ]);
    });

    it('filters by stream, by type and by position', async () => {
      const which = async (selection: object) =>
        (await collect(exportEvents(notes.log, { ...selection, signal }))).map(({ position }) => Number(position));
      expect(await which({ stream: 'note-ann' })).to.deep.equal([1, 3]);
      expect(await which({ type: 'NoteTaken' })).to.deep.equal([1, 2]);
      expect(await which({ after: '00000000000000000002' })).to.deep.equal([3]);
      expect(await which({ stream: 'note-ann', type: 'NoteMoved' })).to.deep.equal([3]);
    });

    it('reads many pages', async () => {
      for (let i = 0; i < 2_500; i++) await notes.take(`p${i}`, 'x');
      expect(await collect(exportEvents(notes.log, { signal }))).to.have.length(2_503);
    });

    it('of an empty log is empty', async () =>
      expect(await collect(exportEvents(new NotesFixture(openMemoryLog()).log, { signal }))).to.deep.equal([]));
  });

  describe('count', () => {
    it('counts the events of each type, the most frequent first', async () => {
      expect(await countEvents(notes.log, { signal })).to.deep.equal({
        events: 3,
        head: '00000000000000000003',
        by_type: { NoteTaken: 2, NoteMoved: 1 },
      });
      expect(await countEvents(notes.log, { stream: 'note-ann', signal })).to.deep.include({ events: 2 });
    });

    it('of an empty log is zero', async () =>
      expect(await countEvents(new NotesFixture(openMemoryLog()).log, { signal })).to.deep.equal({ events: 0, head: 'start', by_type: {} }));
  });

  describe('tail', () => {
    const tail = async (options: { last: number; stream?: string; after?: string }) =>
      (await collect(tailEvents(notes.log, { ...options, follow: false, signal }))).map(({ position }) => Number(position));

    it('starts with the last events', async () => {
      expect(await tail({ last: 2 })).to.deep.equal([2, 3]);
      expect(await tail({ last: 0 })).to.deep.equal([]);
      expect(await tail({ last: 10 })).to.deep.equal([1, 2, 3]);
    });

    it('finds the last events of a stream however far back they are', async () => {
      for (let i = 0; i < 200; i++) await notes.take(`p${i}`, 'x');
      expect(await tail({ last: 2, stream: 'note-ann' })).to.deep.equal([1, 3]);
      expect(await tail({ last: 1, stream: 'note-ann' })).to.deep.equal([3]);
      expect(await tail({ last: 5, after: '00000000000000000201' })).to.deep.equal([202, 203]);
    });

    it('continues with new events until it is stopped, without gaps', async () => {
      const stop = new AbortController();
      const seen: unknown[] = [];
      for await (const { stream, data } of tailEvents(notes.log, { last: 1, follow: true, open: true, signal: stop.signal })) {
        seen.push([stream, (data as { note?: string }).note]);
        if (seen.length === 1) await notes.take('cid', 'first');
        if (seen.length === 2) await notes.take('dan', 'second');
        if (seen.length === 3) stop.abort();
      }
      expect(seen).to.deep.equal([
        ['note-ann', undefined],
        ['note-cid', 'first'],
        ['note-dan', 'second'],
      ]);
    });
  });
});
