import { expect } from 'chai';
import type { ReadModels } from '../../domain/kernel/ports.js';
import { openMemoryViews } from '../../engines/memory/index.js';
import type { ResourceChange } from '../../log/feed/changed-streams.js';
import { AccountChanges } from '../../projections/changes/account-changes.js';
import { AnnouncementQueue } from '../../projections/changes/announcement-queue.js';
import { lists } from '../../projections/lists/projection.js';
import { eventually } from '../support/eventually.js';
import { ManualClock } from '../support/manual-clock.js';

const at = (n: number): string => String(n).padStart(20, '0');

describe('the announcements of an account', () => {
  let clock: ManualClock;
  let views: ReadModels;
  let changes: AccountChanges;
  let frames: string[];
  let reached: number;

  beforeEach(async () => {
    clock = new ManualClock();
    views = openMemoryViews({ clock }).views;
    changes = new AccountChanges({ views, clock }, at(0));
    frames = [];
    reached = 0;
    changes.announced.subscribe((one) => frames.push(one?.frame ?? 'check'));
  });
  afterEach(() => changes.close());

  const reach = async (n: number): Promise<void> => {
    const writer = await views.writer(lists);
    await writer.commit(reached === 0 ? 'start' : at(reached), at(n), []);
    await writer.close();
    reached = n;
  };
  const change = (n: number, id: string | null, kind: ResourceChange['change'] = 'updated', resource = 'list'): ResourceChange => ({
    ...{ account: 'acc_1', resource, id, change: kind, position: at(n) },
  });
  const note = (from: number, count: number) =>
    changes.note(
      Array.from({ length: count }, (_, i) => change(from + i, `lst_${from + i}`)),
      at(from + count - 1),
    );
  const shown = () =>
    frames.map((frame) =>
      frame
        .replace(/^id: 0*(?=[0-9])/, '')
        .replace(/\nevent: change\ndata: /, ' ')
        .trim(),
    );
  const settled = async () => {
    for (let i = 0; i < 20; i++) await new Promise<void>((resolve) => setImmediate(resolve));
  };

  it('come once the read model has the change', async () => {
    changes.note([change(3, 'lst_1', 'created')], at(3));
    await settled();
    expect(frames).to.deep.equal([]);
    await reach(2);
    await settled();
    expect(frames).to.deep.equal([]);
    await reach(3);
    await eventually('it is announced', () => frames.length === 1);
    expect(shown()).to.deep.equal(['3 {"resource":"list","id":"lst_1","change":"created"}']);
  });

  it('have the position up to which all is announced, whatever waits for another read model', async () => {
    changes.note([change(3, 'lst_1'), change(4, 'whe_1', 'updated', 'webhook_endpoint')], at(5));
    await eventually('the one without a read model is announced', () => frames.length === 1);
    // The stream that goes on after it gets the first one, which is not announced yet.
    expect(shown()).to.deep.equal(['0 {"resource":"webhook_endpoint","id":"whe_1","change":"updated"}']);
    await reach(5);
    await eventually('so is the other one', () => frames.length === 2);
    expect(shown()[1]).to.equal('5 {"resource":"list","id":"lst_1","change":"updated"}');
    expect(changes.announcedUpTo).to.equal(at(5));
  });

  it('are one for several changes of one resource', async () => {
    changes.note([change(1, 'lst_1', 'created'), change(2, 'lst_1'), change(3, 'lst_2'), change(4, 'lst_2', 'deleted')], at(4));
    await reach(4);
    await eventually('both are announced', () => frames.length === 2);
    expect(shown().map((text) => JSON.parse(text.slice(text.indexOf('{'))).change)).to.deep.equal(['created', 'deleted']);
  });

  it('are at most twenty a second of a kind, and above that one for all', async () => {
    await reach(1_000);
    note(1, 20);
    await eventually('twenty are announced', () => frames.length === 20);
    note(21, 5);
    await settled();
    expect(frames).to.have.length(20);
    await clock.advance(1_000);
    await eventually('the rest of them a second later', () => frames.length === 25);
    await clock.advance(1_000);
    for (let second = 0; second < 3; second++) {
      for (let n = 0; n < 10; n++) note(100 + second * 100 + n * 10, 10);
      await clock.advance(1_000);
      await settled();
    }
    await clock.advance(1_000);
    await settled();
    const many = shown().filter((text) => text.includes('many'));
    expect(many.length).to.be.within(3, 4);
    expect(frames.length).to.equal(
      25 +
        many.length +
        shown()
          .slice(25)
          .filter((text) => !text.includes('many')).length,
    );
    expect(shown().slice(25).length).to.be.lessThan(30);
    expect(many[0]).to.match(/^[0-9]+ \{"resource":"list","id":null,"change":"many"\}$/);
    expect(changes.announcedUpTo).to.equal(at(399));
  });

  it('are cut for a reader that takes none of a thousand', async () => {
    const reading = new AbortController();
    const queue = new AnnouncementQueue(changes.announced, (resource) => resource === 'list', clock, reading.signal);
    for (let i = 0; i < 1_000; i++) changes.announced.next({ resource: 'list', frame: String(i) });
    for (let i = 0; i < 1_000; i++) changes.announced.next({ resource: 'contact', frame: String(i) });
    expect(queue.hasEnded).to.equal(false);
    changes.announced.next({ resource: 'list', frame: 'one more' });
    expect([queue.hasEnded, await queue.next(1)]).to.deep.equal([true, { kind: 'end' }]);
    queue.close();
  });
});
