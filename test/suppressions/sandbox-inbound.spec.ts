import { expect } from 'chai';
import { eventually, TIMEOUT_FACTOR } from '../support/eventually.js';
import { Service } from '../support/service.js';

describe('a simulated inbound text', () => {
  const service = Service.guest();
  before(async () => {
    await service.api('PATCH', '/v1/account/settings', { name: 'Acme', senders: { email: 'help@acme.example' } });
  });

  const play = (body: object, headers = {}) => service.api('POST', '/v1/sandbox/inbound', body, headers);
  const send = async (body: object) => (await service.api('POST', '/v1/messages/send', { channel: 'sms', message: 'Hi', ...body })).body;
  const messagesTo = async (to: string) => (await service.api('GET', `/v1/messages?${new URLSearchParams({ to })}`)).body.data;
  const history = async (address: string) =>
    (await service.api('GET', `/v1/account/unsubscribes/history?${new URLSearchParams({ address })}`)).body.data;

  it('opts an unknown number out with one reply, and in again', async () => {
    const number = '+14155550160';
    const { status, body } = await play({ from: '+1 415 555 0160', text: ' Stop ', id: 'text-1' });
    expect(status, JSON.stringify(body)).to.equal(202);
    expect(body).to.include({ keyword: 'stop', duplicate: false });
    expect((await play({ from: number, text: ' Stop ', id: 'text-1' })).body).to.deep.equal({ ...body, duplicate: true });
    await eventually('it is confirmed', async () => (await messagesTo(number)).some(({ status: s }: { status: string }) => s === 'delivered'));
    expect((await messagesTo(number)).map(({ message }: { message: string }) => message)).to.deep.equal([
      'Acme: You are unsubscribed and will receive no more messages. Reply START to resubscribe.',
    ]);
    expect(await send({ to: number })).to.include({ status: 'suppressed', status_reason: 'stop_keyword' });
    expect((await history(number))[0]).to.deep.include({ event: 'suppressed', reasons: ['stop_keyword'], via: 'keyword', keyword: 'STOP' });
    await play({ from: number, text: 'start' });
    await eventually('it is in again', async () => (await history(number)).at(-1).event === 'lifted');
    expect(await send({ to: number })).to.include({ status: 'queued' });
  });

  it('refuses a scheduled message that was accepted before', async () => {
    const number = '+14155550161';
    const { id } = await send({ to: number, send_at: new Date(Date.now() + 3_000 * TIMEOUT_FACTOR).toISOString() });
    await play({ from: number, text: 'STOP' });
    await eventually('it is stopped', async () => (await service.api('GET', `/v1/messages/${id}`)).body.status !== 'scheduled', { within: 30_000 });
    expect((await service.api('GET', `/v1/messages/${id}`)).body).to.include({ status: 'suppressed', status_reason: 'stop_keyword' });
  });

  it('is received once under an idempotency key', async () => {
    const headers = { 'Idempotency-Key': 'text' };
    const [first, second] = [
      await play({ from: '+14155550162', text: 'Hello' }, headers),
      await play({ from: '+14155550162', text: 'Hello' }, headers),
    ];
    expect(second.body).to.deep.equal(first.body);
    expect(second.headers.get('idempotency-replayed')).to.equal('true');
  });

  it('is refused with the problems of all fields', async () => {
    for (const [body, field] of [
      [{ from: '4155550100', text: 'STOP' }, 'from'],
      [{ text: 'STOP' }, 'from'],
      [{ from: '+14155550100' }, 'text'],
      [{ from: '+14155550100', text: 'STOP', channel: 'email' }, 'channel'],
    ] as const) {
      const answer = await play(body);
      expect(answer.status).to.equal(422);
      expect(answer.body.errors[0].field).to.equal(field);
    }
  });
});
