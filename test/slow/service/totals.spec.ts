import { expect } from 'chai';
import { eventually } from '../../support/eventually.js';
import { Service } from '../../support/service.js';

describe('the total of a list', () => {
  const service = Service.guest();
  const get = async (path: string) => {
    const { status, body, text } = await service.call('GET', path);
    expect(status, text).to.equal(200);
    return body;
  };
  const totalOf = async (path: string) => (await get(path)).total;
  const exactly = (value: number) => ({ value, exact: true });

  it('is there when it is asked for, on all pages, whatever the page', async () => {
    for (const name of ['One', 'Two', 'Three']) await service.call('POST', '/lists', { name });
    expect(await get('/lists')).not.to.have.property('total');
    expect(await get('/lists?count=false')).not.to.have.property('total');
    const first = await get('/lists?limit=2&count=true');
    expect([first.data.length, first.total]).to.deep.equal([2, exactly(3)]);
    const second = await get(`/lists?limit=2&count=true&cursor=${first.next_cursor}`);
    expect([second.data.length, second.total]).to.deep.equal([1, exactly(3)]);
    // It is no part of what a cursor is bound to.
    expect((await get(`/lists?limit=2&cursor=${first.next_cursor}`)).data).to.deep.equal(second.data);
    expect((await service.call('GET', '/lists?count=yes')).body.code).to.equal('invalid_parameter');
  });

  it('is of all that the filters find', async () => {
    const sms = { channel: 'sms', message: 'Hello' };
    for (const to of ['+14155550101', '+14155550102', '+14155550101'])
      await service.call('POST', '/messages/send', { ...sms, to, tags: to.endsWith('2') ? ['two'] : [] });
    expect(await totalOf('/messages?count=true&limit=1')).to.deep.equal(exactly(3));
    expect(await totalOf('/messages?count=true&to=%2B14155550101')).to.deep.equal(exactly(2));
    expect(await totalOf('/messages?count=true&tag=two')).to.deep.equal(exactly(1));
    expect(await totalOf('/messages?count=true&channel=email')).to.deep.equal(exactly(0));
    const { data } = await get('/messages?order=asc');
    const [first, second] = data;
    const at = (time: string) => encodeURIComponent(time);
    if (first.created_at !== second.created_at)
      expect(await totalOf(`/messages?count=true&created_after=${at(first.created_at)}`)).to.deep.equal(exactly(2));
    expect(await totalOf(`/messages?count=true&created_before=${at(first.created_at)}`)).to.deep.equal(exactly(0));
    expect(await totalOf(`/messages?count=true&order=asc&created_after=${at(data[2].created_at)}`)).to.deep.equal(exactly(0));
  });

  it('is null for contacts that are found one by one', async () => {
    for (const [i, tags] of [['vip'], ['vip', 'new'], ['new']].entries())
      await service.call('POST', '/contacts', { email: `total${i}@example.com`, first_name: 'Ada', tags });
    const total = (query: string) => totalOf(`/contacts?count=true&${query}`);
    expect(await total('limit=1')).to.deep.equal(exactly(3));
    expect(await total('tag=vip')).to.deep.equal(exactly(2));
    expect(await total('email=total1@example.com')).to.deep.equal(exactly(1));
    expect(await total('list_id=lst_00000000000000000000000000')).to.deep.equal(exactly(0));
    expect(await total('q=ada')).to.equal(null);
    expect(await total('possible_duplicates=true')).to.equal(null);
    const rules = { type: 'attribute', field: 'tags', op: 'contains', value: 'vip' };
    const segment = await service.ok('POST', '/segments', { name: 'VIPs', rules });
    expect(await total(`segment_id=${segment.id}`)).to.equal(null);
  });

  it('is that of the account alone', async () => {
    const other = await Service.shared();
    expect((await other.call('GET', '/contacts?count=true')).body.total).to.deep.equal(exactly(0));
  });

  for (const path of ['/segments', '/campaigns', '/journeys', '/templates', '/forms', '/jobs', '/unsubscribes'])
    it(`is there for ${path}`, async () => {
      const { data, total } = await get(`/account${path}?count=true`.replace(/^\/account(?!\/unsubscribes)/, ''));
      expect(total).to.deep.equal(exactly(data.length));
    });

  it('is there for the deliveries to an endpoint', async () => {
    const { body } = await service.call('POST', '/webhook-endpoints', { url: 'https://example.com/hooks', events: ['contact.created'] });
    await service.call('POST', '/contacts', { email: 'delivered@example.com' });
    const path = `/webhook-endpoints/${body.id}/deliveries?count=true`;
    await eventually('it is due', async () => (await totalOf(path)).value === 1);
    expect(await totalOf(`${path}&status=stopped`)).to.deep.equal(exactly(0));
  });
});
