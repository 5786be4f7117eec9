import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { Service } from '../support/service.js';

/** What a contact is in: segments and journeys. */
describe('what a contact is in', () => {
  const service = Service.guest();
  const other = Service.guest();
  const contact = async (fields: object): Promise<string> => (await service.ok('POST', '/contacts', fields)).id;
  const segmentsOf = async (id: string) => (await service.ok('GET', `/contacts/${id}/segments`)).data.map(({ name }: { name: string }) => name);
  const journey = async (event: string): Promise<string> => {
    const trigger = { id: 't', kind: 'trigger', on: { type: 'event', event }, next: 'd' };
    const delay = { id: 'd', kind: 'delay', mode: 'duration', duration: 'P1D', next: null };
    const settings = { reentry: { mode: 'after_exit' } };
    const { id } = await service.ok('POST', '/journeys', { name: event, nodes: [trigger, delay], settings });
    await service.ok('POST', `/journeys/${id}/publish`);
    return id;
  };
  const enroll = async (journeyId: string, contact_id: string): Promise<string> =>
    (await service.ok('POST', `/journeys/${journeyId}/enrollments`, { contact_id })).id;

  it('are its segments by name, as they are now', async () => {
    const rules = (value: string) => ({ type: 'attribute', field: 'tags', op: 'contains', value });
    const ids: string[] = [];
    for (const tag of ['b', 'a', 'c']) ids.push((await service.ok('POST', '/segments', { name: `With ${tag}`, rules: rules(tag) })).id);
    for (const id of ids) await eventually('the segment is live', async () => (await service.ok('GET', `/segments/${id}`)).status === 'live');
    const id = await contact({ email: 'in@example.com', tags: ['a', 'b'] });
    await eventually('the contact is in both', async () => (await segmentsOf(id)).length === 2);
    expect(await service.ok('GET', `/contacts/${id}/segments`)).to.deep.equal({
      contact_id: id,
      data: [
        { id: ids[1], name: 'With a' },
        { id: ids[0], name: 'With b' },
      ],
    });
    await service.ok('PATCH', `/contacts/${id}`, { tags: ['c'] });
    await eventually('the contact is in another one', async () => (await segmentsOf(id)).join() === 'With c');
    await service.call('DELETE', `/segments/${ids[2]}`);
    expect(await segmentsOf(id)).to.deep.equal([]);
  });

  it('are its enrollments in all journeys, page by page, and those of contacts that are merged into it', async () => {
    const [older, younger] = [await contact({ email: 'older@example.com' }), await contact({ phone: '+14155550142' })];
    const [first, second] = [await journey('first'), await journey('second')];
    const started = [await enroll(first, older), await enroll(second, younger), await enroll(second, older)];
    const idsOf = async (id: string, query = ''): Promise<string[]> =>
      (await service.ok('GET', `/contacts/${id}/enrollments${query}`)).data.map((one: { id: string }) => one.id);
    expect(await idsOf(older)).to.deep.equal([started[2], started[0]]);
    expect(await idsOf(older, '?order=asc')).to.deep.equal([started[0], started[2]]);

    await service.ok('POST', `/enrollments/${started[0]}/exit`);
    expect(await idsOf(older, '?status=active')).to.deep.equal([started[2]]);
    const { data } = await service.ok('GET', `/contacts/${older}/enrollments?status=exited`);
    expect(data).to.have.length(1);
    expect(data[0]).to.include({ id: started[0], journey_id: first, contact_id: older, status: 'exited', reason: 'manual', node: null });

    await service.ok('POST', `/contacts/${older}/merge`, { source_contact_id: younger });
    const merged = await service.call('GET', `/contacts/${younger}/enrollments`);
    expect(merged.headers.get('x-service-merged-into')).to.equal(older);
    const all = (await idsOf(older)).sort();
    expect(all).to.include.members(started);
    const pages: string[] = [];
    for (let cursor = ''; ; ) {
      const page = await service.ok('GET', `/contacts/${older}/enrollments?limit=1${cursor}`);
      pages.push(...page.data.map((one: { id: string }) => one.id));
      if (!page.has_more) break;
      cursor = `&cursor=${page.next_cursor}`;
    }
    expect(pages).to.deep.equal(await idsOf(older));
  });

  it('is of its own account, and gone with an erased contact', async () => {
    const id = await contact({ email: 'own@example.com' });
    for (const part of ['segments', 'enrollments']) {
      expect((await other.call('GET', `/contacts/${id}/${part}`)).status).to.equal(404);
      expect((await service.call('GET', `/contacts/${id}/${part}?x=1`)).body.code).to.equal('invalid_parameter');
    }
    await service.ok('POST', `/contacts/${id}/erase`);
    for (const part of ['segments', 'enrollments']) expect((await service.call('GET', `/contacts/${id}/${part}`)).status).to.equal(410);
  });
});
