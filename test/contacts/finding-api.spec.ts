import { expect } from 'chai';
import { type Reply, Service } from '../support/service.js';

describe('finding contacts over HTTP', () => {
  const service = Service.guest();
  const ids: string[] = [];
  before(async () => {
    for (const field of [
      { key: 'plan', type: 'string' },
      { key: 'score', type: 'number' },
      { key: 'colors', type: 'string_list' },
      { key: 'external_id', type: 'number', unique: true },
      { key: 'nickname', type: 'string', pii: true },
      { key: 'raw', type: 'json' },
    ]) {
      await service.api('POST', '/v1/custom-fields', { label: field.key, ...field });
    }
    for (let n = 0; n < 9; n++) {
      const { body } = await post({
        email: `person${n}@example.com`,
        phone: `+1415555010${n}`,
        custom_fields: {
          plan: n % 3 === 0 ? 'pro' : 'free',
          score: n % 2,
          colors: ['red', `shade-${n}`],
          external_id: 100 + n,
          nickname: `Nick ${n % 2}`,
        },
        tags: n < 4 ? ['early'] : [],
      });
      ids.push(body.id);
    }
  });

  const post = (body: unknown): Promise<Reply> => service.api('POST', '/v1/contacts', body);
  const get = (path: string, headers = {}): Promise<Reply> => service.api('GET', path, undefined, headers);
  const list = async (query: string): Promise<string[]> => {
    const { status, body } = await get(`/v1/contacts?${query}`);
    expect(status, JSON.stringify(body)).to.equal(200);
    return body.data.map(({ id }: { id: string }) => id);
  };
  const picked = (...which: number[]) => which.map((n) => ids[n]);

  it('filters by address, field and tag, alone and combined, newest first', async () => {
    expect(await list('')).to.deep.equal([...ids].reverse());
    expect(await list('order=asc')).to.deep.equal(ids);
    expect(await list('email=PERSON3@example.com')).to.deep.equal(picked(3));
    expect(await list(`phone=${encodeURIComponent('+1 415 555 0105')}`)).to.deep.equal(picked(5));
    expect(await list('tag=early')).to.deep.equal(picked(3, 2, 1, 0));
    expect(await list('custom_field[plan]=pro')).to.deep.equal(picked(6, 3, 0));
    expect(await list('custom_field[plan]=pro&custom_field[score]=0')).to.deep.equal(picked(6, 0));
    expect(await list('custom_field[plan]=pro&custom_field[score]=0&tag=early')).to.deep.equal(picked(0));
    expect(await list('custom_field[colors]=red&limit=2')).to.deep.equal(picked(8, 7));
    expect(await list('custom_field[colors]=shade-4')).to.deep.equal(picked(4));
    expect(await list('custom_field[external_id]=104')).to.deep.equal(picked(4));
    expect(await list(`custom_field[nickname]=${encodeURIComponent('Nick 1')}`)).to.deep.equal(picked(7, 5, 3, 1));
    expect(await list('email=nobody@example.com')).to.deep.equal([]);
    expect(await list('email=person1@example.com&tag=late')).to.deep.equal([]);
  });

  it('refuses all fields that cannot be searched at once', async () => {
    const { status, body } = await get('/v1/contacts?custom_field[none]=1&custom_field[score]=many&custom_field[raw]=1');
    expect([status, body.code]).to.deep.equal([400, 'invalid_parameter']);
    expect(body.errors.map(({ field }: { field: string }) => field)).to.have.members([
      'custom_field[none]',
      'custom_field[score]',
      'custom_field[raw]',
    ]);
  });

  it('pages without gaps, also with several filters of one kind', async () => {
    for (const query of ['', 'custom_field[colors]=red&custom_field[score]=1']) {
      const seen: string[] = [];
      for (let cursor = ''; ; ) {
        const { body } = await get(`/v1/contacts?limit=2&${query}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
        seen.push(...body.data.map(({ id }: { id: string }) => id));
        if (!body.next_cursor) break;
        cursor = body.next_cursor;
      }
      expect(seen).to.deep.equal(await list(query));
    }
  });

  it('shows the same in the list as in the contact', async () => {
    const { body: page } = await get('/v1/contacts?limit=3');
    for (const row of page.data) expect(row).to.deep.equal((await get(`/v1/contacts/${row.id}`)).body);
  });

  it('finds the root for all that is merged into it', async () => {
    const { body } = await service.api('POST', `/v1/contacts/${ids[0]}/merge`, { source_contact_id: ids[1] });
    expect(await list('email=person1@example.com')).to.deep.equal(picked(0));
    expect(await list('')).to.not.include(ids[1]);
    expect((await get('/v1/contacts?email=person0@example.com')).body.data[0]).to.deep.equal((await get(`/v1/contacts/${ids[1]}`)).body);
    await service.api('POST', `/v1/contacts/${ids[0]}/unmerge`, { merge_id: body.merge_id });
    expect(await list('email=person1@example.com')).to.deep.equal(picked(1));
  });

  it('shows nothing to other accounts', async () => {
    const theirs = { 'X-API-Key': await service.otherAccountKey() };
    const { data } = (await get('/v1/contacts', theirs)).body;
    // The other account is one for all specs: they may have given it contacts of its own.
    expect(data.filter(({ id }: { id: string }) => ids.includes(id))).to.deep.equal([]);
    for (const id of ids) expect((await get(`/v1/contacts/${id}`, theirs)).status).to.equal(404);
    expect((await get(`/v1/messages?contact_id=${ids[2]}`, theirs)).body.data).to.deep.equal([]);
  });

  it('links messages to the contact of their address, also one that is created or merged later', async () => {
    const to = '+15005550003';
    const { body: sent } = await service.api('POST', '/v1/messages/send', { to, channel: 'sms', message: 'Before' });
    expect((await get(`/v1/messages/${sent.id}`)).body.contact_id).to.equal(null);
    const { body: contact } = await post({ phone: to });
    const { body: mail } = await service.api('POST', '/v1/messages/send', {
      to: 'person2@example.com',
      channel: 'email',
      subject: 'S',
      message: 'M',
    });
    expect((await get(`/v1/messages/${sent.id}`)).body.contact_id).to.equal(contact.id);
    const messagesOf = async (id: string) => (await get(`/v1/messages?contact_id=${id}`)).body.data.map((message: { id: string }) => message.id);
    expect(await messagesOf(contact.id)).to.deep.equal([sent.id]);
    const { body: merged } = await service.api('POST', `/v1/contacts/${contact.id}/merge`, { source_contact_id: ids[2] });
    expect(merged.contact.id).to.equal(ids[2]);
    expect((await get(`/v1/messages/${sent.id}`)).body.contact_id).to.equal(ids[2]);
    expect(await messagesOf(contact.id)).to.deep.equal([mail.id, sent.id]);
    expect(await messagesOf(ids[2] as string)).to.deep.equal([mail.id, sent.id]);
    expect((await get(`/v1/messages?contact_id=${contact.id}&channel=sms`)).body.data).to.have.length(1);

    const { body: whole, headers } = (await get(`/v1/contacts/${contact.id}/timeline`)) as Reply;
    expect(headers.get('x-service-merged-into')).to.equal(ids[2]);
    const types = whole.data.map(({ type }: { type: string }) => type);
    expect(types.slice(0, 2)).to.have.members(['ContactAbsorbed', 'ContactMerged']);
    expect(types.slice(2)).to.deep.equal(['MessageAccepted', 'ContactCreated', 'MessageAccepted', 'ContactCreated']);
    expect(whole.data.find(({ type }: { type: string }) => type === 'ContactMerged').data.merge_id).to.equal(merged.merge_id);
    const paged: string[] = [];
    for (let cursor = ''; ; ) {
      const { body } = await get(`/v1/contacts/${contact.id}/timeline?limit=1${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
      paged.push(...body.data.map(({ id }: { id: string }) => id));
      if (!body.next_cursor) break;
      cursor = body.next_cursor;
    }
    expect(paged).to.deep.equal(whole.data.map(({ id }: { id: string }) => id));
    expect((await get(`/v1/contacts/${contact.id}/timeline?kind=message`)).body.data).to.have.length(2);
  });

  it('uses a read model that equals the log', async () => {
    await service.caughtUp();
    const { code, stdout, stderr } = await service.cli('projections', 'verify', 'contacts', '--json');
    expect(code, stderr).to.equal(0);
    expect(JSON.parse(stdout)).to.deep.include({ name: 'contacts', equal: true, differing: 0 });
  });
});
