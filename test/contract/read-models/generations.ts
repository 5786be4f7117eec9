import { expect } from 'chai';
import { type Doc, justAfter, type ReadModels, type ViewSpec, type ViewWriter } from '../../../domain/kernel/ports.js';
import { failureOf, positionAt, within } from '../helpers.js';
import { found, type NewView, PageBuilder, parcel, parcelsOf } from './views.js';

/** Time limits of waits that are expected to succeed, and to time out. */
const LONG_MS = 5_000;
const SHORT_MS = 60;

export function generations(models: () => ReadModels, newView: NewView): void {
  let view: ViewSpec;
  let next: ViewSpec;
  let old: PageBuilder;
  let open: ViewWriter[];
  beforeEach(async () => {
    view = newView();
    next = { ...view, version: 2 };
    const writer = await models().writer(view);
    open = [writer];
    old = await PageBuilder.of(writer);
    await old.put(parcel('p1', { status: 'old' }));
    await old.put(parcel('p2', { status: 'old' }));
  });
  afterEach(() => Promise.allSettled(open.map((writer) => writer.close())));

  const shadow = async (): Promise<PageBuilder> => {
    const writer = await models().shadow(next);
    open.push(writer);
    return PageBuilder.of(writer);
  };
  const all = () => found(models(), view, { order: { field: 'weight' } });

  it('builds an empty shadow that readers do not see', async () => {
    const built = await shadow();
    expect(await built.writer.checkpoint()).to.equal('start');
    expect(built.writer.generation).to.be.above(old.writer.generation);
    expect(await built.writer.load([{ collection: 'parcels', id: 'p1' }])).to.deep.equal([undefined]);
    await built.put(parcel('p1', { status: 'new' }), parcel('p9', { status: 'new' }));
    for (const spec of [view, next]) {
      expect(await parcelsOf(models(), spec).get('p9')).to.equal(undefined);
      expect(await found(models(), spec, { where: { status: 'new' } })).to.deep.equal([]);
    }
    expect(await models().status(next)).to.include({ version: 1, generation: old.writer.generation, position: positionAt(2) });
    const seen: unknown[] = [];
    for await (const doc of built.writer.scan('parcels')) seen.push(doc);
    expect(seen).to.deep.equal([parcel('p1', { status: 'new' }), parcel('p9', { status: 'new' })]);
    await old.put(parcel('p3'));
  });

  it('does not promote a shadow that is behind', async () => {
    const built = await shadow();
    expect(await models().promote(next, built.writer), 'at the start').to.equal('behind');
    await built.put(parcel('p1', { status: 'new' }));
    expect(await models().promote(next, built.writer), 'one page behind').to.equal('behind');
    expect((await parcelsOf(models(), next).get('p1'))?.status).to.equal('old');
    await old.put(parcel('p3'));
    expect(await old.writer.checkpoint()).to.equal(positionAt(3));
  });

  it('promotes a shadow that has caught up, visibly for all readers at once', async () => {
    const readers = [parcelsOf(models(), view), parcelsOf(models(), next)];
    for (const reader of readers) expect((await reader.get('p1'))?.status).to.equal('old');
    await models().halt(view, 'the old generation is halted');
    const built = await shadow();
    await built.put(parcel('p1', { status: 'new' }));
    await built.put(parcel('p3', { status: 'new', weight: 2 }));
    expect(await models().promote(next, built.writer)).to.equal('ok');
    for (const reader of readers) {
      expect((await reader.get('p1'))?.status).to.equal('new');
      expect(await reader.get('p2')).to.equal(undefined);
      expect(await reader.count({ status: 'new' })).to.equal(2);
    }
    expect(await all()).to.deep.equal(['p1', 'p3']);
    expect(await models().status(next)).to.deep.include({
      name: view.name,
      version: 2,
      generation: built.writer.generation,
      position: positionAt(2),
      halted: null,
    });
  });

  it('rejects commits to a replaced generation, and accepts those to the active one', async () => {
    const built = await shadow();
    await built.put(parcel('p1', { status: 'new' }));
    await built.put();
    await built.put(parcel('p2', { status: 'new' }));
    expect(await models().promote(next, built.writer)).to.equal('ok');
    const late = [{ collection: 'parcels', id: 'p3', before: undefined, after: parcel('p3', { status: 'old' }) }];
    expect(await old.writer.commit(positionAt(2), positionAt(3), late)).to.equal('mismatch');
    expect(await old.writer.commit(positionAt(3), positionAt(4), late)).to.equal('mismatch');
    expect(await all()).to.deep.equal(['p1', 'p2']);

    await built.put(parcel('p4', { weight: 4 }));
    const again = await models().writer(next);
    open.push(again);
    expect(again.generation).to.equal(built.writer.generation);
    expect(await again.checkpoint()).to.equal(positionAt(4));
    await (await PageBuilder.of(again)).put(parcel('p5', { weight: 5 }));
    expect(await all()).to.deep.equal(['p1', 'p2', 'p4', 'p5']);
  });

  it('replaces generations repeatedly, and rejects commits to each previous one', async () => {
    let before = old;
    for (let round = 0; round < 3; round++) {
      const built = await shadow();
      await built.put(parcel(`r${round}`));
      while (built.at < before.at) await built.put();
      expect(await models().promote(next, built.writer)).to.equal('ok');
      expect(built.writer.generation).to.be.above(before.writer.generation);
      expect(await all()).to.deep.equal([`r${round}`]);
      expect(await before.writer.commit(before.at, positionAt(100), []), `round ${round}`).to.equal('mismatch');
      before = built;
    }
  });

  it('does not promote a shadow older than the active generation', async () => {
    const [slow, quick] = [await shadow(), await shadow()];
    for (const built of [slow, quick]) for (let n = 0; n < 2; n++) await built.put(parcel(`g${built.writer.generation}`));
    expect(await models().promote(next, quick.writer)).to.equal('ok');
    expect(await failureOf(models().promote(next, slow.writer))).to.be.instanceOf(Error);
    expect(await slow.writer.commit(slow.at, positionAt(3), [])).to.equal('mismatch');
    expect(await all()).to.deep.equal([`g${quick.writer.generation}`]);
    await quick.put(parcel('p3', { weight: 3 }));
  });

  it('discards a shadow without changing the active generation', async () => {
    const built = await shadow();
    await built.put(parcel('p9'));
    await models().discard(next, built.writer);
    const outcome = await built.writer.commit(built.at, positionAt(2), []).catch((e: unknown) => e);
    expect(outcome).not.to.equal('ok');
    expect(await all()).to.deep.equal(['p1', 'p2']);
    await old.put(parcel('p3', { weight: 3 }));
    const another = await shadow();
    expect(await another.writer.checkpoint()).to.equal('start');
    expect(another.writer.generation).to.be.above(built.writer.generation);
  });

  it('finds nothing in a collection that the active generation lacks', async () => {
    const grown: ViewSpec = { ...next, collections: { ...view.collections, labels: { indexes: [['account']] } } };
    const labels = models().docs(grown, 'labels');
    expect(await labels.get('l1')).to.equal(undefined);
    expect(await labels.find({ where: { account: 'a' }, limit: 10 })).to.deep.equal([]);
    expect(await labels.count({})).to.equal(0);
    expect(await labels.distinct('account')).to.deep.equal([]);

    const writer = await models().shadow(grown);
    open.push(writer);
    const built = await PageBuilder.of(writer, 'labels');
    await built.put({ id: 'l1', account: 'a' });
    await built.put();
    expect(await models().promote(grown, writer)).to.equal('ok');
    expect(await labels.find({ where: { account: 'a' }, limit: 10 })).to.deep.equal([{ id: 'l1', account: 'a' }]);
  });

  it('keeps a snapshot unchanged while documents change and another generation is promoted', async () => {
    const before = [parcel('p1', { status: 'old' }), parcel('p2', { status: 'old' })];
    const snapshot = await models().snapshot(view);
    const scanned = async () => {
      const documents: unknown[] = [];
      for await (const document of snapshot.scan('parcels')) documents.push(document);
      return documents;
    };
    await old.put(parcel('p1', { status: 'later' }), 'p2', parcel('p3'));
    expect(await scanned()).to.deep.equal(before);
    const built = await shadow();
    for (let n = 0; n < 3; n++) await built.put(parcel('p1', { status: `new ${n}` }));
    expect(await models().promote(next, built.writer)).to.equal('ok');
    expect(await scanned()).to.deep.equal(before);
    expect(await snapshot.checkpoint()).to.equal(positionAt(2));
    await snapshot.close();
    expect((await parcelsOf(models(), view).get('p1'))?.status).to.equal('new 2');
  });

  it('commits and scans many bytes', async () => {
    const view = newView();
    const writer = await models().writer(view);
    open.push(writer);
    const builder = await PageBuilder.of(writer);
    const text = '\u20ac'.repeat(500_000);
    const ids = Array.from({ length: 12 }, (_, n) => `p${String(n).padStart(2, '0')}`);
    await builder.put(...ids.map((id) => ({ ...parcel(id), text })));
    const snapshot = await models().snapshot(view);
    await builder.put('p03', parcel('p07'));
    const scanned = async (of: { scan(collection: string): AsyncIterable<Doc> }) => {
      const found: string[] = [];
      for await (const { id, text: whole } of of.scan('parcels')) found.push(`${id} ${String(whole ?? '').length}`);
      return found;
    };
    expect(await scanned(snapshot)).to.deep.equal(ids.map((id) => `${id} 500000`));
    await snapshot.close();
    expect(await scanned(writer)).to.deep.equal(ids.filter((id) => id !== 'p03').map((id) => `${id} ${id === 'p07' ? 0 : 500_000}`));
  });

  it('takes an empty snapshot of a new projection', async () => {
    const snapshot = await models().snapshot(newView());
    expect(await snapshot.checkpoint()).to.equal('start');
    for await (const document of snapshot.scan('parcels')) expect.fail(`found ${document.id}`);
    await snapshot.close();
  });

  describe('waiting for a position', () => {
    const reached = (place: number, ms: number) => models().waitUntilReached(view, positionAt(place), ms);

    it('resolves at once when the position is reached', async () => {
      expect(await within(SHORT_MS * 10, 'reached at once', reached(1, LONG_MS))).to.equal(true);
      expect(await reached(2, 0)).to.equal(true);
    });

    it('resolves when the position is reached', async () => {
      let over = false;
      const waiting = reached(4, LONG_MS).finally(() => {
        over = true;
      });
      await old.put();
      expect(await reached(4, SHORT_MS)).to.equal(false);
      expect(over).to.equal(false);
      await old.put();
      expect(await within(1_000, 'reached later', waiting)).to.equal(true);
    });

    it('waits for any later position with justAfter', async () => {
      expect(await models().waitUntilReached(view, justAfter(positionAt(2)), SHORT_MS)).to.equal(false);
      expect(await models().waitUntilReached(view, justAfter(positionAt(1)), 0)).to.equal(true);
      const fresh = newView();
      expect(await models().waitUntilReached(fresh, justAfter('start'), SHORT_MS)).to.equal(false);
      const waiting = models().waitUntilReached(view, justAfter(positionAt(2)), LONG_MS);
      await old.put();
      expect(await within(1_000, 'the next commit', waiting)).to.equal(true);
    });

    it('ends when the signal aborts', async () => {
      const abort = new AbortController();
      const waiting = models().waitUntilReached(view, positionAt(3), LONG_MS, abort.signal);
      abort.abort();
      expect(await within(1_000, 'the end by the signal', waiting)).to.equal(false);
      expect(await models().waitUntilReached(view, positionAt(3), LONG_MS, AbortSignal.abort())).to.equal(false);
    });

    it('resolves with false after the time limit', async () => {
      expect(await within(SHORT_MS * 20, 'the time limit', reached(3, SHORT_MS))).to.equal(false);
      expect(await models().waitUntilReached(newView(), positionAt(1), 0)).to.equal(false);
    });

    it('ignores the progress of a shadow', async () => {
      const built = await shadow();
      for (let n = 0; n < 5; n++) await built.put();
      expect(await reached(4, SHORT_MS)).to.equal(false);
      const waiting = reached(4, LONG_MS);
      expect(await models().promote(next, built.writer)).to.equal('ok');
      expect(await within(1_000, 'reached by the change', waiting)).to.equal(true);
    });
  });
}
