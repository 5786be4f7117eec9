import { expect } from 'chai';
import type { ReadModels, ViewSpec, ViewWriter } from '../../../domain/kernel/ports.js';
import { positionAt, within } from '../helpers.js';
import { PageBuilder, parcel } from './views.js';

/** Watches of documents, and pages that are skipped. An engine may lack either. */
export function watching(models: () => ReadModels, newView: () => ViewSpec): void {
  let view: ViewSpec;
  let writer: ViewWriter;
  let builder: PageBuilder;
  let end: AbortController;
  beforeEach(async () => {
    view = newView();
    writer = await models().writer(view);
    builder = await PageBuilder.of(writer);
    end = new AbortController();
  });
  afterEach(async () => {
    end.abort();
    await writer.close();
  });

  it('notifies of a commit that changes documents', async () => {
    const watch = models().watch?.(view, 0, end.signal);
    if (!watch) return;
    const { notified } = watch;
    await builder.put(parcel('p1'));
    await within(1_000, 'a change since the number was read', watch.waitForNext(notified, {}));
    const waiting = watch.waitForNext(watch.notified, {});
    await builder.put('p1');
    await within(1_000, 'a later change', waiting);
  });

  it('ends a wait when its signal aborts, and after its time', async () => {
    const watch = models().watch?.(view, 0, end.signal);
    if (!watch) return;
    const abort = new AbortController();
    const waiting = watch.waitForNext(watch.notified, { signal: abort.signal });
    abort.abort();
    await within(1_000, 'the end by the signal', waiting);
    await within(1_000, 'the end by time', watch.waitForNext(watch.notified, { ms: 1 }));
  });

  it('notifies of a generation that is put in force', async () => {
    const watch = models().watch?.(view, 0, end.signal);
    if (!watch) return;
    const next = { ...view, version: 2 };
    const shadow = await PageBuilder.of(await models().shadow(next));
    await shadow.put(parcel('p1'));
    const waiting = watch.waitForNext(watch.notified, {});
    expect(await models().promote(next, shadow.writer)).to.equal('ok');
    await within(1_000, 'the new generation', waiting);
    await shadow.writer.close();
  });

  it('is at a position that was skipped to, and commits from its checkpoint', async () => {
    if (!writer.skipTo) return;
    await builder.put(parcel('p1'));
    writer.skipTo(positionAt(3));
    expect(await models().waitUntilReached(view, positionAt(3), 0)).to.equal(true);
    expect((await models().status(view)).position).to.equal(positionAt(3));
    expect(await writer.checkpoint()).to.equal(positionAt(1));
    expect(await writer.commit(positionAt(1), positionAt(4), [])).to.equal('ok');
  });
}
