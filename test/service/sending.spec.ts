import { expect } from 'chai';
import { channelNames } from '../../domain/kernel/channels.js';
import { embedded } from '../support/engines.js';
import { eventually, TIMEOUT_FACTOR } from '../support/eventually.js';
import { type Reply, Service } from '../support/service.js';

describe('sending one message', () => {
  const service = Service.own();
  /** Two slow messages: sent first, checked last. */
  let slow: string;
  let busy: string;
  before(async () => {
    slow = await sent({ to: '+15005550003' });
    busy = await sent({ to: '+15005550005' });
  });

  const send = (message: object): Promise<Reply> => service.api('POST', '/v1/messages/send', { channel: 'sms', message: 'Hello', ...message });
  const find = async (id: string) => (await service.api('GET', `/v1/messages/${id}`)).body;

  async function sent(message: object): Promise<string> {
    const { status, body } = await send(message);
    expect(status, JSON.stringify(body)).to.equal(202);
    return body.id;
  }

  /** Waits until the message has the status; a failure shows its current status. */
  const reaches = (id: string, status: string, within = 2_000) =>
    eventually(
      `${id} is ${status}`,
      async () => {
        const message = await find(id);
        expect(message).to.include({ status });
        return message;
      },
      { within },
    );

  const types = async (id: string): Promise<string[]> =>
    (await service.api('GET', `/v1/messages/${id}/events`)).body.data.map(({ type }: { type: string }) => type);

  it('refuses line breaks in all that becomes a header or an URL, and names each field', async () => {
    for (const breaking of ['a\r\nBcc: b@example.com', 'a\nb', 'a\rb']) {
      const fields = { subject: breaking, from: breaking, reply_to: breaking, title: 'x', action_url: breaking, media_urls: [breaking] };
      const { status, body } = await send({ to: 'a@example.com', channel: 'email', ...fields, webhook_url: `https://example.com/${breaking}` });
      expect([status, body.code]).to.deep.equal([422, 'validation_error']);
      const named = body.errors.map(({ field }: { field: string }) => field);
      expect(named).to.have.members(['subject', 'from', 'reply_to', 'action_url', 'media_urls[0]', 'webhook_url']);
      const keyed = await send({ to: '+14155550100', metadata: { [breaking]: 'x' } });
      expect([keyed.status, keyed.body.errors[0].field]).to.satisfy(([s, f]: [number, string]) => s === 422 && f.startsWith('metadata'));
    }
  });

  it('refuses webhooks to ports of other protocols', async () => {
    for (const port of [0, 25, 6667]) {
      const { status, body } = await send({ to: '+14155550100', webhook_url: `https://example.com:${port}/` });
      expect([status, body.code, body.field], String(port)).to.deep.equal([422, 'invalid_url', 'webhook_url']);
    }
  });

  it('returns 202, and the history shows the message as delivered within two seconds', async () => {
    const metadata = { order: 'A1' };
    const { status, body } = await send({ to: '+1 (415) 555-0100', metadata, tags: ['first'] });
    expect(status).to.equal(202);
    expect(body).to.include({ status: 'queued', status_reason: null, channel: 'sms', to: '+14155550100', segments: 1, encoding: 'GSM-7' });
    expect(body.id).to.match(/^msg_[0-9A-HJKMNP-TV-Z]{26}$/);

    const message = await reaches(body.id, 'delivered');
    expect(message).to.deep.include({
      id: body.id,
      message: 'Hello',
      to: '+14155550100',
      metadata,
      tags: ['first'],
      attempts: 1,
      status_reason: null,
    });
    expect(message.carrier).to.include({ name: 'sandbox' });
    const times = [message.created_at, message.sent_at, message.delivered_at];
    expect([...times].sort()).to.deep.equal(times);
  });

  it('records its events in order, and explains the outcome', async () => {
    const id = await sent({ to: '+14155550101' });
    await reaches(id, 'delivered');
    expect(await types(id)).to.deep.equal(['MessageQueued', 'MessageDispatchStarted', 'MessageSent', 'MessageDelivered']);

    const { body } = await service.api('GET', `/v1/messages/${id}/why`);
    expect(body).to.include({ message_id: id, status: 'delivered' });
    const steps = body.chain.map(({ step, result }: { step: string; result: string }) => `${step} ${result}`);
    expect(steps.filter((step: string) => !step.startsWith('gate'))).to.deep.equal([
      'asked accepted',
      'hand_over begun',
      'carrier accepted',
      'receipt MessageDelivered',
    ]);
    expect(steps.filter((step: string) => step === 'gate passed')).to.have.length(2);
  });

  for (const [channel, to] of [
    ['email', 'ada@example.com'],
    ['whatsapp', '+14155550102'],
    ['rcs', '+14155550103'],
  ]) {
    it(`delivers by ${channel}`, async () => {
      await reaches(await sent({ channel, to }), 'delivered');
    });
  }

  it('keeps a scheduled message until its time, and cancels it until then, repeatedly', async () => {
    const send_at = new Date(Date.now() + 3_600_000).toISOString();
    const { body } = await send({ to: '+14155550104', send_at });
    expect(body).to.include({ status: 'scheduled', scheduled_at: send_at });

    for (const _ of ['first', 'again']) {
      const canceled = await service.api('POST', `/v1/messages/${body.id}/cancel`);
      expect([canceled.status, canceled.body]).to.deep.equal([200, { id: body.id, status: 'canceled' }]);
    }
    expect(await find(body.id)).to.include({ status: 'canceled' });
    expect(await types(body.id)).to.deep.equal(['MessageScheduled', 'MessageCanceled']);
  });

  it('sends a scheduled message at its time, not before', async () => {
    const send_at = new Date(Date.now() + 700).toISOString();
    const message = await reaches(await sent({ to: '+14155550105', send_at }), 'delivered', 4_000);
    expect(message.sent_at >= send_at, `${message.sent_at} after ${send_at}`).to.equal(true);
  });

  it('rejects a cancel after the delivery', async () => {
    const id = await sent({ to: '+14155550106' });
    await reaches(id, 'delivered');
    const { status, body } = await service.api('POST', `/v1/messages/${id}/cancel`);
    expect(status).to.equal(409);
    expect(body).to.deep.include({ code: 'invalid_state', current: 'delivered', allowed: ['queued', 'scheduled'] });
  });

  it('expires a message whose time to live ends before its dispatch', async () => {
    const id = await sent({ to: '+15005550005', ttl_seconds: 1 });
    const message = await reaches(id, 'expired', 4_000);
    expect(message).to.include({ status_reason: 'ttl' });
    // Slow servers may leave no time for the first attempt.
    expect(message.attempts).to.be.within(embedded ? 1 : 0, 1);
  });

  it('only validates in a dry run', async () => {
    const { status, body } = await send({ to: '+14155550107', dry_run: true });
    expect(status).to.equal(200);
    expect(body).to.include({ status: 'queued', dry_run: true });
    expect((await service.api('GET', `/v1/messages/${body.id}`)).status).to.equal(404);
  });

  describe('to the sandbox’s magic recipients', () => {
    it('fails for an unknown recipient', async () => {
      expect(await reaches(await sent({ to: '+15005550001' }), 'failed')).to.include({ status_reason: 'invalid_recipient', attempts: 1 });
    });

    it('is undelivered', async () => {
      await reaches(await sent({ to: '+15005550002' }), 'undelivered');
    });

    it('stays sent without a receipt', async () => {
      await reaches(await sent({ to: '+15005550004' }), 'sent');
    });

    for (const [to, kind] of [
      ['softbounce@sandbox.test', 'MessageDeferred'],
      ['reply@sandbox.test', 'MessageReplied'],
    ] as const) {
      it(`is delivered to ${to}, and its timeline contains ${kind}`, async () => {
        const id = await sent({ channel: 'email', to });
        await reaches(id, 'delivered');
        await eventually(kind, async () => (await types(id)).includes(kind));
        expect(await find(await sent({ channel: 'email', to }))).not.to.include({ status: 'suppressed' });
      });
    }

    for (const [channel, to, reason, kind] of [
      ['sms', '+15005550006', 'stop_keyword', 'MessageReplied'],
      ['email', 'bounce@sandbox.test', 'hard_bounce', 'MessageBounced'],
      ['email', 'complaint@sandbox.test', 'complaint', 'MessageComplained'],
      ['email', 'unsubscribe@sandbox.test', 'unsubscribed', 'MessageUnsubscribed'],
    ] as const) {
      it(`is suppressed as ${reason} after the first message to ${to} caused it`, async () => {
        const first = await sent({ channel, to });
        await eventually(kind, async () => (await types(first)).includes(kind));
        const second = await eventually('a suppressed message', async () => {
          const { body } = await send({ channel, to, category: 'marketing' });
          return body.status === 'suppressed' && body;
        });
        expect(second).to.include({ status: 'suppressed', status_reason: reason });
        expect(await find(second.id)).to.include({ status: 'suppressed', status_reason: reason, attempts: 0 });
      });
    }

    it('is delivered after five seconds', async () => {
      const message = await reaches(slow, 'delivered', 8_000);
      expect(Date.parse(message.delivered_at) - Date.parse(message.sent_at))
        .to.be.at.least(5_000)
        .and.below(5_000 + 1_500 * TIMEOUT_FACTOR);
    });

    it('is dispatched again after one and after five seconds while the carrier is busy', async () => {
      expect(await reaches(busy, 'delivered', 10_000)).to.include({ attempts: 3 });
      const once = ['MessageDispatchStarted', 'MessageDispatchDeferred'];
      expect(await types(busy)).to.deep.equal(['MessageQueued', ...once, ...once, 'MessageDispatchStarted', 'MessageSent', 'MessageDelivered']);
    });
  });

  describe('returns an error', () => {
    for (const channel of ['push', 'in_app']) {
      it(`for ${channel} without a registered recipient`, async () => {
        const { status, body } = await send({ channel, to: 'ada@example.com' });
        expect([status, body.code]).to.deep.equal([422, 'recipient_not_found']);
      });
    }

    it('for an unknown channel, with the list of channels', async () => {
      const { status, body } = await send({ channel: 'pigeon', to: '+14155550100' });
      expect([status, body.code]).to.deep.equal([422, 'unsupported_channel']);
      expect(body.allowed).to.have.members([...channelNames]);
    });

    it('that names every invalid field', async () => {
      const { status, body } = await send({ to: 'nobody', ttl_seconds: 0, category: 'spam' });
      expect([status, body.code]).to.deep.equal([422, 'validation_error']);
      expect(body.errors.map(({ field }: { field: string }) => field)).to.include.members(['ttl_seconds', 'category']);
    });
  });

  it('logs no errors', () => {
    expect(service.loggedProblems('error', 'warn')).to.deep.equal([]);
  });
});
