import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { type Reply, Service } from '../support/service.js';
import { between, chosenSeed, seeded } from './random.js';

const ROUNDS = 16;
const SIZE = 3_000;

/** Everything is scheduled far ahead, so that what was accepted can be counted undisturbed by being sent. */
describe(`a service that is killed ${ROUNDS} times in the middle of a bulk of ${SIZE}`, () => {
  const seed = chosenSeed();
  const random = seeded(seed);
  let service: Service;
  before(async () => {
    service = await Service.start();
  });
  after(() => service.close());

  const defaults = { channel: 'sms', message: 'Hello', send_at: '2099-01-01T00:00:00Z' };
  const bulk = (tag: string, key: string | null): Promise<Reply> => {
    const messages = Array.from({ length: SIZE }, (_, n) => ({ to: `+1415${2_000_000 + n}` }));
    return service.api(
      'POST',
      '/v1/messages/bulk',
      { defaults: { ...defaults, tags: [tag] }, messages },
      key === null ? {} : { 'Idempotency-Key': key },
    );
  };

  /** How many messages of a batch the history has; none where there is no batch. */
  async function found(tag: string): Promise<{ count: number; batch: string | null }> {
    const first = (await service.api('GET', `/v1/messages?limit=1&tag=${tag}`)).body.data[0];
    if (!first) return { count: 0, batch: null };
    const { accepted, counts } = (await service.api('GET', `/v1/messages/bulk/${first.batch_id}`)).body;
    expect(accepted).to.equal(SIZE);
    return { count: counts.scheduled, batch: first.batch_id };
  }

  it('has all of it after the restart where it was answered, and all or nothing where it was not', async () => {
    const began = performance.now();
    expect((await bulk('undisturbed', null)).status).to.equal(202);
    const took = performance.now() - began;
    const ends = { answered: 0, complete: 0, absent: 0, completed: 0 };
    for (let n = 0; n < ROUNDS; n++) {
      const [tag, key] = [`round-${n}`, n % 2 ? `round-${n}` : null];
      const asking = bulk(tag, key).catch(() => null);
      await sleep(between(random, 0, took * 2));
      await service.kill9();
      const reply = await asking;
      await service.restart();
      await service.caughtUp();
      const { count, batch } = await found(tag);
      if (reply) {
        expect([reply.status, count, reply.body.batch_id], tag).to.deep.equal([202, SIZE, batch]);
        ends.answered += 1;
      } else {
        expect(count, `${tag} of seed ${seed}`).to.be.oneOf([0, SIZE]);
        ends[count === 0 ? 'absent' : 'complete'] += 1;
      }
      if (key === null) continue;
      const again = await bulk(tag, key);
      expect([again.status, again.body.accepted], tag).to.deep.equal([202, SIZE]);
      expect(again.headers.get('idempotency-replayed'), 'replayed where it was complete').to.equal(count === SIZE ? 'true' : null);
      expect(await found(tag)).to.deep.equal({ count: SIZE, batch: again.body.batch_id });
      if (count === 0) ends.completed += 1;
    }
    console.log(`    seed ${seed}: ${JSON.stringify(ends)}, a bulk takes ${took.toFixed(0)} ms`);
    expect(ends.absent, 'no kill came before the end of a bulk').to.be.above(0);
  });

  it('has a history that equals the log', async () => {
    const { code, stdout, stderr } = await service.cli('projections', 'verify', 'messages');
    expect(code, stdout + stderr).to.equal(0);
  });
});
