import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { type Reply, Service } from '../support/service.js';

const [given, reported] = ['+525512340001', '+5215512340001'] as const;

describe('a number with two spellings over HTTP', () => {
  const service = Service.guest();
  const get = async (path: string): Promise<Reply['body']> => {
    const { status, body } = await service.api('GET', path);
    expect(status, JSON.stringify(body)).to.equal(200);
    return body;
  };
  const post = async (path: string, body: unknown): Promise<Reply['body']> => {
    const reply = await service.api('POST', path, body);
    expect(reply.status, JSON.stringify(reply.body)).to.be.lessThan(300);
    return reply.body;
  };
  const send = (to: string) => post('/v1/messages/send', { to, channel: 'whatsapp', message: 'Hola', category: 'marketing' });
  const idsOf = ({ data }: Reply['body']): string[] => data.map(({ id }: { id: string }) => id);
  let contact = '';

  it('finds its contact by either of them', async () => {
    contact = (await post('/v1/contacts', { phone: given, first_name: 'Lua' })).id;
    expect(await post('/v1/contacts', { phone: reported })).to.deep.include({ id: contact, merged: true, phone: given });
    for (const phone of [given, reported]) {
      expect(idsOf(await get(`/v1/contacts?phone=${encodeURIComponent(phone)}`)), phone).to.deep.equal([contact]);
      expect((await post('/v1/events', { contact: { phone }, event: 'purchase' })).contact_id, phone).to.equal(contact);
    }
    for (const q of ['+5215512340001', '+525512340001', '52155', '12340001', 'lua +52 1 55 1234'])
      expect(idsOf(await get(`/v1/contacts?q=${encodeURIComponent(q)}`)), q).to.deep.equal([contact]);
    const list = (await post('/v1/lists', { name: 'News' })).id;
    expect((await post(`/v1/lists/${list}/contacts`, { phones: [reported] })).added).to.have.length(1);
    expect((await get(`/v1/lists/${list}/contacts`)).data[0].contact_id).to.equal(contact);
  });

  it('is one contact in an import that has both', async () => {
    const rows = ['+5511987654321', '+551187654321', '+55 11 8765-4321'].map((phone, n) => ({ phone, tags: [`row${n}`] }));
    expect(await post('/v1/contacts/import', { contacts: rows, dry_run: true })).to.deep.include({ created: 1, merged: 2, failed: 0 });
    expect(await post('/v1/contacts/import', { contacts: rows })).to.deep.include({ created: 1, merged: 2, failed: 0 });
    const { data } = await get('/v1/contacts?phone=%2B551187654321');
    expect(data).to.have.length(1);
    expect(data[0]).to.deep.include({ phone: '+5511987654321', tags: ['row0', 'row1', 'row2'] });
  });

  it('is stopped by an answer from the other, and dialed as it was given', async () => {
    const first = await send(given);
    expect(first.status).to.equal('queued');
    await eventually('handed over', async () => {
      const [dispatch] = (await get(`/v1/sandbox/messages?to=${encodeURIComponent(reported)}`)).data;
      return expect(dispatch?.to).to.equal(given);
    });
    await post('/v1/sandbox/inbound', { from: reported, text: 'STOP', channel: 'whatsapp' });
    await eventually('stopped', async () => expect((await send(given)).status).to.equal('suppressed'));
    expect((await send(reported)).status).to.equal('suppressed');
    expect((await get(`/v1/contacts/${contact}`)).suppressed_channels).to.deep.equal(['whatsapp']);
  });

  it('is found in messages, received messages and suppressions by either of them', async () => {
    for (const phone of [given, reported].map(encodeURIComponent)) {
      expect((await get(`/v1/messages?to=${phone}&order=asc`)).data[0]).to.deep.include({ to: given, contact_id: contact });
      expect((await get(`/v1/inbound-messages?from=${phone}`)).data).to.have.length(1);
      expect((await get(`/v1/account/unsubscribes?address=${phone}`)).data).to.have.length(1);
      expect((await get(`/v1/account/unsubscribes/history?address=${phone}`)).data).to.have.length(1);
    }
    const entries: { type: string }[] = (await get(`/v1/contacts/${contact}/timeline`)).data;
    expect(entries.map(({ type }) => type)).to.include.members(['ContactCreated', 'MessageAccepted', 'AddressSuppressed', 'InboundTextReceived']);
  });

  it('has no possible duplicate, and is asked for one in its own way only', async () => {
    expect((await get('/v1/contacts?possible_duplicates=true')).data).to.deep.equal([]);
    for (const more of ['q=lua', 'segment_id=seg_X']) {
      const { status, body } = await service.api('GET', `/v1/contacts?possible_duplicates=true&${more}`);
      expect([status, body.code]).to.deep.equal([400, 'invalid_parameter']);
    }
  });
});
