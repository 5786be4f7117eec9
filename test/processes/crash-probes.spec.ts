import { expect } from 'chai';
import { retryWork } from '../../commands/parked/retry-work.js';
import { type ProbeEvent, probeStream } from '../../domain/parked/crash-probes.js';
import { hashId } from '../../log/runtime/ids.js';
import { parkedQueries } from '../../projections/parked/queries.js';
import { SkippingClock } from '../support/skipping-clock.js';
import { type ExampleProcess, type Given, startChores } from './example-process.js';

const ALL = { after: null, descending: true, limit: 10 };
/** Longer than a lease is valid. */
const EXPIRY_MS = 10_000;

describe('work that kills its process', () => {
  const now = Date.parse('2026-01-15T10:00:00.000Z');
  let clock: SkippingClock;
  let chores: ExampleProcess;
  let lives: ExampleProcess[];
  const live = (given: Omit<Given, 'clock' | 'stores'> = {}): void => {
    chores = startChores({ clock, ...(lives.length > 0 && { stores: (lives[0] as ExampleProcess).stores }), ...given });
    lives.push(chores);
  };
  beforeEach(() => {
    clock = new SkippingClock(now);
    lives = [];
  });
  afterEach(async () => {
    if (!chores.died) await chores.stop();
  });

  const turn = async () => {
    for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve));
  };
  /** Lets the clock run until something is so. */
  const until = async (what: string, condition: () => boolean | Promise<boolean>, stepMs = 250) => {
    for (let i = 0; i < 2_000; i++) {
      if (await condition()) return;
      await clock.advance(stepMs);
      await turn();
    }
    expect.fail(`not reached: ${what}`);
  };
  const parked = () => parkedQueries(chores.views).list({}, ALL);
  const left = () => chores.list.count({});
  const ask = (count: number, name: string) => Promise.all(Array.from({ length: count }, (_, i) => chores.ask(`${name} ${i}`)));
  const kills = (id: string) => id === 'killer';
  const concurrency = { lane: 50, total: 100 };
  /** Starts processes until the culprit is parked. */
  const liveUntilParked = async (given: Omit<Given, 'clock' | 'stores'> = {}, eachLife: () => Promise<unknown> = async () => {}) => {
    for (let life = 0; life < 20; life++) {
      live({ concurrency, kills, ...given });
      await eachLife();
      await until('it died, or all is done', async () => chores.died || ((await parked()).length === 1 && (await left()) === 1));
      if (!chores.died) return;
      await clock.advance(EXPIRY_MS);
    }
    expect.fail('it dies again and again');
  };

  it('is found among all that was in flight, and parked, while all other work is done', async () => {
    live({ concurrency, long: () => true, kills });
    await ask(20, 'before');
    await chores.ask('killer');
    await ask(19, 'after');
    await until('it died', () => chores.died);
    await clock.advance(EXPIRY_MS);
    let asked = 0;
    await liveUntilParked({}, () => ask(1, `life ${asked++}`));
    const [{ item } = { item: null }] = await parked();
    expect(item).to.deep.include({ about: 'chore-killer', attempts: 3, error: { class: 'ProcessDied', code: null } });
    expect(lives.length).to.be.within(4, 7);
    expect((await chores.list.find({ where: {}, limit: 10 })).map(({ id }) => id)).to.deep.equal(['chore-killer']);
  });

  it('does not hold up work that comes later', async () => {
    live({ kills });
    await chores.ask('killer');
    await until('it died', () => chores.died);
    await clock.advance(EXPIRY_MS);
    for (let life = 0; life < 2; life++) {
      live({ concurrency, kills });
      await until('it died', () => chores.died);
      await clock.advance(EXPIRY_MS);
    }
    live({ concurrency, kills });
    await chores.ask('later');
    await until('the other one is done', () => chores.begun.includes('later'));
    expect(chores.died).to.equal(false);
  });

  it('is tried again by command', async () => {
    live({ kills });
    await chores.ask('killer');
    await until('it died', () => chores.died);
    await clock.advance(EXPIRY_MS);
    await liveUntilParked();
    await chores.stop();
    live();
    await chores.execute(retryWork, { parked_id: hashId('prk', 'chores', 'chore-killer') });
    await until('it is done', async () => (await left()) === 0);
  });

  it('is not what is in flight when a process is killed again and again', async () => {
    for (let life = 0; life < 8; life++) {
      live({ concurrency, long: (id) => id === 'slow' });
      if (life === 0) await chores.ask('slow');
      await chores.ask(`quick ${life}`);
      await until('another one is done', () => chores.begun.includes(`quick ${life}`));
      chores.die();
      await clock.advance(EXPIRY_MS);
    }
    live();
    await until('all is done', async () => (await left()) === 0);
    expect(await parked()).to.deep.equal([]);
  });

  /** Kills processes while one long chore is in flight, each time after `each`. Returns what is parked then. */
  const killedDuring = async (deaths: number, each: () => Promise<void>): Promise<unknown[]> => {
    for (let death = 0; death < deaths; death++) {
      live({ long: () => true });
      if (death === 0) await chores.ask('long');
      await until('it is in flight', () => chores.begun.length === 1);
      await each();
      chores.die();
      await clock.advance(EXPIRY_MS);
    }
    live({ long: () => true });
    await until('it is in flight, or parked', async () => chores.begun.length === 1 || (await parked()).length > 0);
    return (await parked()).map(({ item }) => item.about);
  };

  it('is not long work that records parts of itself in each life', async () => {
    const recorded = async () => {
      chores.progress('long');
      await clock.advance(1_000);
      await turn();
    };
    expect(await killedDuring(8, recorded)).to.deep.equal([]);
  });

  it('is long work that records nothing before each death', async () => {
    expect(await killedDuring(5, async () => {})).to.deep.equal(['chore-long']);
  });

  const trials = async (epoch: number): Promise<ProbeEvent[]> =>
    ((await chores.stores.log.read<ProbeEvent>(probeStream('chores', epoch))) ?? []).map(({ event }) => event);

  it('costs nothing where processes end cleanly', async () => {
    for (let life = 1; life <= 3; life++) {
      live();
      await ask(3, `life ${life}`);
      await until('all is done', async () => chores.begun.length === 3 && (await left()) === 0);
      await chores.stop();
      expect(await trials(life)).to.deep.equal([]);
    }
    live();
  });

  it('is looked for in the first 30 s after a death, with one record for each batch of starts', async () => {
    live();
    await chores.ask('one');
    await until('it is done', async () => chores.begun.length === 1 && (await left()) === 0);
    chores.die();
    await clock.advance(EXPIRY_MS);
    live();
    await ask(40, 'first');
    await until('all is done', async () => chores.begun.length === 40 && (await left()) === 0);
    const records = await trials(2);
    expect(records.flatMap((event) => (event.type === 'WorkTried' ? event.data.started : []))).to.have.lengthOf(40);
    expect(records.length).to.be.below(40);
    await until('it is over', async () => (await trials(2)).at(-1)?.type === 'WorkTrialsEnded');
    const count = (await trials(2)).length;
    await ask(5, 'second');
    await until('all is done', async () => chores.begun.length === 45 && (await left()) === 0);
    expect(await trials(2)).to.have.lengthOf(count);
  });
});
