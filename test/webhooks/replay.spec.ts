import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { momentOf } from '../support/moment.js';
import { Service } from '../support/service.js';
import { type Received, Receiver, type Reply } from './receiver.js';

describe('replays to webhook endpoints', () => {
  const service = Service.own({ HELIOGRAPH_WEBHOOK_RETRY_DELAYS: '10ms', HELIOGRAPH_WEBHOOK_REPLAY_PENDING: '2' });
  const receiver = Receiver.own(({ url }) => answers.get(url)?.() ?? 200);
  const answers = new Map<string, () => Reply | Promise<Reply>>();

  async function endpoint(path: string, events: readonly string[] = ['contact.created']): Promise<string> {
    const { status, body } = await service.call('POST', '/webhook-endpoints', { url: receiver.origin + path, events });
    expect(status).to.equal(201);
    return body.id;
  }
  const enable = (id: string, status: 'enabled' | 'disabled') => service.call('PATCH', `/webhook-endpoints/${id}`, { status });
  const replay = (id: string, body: object = {}, headers = {}) => service.call('POST', `/webhook-endpoints/${id}/replay`, body, headers);
  const newContact = async (email: string): Promise<string> => (await service.call('POST', '/contacts', { email })).body.id;
  const at = (path: string): Received[] => receiver.requests.filter(({ url }) => url === path);
  const emailsAt = (path: string): string[] => at(path).map(({ body }) => JSON.parse(body).data.contact.email);
  const jobIs = (id: string, status: string) =>
    eventually(`the job is ${status}`, async () => {
      const { body } = await service.call('GET', `/jobs/${id}`);
      return body.status === status && body;
    });
  async function replayed(id: string, body: object = {}) {
    const accepted = await replay(id, body);
    expect(accepted.status, accepted.text).to.equal(202);
    expect(accepted.body).to.deep.include({ kind: 'webhook_replay', status: 'queued', done: 0, result: null });
    return jobIs(accepted.body.id, 'completed');
  }
  const deliveries = async (id: string) => (await service.call('GET', `/webhook-endpoints/${id}/deliveries`)).body.data;

  it('send past events once more with the same ids and bytes, and with an attempt count of their own', async () => {
    const from = await momentOf(service);
    const id = await endpoint('/again');
    for (const name of ['a', 'b', 'c', 'd', 'e']) await newContact(`${name}@again.example`);
    await eventually('the events', () => at('/again').length === 5);
    const first = at('/again');
    const job = await replayed(id, { from });
    expect(job).to.deep.include({ done: 5, total: 5, errors: 0, result: { delivered: 5, failed: 0 } });
    const second = at('/again').slice(5);
    const key = ({ headers, body }: Received) => [headers['webhook-id'], headers['x-service-delivery'], headers['x-service-attempt'], body].join(' ');
    expect(second.map(key).sort()).to.deep.equal(first.map(key).sort());
    await replayed(id, { from });
    const numbers = at('/again')
      .slice(10)
      .map(({ headers }) => headers['x-service-attempt']);
    expect(numbers).to.deep.equal(['2', '2', '2', '2', '2']);
    const listed = await eventually('the attempts are listed', async () => {
      const found = await deliveries(id);
      return found.every(({ attempts }: { attempts: unknown[] }) => attempts.length === 3) && found;
    });
    expect(listed).to.have.length(5);
    const [{ attempts, status }] = listed;
    expect([status, attempts.map(({ trigger, number }: Record<string, unknown>) => `${trigger} ${number}`)]).to.deep.equal([
      'delivered',
      ['schedule 1', 'manual 1', 'manual 2'],
    ]);
  });

  it('catch up what was missed while the endpoint was disabled, and list it', async () => {
    const from = await momentOf(service);
    const id = await endpoint('/missed');
    expect((await enable(id, 'disabled')).status).to.equal(200);
    const refused = await replay(id);
    expect([refused.status, refused.body.code]).to.deep.equal([409, 'invalid_state']);
    const contact = await newContact('missed@missed.example');
    await service.call('PATCH', `/contacts/${contact}`, { first_name: 'Ada' });
    await enable(id, 'enabled');
    expect((await replayed(id, { from })).result).to.deep.equal({ delivered: 1, failed: 0 });
    expect(emailsAt('/missed')).to.deep.equal(['missed@missed.example']);
    const [listed] = await eventually('it is listed', async () => {
      const found = await deliveries(id);
      return found[0]?.status === 'delivered' && found;
    });
    expect(listed).to.deep.include({ event: 'contact.created', next_attempt_at: null });
    expect(listed.id).to.equal(at('/missed')[0]?.headers['x-service-delivery']);
    expect((await replayed(id, { from, events: ['contact.updated'] })).result).to.deep.equal({ delivered: 1, failed: 0 });
    expect(at('/missed').map(({ headers }) => headers['x-service-event'])).to.deep.equal(['contact.created', 'contact.updated']);
  });

  it('leave out what lies outside of the range', async () => {
    const id = await endpoint('/range');
    await newContact('before@range.example');
    const from = await momentOf(service);
    await newContact('within@range.example');
    await eventually('both events', () => at('/range').length === 2);
    const to = await momentOf(service);
    await newContact('after@range.example');
    await eventually('all events', () => at('/range').length === 3);
    await replayed(id, { from, to });
    expect(emailsAt('/range').slice(3)).to.deep.equal(['within@range.example']);
  });

  it('send only what failed where that is asked for, and record another failure', async () => {
    const from = await momentOf(service);
    const id = await endpoint('/failed');
    await newContact('fine@failed.example');
    await eventually('the first event', () => at('/failed').length === 1);
    answers.set('/failed', () => 500);
    await newContact('lost@failed.example');
    const failed = () =>
      eventually('the delivery has failed', async () => (await deliveries(id)).some((one: { status: string }) => one.status === 'failed'));
    await failed();
    expect((await replayed(id, { from, only_failed: true })).result).to.deep.equal({ delivered: 0, failed: 1 });
    answers.delete('/failed');
    expect((await replayed(id, { from, only_failed: true })).result).to.deep.equal({ delivered: 1, failed: 0 });
    expect((await replayed(id, { from, only_failed: true })).result).to.deep.equal({ delivered: 0, failed: 0 });
    expect(emailsAt('/failed').slice(3)).to.deep.equal(['lost@failed.example', 'lost@failed.example']);
  });

  it('have few attempts pending at a time, do not delay new events, and can be canceled', async () => {
    const from = await momentOf(service);
    const id = await endpoint('/slow');
    for (let i = 0; i < 8; i++) await newContact(`${i}@slow.example`);
    await eventually('the events', () => at('/slow').length === 8);
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    answers.set('/slow', () => released.then(() => 200));
    const { body } = await replay(id, { from });
    await eventually('two attempts wait', () => at('/slow').length === 10);
    await newContact('new@slow.example');
    await eventually('the new event', () => emailsAt('/slow').includes('new@slow.example'));
    expect(at('/slow')).to.have.length(11);
    expect((await service.call('POST', `/jobs/${body.id}/cancel`)).status).to.equal(200);
    await jobIs(body.id, 'canceled');
    release();
    answers.delete('/slow');
    await newContact('later@slow.example');
    await eventually('a later event', () => emailsAt('/slow').includes('later@slow.example'));
    expect(at('/slow')).to.have.length(12);
  });

  it('end with an error once the endpoint is disabled', async () => {
    const from = await momentOf(service);
    const id = await endpoint('/ends');
    for (let i = 0; i < 4; i++) await newContact(`${i}@ends.example`);
    await eventually('the events', () => at('/ends').length === 4);
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    answers.set('/ends', () => released.then(() => 200));
    const { body } = await replay(id, { from });
    await eventually('two attempts wait', () => at('/ends').length === 6);
    await enable(id, 'disabled');
    release();
    expect(await jobIs(body.id, 'completed')).to.deep.include({ done: 2, errors: 1 });
    const { data } = (await service.call('GET', `/jobs/${body.id}/errors`)).body;
    expect(data).to.have.length(1);
    expect(data[0]).to.deep.include({ field: 'endpoint', code: 'invalid_state' });
  });

  it('send what was erased as such', async () => {
    const from = await momentOf(service);
    const id = await endpoint('/erased');
    const contact = await newContact('ada@erased.example');
    await eventually('the event', () => at('/erased').length === 1);
    expect((await service.call('POST', `/contacts/${contact}/erase`)).status).to.be.lessThan(300);
    await eventually('the erasure', async () => {
      await replayed(id, { from });
      return !at('/erased').at(-1)?.body.includes('ada@erased.example');
    });
    expect(at('/erased').at(-1)?.body).to.include('<erased>');
    expect(at('/erased').at(-1)?.headers['webhook-id']).to.equal(at('/erased')[0]?.headers['webhook-id']);
  });

  it('are refused for unknown events, a reversed range, another account and a deleted endpoint', async () => {
    const id = await endpoint('/refused');
    const unknown = await replay(id, { events: ['contact.eaten'] });
    expect([unknown.status, unknown.body.code]).to.deep.equal([422, 'unknown_event_type']);
    expect(unknown.body.allowed).to.have.length(9);
    for (const range of [{ from: '2026-01-02T00:00:00Z', to: '2026-01-01T00:00:00Z' }, { from: '2999-01-01T00:00:00Z' }]) {
      const { status, body } = await replay(id, range);
      expect([status, body.code, body.errors[0].field, body.errors[0].code]).to.deep.equal([422, 'validation_error', 'from', 'invalid_range']);
    }
    expect((await replay(id, { from: 'yesterday' })).status).to.be.within(400, 422);
    const { key } = (await service.call('POST', '/api-keys', { name: 'Reader', scopes: ['read'] })).body;
    expect((await replay(id, {}, { 'X-API-Key': key })).body.code).to.equal('insufficient_scope');
    expect((await replay(id, {}, { 'X-API-Key': await service.otherAccountKey() })).status).to.equal(404);
    await service.call('DELETE', `/webhook-endpoints/${id}`);
    expect((await replay(id)).status).to.equal(404);
  });
});
