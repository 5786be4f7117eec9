import { expect } from 'chai';
import type { Checkpoint, Op, ReadModels, ViewSpec, ViewWriter } from '../../../domain/kernel/ports.js';
import type { MongoEngine } from '../../../engines/mongodb/index.js';
import { positionAt } from '../../contract/helpers.js';
import { found, newView, PageBuilder, parcel, parcelsOf } from '../../contract/read-models/views.js';
import { eventually } from '../../support/eventually.js';
import type { Command, Verdict } from '../../support/mongodb-proxy.js';
import { MongoFixture } from './fixture.js';

/** Larger than a page that is stored in the catalog. */
const LONG = 'x'.repeat(90_000);

describe('a page of a MongoDB read model', function () {
  const fixture = MongoFixture.use(this);
  let view: ViewSpec;
  let sound: MongoEngine;
  beforeEach(async () => {
    view = newView();
    sound = await fixture.engine();
  });

  const documents = async (models: ReadModels) => {
    const all = await parcelsOf(models, view).find({ where: {}, order: { field: 'id' }, limit: 100 });
    return all.map(({ id, weight, tags }) => ({ id, weight, tags }));
  };
  const after1 = [
    { id: 'p1', weight: 1, tags: [] },
    { id: 'p2', weight: 1, tags: ['red'] },
  ];
  const after2 = [
    { id: 'p1', weight: 2, tags: [] },
    { id: 'p3', weight: 1, tags: ['red'] },
  ];
  /** Changes one document, removes one and adds one. */
  const secondPage = (builder: PageBuilder, padding: string) =>
    builder.ops(parcel('p1', { weight: 2, padding }), parcel('p3', { tags: ['red'], padding })).then(async (ops): Promise<Op[]> => {
      return [...ops, { collection: 'parcels', id: 'p2', before: parcel('p2', { tags: ['red'] }), after: undefined }];
    });

  for (const [size, padding] of [
    ['small', ''],
    ['large', LONG],
  ] as const) {
    it(`is written completely or not at all, whichever step the connection breaks at (${size})`, async () => {
      const outcomes = new Set<Checkpoint>();
      for (let step = 0, over = false; !over; step++) {
        view = newView();
        const { engine, proxy } = await fixture.engineOverProxy();
        const writer = await engine.views.writer(view);
        const builder = await PageBuilder.of(writer);
        await builder.put(parcel('p1'), parcel('p2', { tags: ['red'] }));
        const ops = await secondPage(builder, padding);

        let steps = 0;
        let broken = false;
        proxy.decide = (): Verdict => {
          broken = steps++ >= step;
          return broken ? 'cut' : 'pass';
        };
        const commit = writer.commit(positionAt(1), positionAt(2), ops).catch((e: unknown) => e);
        await eventually('the break or the end', () => broken || Promise.race([commit, null]));
        over = !broken;

        // Another process takes over at once, before the first one notices.
        const next = await sound.views.writer(view);
        const at = await next.checkpoint();
        expect(await documents(sound.views), `step ${step}, at ${at}`).to.deep.equal(at === positionAt(1) ? after1 : after2);
        const repeated = await next.commit(positionAt(1), positionAt(2), ops);
        expect(repeated).to.equal(at === positionAt(1) ? 'ok' : 'mismatch');
        expect(await documents(sound.views)).to.deep.equal(after2);
        expect(await found(sound.views, view, { where: { account: 'a', tags: 'red' } })).to.deep.equal(['p3']);
        expect(await sound.views.waitUntilReached(view, positionAt(2), 0)).to.equal(true);
        outcomes.add(at);
        await engine.close();
        await commit;
      }
      expect([...outcomes].sort(), 'both outcomes occurred').to.deep.equal([positionAt(1), positionAt(2)]);
    });
  }

  it('is completed by any process that reads the status', async () => {
    const { engine, proxy } = await fixture.engineOverProxy();
    const writer = await engine.views.writer(view);
    const builder = await PageBuilder.of(writer);
    await builder.put(parcel('p1'), parcel('p2', { tags: ['red'] }));
    const ops = await secondPage(builder, '');
    let broken = false;
    proxy.decide = (command: Command): Verdict => {
      broken ||= writesDocuments(command);
      return broken ? 'cut' : 'pass';
    };
    const commit = writer.commit(positionAt(1), positionAt(2), ops).catch((e: unknown) => e);
    await eventually('the break', () => broken);
    expect(await documents(sound.views)).to.deep.equal(after1);
    expect(await sound.views.status(view)).to.include({ position: positionAt(2) });
    expect(await documents(sound.views)).to.deep.equal(after2);
    await engine.close();
    await commit;
  });

  it('that is applied late restores no removed document', async () => {
    const { engine, proxy } = await fixture.engineOverProxy();
    const slow = await engine.views.writer(view);
    let held = false;
    proxy.decide = (command: Command): Verdict => {
      if (!writesDocuments(command)) return 'pass';
      held = true;
      return 'hold';
    };
    const created = { collection: 'parcels', id: 'p1', before: undefined, after: parcel('p1', { weight: 7 }) };
    const commit = slow.commit('start', positionAt(1), [created]);
    await eventually('the page is held', () => held);

    const quick = await PageBuilder.of(await sound.views.writer(view));
    expect(quick.at, 'the page was completed for the slow writer').to.equal(positionAt(1));
    await quick.put('p1', parcel('p2'));
    proxy.decide = () => 'pass';
    proxy.release();
    expect(await commit).to.equal('ok');
    expect(await found(sound.views, view, {})).to.deep.equal(['p2']);
    expect(await slow.commit(positionAt(1), positionAt(2), [])).to.equal('mismatch');
    expect(await slow.checkpoint()).to.equal(positionAt(2));
  });

  it('recreates removed documents among new and changed ones', async () => {
    const builder = await PageBuilder.of(await sound.views.writer(view));
    await builder.put(parcel('p1'), parcel('p2'), parcel('p3'), parcel('p4'));
    await builder.put('p2', 'p4');
    await builder.put(...['p0', 'p2', 'p3', 'p4', 'p5'].map((id, n) => parcel(id, { weight: 10 + n })));
    const weights = (await documents(sound.views)).map(({ id, weight }) => [id, weight]);
    expect(weights).to.deep.equal([
      ['p0', 10],
      ['p1', 1],
      ['p2', 11],
      ['p3', 12],
      ['p4', 13],
      ['p5', 14],
    ]);
  });

  it('is committed once by several concurrent writers', async () => {
    const pages = 25;
    const counted = { name: 'counting', version: 1, collections: { counters: { indexes: [] } } } satisfies ViewSpec;
    const wins: number[] = [];
    const write = async (models: ReadModels): Promise<void> => {
      const writer = await models.writer(counted);
      let won = 0;
      for (;;) {
        const from = await writer.checkpoint();
        const place = from === 'start' ? 0 : Number(from);
        if (place >= pages) break;
        if ((await writer.commit(from, positionAt(place + 1), [await oneMore(writer)])) === 'ok') won++;
      }
      wins.push(won);
    };
    const engines = [sound, await fixture.engine(), await fixture.engine()];
    await Promise.all(engines.map((engine) => write(engine.views)));
    expect(wins.reduce((a, b) => a + b)).to.equal(pages);
    expect(await sound.views.docs(counted, 'counters').get('counter')).to.deep.equal({ id: 'counter', n: pages });
  });
});

const writesDocuments = ({ name, target }: Command): boolean => (name === 'insert' || name === 'update') && String(target).startsWith('views.');

async function oneMore(writer: ViewWriter): Promise<Op> {
  const [before] = await writer.load([{ collection: 'counters', id: 'counter' }]);
  return { collection: 'counters', id: 'counter', before, after: { id: 'counter', n: Number(before?.n ?? 0) + 1 } };
}
