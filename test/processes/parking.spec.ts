import { expect } from 'chai';
import { dropWork } from '../../commands/parked/drop-work.js';
import { retryWork } from '../../commands/parked/retry-work.js';
import { hashId } from '../../log/runtime/ids.js';
import { parkedQueries } from '../../projections/parked/queries.js';
import { SkippingClock } from '../support/skipping-clock.js';
import { type ExampleProcess, type Given, startChores } from './example-process.js';

const id = hashId('prk', 'chores', 'chore-bad');
const ALL = { after: null, descending: true, limit: 10 };

describe('a to-do that always throws', () => {
  const now = Date.parse('2026-01-15T10:00:00.000Z');
  let clock: SkippingClock;
  let chores: ExampleProcess;
  let broken: boolean;
  const start = (given: Omit<Given, 'clock'> = {}) => {
    clock = new SkippingClock(now);
    broken = true;
    chores = startChores({ clock, broken: (chore) => broken && chore === 'bad', ...given });
  };
  afterEach(() => chores.stop());

  const attempts = () => chores.begun.filter((chore) => chore === 'bad').length;
  const turn = async () => {
    for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve));
  };
  const listed = () => parkedQueries(chores.views).list({}, ALL);
  /** Lets the clock run until something is so. */
  const until = async (condition: () => boolean | Promise<boolean>) => {
    for (let i = 0; i < 3_000 && !(await condition()); i++) {
      await clock.advance(5_000);
      await turn();
    }
    expect(await condition()).to.equal(true);
  };

  it('is parked after its attempts, with nothing of its error but class and code, while its lane continues', async () => {
    start();
    await chores.ask('bad');
    await until(() => attempts() === 3);
    await chores.ask('good');
    await until(() => chores.begun.includes('good'));
    await until(async () => (await listed()).length === 1);
    const [{ item } = { item: null }] = await listed();
    expect(item).to.deep.include({ id, process: 'chores', account: 'acc_1', about: 'chore-bad', attempts: 20 });
    expect(item).to.deep.include({ error: { class: 'TypeError', code: 'E_BROKEN' } });
    expect(Date.parse(item?.first_at ?? '') - now).to.be.within(0, 10_000);
    expect(Date.parse(item?.parked_at ?? '') - now).to.be.within(4_000_000, 6_000_000);
    await clock.advance(3_600_000);
    await turn();
    expect(attempts()).to.equal(20);
  });

  it('is tried again by command, and is done where it no longer throws', async () => {
    start();
    await chores.ask('bad');
    await until(async () => (await listed()).length === 1);
    broken = false;
    await chores.execute(retryWork, { parked_id: id });
    await until(() => attempts() === 21);
    await until(async () => (await chores.list.count({})) === 0);
    expect(await listed()).to.deep.equal([]);
  });

  it('is ended by its process where it is dropped', async () => {
    start();
    await chores.ask('bad');
    await until(async () => (await listed()).length === 1);
    await chores.execute(dropWork, { parked_id: id });
    await until(() => chores.dropped.length === 1);
    await until(async () => (await chores.list.count({})) === 0);
    expect(attempts()).to.equal(20);
    expect(await listed()).to.deep.equal([]);
  });

  it('is never parked because a store was unavailable', async () => {
    start({ away: () => true, broken: () => false });
    await chores.ask('bad');
    await until(() => attempts() >= 60);
    expect(await listed()).to.deep.equal([]);
  });

  it('is never parked because a read model is behind, while others go on', async () => {
    let isBehind = true;
    start({ behind: (chore) => isBehind && chore === 'bad', broken: () => false });
    await chores.ask('bad');
    await until(() => attempts() >= 30);
    await chores.ask('good');
    await until(() => chores.begun.includes('good'));
    expect(await listed()).to.deep.equal([]);
    expect(chores.errors).to.deep.equal([]);
    isBehind = false;
    await until(async () => (await chores.list.count({})) === 0);
  });
});
