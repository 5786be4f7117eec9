import { expect } from 'chai';
import { sendBulk } from '../../commands/messages/send-bulk.js';
import type { EventStore } from '../../domain/kernel/ports.js';
import { TestApp } from '../support/test-app.js';

const COUNT = 1_700;

describe('a bulk whose caller is gone', () => {
  const items = Array.from({ length: COUNT }, (_, index) => ({
    index,
    request: { to: `+1415555${String(index).padStart(4, '0')}`, channel: 'sms', message: 'Hello' },
  }));
  const cause = { key: 'order-1', fingerprint: 'same' };

  /** Runs the bulk; the caller goes after so many appends. */
  async function abandoned(app: TestApp, afterAppends: number): Promise<unknown> {
    const gone = new AbortController();
    const { events } = app.engine;
    let appends = 0;
    const counting = new Proxy(events, {
      get(target, name) {
        const own = Reflect.get(target, name) as unknown;
        if (typeof own !== 'function') return own;
        return (...args: unknown[]) => {
          if (name === 'append' && ++appends === afterAppends) gone.abort(new Error('gone'));
          return Reflect.apply(own, target, args);
        };
      },
    }) as EventStore;
    if (afterAppends === 0) gone.abort(new Error('gone'));
    const input = { received: COUNT, items, problems: [], atomic: false, signal: gone.signal };
    return app
      .nodeOver(counting)
      .execute(sendBulk, input, cause)
      .then(
        () => 'accepted',
        (error: Error) => error.message,
      );
  }

  const typesIn = async (app: TestApp): Promise<string[]> => (await app.log.readAll('start', 100)).events.map(({ event }) => event.type);

  it('is not accepted, whatever is stored of it by then', async () => {
    for (const appends of [0, 1, 3]) {
      const app = new TestApp();
      expect(await abandoned(app, appends)).to.equal('gone');
      expect(await typesIn(app)).to.deep.equal(Array(appends).fill('BulkChunkAccepted'));
    }
  });

  it('is accepted once by a repeat under its idempotency key', async () => {
    const app = new TestApp();
    await abandoned(app, 2);
    const { output } = await app.execute(sendBulk, { received: COUNT, items, problems: [], atomic: false }, cause);
    expect(output).to.include({ accepted: COUNT });
    expect(await typesIn(app)).to.deep.equal([...Array(4).fill('BulkChunkAccepted'), 'BulkAccepted']);
  });

  it('is accepted if all of it was stored', async () => {
    const app = new TestApp();
    expect(await abandoned(app, 5)).to.equal('accepted');
  });
});
