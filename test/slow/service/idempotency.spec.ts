import { expect } from 'chai';
import { embedded } from '../../support/engines.js';
import { eventually } from '../../support/eventually.js';
import { type Reply, Service } from '../../support/service.js';
import { Receiver } from '../../webhooks/receiver.js';

const TIMES = 50;
/** Messages of a bulk. With servers, so many would delay the following specs. */
const MESSAGES = embedded ? 600 : 120;

describe('an idempotency key', () => {
  const service = Service.own();
  const receiver = Receiver.own();

  const message = { to: '+14155550100', channel: 'sms', message: 'Once' };
  const post = (path: string, body: unknown, key: string): Promise<Reply> => service.api('POST', path, body, { 'Idempotency-Key': key });
  const replayed = ({ headers }: Reply): boolean => headers.get('idempotency-replayed') === 'true';
  const together = (ask: () => Promise<Reply>): Promise<Reply[]> => Promise.all(Array.from({ length: TIMES }, ask));

  /** Expects one status and body for all, and all but one marked as replayed. */
  function expectOne(replies: readonly Reply[], status: number, originals: number): void {
    expect(new Set(replies.map((reply) => reply.status))).to.deep.equal(new Set([status]));
    expect(new Set(replies.map(({ text }) => text)).size, 'different bodies').to.equal(1);
    expect(
      replies.filter((reply) => !replayed(reply)),
      'answers that are not marked as replayed',
    ).to.have.length(originals);
  }

  const historyOf = async (to: string) => (await service.api('GET', `/v1/messages?to=${encodeURIComponent(to)}`)).body.data;

  it('creates one message for fifty equal requests, and replays it after kill -9', async () => {
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

  it('rejects another body', async () => {
    await post('/v1/messages/send', message, 'reused');
    const { status, body } = await post('/v1/messages/send', { ...message, message: 'Twice' }, 'reused');
    expect([status, body.code]).to.deep.equal([422, 'idempotency_key_reused']);
  });

  it('is separate for each account and each route', async () => {
    const mine = await post('/v1/messages/send', message, 'shared');
    const theirs = await service.api('POST', '/v1/messages/send', message, {
      'Idempotency-Key': 'shared',
      'X-API-Key': await service.otherAccountKey(),
    });
    const bulk = await post('/v1/messages/bulk', [message], 'shared');
    expect([mine, theirs, bulk].map(replayed)).to.deep.equal([false, false, false]);
    expect(theirs.body.id).not.to.equal(mine.body.id);
  });

  it('creates one batch for fifty equal bulks, and replays it after kill -9', async () => {
    const body = { messages: Array.from({ length: MESSAGES }, (_, n) => ({ ...message, to: `+1415556${String(n).padStart(4, '0')}` })) };
    const first = await together(() => post('/v1/messages/bulk', body, 'bulk-50'));
    expectOne(first, 202, 1);
    await service.kill9();
    await service.restart();
    const second = await post('/v1/messages/bulk', body, 'bulk-50');
    expect([second.text, replayed(second)]).to.deep.equal([first[0]?.text, true]);
    const other = await post('/v1/messages/bulk', { messages: body.messages.slice(1) }, 'bulk-50');
    expect([other.status, other.body.code]).to.deep.equal([422, 'idempotency_key_reused']);
    const batch = first[0]?.body.batch_id;
    await eventually(
      'each is delivered once',
      async () => {
        const { counts } = (await service.api('GET', `/v1/messages/bulk/${batch}`)).body;
        return counts.delivered === MESSAGES;
      },
      { within: 30_000 },
    );
    expect(await historyOf('+14155560007')).to.have.length(1);
  });

  it('creates one API key for fifty equal requests, and returns the same key text each time', async () => {
    const request = { name: 'Shop', scopes: ['write'] };
    const replies = await together(() => post('/v1/api-keys', request, 'key-50'));
    expectOne(replies, 201, 1);
    const { key } = replies[0]?.body ?? {};
    expect((await service.api('POST', '/v1/messages/send', message, { 'X-API-Key': key })).status).to.equal(202);
    const { data } = (await service.api('GET', '/v1/api-keys')).body;
    expect(data.filter(({ name }: { name: string }) => name === 'Shop')).to.have.length(1);
    expect((await post('/v1/api-keys', { ...request, name: 'Other' }, 'key-50')).body.code).to.equal('idempotency_key_reused');
  });

  it('creates one redelivery for fifty equal requests', async () => {
    const { body } = await service.api('POST', '/v1/messages/send', {
      ...message,
      webhook_url: `${receiver.origin}/second`,
      webhook_events: ['message.sent'],
    });
    const [delivery] = await eventually(
      'the webhook is delivered',
      async () => {
        const { data } = (await service.api('GET', `/v1/messages/${body.id}/webhook-deliveries`)).body;
        return data[0]?.status === 'delivered' && data;
      },
      { within: 30_000 },
    );
    const path = `/v1/messages/${body.id}/webhook-deliveries/${delivery.id}/redeliver`;
    expectOne(await together(() => post(path, {}, 'redeliver-50')), 202, 1);
    const next = await post(path, {}, 'redeliver-51');
    expect(next.body.number).to.equal(2);
    await eventually('both are sent', () => receiver.requests.length >= 3);
    expect(receiver.requests).to.have.length(3);
  });

  it('works in the body as in the header', async () => {
    const keyed = { ...message, idempotency_key: 'in-body' };
    const first = await service.api('POST', '/v1/messages/send', keyed);
    const second = await service.api('POST', '/v1/messages/send', keyed);
    expect([second.text, replayed(second)]).to.deep.equal([first.text, true]);
  });

  it('is rejected if malformed', async () => {
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

  it('logs no errors', () => {
    expect(service.loggedProblems('error')).to.deep.equal([]);
  });
});
