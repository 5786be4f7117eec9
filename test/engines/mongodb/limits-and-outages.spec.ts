import { randomBytes, randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { MongoBulkWriteError, MongoError, MongoNetworkError, MongoServerError } from 'mongodb';
import { rateLimits } from '../../../api/http/access/rate-limits.js';
import type { KeyRow } from '../../../domain/kernel/ports.js';
import type { RateLimits } from '../../../domain/kernel/rate-limits.js';
import { isDuplicateKey, isTransient } from '../../../engines/mongodb/errors.js';
import { failureOf, positionAt, within } from '../../contract/helpers.js';
import { newView, PageBuilder, parcel, parcelsOf } from '../../contract/read-models/views.js';
import { eventually } from '../../support/eventually.js';
import { MongoFixture } from './fixture.js';

describe('rate limits shared over MongoDB', function () {
  const fixture = MongoFixture.use(this);
  const hits = async (stores: readonly RateLimits[], who: string, count: number, atOnce = 20) => {
    const answers: Awaited<ReturnType<RateLimits['consume']>>[] = [];
    let n = 0;
    const ask = async () => {
      while (n < count) {
        const store = stores[n++ % stores.length];
        if (store) answers.push(await store.consume('send', who));
      }
    };
    await Promise.all(Array.from({ length: atOnce }, ask));
    return answers;
  };
  const shared = async (limit: number, windowSeconds: number, nodes = 2): Promise<RateLimits[]> => {
    const table = { ...rateLimits, send: { limit, windowSeconds } };
    return Promise.all(Array.from({ length: nodes }, async () => (await fixture.engine()).rateLimits(table)));
  };

  it('accept exactly 1,000 concurrent requests through two nodes', async function () {
    // A compatible server may be slow with a thousand entries in one document.
    this.timeout(240_000);
    const stores = await shared(1_000, 3_600);
    const answers = await hits(stores, 'account', 1_100);
    expect(answers).to.have.length(1_100);
    expect(answers.filter(({ allowed }) => allowed)).to.have.length(1_000);
    const refused = answers.filter(({ allowed }) => !allowed);
    for (const hit of refused) expect(hit).to.include({ limit: 1_000, windowSeconds: 3_600, remaining: 0 });
    for (const { retryAfter, resetSeconds } of refused) expect(retryAfter).to.equal(resetSeconds).and.within(3_300, 3_600);
    const remaining = answers.filter(({ allowed }) => allowed).map((hit) => hit.remaining);
    expect(new Set(remaining).size, 'each slot was taken once').to.equal(1_000);
  });

  it('count a request once when the driver repeats it', async () => {
    const { engine, proxy } = await fixture.engineOverProxy();
    const store = await engine.rateLimits({ ...rateLimits, send: { limit: 5, windowSeconds: 3_600 } });
    expect(await store.consume('send', 'account')).to.include({ allowed: true, remaining: 4 });
    let requests = 0;
    proxy.decide = ({ name }) => (name === 'findAndModify' && ++requests === 1 ? 'lose' : 'pass');
    expect(await store.consume('send', 'account')).to.include({ allowed: true, remaining: 3 });
    expect(requests).to.equal(2);
    expect(await store.consume('send', 'account')).to.include({ allowed: true, remaining: 2 });
  });

  it('fail in time while the server is silent, also for queued requests, and recover', async () => {
    const { engine, proxy } = await fixture.engineOverProxy();
    const store = await engine.rateLimits({ ...rateLimits, send: { limit: 50, windowSeconds: 3_600 } });
    await store.consume('send', 'account');
    proxy.silent = true;
    const requests = Array.from({ length: 3 }, () => failureOf((async () => store.consume('send', 'account'))()));
    // One call takes at most six seconds. A request that waits for the call of another one makes no further call.
    for (const failure of await within(9_000, 'all fail', Promise.all(requests))) expect(failure).to.include({ name: 'StoreUnavailable' });
    proxy.silent = false;
    await eventually('requests are counted again', async () => (await store.consume('send', 'account')).allowed, { within: 30_000 });
  });

  it('give the points of a period to all nodes together, as many of a block as are free, and new ones in the next', async () => {
    const [one, other] = await Promise.all([fixture.engine(), fixture.engine()]);
    const hour = { points: 100, ms: 3_600_000 };
    // The first block creates the counter: the stand-in answers null to some of several that do so at once.
    const first = await one.sharedRates.take('ses', 7, hour);
    const others = await Promise.all(Array.from({ length: 15 }, (_, n) => (n % 2 ? one : other).sharedRates.take('ses', 7, hour)));
    const blocks = [first, ...others];
    expect(blocks.reduce((sum, { taken }) => sum + taken, 0)).to.equal(100);
    for (const { taken, waitMs } of blocks) expect(waitMs).to.be.within(taken === 7 ? 0 : 3_500_000, taken === 7 ? 0 : 3_600_000);
    expect((await one.sharedRates.take('acc_1/ses', 7, hour)).taken).to.equal(7);
    const short = { points: 2, ms: 50 };
    const { waitMs } = await one.sharedRates.take('smtp', 3, short);
    expect(waitMs).to.be.within(1, 50);
    await eventually('the next period', async () => (await other.sharedRates.take('smtp', 1, short)).taken === 1);
  });

  it('count callers and groups separately', async () => {
    const [store] = (await shared(2, 3_600, 1)) as [RateLimits];
    expect((await hits([store], 'a', 5)).filter(({ allowed }) => allowed)).to.have.length(2);
    expect(await store.consume('send', 'b')).to.include({ allowed: true, remaining: 1 });
    expect(await store.consume('general', 'a')).to.include({ allowed: true, limit: rateLimits.general.limit });
    const [closed] = (await shared(0, 60, 1)) as [RateLimits];
    expect(await closed.consume('send', 'c')).to.include({ allowed: false, remaining: 0, retryAfter: 60 });
  });

  it('accept no more than the limit in any window, and accept again one window later', async () => {
    const [limit, windowMs] = [5, 1_000];
    const stores = await shared(limit, windowMs / 1_000);
    const accepted: { sentAt: number; answeredAt: number }[] = [];
    const end = performance.now() + 3.5 * windowMs;
    for (let n = 0; performance.now() < end; n++) {
      const sentAt = performance.now();
      const hit = await stores[n % stores.length]?.consume('send', 'account');
      if (hit?.allowed) accepted.push({ sentAt, answeredAt: performance.now() });
    }
    // The server decides between the two times, in whole milliseconds.
    for (let i = limit; i < accepted.length; i++) {
      expect((accepted[i]?.answeredAt ?? 0) - (accepted[i - limit]?.sentAt ?? 0)).to.be.at.least(windowMs - 1);
    }
    expect(accepted.length, 'the window moves on').to.be.at.least(3 * limit);
  });

  it('accept a rejected request after retryAfter', async () => {
    const [store] = (await shared(1, 1, 1)) as [RateLimits];
    expect(await store.consume('send', 'account')).to.include({ allowed: true, remaining: 0, resetSeconds: 1, retryAfter: 0 });
    const refused = await store.consume('send', 'account');
    expect(refused).to.include({ allowed: false, retryAfter: 1 });
    await new Promise((resolve) => setTimeout(resolve, refused.retryAfter * 1_000));
    expect(await store.consume('send', 'account')).to.include({ allowed: true });
  });
});

describe('a MongoDB server', function () {
  const fixture = MongoFixture.use(this);

  it('that falls silent makes calls throw StoreUnavailable in time, until it is back', async () => {
    const { engine, proxy } = await fixture.engineOverProxy();
    const view = newView();
    const writer = await engine.views.writer(view);
    const builder = await PageBuilder.of(writer);
    await builder.put(parcel('p1'));
    proxy.silent = true;
    const calls = [
      engine.tryWrite(),
      writer.commit(builder.at, positionAt(2), []),
      parcelsOf(engine.views, view).get('p1'),
      engine.views.status(view),
      engine.leases.acquire('lease', 1_000),
      engine.keys.byId(['key']),
    ];
    const failures = await within(20_000, 'all calls fail', Promise.all(calls.map((call) => failureOf(call))));
    for (const failure of failures) expect(failure).to.include({ name: 'StoreUnavailable' });
    proxy.silent = false;
    await eventually('a read succeeds', async () => (await parcelsOf(engine.views, view).get('p1'))?.id === 'p1', { within: 30_000 });
    // A failed commit may still be in flight and interfere.
    await eventually('a commit succeeds', async () => {
      const at = await writer.checkpoint();
      expect(at).to.be.oneOf([positionAt(1), positionAt(2)]);
      return (await writer.commit(at, positionAt(3), [])) === 'ok';
    });
  });

  it('that is down makes opening throw StoreUnavailable', async () => {
    const { proxy } = await fixture.engineOverProxy();
    const { url } = proxy;
    await proxy.close();
    expect(await failureOf(fixture.engine({ url }))).to.include({ name: 'StoreUnavailable' });
  });

  it('stores keys for later processes, but not destroyed ones', async () => {
    const newKey = (): KeyRow => ({ id: randomUUID(), subject: randomUUID(), seed: Uint8Array.from(randomBytes(32)) });
    const [kept, gone] = [newKey(), newKey()];
    const first = await fixture.engine();
    await first.keys.put([kept, gone]);
    await first.keys.destroy(gone.subject);
    await first.close();
    const later = await fixture.engine();
    expect(await later.keys.byId([kept.id, gone.id])).to.deep.equal([kept, undefined]);
  });
});

describe('failures of MongoDB', () => {
  const serverError = (code: number) => new MongoServerError({ message: 'from the server', code });
  const labeled = new MongoError('labelled');
  labeled.addErrorLabel('RetryableWriteError');

  const cases: readonly [string, unknown, boolean][] = [
    ['a broken connection', new MongoNetworkError('gone'), true],
    ['a connection lost during a bulk write', new MongoBulkWriteError(new MongoNetworkError('gone') as never, {} as never), true],
    ['a server that is no longer the primary', serverError(10107), true],
    ['a command timeout', serverError(50), true],
    ['a write concern timeout', serverError(64), true],
    ['an error that the driver would retry', labeled, true],
    ['a duplicate key', serverError(11000), false],
    ['an unknown command', serverError(59), false],
    ['missing rights', serverError(13), false],
    ['a programming error', new TypeError('no'), false],
  ];
  for (const [what, failure, transient] of cases)
    it(`classifies ${what} as ${transient ? 'transient' : 'permanent'}`, () => {
      expect(isTransient(failure)).to.equal(transient);
      expect(isDuplicateKey(failure)).to.equal(what === 'a duplicate key');
    });
});
