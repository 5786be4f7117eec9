import { MessageChannel } from 'node:worker_threads';
import { expect } from 'chai';
import type { Checkpoint } from '../../domain/kernel/ports.js';
import { openMemoryLog } from '../../engines/memory/index.js';
import { type ChangedStreamFeed, type ChangedStreamsPage, changedStreamsOf } from '../../log/feed/changed-streams.js';
import { LogFeed } from '../../log/feed/log-feed.js';
import { RemoteChangedStreams, serveChangedStreams } from '../../log/feed/remote-changed-streams.js';
import { NotesFixture } from '../ops/cli/notes-fixture.js';
import { eventually } from '../support/eventually.js';
import { system } from '../support/system.js';

const wanted = { streams: ['note-a'], events: ['note-b'] };

for (const where of ['the same thread', 'another thread'] as const)
  describe(`the names of the log in ${where}`, () => {
    let notes: NotesFixture;
    let names: ChangedStreamFeed;
    let stop: AbortController;
    let running: Promise<unknown>;
    let closePorts = () => {};
    let open = 0;

    beforeEach(() => {
      const engine = openMemoryLog();
      notes = new NotesFixture(engine);
      stop = new AbortController();
      const feed = new LogFeed(notes.log, system.clock, stop.signal);
      const local = changedStreamsOf(feed);
      running = feed.run();
      names = local;
      if (where === 'the same thread') return;
      const { port1, port2 } = new MessageChannel();
      const counted: ChangedStreamFeed = {
        async *pages(...given) {
          open += 1;
          yield* local.pages(...given);
          open -= 1;
        },
      };
      serveChangedStreams(counted, port1, stop.signal);
      names = new RemoteChangedStreams(port2);
      closePorts = () => port1.close();
    });
    afterEach(async () => {
      stop.abort();
      await running;
      closePorts();
    });

    /** Takes pages up to a position. */
    const take = async (after: Checkpoint, until: Checkpoint): Promise<ChangedStreamsPage[]> => {
      const pages: ChangedStreamsPage[] = [];
      for await (const page of names.pages(wanted, after, stop.signal, until)) pages.push(page);
      return pages;
    };

    it('are those of the wanted streams, with positions, and whole events where they are wanted', async () => {
      const ann = await notes.take('ann', 'x');
      await notes.take('cid', 'y');
      const bob = await notes.take('bob', 'z');
      const pages = await take('start', bob.position);
      expect(pages.flatMap(({ streams }) => streams)).to.deep.equal([['note-ann', ann.position]]);
      const [event, ...others] = pages.flatMap(({ events }) => events);
      expect(event).to.deep.include({ stream: 'note-bob', type: 'NoteTaken', position: bob.position });
      expect(others).to.deep.equal([]);
      expect(pages.at(-1)?.upTo).to.equal(bob.position);
    });

    it('go on with what is appended, and say how far the log was read', async () => {
      const seen: ChangedStreamsPage[] = [];
      const following = (async () => {
        for await (const page of names.pages(wanted, 'start', stop.signal)) seen.push(page);
      })();
      for (let i = 0; i < 30; i++) {
        const { position } = await notes.take(`cid-${i}`, 'x');
        await eventually('the page without a wanted name', () => seen.at(-1)?.upTo === position);
      }
      const { position } = await notes.take('ann', 'x');
      await eventually('the new name', () => seen.at(-1)?.streams[0]?.[1] === position);
      stop.abort();
      await following;
    });

    it('end for the reader when their consumer leaves', async () => {
      await notes.take('ann', 'x');
      for await (const page of names.pages(wanted, 'start', stop.signal)) {
        expect(page.streams).to.have.length(1);
        break;
      }
      await eventually('nobody reads', () => open === 0);
    });
  });
