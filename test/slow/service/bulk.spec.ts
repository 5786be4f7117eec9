import { expect } from 'chai';
import { embedded } from '../../support/engines.js';
import { eventually } from '../../support/eventually.js';
import { type Reply, Service } from '../../support/service.js';

interface Row {
  readonly index: number;
  readonly id: string;
  readonly status: string;
}

describe('a bulk of messages', () => {
  const service = Service.own();

  const phone = (n: number): string => `+1415555${String(n).padStart(4, '0')}`;
  const messages = (count: number): { to: string; channel: string; message: string }[] =>
    Array.from({ length: count }, (_, n) => ({ to: phone(n), channel: 'sms', message: `Hello ${n}` }));
  const bulk = (body: unknown, query = '', headers = {}): Promise<Reply> => service.api('POST', `/v1/messages/bulk${query}`, body, headers);
  const counts = async (batch: string) => (await service.api('GET', `/v1/messages/bulk/${batch}`)).body.counts;
  const historyOf = async (batch: string): Promise<Row[]> =>
    (await service.api('GET', `/v1/messages?batch_id=${batch}&limit=200&order=asc`)).body.data;

  it('accepts 10,000 messages and returns an id for each', async () => {
    // With fake servers so many dispatches would delay the following specs.
    const later = embedded ? {} : { defaults: { send_at: new Date(Date.now() + 3_600_000).toISOString() } };
    const status = embedded ? 'queued' : 'scheduled';
    const { body, ...answer } = await bulk({ ...later, messages: messages(10_000) });
    expect(answer.status).to.equal(202);
    expect(body).to.include({ received: 10_000, accepted: 10_000, rejected: 0 });
    const rows: Row[] = body.messages;
    expect(rows.map(({ index }) => index)).to.deep.equal(Array.from({ length: 10_000 }, (_, n) => n));
    expect(new Set(rows.map(({ id }) => id)).size).to.equal(10_000);
    expect(new Set(rows.map((row) => row.status))).to.deep.equal(new Set([status]));
    const expected = embedded ? 'delivered' : status;
    await inHistory(body, 10_000, expected);
  }).timeout(90_000);

  it('delivers all messages', async () => {
    const count = embedded ? 2_000 : 200;
    await inHistory((await bulk({ messages: messages(count) })).body, count, 'delivered');
  }).timeout(90_000);

  async function inHistory({ batch_id, messages: rows }: { batch_id: string; messages: Row[] }, count: number, status: string): Promise<void> {
    await eventually(`all are ${status}`, async () => expect(await counts(batch_id)).to.include({ [status]: count }), {
      within: 60_000,
      every: 200,
    });
    const last = await service.api('GET', `/v1/messages/${rows.at(-1)?.id}`);
    expect(last.body).to.include({ to: phone(count - 1), message: `Hello ${count - 1}`, batch_id, status });
  }

  it('rejects 10,001 messages', async () => {
    const { status, body } = await bulk({ messages: messages(10_001) });
    expect(status).to.equal(422);
    expect(body).to.include({ code: 'too_many_messages', limit: 10_000, received: 10_001 });
  });

  describe('with 3 invalid messages of 100', () => {
    const wrong: Record<number, { field: string; code: string; message: object }> = {
      7: { field: 'to', code: 'invalid_phone', message: { to: 'nobody' } },
      40: { field: 'channel', code: 'unsupported_channel', message: { channel: 'pigeon' } },
      99: { field: 'message', code: 'required', message: { message: undefined } },
    };
    const rows = messages(100).map((message, n) => ({ ...message, ...wrong[n]?.message }));
    const named = ({ index, field, code }: { index: number; field: string; code: string }) => ({ index, field, code });
    const expected = Object.entries(wrong).map(([index, { field, code }]) => ({ index: Number(index), field, code }));

    it('accepts 97 and names each error by index, field and code', async () => {
      const { status, body } = await bulk({ messages: rows });
      expect(status).to.equal(202);
      expect(body).to.include({ received: 100, accepted: 97, rejected: 3 });
      expect(body.errors.map(named)).to.deep.equal(expected);
      const accepted: number[] = body.messages.map(({ index }: Row) => index);
      expect(accepted).to.deep.equal(rows.map((_, n) => n).filter((n) => !(n in wrong)));
      await eventually('97 are delivered', async () => (await counts(body.batch_id)).delivered === 97);
    });

    it('accepts none in atomic mode', async () => {
      const before = (await service.api('GET', '/v1/messages?limit=1')).body.data[0].id;
      const { status, body } = await bulk({ messages: rows, mode: 'atomic' });
      expect([status, body.code]).to.deep.equal([422, 'validation_error']);
      expect(body.errors.map(({ field, code }: { field: string; code: string }) => ({ field, code }))).to.deep.equal(
        expected.map(({ index, field, code }) => ({ field: `messages[${index}].${field}`, code })),
      );
      expect((await service.api('GET', '/v1/messages?limit=1')).body.data[0].id).to.equal(before);
    });

    it('accepts all in atomic mode if all are valid', async () => {
      expect((await bulk({ messages: messages(5), mode: 'atomic' })).body).to.include({ accepted: 5, rejected: 0 });
    });
  });

  it('rejects an empty list and a list without a valid message', async () => {
    for (const wrong of [[], [{ to: 'nobody' }, 5, null]]) {
      const { status, body } = await bulk({ messages: wrong });
      expect([status, body.code]).to.deep.equal([422, 'validation_error']);
    }
  });

  it('accepts a bare array', async () => {
    const { status, body } = await bulk(messages(3));
    expect(status).to.equal(202);
    expect(body).to.include({ received: 3, accepted: 3 });
  });

  it('applies defaults to messages that do not override them', async () => {
    const defaults = { channel: 'sms', message: 'Sale!', tags: ['spring'] };
    const { body } = await bulk({ defaults, messages: [{ to: phone(1) }, { to: 'ada@example.com', channel: 'email', message: 'Override' }] });
    expect(body).to.include({ accepted: 2 });
    const history = await historyOf(body.batch_id);
    expect(history[0]).to.deep.include({ channel: 'sms', message: 'Sale!', tags: ['spring'] });
    expect(history[1]).to.deep.include({ channel: 'email', message: 'Override', tags: ['spring'] });
  });

  it('returns no list of messages in a summary', async () => {
    const { body } = await bulk({ messages: messages(2) }, '?response=summary');
    expect(body).to.include({ received: 2, accepted: 2 }).and.not.to.have.property('messages');
    expect(await historyOf(body.batch_id)).to.have.length(2);
  });

  it('returns which messages are suppressed or scheduled', async () => {
    const stopped = await service.api('POST', '/v1/messages/send', { to: '+15005550006', channel: 'sms', message: 'Hello' });
    await eventually('the STOP is recorded', async () => {
      const { body } = await service.api('GET', `/v1/messages/${stopped.body.id}/events`);
      return body.data.some(({ type }: { type: string }) => type === 'MessageReplied');
    });
    const later = new Date(Date.now() + 3_600_000).toISOString();
    const rows = [{ to: '+15005550006' }, { to: phone(2), send_at: later }, { to: phone(3) }];
    const answer = await eventually('the recipient is suppressed', async () => {
      const { body } = await bulk({ defaults: { channel: 'sms', message: 'Hello' }, messages: rows });
      return body.messages[0].status === 'suppressed' && body;
    });
    expect(answer.messages.map(({ status, status_reason }: { status: string; status_reason?: string }) => [status, status_reason])).to.deep.equal([
      ['suppressed', 'stop_keyword'],
      ['scheduled', undefined],
      ['queued', undefined],
    ]);
    const waiting = answer.messages[1].id;
    expect((await service.api('POST', `/v1/messages/${waiting}/cancel`)).body).to.deep.equal({ id: waiting, status: 'canceled' });
    await eventually('each has its status', async () =>
      expect(await counts(answer.batch_id)).to.include({ suppressed: 1, canceled: 1, delivered: 1, queued: 0, scheduled: 0 }),
    );
  });

  it('sends two messages with one idempotency key once, within a batch and across batches', async () => {
    const keyed = { to: phone(4), channel: 'sms', message: 'Once', idempotency_key: 'order-1' };
    const first = await bulk([keyed, keyed, { ...keyed, idempotency_key: 'order-2' }]);
    const second = await bulk([keyed]);
    const [a, b, c] = first.body.messages.map(({ id }: Row) => id);
    expect([b, second.body.messages[0].id]).to.deep.equal([a, a]);
    expect(c).not.to.equal(a);
    await eventually('it is delivered', async () => (await service.api('GET', `/v1/messages/${a}`)).body.status === 'delivered');
    const types = (await service.api('GET', `/v1/messages/${a}/events`)).body.data.map(({ type }: { type: string }) => type);
    expect(types.filter((type: string) => type === 'MessageDispatchStarted')).to.have.length(1);
  });

  it('returns 404 for a batch of another account', async () => {
    const { body } = await bulk(messages(1));
    expect(
      (await service.api('GET', `/v1/messages/bulk/${body.batch_id}`, undefined, { 'X-API-Key': await service.otherAccountKey() })).status,
    ).to.equal(404);
  });

  it('logs no errors', () => {
    expect(service.loggedProblems('error', 'warn')).to.deep.equal([]);
  });
});
