import { expect } from 'chai';
import { EventStream } from '../inbox/event-source.js';
import { eventually } from '../support/eventually.js';
import { type Reply, Service } from '../support/service.js';

describe('the inbox of a contact', () => {
  const service = Service.guest();
  const streams: EventStream[] = [];
  afterEach(() => {
    for (const stream of streams.splice(0)) stream.close();
  });

  let contacts = 0;
  const contact = async () => {
    contacts += 1;
    return (await service.call('POST', '/contacts', { email: `inbox${contacts}@example.com` })).body.id as string;
  };
  const tokenOf = async (contact_id: string) => (await service.call('POST', '/inbox/tokens', { contact_id })).body.token as string;
  const asToken = (token: string) => ({ 'X-API-Key': undefined as never, Authorization: `Bearer ${token}` });
  const send = async (to: string, fields = {}) => {
    const { status, text, body } = await service.call('POST', '/messages/send', { to, channel: 'in_app', message: 'Hello', ...fields });
    expect(status, text).to.equal(202);
    return body.id as string;
  };
  const list = async (contact_id: string, filter = 'all') =>
    (await service.call('GET', `/inbox/messages?contact_id=${contact_id}&filter=${filter}`)).body.data;
  const counts = async (contact_id: string) => (await service.call('GET', `/inbox/counts?contact_id=${contact_id}`)).body;
  const stored = async (contact_id: string, count = 1) =>
    eventually('the messages are stored', async () => {
      const found = await list(contact_id);
      return found.length >= count ? found : undefined;
    });
  const open = async (token: string, last?: string) => {
    const headers: Record<string, string> = last === undefined ? {} : { 'Last-Event-ID': last };
    const stream = await EventStream.open(`${service.url}/v1/inbox/stream?token=${token}`, { headers });
    streams.push(stream);
    return stream;
  };
  const messageWith = (id: string, is: (message: Reply['body']) => boolean) =>
    eventually(`the message ${id}`, async () => {
      const { body } = await service.call('GET', `/messages/${id}`);
      return is(body) ? body : undefined;
    });

  it('has a message once it is sent, which is delivered by that', async () => {
    const to = await contact();
    const message_id = await send(to, { title: 'Your order', action_url: 'https://shop.example/1', data: { order: 'A1' }, ttl_seconds: 3_600 });
    const [item] = await stored(to);
    expect(item).to.include({ message_id, title: 'Your order', message: 'Hello', action_url: 'https://shop.example/1', read_at: null });
    expect(item.data).to.deep.equal({ order: 'A1' });
    expect(Date.parse(item.expires_at) - Date.parse(item.created_at)).to.be.within(3_590_000, 3_600_000);
    const message = await messageWith(message_id, ({ status }) => status === 'delivered');
    expect(message.carrier).to.include({ name: 'inbox', message_id: item.id });
  });

  it('counts what it lists, and records on the message that it was read and clicked', async () => {
    const to = await contact();
    const message_id = await send(to);
    await send(to);
    // Two sends at once may be stored in any order.
    const items = await stored(to, 2);
    const first = items.find((item: { message_id: string }) => item.message_id === message_id);
    const second = items.find((item: { message_id: string }) => item.message_id !== message_id);
    expect(await counts(to)).to.deep.equal({ unseen: 2, unread: 2 });
    const act = async (id: string, action: string) => (await service.call('POST', `/inbox/messages/${id}/${action}`)).body;
    expect((await act(first.id, 'seen')).seen_at).to.be.a('string');
    expect(await counts(to)).to.deep.equal({ unseen: 1, unread: 2 });
    expect((await act(first.id, 'click')).read_at).to.be.a('string');
    expect((await act(first.id, 'unread')).read_at).to.equal(null);
    expect(await counts(to)).to.deep.equal({ unseen: 1, unread: 2 });
    await act(second.id, 'archive');
    expect(await counts(to)).to.deep.equal({ unseen: 0, unread: 1 });
    expect((await list(to, 'archived')).map(({ id }: { id: string }) => id)).to.deep.equal([second.id]);
    expect((await list(to, 'unread')).map(({ id }: { id: string }) => id)).to.deep.equal([first.id]);
    await act(second.id, 'unarchive');
    expect((await service.call('POST', `/inbox/messages/read-all?contact_id=${to}`)).body).to.deep.equal({ changed: 2, unseen: 0, unread: 0 });
    expect((await service.call('POST', `/inbox/messages/archive-all?contact_id=${to}`)).body.changed).to.equal(2);
    expect(await list(to)).to.deep.equal([]);
    const { engagement } = await messageWith(message_id, (message) => message.engagement.clicked_at !== null && message.engagement.read_at !== null);
    expect(engagement.clicks).to.equal(1);
  });

  it('is opened by a token of its contact, and of nobody else', async () => {
    const [mine, other] = [await contact(), await contact()];
    await send(mine);
    await send(other);
    const [[item], [stranger]] = [await stored(mine), await stored(other)];
    const as = asToken(await tokenOf(mine));
    expect((await service.call('GET', '/inbox/messages', undefined, as)).body.data.map(({ id }: { id: string }) => id)).to.deep.equal([item.id]);
    expect((await service.call('GET', `/inbox/messages?contact_id=${mine}`, undefined, as)).status).to.equal(200);
    expect((await service.call('POST', `/inbox/messages/${item.id}/read`, undefined, as)).status).to.equal(200);
    for (const [method, path] of [
      ['GET', `/inbox/messages?contact_id=${other}`],
      ['GET', `/inbox/counts?contact_id=${other}`],
      ['GET', `/inbox/stream?contact_id=${other}`],
      ['POST', `/inbox/messages/read-all?contact_id=${other}`],
      ['POST', `/inbox/messages/${stranger.id}/read`],
    ] as const)
      expect((await service.call(method, path, undefined, as)).status, path).to.equal(404);
    for (const path of ['/contacts', '/messages', `/contacts/${mine}`])
      expect((await service.call('GET', path, undefined, as)).status, path).to.equal(401);
    expect((await service.call('POST', '/inbox/tokens', { contact_id: mine }, as)).status).to.equal(401);
    expect((await service.call('GET', '/inbox/counts', undefined, asToken(`${await tokenOf(mine)}x`))).body.code).to.equal('unauthorized');
    expect((await list(other))[0].read_at).to.equal(null);
  });

  it('is for pages of the origins that the account allows', async () => {
    const token = await tokenOf(await contact());
    const from = (origin: string, path = '/inbox/counts') => service.call('GET', path, undefined, { ...asToken(token), Origin: origin });
    const statuses = async () => [(await from('https://shop.example')).status, (await from('https://evil.example')).status];
    expect(await statuses()).to.deep.equal([200, 200]);
    const wrong = await service.call('PATCH', '/account/settings', { inbox_allowed_origins: ['https://shop.example', 'shop.example/path'] });
    expect([wrong.status, wrong.body.errors[0].field]).to.deep.equal([422, 'inbox_allowed_origins[1]']);
    expect((await service.call('PATCH', '/account/settings', { inbox_allowed_origins: ['https://shop.example'] })).status).to.equal(200);
    expect(await statuses()).to.deep.equal([200, 403]);
    const refused = await from('https://evil.example', '/inbox/messages');
    expect([refused.body.code, refused.headers.get('access-control-allow-origin')]).to.deep.equal(['forbidden', null]);
    const stream = await service.call('GET', `/inbox/stream?token=${token}`, undefined, {
      'X-API-Key': undefined as never,
      Origin: 'https://evil.example',
    });
    expect(stream.body.code).to.equal('forbidden');
    const asked = await service.ask('OPTIONS', '/v1/inbox/counts', undefined, { Origin: 'https://shop.example' });
    expect([asked.status, asked.headers.get('access-control-allow-headers')]).to.deep.equal([
      204,
      'Content-Type, Authorization, Idempotency-Key, Last-Event-ID',
    ]);
    expect((await service.call('PATCH', '/account/settings', { inbox_allowed_origins: [] })).status).to.equal(200);
    expect(await statuses()).to.deep.equal([200, 200]);
  });

  it('streams what happens, and goes on after the last event that a browser has', async () => {
    const to = await contact();
    const token = await tokenOf(to);
    const stream = await open(token);
    expect((await stream.found('counts')).data).to.deep.equal({ unseen: 0, unread: 0 });
    await send(to, { message: 'one' });
    const one = await stream.found('message', ({ message }) => message === 'one');
    await stream.found('counts', ({ unread }) => unread === 1);
    stream.close();
    await send(to, { message: 'two' });
    await service.call('POST', `/inbox/messages/${one.data.id}/read`);
    await stored(to, 2);
    const resumed = await open(token, one.id);
    await resumed.found('counts', ({ unread, unseen }) => unread === 1 && unseen === 1);
    expect(resumed.of('message').map(({ message }) => message)).to.deep.equal(['two']);
    expect(resumed.of('update').map(({ id, read_at }) => [id, read_at !== null])).to.deep.equal([[one.data.id, true]]);
    const again = await open(token, resumed.lastId);
    await again.found('counts');
    expect(again.events.map(({ event }) => event)).to.deep.equal(['counts']);
  });

  it('is that of the unified contact after a merge, and of each after the unmerge; the stream ends in between', async () => {
    const [older, younger] = [await contact(), await contact()];
    await send(older, { message: 'older' });
    await send(younger, { message: 'younger' });
    await Promise.all([stored(older), stored(younger)]);
    const stream = await open(await tokenOf(younger));
    await stream.found('counts');
    const { merge_id } = (await service.call('POST', `/contacts/${older}/merge`, { source_contact_id: younger })).body;
    await eventually('the stream ends', () => stream.ended);
    expect((await stored(younger, 2)).map(({ message }: { message: string }) => message)).to.have.members(['older', 'younger']);
    expect(await counts(older)).to.deep.equal({ unseen: 2, unread: 2 });
    expect((await service.call('POST', `/contacts/${older}/unmerge`, { merge_id })).status).to.equal(200);
    expect((await list(older)).map(({ message }: { message: string }) => message)).to.deep.equal(['older']);
  });

  it('is gone with an erased contact', async () => {
    const to = await contact();
    const token = await tokenOf(to);
    await send(to);
    await stored(to);
    const stream = await open(token);
    await stream.found('counts');
    const erased = await service.call('POST', `/contacts/${to}/erase`, { confirm: true, reason: 'asked' });
    expect([200, 202], erased.text).to.include(erased.status);
    await eventually('the stream ends', () => stream.ended);
    expect((await service.call('GET', '/inbox/messages', undefined, asToken(token))).status).to.equal(410);
  });

  it('shows and counts no expired message', async () => {
    const to = await contact();
    await send(to, { ttl_seconds: 1 });
    await send(to);
    await stored(to, 1);
    await eventually('the first expires', async () => (await counts(to)).unread === 1 && (await list(to)).length === 1);
  });
});
