import { expect } from 'chai';
import type { Doc, ReadModels, ViewSpec, ViewWriter } from '../../../domain/kernel/ports.js';
import { failureOf, positionAt } from '../helpers.js';
import { found, type NewView, PageBuilder, parcel, parcelsOf } from './views.js';

export function committing(models: () => ReadModels, newView: NewView): void {
  let view: ViewSpec;
  let writer: ViewWriter;
  beforeEach(async () => {
    view = newView();
    writer = await models().writer(view);
  });
  afterEach(() => writer.close());

  it('is empty at the checkpoint start', async () => {
    const missing = newView();
    expect(await parcelsOf(models(), missing).get('p1')).to.equal(undefined);
    expect(await found(models(), missing, {})).to.deep.equal([]);
    expect(await parcelsOf(models(), missing).count({})).to.equal(0);
    expect(await parcelsOf(models(), missing).distinct('status')).to.deep.equal([]);
    expect(await models().status(missing)).to.include({ position: 'start', halted: null });
    expect(await writer.checkpoint()).to.equal('start');
  });

  it('commits documents of several collections together with the checkpoint', async () => {
    const note = { id: 'p1', text: 'same id as a parcel' };
    const ops = [
      { collection: 'parcels', id: 'p1', before: undefined, after: parcel('p1') },
      { collection: 'notes', id: 'p1', before: undefined, after: note },
    ];
    expect(await writer.commit('start', positionAt(7), ops)).to.equal('ok');
    expect(await writer.checkpoint()).to.equal(positionAt(7));
    expect(await parcelsOf(models(), view).get('p1')).to.deep.equal(parcel('p1'));
    expect(await models().docs(view, 'notes').get('p1')).to.deep.equal(note);
    expect((await models().status(view)).position).to.equal(positionAt(7));
  });

  it('moves the checkpoint without operations', async () => {
    expect(await writer.commit('start', positionAt(3), [])).to.equal('ok');
    expect(await writer.commit(positionAt(3), positionAt(12), [])).to.equal('ok');
    expect(await writer.checkpoint()).to.equal(positionAt(12));
  });

  it('changes nothing when a page does not start at the checkpoint', async () => {
    const builder = await PageBuilder.of(writer);
    await builder.put(parcel('p1'));
    await builder.put(parcel('p1', { weight: 2 }));
    const ops = await builder.ops(parcel('p1', { weight: 3 }), parcel('p2'));
    for (const from of ['start', positionAt(1), positionAt(3)]) expect(await writer.commit(from, positionAt(9), ops)).to.equal('mismatch');
    expect(await writer.checkpoint()).to.equal(positionAt(2));
    expect(await writer.load([{ collection: 'parcels', id: 'p1' }])).to.deep.equal([parcel('p1', { weight: 2 })]);
    expect(await parcelsOf(models(), view).get('p1')).to.deep.equal(parcel('p1', { weight: 2 }));
    expect(await found(models(), view, {})).to.deep.equal(['p1']);
  });

  it('finds the ids that begin with a prefix', async () => {
    const builder = await PageBuilder.of(writer);
    await builder.put(...['p/1', 'p/é', 'p/\uffff', 'p', 'p0', 'p.', 'P/1', 'p/gone'].map((id) => parcel(id)));
    await builder.put('p/gone');
    expect((await writer.idsWithPrefix('parcels', 'p/')).sort()).to.deep.equal(['p/1', 'p/é', 'p/\uffff']);
    expect(await writer.idsWithPrefix('parcels', 'q/')).to.deep.equal([]);
    expect(await writer.idsWithPrefix('notes', 'p/')).to.deep.equal([]);
  });

  it('changes nothing when a page is repeated', async () => {
    const ops = [{ collection: 'parcels', id: 'p1', before: undefined, after: parcel('p1', { tags: ['x'] }) }];
    expect(await writer.commit('start', positionAt(1), ops)).to.equal('ok');
    expect(await writer.commit('start', positionAt(1), ops)).to.equal('mismatch');
    expect(await parcelsOf(models(), view).count({ account: 'a', tags: 'x' })).to.equal(1);
  });

  it('changes nothing when a document of the page is not serializable', async () => {
    const builder = await PageBuilder.of(writer);
    await builder.put(parcel('p1'));
    const ops = await builder.ops(parcel('p1', { weight: 2 }), parcel('p2'), { id: 'p3', account: 'a', unwritable: 1n } as Doc);
    await failureOf(writer.commit(builder.at, positionAt(2), ops));
    expect(await writer.checkpoint()).to.equal(positionAt(1));
    expect(await writer.load(['p1', 'p2', 'p3'].map((id) => ({ collection: 'parcels', id })))).to.deep.equal([parcel('p1'), undefined, undefined]);
    expect(await found(models(), view, {})).to.deep.equal(['p1']);
    await builder.put(parcel('p2'));
  });

  it('accepts one of two writers, and the other loads the current documents', async () => {
    const other = await models().writer(view);
    const [mine, theirs] = [await PageBuilder.of(writer), await PageBuilder.of(other)];
    await mine.put(parcel('p1'));
    expect(await writer.load([{ collection: 'parcels', id: 'p1' }])).to.deep.equal([parcel('p1')]);
    const second = [{ collection: 'parcels', id: 'p1', before: parcel('p1'), after: parcel('p1', { weight: 2 }) }];
    expect(await other.commit(mine.at, positionAt(2), second)).to.equal('ok');
    expect(theirs.writer.generation).to.equal(writer.generation);

    expect(await writer.commit(mine.at, positionAt(2), await mine.ops(parcel('p1', { weight: 99 })))).to.equal('mismatch');
    expect(await writer.checkpoint()).to.equal(positionAt(2));
    expect(await writer.load([{ collection: 'parcels', id: 'p1' }])).to.deep.equal([parcel('p1', { weight: 2 })]);
    await other.close();
  });

  it('accepts exactly one of many concurrent commits', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        writer.commit('start', positionAt(1), [{ collection: 'parcels', id: `p${n}`, before: undefined, after: parcel(`p${n}`) }]),
      ),
    );
    expect(outcomes.filter((outcome) => outcome === 'ok')).to.have.length(1);
    expect(await found(models(), view, {})).to.deep.equal([`p${outcomes.indexOf('ok')}`]);
  });

  it('loads documents in the given order, undefined for missing ones', async () => {
    const builder = await PageBuilder.of(writer);
    await builder.put(parcel('p1'), parcel('p2'), parcel('p3'));
    const refs = ['p3', 'missing', 'p1', 'p3'].map((id) => ({ collection: 'parcels', id }));
    expect(await writer.load(refs)).to.deep.equal([parcel('p3'), undefined, parcel('p1'), parcel('p3')]);
    expect(await writer.load([])).to.deep.equal([]);
    await builder.put('p3');
    expect(await writer.load(refs)).to.deep.equal([undefined, undefined, parcel('p1'), undefined]);
  });

  it('continues from the stored documents when it is reopened', async () => {
    const builder = await PageBuilder.of(writer);
    await builder.put(parcel('p1'));
    const reopened = await models().writer(view);
    expect(reopened.generation).to.equal(writer.generation);
    expect(await reopened.checkpoint()).to.equal(positionAt(1));
    await (await PageBuilder.of(reopened)).put(parcel('p1', { weight: 5 }));
    await reopened.close();
    expect(await parcelsOf(models(), view).get('p1')).to.deep.equal(parcel('p1', { weight: 5 }));
  });

  it('scans all documents in the order of their ids', async () => {
    const builder = await PageBuilder.of(writer);
    const ids = Array.from({ length: 2_500 }, (_, n) => `p${(n * 7_919) % 2_500}`);
    const odd = ['É', 'z', 'Z', '\u{1f600}', '\uff5e', '_'];
    await builder.put(...[...ids, ...odd].map((id) => parcel(id)));
    const seen: string[] = [];
    for await (const doc of writer.scan('parcels')) seen.push(doc.id);
    expect(seen).to.deep.equal([...ids, ...odd].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))));
  });

  it('returns exact copies of documents', async () => {
    const builder = await PageBuilder.of(writer, 'notes');
    const strange = {
      id: `it's "p" %_`,
      text: 'a\u2028😀\u0000 \ud83d',
      deep: { list: [1, null, { a: [] }], none: null, big: 1.5e300, small: -0.25 },
    };
    await builder.put(strange);
    const notes = models().docs<Doc & { deep: { none: unknown } }>(view, 'notes');
    const first = await notes.get(strange.id);
    expect(first).to.deep.equal(strange);
    if (first) first.deep.none = 'changed by a reader';
    expect(await notes.get(strange.id)).to.deep.equal(strange);
  });

  it('stores and clears the reason of a halt', async () => {
    expect((await models().status(view)).halted).to.equal(null);
    await models().halt(view, 'event 5 cannot be read');
    expect(await models().status(view)).to.deep.include({
      name: view.name,
      version: 1,
      generation: writer.generation,
      position: 'start',
      halted: 'event 5 cannot be read',
    });
    await models().halt(view, null);
    expect((await models().status(view)).halted).to.equal(null);
  });
}
