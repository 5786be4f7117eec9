import { expect } from 'chai';
import type { ReadModels } from '../../../domain/kernel/ports.js';
import { createClock } from '../../../ops/system/clock.js';
import { Child } from '../child.js';
import type { ViewsUnderTest } from '../engines.js';
import { ownFolder, positionAt } from '../helpers.js';
import { countingView, found, type NewView, PageBuilder, parcel, parcelsOf } from './views.js';

/** A non-atomic commit would be detected by about every second kill. */
const KILLS = 3;
/** Pages before each kill, and the same number after another process has started to read. */
const PAGES = 20;

/** Guarantees across restarts, kills and several processes. */
export function durability(name: string, open: ViewsUnderTest['open'], newView: NewView, clear?: ViewsUnderTest['clear']): void {
  const dir = ownFolder(clear);
  const opened: ReadModels[] = [];
  const reopen = async (): Promise<ReadModels> => {
    const { views } = await open(dir(), createClock({ keepAlive: true }));
    opened.push(views);
    return views;
  };
  const closeAll = () => Promise.all(opened.splice(0).map((views) => views.close()));
  afterEach(closeAll);

  it('has documents, checkpoint, generation and halt after it is reopened', async () => {
    const view = newView();
    const models = await reopen();
    const first = await models.writer(view);
    await (await PageBuilder.of(first)).put(parcel('p1'));
    const shadow = await models.shadow(view);
    await (await PageBuilder.of(shadow)).put(parcel('p2', { tags: ['x'] }));
    expect(await models.promote(view, shadow)).to.equal('ok');
    await models.halt(view, 'why');
    const status = await models.status(view);
    await Promise.all([first.close(), shadow.close()]);
    await closeAll();

    const reopened = await reopen();
    expect(await reopened.status(view)).to.deep.equal(status);
    expect(await found(reopened, view, { where: { account: 'a', tags: 'x' } })).to.deep.equal(['p2']);
    const writer = await reopened.writer(view);
    expect(await writer.checkpoint()).to.equal(positionAt(1));
    await (await PageBuilder.of(writer)).put(parcel('p2', { weight: 2 }));
    expect(await parcelsOf(reopened, view).get('p2')).to.deep.equal(parcel('p2', { weight: 2 }));
    await writer.close();
  });

  it('switches generations for all processes, and hides a shadow until it is promoted', async () => {
    const view = newView();
    const [here, there] = [await reopen(), await reopen()];
    const first = await here.writer(view);
    await (await PageBuilder.of(first)).put(parcel('p1'));
    expect(await there.waitUntilReached(view, positionAt(1), 1_000)).to.equal(true);
    expect(await found(there, view, {})).to.deep.equal(['p1']);

    const shadow = await here.shadow({ ...view, version: 2 });
    const built = await PageBuilder.of(shadow);
    for (let n = 0; n < 3; n++) await built.put(parcel('p2', { weight: n }));
    expect(await there.waitUntilReached(view, positionAt(3), 100)).to.equal(false);
    expect(await found(there, view, {})).to.deep.equal(['p1']);
    const waiting = there.waitUntilReached(view, positionAt(3), 2_000);
    expect(await here.promote({ ...view, version: 2 }, shadow)).to.equal('ok');
    expect(await waiting).to.equal(true);
    expect(await found(there, view, {})).to.deep.equal(['p2']);
    expect(await there.status(view)).to.deep.equal(await here.status(view));
    await Promise.all([first.close(), shadow.close()]);
  });

  it('has documents and checkpoint of the same commit after a kill, and all acknowledged ones', async () => {
    for (let round = 1; round <= KILLS; round++) {
      const child = new Child<number>('project', name, dir());
      await child.has(PAGES);
      const models = await reopen();
      const next = positionAt((child.reports.at(-1) ?? 0) + PAGES);
      expect(await models.waitUntilReached(countingView, next, 10_000), 'commits of another process').to.equal(true);
      await child.kill();

      const { position } = await models.status(countingView);
      expect(await models.docs(countingView, 'counters').get('counter')).to.deep.equal({ id: 'counter', n: Number(position) });
      expect(Number(position)).to.be.at.least(child.reports.at(-1) ?? Number.NaN);
      await closeAll();
    }
  });
}
