import { expect } from 'chai';
import type { Doc, ViewSpec } from '../../../domain/kernel/ports.js';
import type { MongoEngine } from '../../../engines/mongodb/index.js';
import { positionAt } from '../../contract/helpers.js';
import { found, newView, PageBuilder, parcel, parcelsOf } from '../../contract/read-models/views.js';
import { withMongo } from '../../support/mongodb.js';
import { MongoFixture } from './fixture.js';

const MINUTE = 60_000;

describe('generations of a MongoDB read model', function () {
  const fixture = MongoFixture.use(this);
  let view: ViewSpec;
  let engine: MongoEngine;
  let time: number;
  beforeEach(async () => {
    time = Date.now();
    view = { ...newView(), name: 'todo/parcels.due' };
    engine = await fixture.engine({ now: () => time });
  });

  const collectionsOf = (kind: string) =>
    withMongo(async (client) => {
      const all = await client.db(fixture.database).listCollections({}, { nameOnly: true }).toArray();
      return all.map(({ name }) => name).filter((name) => name.startsWith(`${kind}.`));
    });
  const generationsOf = async (kind: string) => [...new Set((await collectionsOf(kind)).map((name) => Number(name.split('.')[2])))].sort();

  it('switch under readers of several processes without mixed, missing or older results', async () => {
    const size = 12;
    const fill = (version: number) => Array.from({ length: size }, (_, n) => parcel(`p${n}`, { weight: version }));
    await (await PageBuilder.of(await engine.views.writer(view))).put(...fill(1));
    const engines = [engine, await fixture.engine(), await fixture.engine()];
    let over = false;
    let reads = 0;
    let newest = 1;
    const read = async ({ views }: MongoEngine) => {
      while (!over) {
        const newestAtStart = newest;
        const weights = (await parcelsOf(views, view).find({ where: { account: 'a' }, limit: 100 })).map(({ weight }) => weight);
        expect(weights, 'number of documents').to.have.length(size);
        expect(new Set(weights).size, `all of one generation: ${weights}`).to.equal(1);
        // No reader gets a state older than one that any reader got before this read started.
        expect(weights[0]).to.be.at.least(newestAtStart);
        newest = Math.max(newest, weights[0] ?? 0);
        expect(await parcelsOf(views, view).count({ account: 'a' })).to.equal(size);
        reads++;
      }
    };
    const readers = engines.flatMap((e) => [read(e), read(e)]);
    const changes = async () => {
      for (let version = 2; version <= 6; version++) {
        const spec = { ...view, version };
        const shadow = await engine.views.shadow(spec);
        await (await PageBuilder.of(shadow)).put(...fill(version));
        expect(await engine.views.promote(spec, shadow)).to.equal('ok');
        const seen = reads;
        while (reads < seen + 6) await new Promise((resolve) => setImmediate(resolve));
      }
      over = true;
    };
    await Promise.all([changes(), ...readers]);
    expect(newest).to.equal(6);
  });

  it('keep a snapshot unchanged while a writer commits', async () => {
    const writer = await engine.views.writer(view);
    const builder = await PageBuilder.of(writer);
    const states = new Map<string, Map<string, Doc>>();
    let now = new Map<string, Doc>();
    let over = false;
    const write = async () => {
      for (let page = 1; !over; page++) {
        const next = new Map(now);
        const changes: (Doc | string)[] = [];
        for (let n = page % 3; n < 30; n += 3) {
          const id = `p${n}`;
          if (next.delete(id) && n % 2 === 0) {
            changes.push(id);
            continue;
          }
          const doc = parcel(id, { weight: page });
          next.set(id, doc);
          changes.push(doc);
        }
        states.set(positionAt(page), next);
        await builder.put(...changes);
        now = next;
      }
    };
    const readOnce = async () => {
      for (let round = 0; round < 5; round++) {
        const snapshot = await (await fixture.engine()).views.snapshot(view);
        const at = await snapshot.checkpoint();
        const startedAt = builder.at;
        while (builder.at < positionAt(Number(startedAt.replace('start', '0')) + 3)) await new Promise((resolve) => setImmediate(resolve));
        const seen: Doc[] = [];
        for await (const doc of snapshot.scan('parcels')) seen.push(doc);
        const state = [...(states.get(at)?.values() ?? [])].sort((a, b) => (a.id < b.id ? -1 : 1));
        expect(seen, `at ${at}`).to.deep.equal(state);
        await snapshot.close();
      }
      over = true;
    };
    const reading = readOnce().finally(() => {
      over = true;
    });
    await Promise.all([write(), reading]);
    // A page in flight may retain documents for a snapshot that was just closed; the next snapshot removes them.
    await engine.views.writer(view);
    expect(await collectionsOf('before'), 'retained documents are removed').to.deep.equal([]);
  });

  it('remain for reads in flight when they are replaced, and are dropped some minutes later', async () => {
    await (await PageBuilder.of(await engine.views.writer(view))).put(parcel('p1'));
    const spec = { ...view, version: 2 };
    const overtaken = await engine.views.shadow(spec);
    const shadow = await engine.views.shadow(spec);
    await (await PageBuilder.of(shadow)).put(parcel('p2'));
    await engine.views.promote(spec, shadow);
    expect(await generationsOf('views'), 'the overtaken shadow is removed').to.deep.equal([1, 3]);
    expect(await overtaken.commit('start', positionAt(1), [])).to.equal('mismatch');
    time += 4 * MINUTE;
    await engine.views.writer(spec);
    expect(await generationsOf('views')).to.deep.equal([1, 3]);
    time += 2 * MINUTE;
    await engine.views.writer(spec);
    expect(await generationsOf('views')).to.deep.equal([3]);
    expect(await found(engine.views, spec, {})).to.deep.equal(['p2']);
  });

  it('are retained for a snapshot until it is closed or its process ends', async () => {
    await (await PageBuilder.of(await engine.views.writer(view))).put(parcel('p1'));
    const snapshot = await engine.views.snapshot(view);
    const spec = { ...view, version: 2 };
    const shadow = await engine.views.shadow(spec);
    await (await PageBuilder.of(shadow)).put(parcel('p2'));
    await engine.views.promote(spec, shadow);
    const abandoned = await engine.views.snapshot(spec);
    await (await PageBuilder.of(await engine.views.writer(spec))).put('p2', parcel('p3'));
    expect(await collectionsOf('before')).to.have.length(1);
    // Snapshots are renewed every 20 s of real time, so none is renewed during this test.
    time += 10 * MINUTE;
    await engine.views.writer(spec);
    expect(await generationsOf('views')).to.deep.equal([2]);
    expect(await collectionsOf('before')).to.deep.equal([]);
    const scanned = async () => {
      for await (const doc of abandoned.scan('parcels')) expect.fail(`found ${doc.id} at ${await abandoned.checkpoint()}`);
    };
    expect((await scanned().catch((e: unknown) => e)) as Error).to.include({ name: 'StoreUnavailable' });
    await Promise.all([snapshot.close(), abandoned.close()]);
  });

  it('answer queries of a later version by fields they do not index', async () => {
    const docs = [
      parcel('p1', { weight: 5, color: 'red', labels: ['x', 'y'] }),
      parcel('p2', { weight: 3, color: 'blue' }),
      parcel('p3', { weight: 4, color: 'red' }),
    ];
    await (await PageBuilder.of(await engine.views.writer(view))).put(...docs);
    const parcels = { indexes: [['account', 'color', 'weight']], multi: { fields: ['labels'], scope: 'account', order: 'weight' } };
    const later: ViewSpec = { ...view, version: 2, collections: { parcels } };
    const heaviest = { field: 'weight', descending: true };
    expect(await found(engine.views, later, { where: { account: 'a', color: 'red' }, order: heaviest })).to.deep.equal(['p1', 'p3']);
    expect(await found(engine.views, later, { where: { account: 'a', labels: 'y' } })).to.deep.equal(['p1']);
    expect(await found(engine.views, later, { range: { field: 'color', gt: 'blue' }, order: { field: 'weight' }, limit: 1 })).to.deep.equal(['p3']);
    expect(await parcelsOf(engine.views, later).count({ color: 'red' })).to.equal(2);
    // A range without bounds also excludes documents without a value, with and without an index.
    expect(await found(engine.views, later, { range: { field: 'color' } })).to.have.members(['p1', 'p2', 'p3']);
    expect(await found(engine.views, view, { range: { field: 'weight' } })).to.have.members(['p1', 'p2', 'p3']);
    expect(await found(engine.views, later, { range: { field: 'absent' } })).to.deep.equal([]);
    expect(await parcelsOf(engine.views, later).distinct('color')).to.have.members(['red', 'blue']);
  });
});
