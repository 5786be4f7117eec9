import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { expect } from 'chai';
import Stripe from 'stripe';
import { header, webhookFixtures } from './fixtures.js';
import type { Received, Script } from './receiver.js';
import { SECRET } from './webhook-fixture.js';

const stripe = new Stripe('sk_test_unused');
const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** Verifies the signatures with Stripe's library. */
async function expectGenuine(received: Received): Promise<void> {
  for (const prefix of ['X-Service', 'X-Legacy']) {
    const value = `t=${header(received, `${prefix}-Timestamp`)},v1=${header(received, `${prefix}-Signature`)}`;
    expect(await stripe.webhooks.signature?.verifyHeader(received.body, value, SECRET, 0)).to.equal(true);
  }
}

describe('an attempt to deliver a status', () => {
  const { clock, startReceiver, startFixture } = webhookFixtures();

  it('has the same body and id each time and a new signature, which Stripe’s verifier accepts under either prefix', async () => {
    const receiver = await startReceiver(() => 503);
    const fixture = startFixture();
    const message = await fixture.sendMessage(receiver.origin);
    for (const wait of [30 * SECOND, 5 * MINUTE, 30 * MINUTE, 0]) {
      await fixture.outcome();
      await clock().advance(wait);
    }

    const { requests } = receiver;
    for (const request of requests) await expectGenuine(request);
    expect(requests.map((request) => header(request, 'X-Service-Attempt'))).to.deep.equal(['1', '2', '3', '4']);
    expect(new Set(requests.map(({ body }) => body)).size).to.equal(1);
    expect(new Set(requests.map((request) => header(request, 'X-Service-Delivery'))).size).to.equal(1);
    expect(new Set(requests.map((request) => header(request, 'X-Service-Signature'))).size).to.equal(4);
    for (const name of ['Event', 'Timestamp', 'Signature']) {
      for (const request of requests) expect(header(request, `X-Legacy-${name}`)).to.equal(header(request, `X-Service-${name}`));
    }
    const [first] = requests as [Received];
    expect(header(first, 'X-Service-Event')).to.equal('message.sent');
    expect(header(first, 'Content-Type')).to.equal('application/json');
    expect(JSON.parse(first.body)).to.deep.include({
      event: 'message.sent',
      message_id: message,
      to: '+14155550100',
      sequence: 3,
      metadata: { order: 'A1' },
    });
    const [delivery] = await fixture.deliveries(message);
    expect(header(first, 'X-Service-Delivery')).to.equal(delivery?.id);
    expect(JSON.parse(first.body).event_id).to.equal(delivery?.event_id);
  });

  describe('counts as a failure:', () => {
    const failing: [what: string, script: Script, expected: Record<string, unknown>][] = [
      ['a redirect, which is not followed', () => ({ status: 302, headers: { location: '/elsewhere' } }), { status_code: 302 }],
      ['a redirect that keeps the method', () => ({ status: 308, headers: { location: '/elsewhere' } }), { status_code: 308 }],
      ['410', () => 410, { status_code: 410 }],
      ['404', () => 404, { status_code: 404 }],
      ['no answer in time', () => 'hang', { status_code: null, code: 'timeout' }],
      ['a closed connection', () => 'hang up', { status_code: null, code: 'connection_reset' }],
    ];
    for (const [what, script, { status_code, code = undefined }] of failing)
      it(what, async () => {
        const receiver = await startReceiver(script);
        // Only the case that waits for it has a short limit: the others are answered on a busy machine, too.
        const fixture = startFixture(code === 'timeout' ? { options: { timeoutMs: 100 } } : {});
        await fixture.sendMessage(`${receiver.origin}/h`);
        const { type, data } = await fixture.outcome();
        expect(type).to.equal('DeliveryAttemptFailed');
        expect(data).to.include({ status_code, next_attempt_at: '2026-01-15T10:30:30.000Z' });
        expect('error' in data ? data.error?.code : undefined).to.equal(code);
        expect(receiver.requests.map(({ url }) => url)).to.deep.equal(['/h']);
      });

    it('a closed port', async () => {
      const fixture = startFixture();
      await fixture.sendMessage(`http://127.0.0.1:${await freePort()}/h`);
      const { data } = await fixture.outcome();
      expect(data).to.deep.include({ status_code: null, next_attempt_at: '2026-01-15T10:30:30.000Z', response_body: null });
      expect(data).to.have.nested.property('error.code', 'connection_refused');
    });

    it('a private address that is not allowed', async () => {
      const receiver = await startReceiver(() => 200);
      const fixture = startFixture({ options: { allowedCidrs: [] } });
      const message = await fixture.sendMessage(receiver.origin);
      expect((await fixture.outcome()).data).to.have.nested.property('error.code', 'forbidden_address');
      expect(receiver.requests).to.deep.equal([]);
      expect((await fixture.deliveries(message))[0]?.attempts[0]?.error?.message).to.contain('HELIOGRAPH_WEBHOOK_ALLOW_CIDRS');
    });

    it('an account without a secret, and nothing is sent', async () => {
      const receiver = await startReceiver(() => 200);
      const fixture = startFixture({ options: { secrets: () => null } });
      await fixture.sendMessage(receiver.origin);
      expect((await fixture.outcome()).data).to.have.nested.property('error.code', 'no_secret');
      expect(receiver.requests).to.deep.equal([]);
    });
  });

  it('stores 16 kB of a response body', async () => {
    const receiver = await startReceiver(() => ({ status: 500, body: 'é'.repeat(20_000) }));
    const fixture = startFixture();
    const message = await fixture.sendMessage(receiver.origin);
    await fixture.outcome();
    const [delivery] = await fixture.deliveries(message);
    expect(Buffer.byteLength(delivery?.attempts[0]?.response_body ?? '')).to.equal(16_384);
  });

  it('signs with both secrets while the previous one is valid', async () => {
    const receiver = await startReceiver(() => 200);
    const fixture = startFixture({ options: { secrets: () => ({ current: 'whsec_new', previous: SECRET }) } });
    await fixture.sendMessage(receiver.origin);
    const request = await receiver.next();
    const of = (name: string) => `t=${header(request, 'X-Service-Timestamp')},v1=${header(request, name)}`;
    expect(await stripe.webhooks.signature?.verifyHeader(request.body, of('X-Service-Signature'), 'whsec_new', 0)).to.equal(true);
    expect(await stripe.webhooks.signature?.verifyHeader(request.body, of('X-Service-Signature-Previous'), SECRET, 0)).to.equal(true);
  });

  it('ends as erased once the recipient is erased: nothing is sent, and what was answered before is erased', async () => {
    const receiver = await startReceiver(() => ({ status: 500, body: 'unknown number +14155550100' }));
    const fixture = startFixture();
    const message = await fixture.sendMessage(receiver.origin);
    await fixture.outcome();
    await fixture.vault.erase('k1');
    await clock().advance(30 * SECOND);
    await fixture.outcome();

    expect(receiver.requests).to.have.length(1);
    const [delivery] = await fixture.deliveries(message);
    expect(delivery).to.include({ status: 'erased', url: '<erased>', next_attempt_at: null });
    expect(delivery?.attempts[0]).to.include({ response_body: '<erased>', status_code: 500 });
    expect(delivery?.attempts[1]).to.deep.include({ status_code: null, next_attempt_at: null });
    expect(delivery?.attempts[1]?.error?.code).to.equal('erased');
  });
});

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
