import { expect } from 'chai';
import { type Reply, Service } from '../support/service.js';

describe('custom events over HTTP', () => {
  const service = Service.guest();

  const post = (path: string, body: unknown, headers = {}): Promise<Reply> => service.api('POST', path, body, headers);
  const get = (path: string, headers = {}): Promise<Reply> => service.api('GET', path, undefined, headers);
  const names = ({ body }: Reply): string[] => body.data.map(({ event }: { event: string }) => event);

  it('are recorded, read, and recorded once per idempotency key', async () => {
    const event = { contact: { email: 'Ada@example.com ' }, event: 'purchase', properties: { value: 42.5, currency: 'EUR' }, idempotency_key: 'o-1' };
    const first = await post('/v1/events', event);
    expect(first.status, first.text).to.equal(202);
    expect(first.body).to.have.all.keys('id', 'contact_id', 'contact_created', 'accepted_at').and.include({ contact_created: true });
    const { body } = await get(`/v1/events/${first.body.id}`);
    expect(body).to.deep.include({
      event: 'purchase',
      properties: { value: 42.5, currency: 'EUR' },
      contact_id: first.body.contact_id,
      erased: false,
    });
    const again = await post('/v1/events', event);
    expect(again.body).to.deep.equal(first.body);
    expect(again.headers.get('idempotency-replayed')).to.equal('true');
    const other = await post('/v1/events', { ...event, event: 'refund' });
    expect([other.status, other.body.code]).to.deep.equal([422, 'idempotency_key_reused']);
  });

  it('are listed by contact, name and time, page by page', async () => {
    const contact = { email: 'grace@example.com' };
    const events = ['a', 'b', 'a', 'b', 'a'].map((event, n) => ({ contact, event, occurred_at: `2025-03-0${n + 1}T00:00:00Z` }));
    const { status, body } = await post('/v1/events/batch', { events });
    expect([status, body.accepted]).to.deep.equal([202, 5]);
    const id = body.events[0].contact_id;
    expect(names(await get(`/v1/events?contact_id=${id}`))).to.deep.equal(['a', 'b', 'a', 'b', 'a']);
    expect((await get(`/v1/events?contact_id=${id}&event=a&order=asc`)).body.data.map((e: { occurred_at: string }) => e.occurred_at)).to.deep.equal([
      '2025-03-01T00:00:00.000Z',
      '2025-03-03T00:00:00.000Z',
      '2025-03-05T00:00:00.000Z',
    ]);
    expect(names(await get('/v1/events?occurred_after=2025-03-01T00:00:00Z&occurred_before=2025-03-04T00:00:00Z&event=b'))).to.deep.equal(['b']);
    const first = await get(`/v1/events?contact_id=${id}&limit=2`);
    const second = await get(`/v1/events?contact_id=${id}&limit=2&cursor=${first.body.next_cursor}`);
    const third = await get(`/v1/events?contact_id=${id}&limit=2&cursor=${second.body.next_cursor}`);
    expect([first, second, third].map(({ body: page }) => page.data.length)).to.deep.equal([2, 2, 1]);
    expect(third.body.has_more).to.equal(false);
  });

  it('are part of the timeline of a merged contact until it is unmerged', async () => {
    const one = (await post('/v1/contacts', { email: 'older@example.com' })).body;
    const two = (await post('/v1/events', { contact: { phone: '+14155550177' }, event: 'called', properties: { minutes: 2 } })).body;
    const { body: merged } = await post(`/v1/contacts/${one.id}/merge`, { source_contact_id: two.contact_id });
    const timeline = async () => (await get(`/v1/contacts/${one.id}/timeline?kind=event`)).body.data;
    expect(await timeline()).to.deep.equal([
      {
        id: two.id,
        kind: 'event',
        type: 'CustomEventRecorded',
        contact_id: two.contact_id,
        occurred_at: two.accepted_at,
        data: { event: 'called', properties: { minutes: 2 } },
      },
    ]);
    expect(names(await get(`/v1/events?contact_id=${one.id}`))).to.deep.equal(['called']);
    const all = (await get(`/v1/contacts/${one.id}/timeline?limit=3`)).body;
    expect(all.data).to.have.length(3);
    const rest = (await get(`/v1/contacts/${one.id}/timeline?limit=50&cursor=${all.next_cursor}`)).body;
    const kinds = [...all.data, ...rest.data].map(({ kind }: { kind: string }) => kind);
    expect(kinds.filter((kind) => kind === 'event')).to.have.length(1);
    await post(`/v1/contacts/${one.id}/unmerge`, { merge_id: merged.merge_id });
    expect(await timeline()).to.deep.equal([]);
  });

  it('are refused with the problems of all fields', async () => {
    const { status, body } = await post('/v1/events', { contact: { email: 'none' }, event: '', properties: [] });
    expect([status, body.code]).to.deep.equal([422, 'validation_error']);
    expect(body.errors.map(({ field }: { field: string }) => field)).to.include.members(['event', 'properties']);
    expect((await post('/v1/events', { contact: { id: 'con_none' }, event: 'x' })).status).to.equal(404);
    const batch = await post('/v1/events/batch', { events: [{ contact: { email: 'eve@example.com' }, event: 'x' }, { event: 7 }, 3] });
    expect(batch.body).to.include({ received: 3, accepted: 1, rejected: 2 });
    expect(batch.body.errors.map(({ index }: { index: number }) => index)).to.include.members([1, 2]);
    expect((await post('/v1/events/batch', { events: [] })).body.errors[0]).to.include({ field: 'events', code: 'required' });
    expect((await post('/v1/events/batch', { events: [{}] })).body.errors[0].field).to.match(/^events\[0\]/);
    expect((await post('/v1/events/batch', { events: Array(1_001).fill({}) })).body.errors[0]).to.include({ code: 'too_many' });
  });

  it('are visible to their account only, and require scopes', async () => {
    const { body } = await post('/v1/events', { contact: { email: 'scoped@example.com' }, event: 'x' });
    const other = { 'X-API-Key': await service.otherAccountKey() };
    expect((await get(`/v1/events/${body.id}`, other)).status).to.equal(404);
    expect((await get(`/v1/events?contact_id=${body.contact_id}`, other)).status).to.equal(404);
    expect((await post('/v1/events', { contact: { id: body.contact_id }, event: 'x' }, other)).status).to.equal(404);
    const { body: reader } = await post('/v1/api-keys', { name: 'reader', scopes: ['read'] });
    expect((await post('/v1/events', { contact: { email: 'a@example.com' }, event: 'x' }, { 'X-API-Key': reader.key })).status).to.equal(403);
    expect((await get('/v1/events', { 'X-API-Key': reader.key })).status).to.equal(200);
  });
});
