import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { type Reply, Service } from '../support/service.js';

const COUNT = 500;

describe('the message history', () => {
  const service = Service.guest();
  let ids: string[];
  before(async () => {
    const rows = Array.from({ length: COUNT }, (_, n) => ({ to: '+15005550004', channel: 'sms', message: `${n}` }));
    const { body } = await service.api('POST', '/v1/messages/bulk', { messages: rows.slice(250) });
    const early: string[] = [];
    for (const row of rows.slice(0, 20)) early.push((await service.api('POST', '/v1/messages/send', row)).body.id);
    const more = await service.api('POST', '/v1/messages/bulk', { messages: rows.slice(20, 250) });
    const idsOf = (reply: { messages: { id: string }[] }) => reply.messages.map(({ id }) => id);
    ids = [...idsOf(body), ...early, ...idsOf(more.body)];
    await eventually('all messages are sent', async () => {
      const counts = await Promise.all([body, more.body].map(({ batch_id }) => get(`/v1/messages/bulk/${batch_id}`)));
      return counts.reduce((sum, { body: batch }) => sum + batch.counts.sent, 0) === COUNT - early.length;
    });
  });

  const get = (path: string, headers = {}): Promise<Reply> => service.api('GET', path, undefined, headers);

  /** Reads all pages of a list and returns the ids in order. */
  async function walk(query: string): Promise<string[]> {
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { status, body }: Reply = await get(`/v1/messages?${query}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
      expect(status).to.equal(200);
      expect(body.has_more).to.equal(body.next_cursor !== null);
      seen.push(...body.data.map(({ id }: { id: string }) => id));
      cursor = body.next_cursor;
    }
    return seen;
  }

  it('returns 500 messages in both orders without gaps or duplicates', async () => {
    const oldestFirst = await walk('limit=37&order=asc');
    expect(oldestFirst).to.deep.equal(ids);
    expect(await walk('limit=200')).to.deep.equal([...ids].reverse());
    expect(await walk('limit=50&channel=sms&status=sent')).to.deep.equal([...ids].reverse());
  });

  it('lists the messages whose status has one reason', async () => {
    const refused = await service.api('POST', '/v1/messages/send', { to: '+15005550001', channel: 'sms', message: 'refused' });
    await eventually('the message is failed', async () => (await get(`/v1/messages/${refused.body.id}`)).body.status === 'failed');
    ids.push(refused.body.id);
    expect(await walk('status_reason=invalid_recipient')).to.deep.equal([refused.body.id]);
    expect(await walk('status_reason=invalid_recipient&status=failed&channel=sms')).to.deep.equal([refused.body.id]);
    expect(await walk('status_reason=unknown_outcome')).to.deep.equal([]);
    expect((await get('/v1/messages?status_reason=bogus')).body.errors[0]).to.include({ field: 'status_reason', code: 'not_allowed' });
  });

  it('returns stable pages while new messages arrive', async () => {
    const first = await get('/v1/messages?limit=100');
    const late = await service.api('POST', '/v1/messages/send', { to: '+15005550004', channel: 'sms', message: 'late' });
    const second = await get(`/v1/messages?limit=100&cursor=${encodeURIComponent(first.body.next_cursor)}`);
    const both = [...first.body.data, ...second.body.data].map(({ id }: { id: string }) => id);
    expect(both).to.deep.equal([...ids].reverse().slice(0, 200));
    ids.push(late.body.id);
  });

  it('rejects a cursor that was changed or belongs to another list', async () => {
    const { next_cursor: cursor } = (await get('/v1/messages?limit=10')).body;
    const flipped = (at: number) => cursor.slice(0, at) + (cursor[at] === 'A' ? 'B' : 'A') + cursor.slice(at + 1);
    const tries: [string, Record<string, string>][] = [
      [`limit=10&cursor=${flipped(0)}`, {}],
      [`limit=10&cursor=${flipped(cursor.length - 3)}`, {}],
      [`limit=10&cursor=${cursor.slice(0, -4)}`, {}],
      ['limit=10&cursor=x', {}],
      [`limit=10&order=asc&cursor=${cursor}`, {}],
      [`limit=10&status=sent&cursor=${cursor}`, {}],
      [`limit=10&cursor=${cursor}`, { 'X-API-Key': await service.otherAccountKey() }],
    ];
    for (const [query, headers] of tries) {
      const { status, body } = await get(`/v1/messages?${query}`, headers);
      expect([status, body.code], query).to.deep.equal([400, 'invalid_cursor']);
    }
  });

  it('returns the account’s own writes at once', async () => {
    for (let n = 0; n < 30; n++) {
      const { body } = await service.api('POST', '/v1/messages/send', { to: '+15005550004', channel: 'sms', message: `mine ${n}` });
      expect((await get(`/v1/messages/${body.id}`)).status).to.equal(200);
      expect((await get('/v1/messages?limit=1')).body.data[0].id).to.equal(body.id);
    }
  });

  it('waits for the position returned by a write, and returns an error if it is not reached', async () => {
    const { headers, body } = await service.api('POST', '/v1/messages/send', { to: '+15005550004', channel: 'sms', message: 'x' });
    const position = headers.get('x-service-position') ?? '';
    expect(position).to.match(/^\d{20}$/);
    expect((await get(`/v1/messages/${body.id}`, { 'X-Service-Min-Position': position })).status).to.equal(200);

    const ahead = (BigInt(position) + 1_000_000n).toString().padStart(20, '0');
    const behind = await get(`/v1/messages/${body.id}`, { 'X-Service-Min-Position': ahead });
    expect([behind.status, behind.body.code, behind.headers.get('retry-after')]).to.deep.equal([503, 'projection_behind', '1']);
    const eventual = await get(`/v1/messages/${body.id}`, { 'X-Service-Consistency': 'eventual' });
    expect(eventual.status).to.be.oneOf([200, 404]);
    expect((await get('/v1/messages', { 'X-Service-Min-Position': 'soon' })).body.code).to.equal('invalid_parameter');
  });

  it('returns no messages of another account', async () => {
    const as = { 'X-API-Key': await service.otherAccountKey() };
    expect((await get('/v1/messages', as)).body.data).to.deep.equal([]);
    for (const path of ['', '/events', '/why', '/webhook-deliveries']) {
      const { status, body } = await get(`/v1/messages/${ids[0]}${path}`, as);
      expect([status, body.code], path).to.deep.equal([404, 'not_found']);
    }
    expect((await service.api('POST', `/v1/messages/${ids[0]}/cancel`, undefined, as)).status).to.equal(404);
  });
});
