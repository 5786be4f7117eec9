import { expect } from 'chai';
import { EventStream, type StreamEvent } from '../../inbox/event-source.js';
import { eventually } from '../../support/eventually.js';
import { Service } from '../../support/service.js';

describe('the stream of changes', () => {
  const service = Service.guest();
  const streams: EventStream[] = [];
  afterEach(() => {
    for (const stream of streams.splice(0)) stream.close();
  });

  const open = async (query = '', headers: Readonly<Record<string, string>> = {}) => {
    const key: Record<string, string> = 'Authorization' in headers ? {} : { 'X-API-Key': service.account.key };
    const stream = await EventStream.open(`${service.url}/v1/changes/stream${query}`, { headers: { ...key, ...headers } });
    streams.push(stream);
    // The position that it begins with: what is done from now on is announced.
    await eventually('the stream begins', () => stream.comments >= 2 || stream.events.length > 0);
    return stream;
  };
  const contact = async (email: string) => (await service.call('POST', '/contacts', { email })).body.id as string;
  const named = (stream: EventStream, resource: string, id: string, change: string) =>
    stream.found('change', (data) => data.resource === resource && data.id === id && data.change === change);
  const resourcesOf = (events: readonly StreamEvent[]) => [...new Set(events.map(({ data }) => data.resource))];

  it('announces what is created, updated and deleted, once its GET has it', async () => {
    const stream = await open('?resources=list,contact');
    const { id } = (await service.call('POST', '/lists', { name: 'News' })).body;
    await named(stream, 'list', id, 'created');
    const eventual = { 'Service-Consistency': 'eventual', 'X-Service-Consistency': 'eventual' };
    const ids = (await service.call('GET', '/lists', undefined, eventual)).body.data.map((list: { id: string }) => list.id);
    expect(ids).to.include(id);
    const member = await contact('news@example.com');
    await named(stream, 'contact', member, 'created');
    await service.call('POST', `/lists/${id}/contacts`, { contacts: [{ id: member }], contact_ids: [member] });
    await service.call('PATCH', `/lists/${id}`, { name: 'Old news' });
    await named(stream, 'list', id, 'updated');
    expect((await service.call('DELETE', `/lists/${id}`)).status).to.be.lessThan(300);
    await named(stream, 'list', id, 'deleted');
  });

  it('follows a message to its delivery, and a bulk as many', async () => {
    const stream = await open('?resources=message');
    const { id } = (await service.call('POST', '/messages/send', { to: '+14155550100', channel: 'sms', message: 'Hello' })).body;
    await named(stream, 'message', id, 'created');
    await eventually('it is delivered', async () => (await service.call('GET', `/messages/${id}`)).body.status === 'delivered');
    await named(stream, 'message', id, 'updated');
    const bulk = { messages: [{ to: '+14155550101', channel: 'sms', message: 'Hello' }] };
    expect((await service.call('POST', '/messages/bulk', bulk)).status).to.equal(202);
    await stream.found('change', ({ change, id }) => change === 'many' && id === null);
    expect(resourcesOf(stream.events)).to.deep.equal(['message']);
  });

  it('is of one account alone', async () => {
    const other = await Service.shared();
    const stream = await open();
    await other.call('POST', '/lists', { name: 'Theirs' });
    const { id } = (await service.call('POST', '/lists', { name: 'Ours' })).body;
    await named(stream, 'list', id, 'created');
    expect(stream.of('change').filter(({ resource }) => resource === 'list')).to.deep.equal([{ resource: 'list', id, change: 'created' }]);
  });

  it('goes on after the last event that the reader has', async () => {
    const first = await open('?resources=contact');
    const before = await contact('before@example.com');
    const { id: last } = await named(first, 'contact', before, 'created');
    first.close();
    const missed = [await contact('missed1@example.com'), await contact('missed2@example.com')];
    const second = await open('?resources=contact', { 'Last-Event-ID': last });
    for (const id of missed) await named(second, 'contact', id, 'created');
    expect(second.of('change').map(({ id }) => id)).to.deep.equal(missed);
    expect(second.of('reset')).to.deep.equal([]);
  });

  it('says that all must be loaded again after a position that this log does not have', async () => {
    const stream = await open('', { 'Last-Event-ID': '99999999999999999999' });
    expect((await stream.found('reset')).id).to.match(/^[0-9]{20}$/);
  });

  it('announces many changes as many', async () => {
    const stream = await open('?resources=contact');
    const rows = Array.from({ length: 200 }, (_, i) => ({ email: `many${i}@example.com` }));
    expect((await service.call('POST', '/contacts/import', { contacts: rows })).status).to.equal(200);
    await stream.found('change', (data) => data.change === 'many' && data.id === null && data.resource === 'contact');
    await eventually('all are there', async () => (await service.call('GET', '/contacts?limit=200')).body.data.length === 200);
    expect(stream.events.length).to.be.lessThan(100);
  });

  it('needs the scope read, and kinds of resources that there are', async () => {
    const writer = (await service.call('POST', '/api-keys', { name: 'Writer', scopes: ['write'] })).body.key;
    expect((await service.call('GET', '/changes/stream', undefined, { 'X-API-Key': writer })).body.code).to.equal('insufficient_scope');
    const wrong = await service.call('GET', '/changes/stream?resources=message,constructor');
    expect([wrong.status, wrong.body.code]).to.deep.equal([400, 'invalid_parameter']);
    expect(wrong.text).to.include('inbound_message');
    const head = await service.call('HEAD', '/changes/stream');
    expect(head.status).to.equal(200);
  });

  it('ends when its key is revoked, and goes on for others', async () => {
    const { id, key } = (await service.call('POST', '/api-keys', { name: 'Reader', scopes: ['read'] })).body;
    const [mine, theirs] = [await open(), await open('', { 'X-API-Key': key })];
    expect((await service.call('DELETE', `/api-keys/${id}`)).status).to.be.lessThan(300);
    await eventually('the stream of the key ends', () => theirs.ended);
    await named(mine, 'api_key', id, 'deleted');
    const reader = await contact('after@example.com');
    await named(mine, 'contact', reader, 'created');
  });

  it('is open at most fifty times', async () => {
    const all = await Promise.all(Array.from({ length: 50 }, () => open()));
    await open().then(
      () => expect.fail('there is one more'),
      (error: Error) => expect(error.message).to.equal('429 rate_limit_exceeded'),
    );
    all[0]?.close();
    await eventually('there is room for another one', () =>
      open().then(
        () => true,
        () => false,
      ),
    );
  });
});
