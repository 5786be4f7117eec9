import { expect } from 'chai';
import Stripe from 'stripe';
import { systemClock } from '../../ops/system/clock.js';
import { enginesUnderTest } from '../support/engines.js';
import { eventually, TIMEOUT_FACTOR } from '../support/eventually.js';
import { Service } from '../support/service.js';
import { type Received, Receiver } from '../webhooks/receiver.js';

const stripe = new Stripe('sk_test_unused');
const DELAYS_MS = [300, 600, 900];
/** How long after its due time an attempt may arrive on a busy machine. */
const LATE_MS = 1_500 * TIMEOUT_FACTOR;
/** Attempts to one host at the same time: 10 in all, or one of each partition, where there are more than ten. */
const MOST_TO_A_HOST = enginesUnderTest.views === 'mongodb' ? 16 : 10;

describe('the webhooks of a message', () => {
  const service = Service.own({ HELIOGRAPH_WEBHOOK_RETRY_DELAYS: DELAYS_MS.map((ms) => `${ms}ms`).join(',') });
  const receiver = Receiver.own(({ url }) => (url.startsWith('/fails') ? { status: 500, body: 'oops' } : 200));

  async function send(path: string, more: object = {}): Promise<string> {
    const message = { to: '+14155550100', channel: 'sms', message: 'Hello', webhook_url: receiver.origin + path, ...more };
    const { status, body } = await service.api('POST', '/v1/messages/send', message);
    expect(status, JSON.stringify(body)).to.equal(202);
    return body.id;
  }

  const receivedAt = (path: string): Received[] => receiver.requests.filter(({ url }) => url === path);
  const arrived = (path: string, count: number, within = 5_000): Promise<Received[]> =>
    eventually(`${count} at ${path}`, () => receivedAt(path).length >= count && receivedAt(path), { within });
  const deliveries = async (id: string) => (await service.api('GET', `/v1/messages/${id}/webhook-deliveries?order=asc`)).body.data;

  it('report sent and delivered with equal headers under both prefixes and a signature that Stripe’s verifier accepts', async () => {
    const id = await send('/all', { metadata: { order: 'A1' } });
    const requests = await arrived('/all', 2);
    expect(requests.map(({ headers }) => headers['x-service-event']).sort()).to.deep.equal(['message.delivered', 'message.sent']);
    for (const { headers, body } of requests) {
      for (const name of ['event', 'timestamp', 'signature']) {
        expect(headers[`x-service-${name}`], name).to.be.a('string').and.not.equal('');
        expect(headers[`x-legacy-${name}`], name).to.equal(headers[`x-service-${name}`]);
      }
      const { 'x-service-timestamp': timestamp, 'x-service-signature': signature } = headers;
      expect(await stripe.webhooks.signature?.verifyHeader(body, `t=${timestamp},v1=${signature}`, service.secret, 0)).to.equal(true);
      const forged = () => stripe.webhooks.signature?.verifyHeader(`${body} `, `t=${timestamp},v1=${signature}`, service.secret, 0);
      expect(forged).to.throw();
      expect(Math.abs(Date.now() - Number(timestamp))).to.be.below(10_000 * TIMEOUT_FACTOR);
      expect(headers['content-type']).to.match(/^application\/json/);
      expect(JSON.parse(body)).to.deep.include({ event: headers['x-service-event'], message_id: id, channel: 'sms', metadata: { order: 'A1' } });
    }
    const bodies = requests.map(({ body }) => JSON.parse(body)).sort((a, b) => a.sequence - b.sequence);
    expect(bodies.map(({ status, previous_status }) => [status, previous_status])).to.deep.equal([
      ['sent', 'sending'],
      ['delivered', 'sent'],
    ]);
  });

  it('are attempted four times at the configured delays if each is answered with 500, and all attempts can be read', async () => {
    const id = await send('/fails', { webhook_events: ['message.sent'] });
    const requests = await arrived('/fails', 4, 12_000);
    const [delivery, ...others] = await eventually('the delivery has failed', async () => {
      const list = await deliveries(id);
      return list[0]?.status === 'failed' && list;
    });
    expect(others).to.deep.equal([]);
    expect(delivery).to.include({ event: 'message.sent', next_attempt_at: null });
    expect(delivery.attempts).to.have.length(4);
    for (const [n, attempt] of delivery.attempts.entries()) {
      expect(attempt).to.include({ number: n + 1, trigger: 'schedule', status_code: 500, response_body: 'oops', error: null });
      const [wait] = DELAYS_MS.slice(n);
      const due = wait === undefined ? null : new Date(Date.parse(attempt.at) + wait).toISOString();
      expect(attempt.next_attempt_at).to.equal(due);
      const next = requests[n + 1]?.at;
      if (due !== null)
        expect(Number(next) - Date.parse(due))
          .to.be.at.least(0)
          .and.below(LATE_MS);
    }
    expect(new Set(requests.map(({ headers }) => headers['x-service-delivery']))).to.deep.equal(new Set([delivery.id]));
    expect(requests.map(({ headers }) => headers['x-service-attempt'])).to.deep.equal(['1', '2', '3', '4']);
    expect(new Set(requests.map(({ body }) => body)).size, 'one body').to.equal(1);
    expect(new Set(requests.map(({ headers }) => headers['x-service-timestamp'])).size, 'signed afresh').to.equal(4);
    expect(receivedAt('/fails')).to.have.length(4);
  });

  it('can be redelivered on request without a change of the schedule', async () => {
    const id = await send('/again', { webhook_events: ['message.sent'] });
    await arrived('/again', 1);
    const [delivery] = await eventually('it is delivered', async () => {
      const list = await deliveries(id);
      return list[0]?.status === 'delivered' && list;
    });
    const { status, body } = await service.api('POST', `/v1/messages/${id}/webhook-deliveries/${delivery.id}/redeliver`);
    expect([status, body]).to.deep.equal([202, { id: delivery.id, message_id: id, trigger: 'manual', number: 1 }]);
    const [first, second] = await arrived('/again', 2);
    expect(second?.body).to.equal(first?.body);
    await eventually('the list has both attempts', async () => {
      const [{ attempts, ...shown }] = await deliveries(id);
      expect(shown).to.include({ id: delivery.id, status: 'delivered' });
      return attempts.length === 2;
    });
    const { body: one } = await service.api('GET', `/v1/messages/${id}/webhook-deliveries/${delivery.id}`);
    expect(one.request_body).to.equal(first?.body);
  });

  it('are limited to the events that the message selects', async () => {
    await send('/chosen', { webhook_events: ['message.delivered'] });
    await arrived('/chosen', 1);
    await send('/bounced', { to: 'bounce2@example.com', channel: 'email' });
    await arrived('/bounced', 2);
    expect(receivedAt('/chosen').map(({ headers }) => headers['x-service-event'])).to.deep.equal(['message.delivered']);
  });

  it('are not delayed by another receiver that never answers', async () => {
    const slow = await Receiver.start(systemClock, () => 'hang');
    try {
      for (let n = 0; n < 20; n++) await send('', { webhook_url: `${slow.origin}/slow` });
      await eventually('the slow receiver is busy', () => slow.open > 0);
      const startedAt = Date.now();
      await send('/quick');
      await arrived('/quick', 2);
      expect(Date.now() - startedAt).to.be.below(Math.min(2_000 * TIMEOUT_FACTOR, 30_000));
      expect(slow.mostOpen).to.be.at.most(MOST_TO_A_HOST);
    } finally {
      await slow.close();
    }
  });

  it('reject private addresses that no setting allows, and name the setting', async () => {
    for (const url of ['http://10.0.0.1/', 'http://169.254.169.254/latest', 'http://[::1]/', 'ftp://example.com/', 'nonsense']) {
      const { status, body } = await service.api('POST', '/v1/messages/send', { to: '+14155550100', channel: 'sms', message: 'x', webhook_url: url });
      expect([status, body.code], url).to.deep.equal([422, 'invalid_url']);
      if (url.includes('10.0.0.1')) expect(body.message).to.include('HELIOGRAPH_WEBHOOK_ALLOW_CIDRS');
    }
  });

  it('log no errors', () => {
    expect(service.loggedProblems('error', 'warn')).to.deep.equal([]);
  });
});
