import { expect } from 'chai';
import { eventually, TIMEOUT_FACTOR } from '../support/eventually.js';
import { Service } from '../support/service.js';
import { Receiver } from '../webhooks/receiver.js';

const DELAYS_MS = [6_000, 7_000, 8_000];
/** How long after its due time, or after the restart, an attempt may arrive. */
const LATE_MS = 3_000 * TIMEOUT_FACTOR;

describe('the retry schedule of a webhook', () => {
  const service = Service.own({ HELIOGRAPH_WEBHOOK_RETRY_DELAYS: DELAYS_MS.map((ms) => `${ms}ms`).join(',') });
  const receiver = Receiver.own(({ url }) => (url === '/fails' ? 500 : hanging.has(url) ? 'hang' : 200));
  const hanging = new Set<string>();

  async function send(path: string): Promise<string> {
    const message = { to: '+14155550100', channel: 'sms', message: 'Hello', webhook_url: receiver.origin + path, webhook_events: ['message.sent'] };
    return (await service.api('POST', '/v1/messages/send', message)).body.id;
  }
  const receivedAt = (path: string) => receiver.requests.filter(({ url }) => url === path);
  const delivery = async (id: string) => (await service.api('GET', `/v1/messages/${id}/webhook-deliveries`)).body.data[0];

  it('keeps every attempt and its time when the service is killed in between, also if it restarts after the due time', async () => {
    const id = await send('/fails');
    const restartedAt: number[] = [0];
    for (let n = 1; n <= 3; n++) {
      const { attempts } = await eventually(`attempt ${n} is on record`, async () => {
        const shown = await delivery(id);
        return shown?.attempts.length === n && shown;
      });
      const due = Date.parse(attempts[n - 1].next_attempt_at);
      await service.kill9();
      if (n === 2) await eventually('its time has passed while the service is down', () => Date.now() > due + 500, { within: 30_000 });
      await service.restart();
      restartedAt.push(Date.now());
      await eventually(`attempt ${n + 1} arrives`, () => receivedAt('/fails').length > n, { within: (DELAYS_MS[n - 1] as number) + LATE_MS });
      const lateness = (receivedAt('/fails')[n]?.at ?? 0) - Math.max(due, restartedAt[n] as number);
      expect(lateness, `attempt ${n + 1}`).to.be.below(LATE_MS);
      expect(receivedAt('/fails')[n]?.at, `attempt ${n + 1}`).to.be.at.least(due);
    }
    const done = await eventually('the delivery has failed', async () => {
      const shown = await delivery(id);
      return shown.status === 'failed' && shown;
    });
    expect(done.next_attempt_at).to.equal(null);
    expect(done.attempts.map(({ number, status_code }: { number: number; status_code: number }) => [number, status_code])).to.deep.equal(
      [1, 2, 3, 4].map((number) => [number, 500]),
    );
    const waits = done.attempts.map(({ at, next_attempt_at }: { at: string; next_attempt_at: string | null }) =>
      next_attempt_at === null ? null : Date.parse(next_attempt_at) - Date.parse(at),
    );
    expect(waits).to.deep.equal([...DELAYS_MS, null]);
    expect(receivedAt('/fails').map(({ headers }) => headers['x-service-attempt'])).to.deep.equal(['1', '2', '3', '4']);
    expect(new Set(receivedAt('/fails').map(({ headers }) => headers['x-service-delivery'])).size).to.equal(1);
  });

  it('repeats an attempt that was in flight at the kill, with the same id, number and body', async () => {
    hanging.add('/hangs');
    const id = await send('/hangs');
    await eventually('the attempt is in flight', () => receivedAt('/hangs').length === 1);
    await service.kill9();
    hanging.clear();
    await service.restart();
    const done = await eventually('it is delivered', async () => {
      const shown = await delivery(id);
      return shown?.status === 'delivered' && shown;
    });
    expect(done.attempts).to.have.length(1);
    const [first, second, ...more] = receivedAt('/hangs');
    expect(more).to.deep.equal([]);
    for (const name of ['x-service-delivery', 'x-service-attempt']) expect(second?.headers[name]).to.equal(first?.headers[name]);
    expect(second?.body).to.equal(first?.body);
  });
});
