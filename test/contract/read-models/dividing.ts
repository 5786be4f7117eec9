import { expect } from 'chai';
import { type Checkpoint, justAfter, type ReadModels, type ViewSpec, type ViewWriter } from '../../../domain/kernel/ports.js';
import { failureOf, positionAt, within } from '../helpers.js';
import { found, newDividedView, newView, PageBuilder, parcel } from './views.js';

const SHORT_MS = 60;
const LONG_MS = 5_000;

/** The partitions of divided read models. */
export function dividing(models: () => ReadModels, count: number): void {
  let view: ViewSpec;
  let open: ViewWriter[];
  beforeEach(() => {
    view = newDividedView();
    open = [];
  });
  afterEach(() => Promise.allSettled(open.map((writer) => writer.close())));

  const opened = async (writer: Promise<ViewWriter>): Promise<ViewWriter> => {
    open.push(await writer);
    return writer;
  };
  const builderOf = async (...partitions: number[]) => PageBuilder.of(await opened(models().writer(view, partitions)));
  const positions = async (): Promise<readonly Checkpoint[]> => (await models().status(view)).positions;

  it('has the number that was fixed first', async () => {
    expect(await models().partitions()).to.equal(count);
    expect(await models().fixPartitions(count + 2)).to.equal(count);
    expect(await models().partitions()).to.equal(count);
  });

  it('divides only the projections that say how', async () => {
    const [whole, divided] = [await opened(models().writer(newView())), await opened(models().writer(view))];
    expect([whole.partitionCount, whole.partitions]).to.deep.equal([1, [0]]);
    expect([divided.partitionCount, divided.partitions]).to.deep.equal([count, [0, 1, 2]]);
    expect(await positions()).to.deep.equal(['start', 'start', 'start']);
    expect(await failureOf(models().writer(view, [count]))).to.be.instanceOf(Error);
  });

  it('has a checkpoint for each partition, and documents in the same collections', async () => {
    const [first, second] = [await builderOf(0), await builderOf(1)];
    await first.put(parcel('p1'));
    await first.put(parcel('p1', { weight: 2 }));
    await second.put(parcel('p2', { weight: 5 }));
    expect(await positions()).to.deep.equal([positionAt(2), positionAt(1), 'start']);
    expect((await models().status(view)).position).to.equal('start');
    expect(await first.writer.checkpoints()).to.deep.equal([positionAt(2)]);
    expect(await found(models(), view, { where: { account: 'a' }, order: { field: 'weight' } })).to.deep.equal(['p1', 'p2']);
  });

  it('moves the checkpoints of several partitions together, and only from the same position', async () => {
    const pair = await builderOf(0, 2);
    await pair.put(parcel('p1'));
    expect(await positions()).to.deep.equal([positionAt(1), 'start', positionAt(1)]);
    const alone = await builderOf(2);
    await alone.put(parcel('p2'));
    const ops = [{ collection: 'parcels', id: 'p3', before: undefined, after: parcel('p3') }];
    expect(await pair.writer.commit(positionAt(1), positionAt(2), ops)).to.equal('mismatch');
    expect(await pair.writer.commit(positionAt(2), positionAt(3), ops)).to.equal('mismatch');
    expect(await found(models(), view, {})).to.deep.equal(['p1', 'p2']);
    expect(await pair.writer.checkpoints()).to.deep.equal([positionAt(1), positionAt(2)]);
    expect(await pair.writer.checkpoint()).to.equal(positionAt(1));

    const behind = await opened(pair.writer.narrow([0]));
    expect(await behind.commit(positionAt(1), positionAt(2), ops)).to.equal('ok');
    expect(await pair.writer.checkpoints()).to.deep.equal([positionAt(2), positionAt(2)]);
    expect(await pair.writer.commit(positionAt(2), positionAt(3), [])).to.equal('ok');
    expect(await positions()).to.deep.equal([positionAt(3), 'start', positionAt(3)]);
  });

  it('accepts one of two writers of a partition, and both of different partitions', async () => {
    const [first, other, second] = [await builderOf(0), await builderOf(0), await builderOf(1)];
    const outcomes = await Promise.all(
      [first, other, second].map(({ writer }, n) =>
        writer.commit('start', positionAt(1), [{ collection: 'parcels', id: `p${n}`, before: undefined, after: parcel(`p${n}`) }]),
      ),
    );
    expect(outcomes[2]).to.equal('ok');
    expect(outcomes.slice(0, 2).sort()).to.deep.equal(['mismatch', 'ok']);
    expect(await models().docs(view, 'parcels').count({})).to.equal(2);
  });

  it('is reached where all partitions are, or the one that is named', async () => {
    const [first, others] = [await builderOf(0), await builderOf(1, 2)];
    await first.put(parcel('p1'));
    const reached = (place: number, ms: number, partition?: number) => models().waitUntilReached(view, positionAt(place), ms, undefined, partition);
    expect(await reached(1, SHORT_MS)).to.equal(false);
    expect(await reached(1, 0, 0)).to.equal(true);
    expect(await reached(1, SHORT_MS, 2)).to.equal(false);
    const waiting = [reached(1, LONG_MS), reached(1, LONG_MS, 2), models().waitUntilReached(view, justAfter('start'), LONG_MS, undefined, 1)];
    await others.put(parcel('p2'));
    expect(await within(1_000, 'all of them', Promise.all(waiting))).to.deep.equal([true, true, true]);
  });

  it('shows the halt of any partition until that one goes on', async () => {
    await models().halt(view, 'second', [1]);
    await models().halt(view, 'third', [2]);
    expect((await models().status(view)).halted).to.equal('second');
    await models().halt(view, null, [0, 1]);
    expect((await models().status(view)).halted).to.equal('third');
    await models().halt(view, null);
    expect((await models().status(view)).halted).to.equal(null);
  });

  it('replaces a generation once each partition has reached it', async () => {
    const [first, others] = [await builderOf(0), await builderOf(1, 2)];
    await first.put(parcel('p1', { status: 'old' }));
    await first.put();
    await others.put();
    await models().halt(view, 'poison', [1]);
    const next = { ...view, version: 2 };
    const shadow = await PageBuilder.of(await opened(models().shadow(next)));
    await shadow.put(parcel('p1', { status: 'new' }));
    expect(await models().promote(next, shadow.writer)).to.equal('behind');
    const ahead = await PageBuilder.of(await opened(shadow.writer.narrow([0])));
    await ahead.put(parcel('p3', { status: 'new' }));
    expect(await models().promote(next, shadow.writer)).to.equal('ok');
    expect(await found(models(), view, { where: { status: 'new' } })).to.deep.equal(['p1', 'p3']);
    expect(await models().status(next)).to.deep.include({ halted: null, positions: [positionAt(2), positionAt(1), positionAt(1)] });
    expect(await first.writer.commit(positionAt(2), positionAt(3), [])).to.equal('mismatch');
    expect(await others.writer.commit(positionAt(1), positionAt(2), [])).to.equal('mismatch');
  });

  it('rebuilds a generation that is not divided into one that is', async () => {
    const { partitionsOf: _, ...undivided } = view;
    const old = await PageBuilder.of(await opened(models().writer(undivided)));
    await old.put(parcel('p1', { status: 'old' }));
    expect(await positions()).to.have.length(1);
    expect(await failureOf(models().writer(view, [1]))).to.be.instanceOf(Error);
    const shadow = await opened(models().shadow(view));
    expect(await models().promote(view, shadow)).to.equal('behind');
    expect(await shadow.commit('start', positionAt(1), [])).to.equal('ok');
    expect(await models().promote(view, shadow)).to.equal('ok');
    expect(await positions()).to.deep.equal([positionAt(1), positionAt(1), positionAt(1)]);
    expect(await (await builderOf(1)).writer.checkpoints()).to.deep.equal([positionAt(1)]);
  });

  it('keeps a snapshot of partitions at different positions unchanged', async () => {
    const [first, second] = [await builderOf(0), await builderOf(1)];
    await first.put(parcel('p1', { weight: 1 }));
    await first.put(parcel('p1', { weight: 2 }));
    await second.put(parcel('p2', { weight: 1 }));
    const snapshot = await models().snapshot(view);
    expect(await snapshot.checkpoints()).to.deep.equal([positionAt(2), positionAt(1), 'start']);
    expect(await snapshot.checkpoint()).to.equal('start');
    await first.put(parcel('p1', { weight: 3 }));
    await second.put('p2', parcel('p3'));
    const scanned: unknown[] = [];
    for await (const document of snapshot.scan('parcels')) scanned.push(document);
    expect(scanned).to.deep.equal([parcel('p1', { weight: 2 }), parcel('p2', { weight: 1 })]);
    await snapshot.close();
  });
}
