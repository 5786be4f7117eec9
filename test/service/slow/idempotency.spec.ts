import { expect } from 'chai';
import { systemClock } from '../../../ops/clock.js';
import { eventually } from '../../support/eventually.js';
import { type Reply, Service } from '../../support/service.js';
import { Receiver } from '../../webhooks/receiver.js';

const TIMES = 50;

describe('an idempotency key', () => {
  let service: Service;
  let receiver: Receiver;
  before(async () => {
    receiver = await Receiver.start(systemClock, () => 200);
    service = await Service.start();
  });
  after(async () => {
    await service.close();
    await receiver.close();
  });

  const message = { to: '+14155550100', channel: 'sms', message: 'Once' };
  const post = (path: string, body: unknown, key: string): Promise<Reply> => service.api('POST', path, body, { 'Idempotency-Key': key });
  const replayed = ({ headers }: Reply): boolean => headers.get('idempotency-replayed') === 'true';
  const together = (ask: () => Promise<Reply>): Promise<Reply[]> => Promise.all(Array.from({ length: TIMES }, ask));

  /** All have the status and the very same body, and all but one are marked as replayed. */
  function expectOne(replies: readonly Reply[], status: number, originals: number): void {
    expect(new Set(replies.map((reply) => reply.status))).to.deep.equal(new Set([status]));
    expect(new Set(replies.map(({ text }) => text)).size, 'different bodies').to.equal(1);
    expect(
      replies.filter((reply) => !replayed(reply)),
      'answers that are not marked as replayed',
    ).to.have.length(originals);
  }

  const historyOf = async (to: string) => (await service.api('GET', `/v1/messages?to=${encodeURIComponent(to)}`)).body.data;

  it('makes fifty equal requests one message, and again after kill -9', async () => {
    const key = 'order-50';
    const first = await together(() => post('/v1/messages/send', message, key));
    expectOne(first, 202, 1);
    await service.kill9();
    await service.restart();
    const second = await together(() => post('/v1/messages/send', message, key));
    expectOne(second, 202, 0);
    expect(second[0]?.text).to.equal(first[0]?.text);
    expect(await historyOf(message.to)).to.have.length(1);
    const quoted = await post('/v1/messages/send', message, `"${key}"`);
    expect([quoted.text, replayed(quoted)]).to.deep.equal([first[0]?.text, true]);
  });

  it('refuses another body', async () => {
    await post('/v1/messages/send', message, 'reused');
    const { status, body } = await post('/v1/messages/send', { ...message, message: 'Twice' }, 'reused');
    expect([status, body.code]).to.deep.equal([422, 'idempotency_key_reused']);
  });

  it('is one of each account and of each route', async () => {
    const mine = await post('/v1/messages/send', message, 'shared');
    const theirs = await service.api('POST', '/v1/messages/send', message, {
      'Idempotency-Key': 'shared',
      'X-API-Key': await service.otherAccountKey(),
    });
    const bulk = await post('/v1/messages/bulk', [message], 'shared');
    expect([mine, theirs, bulk].map(replayed)).to.deep.equal([false, false, false]);
    expect(theirs.body.id).not.to.equal(mine.body.id);
  });

  it('makes fifty equal bulks one batch, and again after kill -9', async () => {
    const body = { messages: Array.from({ length: 600 }, (_, n) => ({ ...message, to: `+1415556${String(n).padStart(4, '0')}` })) };
    const first = await together(() => post('/v1/messages/bulk', body, 'bulk-50'));
    expectOne(first, 202, 1);
    await service.kill9();
    await service.restart();
    const again = await post('/v1/messages/bulk', body, 'bulk-50');
    expect([again.text, replayed(again)]).to.deep.equal([first[0]?.text, true]);
    const other = await post('/v1/messages/bulk', { messages: body.messages.slice(1) }, 'bulk-50');
    expect([other.status, other.body.code]).to.deep.equal([422, 'idempotency_key_reused']);
    const batch = first[0]?.body.batch_id;
    await eventually(
      'each is delivered once',
      async () => {
        const { counts } = (await service.api('GET', `/v1/messages/bulk/${batch}`)).body;
        return counts.delivered === 600;
      },
      { within: 15_000 },
    );
    expect(await historyOf('+14155560007')).to.have.length(1);
  });

  it('makes fifty equal wishes for an API key one key, and shows the same key text each time', async () => {
    const wish = { name: 'Shop', scopes: ['write'] };
    const replies = await together(() => post('/v1/api-keys', wish, 'key-50'));
    expectOne(replies, 201, 1);
    const { key } = replies[0]?.body ?? {};
    expect((await service.api('POST', '/v1/messages/send', message, { 'X-API-Key': key })).status).to.equal(202);
    const { data } = (await service.api('GET', '/v1/api-keys')).body;
    expect(data.filter(({ name }: { name: string }) => name === 'Shop')).to.have.length(1);
    expect((await post('/v1/api-keys', { ...wish, name: 'Other' }, 'key-50')).body.code).to.equal('idempotency_key_reused');
  });

  it('makes fifty equal wishes for a redelivery one', async () => {
    const { body } = await service.api('POST', '/v1/messages/send', {
      ...message,
      webhook_url: `${receiver.origin}/again`,
      webhook_events: ['message.sent'],
    });
    const [delivery] = await eventually(
      'it is told',
      async () => {
        const { data } = (await service.api('GET', `/v1/messages/${body.id}/webhook-deliveries`)).body;
        return data[0]?.status === 'delivered' && data;
      },
      { within: 15_000 },
    );
    const path = `/v1/messages/${body.id}/webhook-deliveries/${delivery.id}/redeliver`;
    expectOne(await together(() => post(path, {}, 'redeliver-50')), 202, 1);
    const next = await post(path, {}, 'redeliver-51');
    expect(next.body.number).to.equal(2);
    await eventually('both are sent', () => receiver.requests.length >= 3);
    expect(receiver.requests).to.have.length(3);
  });

  it('in the body does the same as in the header', async () => {
    const keyed = { ...message, idempotency_key: 'in-body' };
    const first = await service.api('POST', '/v1/messages/send', keyed);
    const again = await service.api('POST', '/v1/messages/send', keyed);
    expect([again.text, replayed(again)]).to.deep.equal([first.text, true]);
  });

  it('that is malformed is refused', async () => {
    for (const key of ['', 'x'.repeat(256), 'two words']) {
      const { status, body } = await post('/v1/messages/send', message, key);
      expect([status, body.code], JSON.stringify(key)).to.deep.equal([400, 'invalid_parameter']);
    }
  });

  it('is not used up by a request without a credential', async () => {
    const refused = await service.api('POST', '/v1/messages/send', message, { 'Idempotency-Key': 'later', 'X-API-Key': 'wrong' });
    expect(refused.status).to.equal(401);
    const accepted = await post('/v1/messages/send', message, 'later');
    expect([accepted.status, replayed(accepted)]).to.deep.equal([202, false]);
  });

  it('leaves no error in the log', () => {
    expect(service.loggedProblems('error')).to.deep.equal([]);
  });
});
