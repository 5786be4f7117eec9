import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { type Reply, Service } from '../support/service.js';
import { between, chosenSeed, seeded } from './random.js';
import { sizeOf } from './sizes.js';

const KILLS = sizeOf('FAULTS_BULK_KILLS');
const SIZE = 3_000;

/** All messages are scheduled far ahead, so that the accepted ones can be counted before any is sent. */
describe(`a service that is killed ${KILLS} times in the middle of a bulk of ${SIZE}`, () => {
  const seed = chosenSeed();
  const random = seeded(seed);
  const service = Service.own();

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

  /** The number of messages of a batch in the history: 0 without a batch. */
  async function stored(tag: string): Promise<{ count: number; batch: string | null }> {
    const first = (await service.api('GET', `/v1/messages?limit=1&tag=${tag}`)).body.data[0];
    if (!first) return { count: 0, batch: null };
    const { accepted, counts } = (await service.api('GET', `/v1/messages/bulk/${first.batch_id}`)).body;
    expect(accepted).to.equal(SIZE);
    return { count: counts.scheduled, batch: first.batch_id };
  }

  /** Repeats a bulk under its key; `count`: how many of its messages were stored before. */
  async function expectRepeat(tag: string, key: string, count: number): Promise<void> {
    const again = await bulk(tag, key);
    expect([again.status, again.body.accepted], tag).to.deep.equal([202, SIZE]);
    expect(again.headers.get('idempotency-replayed'), 'replayed where it was complete').to.equal(count === SIZE ? 'true' : null);
    await service.caughtUp();
    expect(await stored(tag)).to.deep.equal({ count: SIZE, batch: again.body.batch_id });
  }

  it('stores the whole batch if it was answered, and all or none of it otherwise', async () => {
    const startedAt = performance.now();
    expect((await bulk('undisturbed', null)).status).to.equal(202);
    const durationMs = performance.now() - startedAt;
    const outcomes = { answered: 0, complete: 0, absent: 0, completed: 0 };
    for (let n = 0; n < KILLS; n++) {
      const [tag, key] = [`round-${n}`, n % 2 ? `round-${n}` : null];
      const pending = bulk(tag, key).catch(() => null);
      // The first one comes before the end of the bulk, the others may come after it.
      await sleep(between(random, 0, n === 0 ? durationMs / 4 : durationMs * 2));
      await service.kill9();
      const reply = await pending;
      await service.restart();
      await service.caughtUp();
      const { count, batch } = await stored(tag);
      if (reply) {
        expect([reply.status, count, reply.body.batch_id], tag).to.deep.equal([202, SIZE, batch]);
        outcomes.answered += 1;
      } else {
        expect(count, `${tag} of seed ${seed}`).to.be.oneOf([0, SIZE]);
        outcomes[count === 0 ? 'absent' : 'complete'] += 1;
      }
      if (key === null) continue;
      await expectRepeat(tag, key, count);
      if (count === 0) outcomes.completed += 1;
    }
    console.log(`    seed ${seed}: ${JSON.stringify(outcomes)}, a bulk takes ${durationMs.toFixed(0)} ms`);
    expect(outcomes.absent, 'no kill came before the end of a bulk').to.be.above(0);
  });

  it('keeps a message history that equals the log', async () => {
    const { code, stdout, stderr } = await service.cli('projections', 'verify', 'messages');
    expect(code, stdout + stderr).to.equal(0);
  });
});
