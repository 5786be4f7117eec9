import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { momentOf } from '../support/moment.js';
import { type Reply, Service } from '../support/service.js';

describe('segments over HTTP', () => {
  const service = Service.guest();

  const regulars = { type: 'event', event: 'purchase', count: { op: 'gte', value: 3 }, window: { last: 'P30D' } };
  const segment = (rules: unknown = regulars, name = 'Regulars') => service.ok('POST', '/segments', { name, rules });
  const inside = (segment_id: string, is_member = true) => ({ type: 'segment', segment_id, is_member });

  it('are created with their rules in English, changed at the expected version, listed and deleted', async () => {
    const made = await service.call('POST', '/segments', { name: 'Regulars', rules: regulars });
    expect([made.status, made.headers.get('etag')]).to.deep.equal([201, '"1"']);
    const { id } = made.body;
    expect(made.body).to.deep.include({ name: 'Regulars', rules: regulars, version: 1, rules_version: 1 });
    expect(made.body.description).to.equal('purchased at least 3 times in the last 30 days');
    const list = await service.ok('POST', '/lists', { name: 'News' });
    const onList = { type: 'list', list_id: list.id, is_member: true };
    const changed = await service.call('PATCH', `/segments/${id}`, { rules: onList }, { 'If-Match': '"1"' });
    expect(changed.body).to.deep.include({ description: 'are subscribed to the list “News”', version: 2, rules_version: 2 });
    expect((await service.call('PATCH', `/segments/${id}`, { name: 'x' }, { 'If-Match': '"1"' })).body).to.include({
      code: 'version_conflict',
      actual: 2,
    });
    expect(await service.ok('PATCH', `/segments/${id}`, { name: 'Readers' })).to.include({ version: 3, rules_version: 2 });
    const shown = ({ status: _, count: __, progress: ___, ...rest }: Reply['body']) => rest;
    expect(shown((await service.ok('GET', '/segments')).data[0])).to.deep.equal(shown(await service.ok('GET', `/segments/${id}`)));
    expect([(await service.call('DELETE', `/segments/${id}`)).status, (await service.call('DELETE', `/segments/${id}`)).status]).to.deep.equal([
      204, 204,
    ]);
    expect((await service.call('GET', `/segments/${id}`)).body).to.include({ code: 'not_found', resource: 'segment' });
  });

  it('name every problem of a rule, with its path and JSON pointer, beside other problems of the request', async () => {
    const rules = {
      type: 'any',
      rules: [
        { type: 'event', event: 'x', window: { last: 'P1M' } },
        { type: 'attribute', field: 'none', op: 'exists' },
        { type: 'list', list_id: 'lst_none', is_member: 1, a: 1 },
      ],
    };
    const refused = await service.call('POST', '/segments', { name: '', rules });
    expect(refused.status).to.equal(422);
    expect(refused.body.errors.map(({ field, code, pointer }: Record<string, string>) => [field, code, pointer])).to.have.deep.members([
      ['name', 'too_short', undefined],
      ['rules.rules[0].window.last', 'invalid_duration', '/rules/0/window/last'],
      ['rules.rules[1].field', 'unknown_reference', '/rules/1/field'],
      ['rules.rules[2].a', 'unknown_field', '/rules/2/a'],
      ['rules.rules[2].is_member', 'invalid_type', '/rules/2/is_member'],
      ['rules.rules[2].list_id', 'unknown_reference', '/rules/2/list_id'],
    ]);
    expect((await service.call('POST', '/segments', { name: 'x', rules: 'all' })).status).to.equal(422);
    expect((await service.call('POST', '/segments', { name: 'x' })).body.errors[0]).to.include({ field: 'rules', code: 'required' });
    const untyped = await service.call('POST', '/segments', { name: 'x', rules: { field: 'email' } });
    expect(untyped.body.errors[0]).to.include({ field: 'rules.type', code: 'required' });
    expect(untyped.body.errors[0].message).to.match(/^Use one of all, /);
  });

  it('refer to each other without circles, and are not deleted while others refer to them', async () => {
    const { id: first } = await segment();
    const { id: second } = await segment(inside(first), 'Second');
    expect((await service.ok('GET', `/segments/${second}`)).description).to.equal('are in the segment “Regulars”');
    const circle = await service.call('PATCH', `/segments/${first}`, { rules: inside(second, false) });
    expect([circle.status, circle.body.code, circle.body.reason]).to.deep.equal([409, 'conflict', 'cycle']);
    const used = await service.call('DELETE', `/segments/${first}`);
    expect([used.status, used.body.code]).to.deep.equal([409, 'in_use']);
    expect(used.body.used_by).to.deep.equal([{ resource: 'segment', id: second }]);
    let last = second;
    for (let n = 0; n < 4; n++) last = (await segment(inside(last))).id;
    const deep = await service.call('POST', '/segments', { name: 'Deep', rules: inside(last) });
    expect([deep.status, deep.body.reason]).to.deep.equal([409, 'too_deep']);
    await service.ok('PATCH', `/segments/${second}`, { rules: regulars });
    expect((await service.call('DELETE', `/segments/${first}`)).status).to.equal(204);
    expect((await service.call('POST', '/segments', { name: 'x', rules: inside(first) })).status).to.equal(422);
  });

  it('list who was in them at an earlier time, each contact as it was', async () => {
    const contact = await service.ok('POST', '/contacts', { email: 'then@example.org', first_name: 'Ann', tags: ['then'] });
    const before = new Date(Date.now() - 60_000).toISOString();
    const { id } = await segment({ type: 'attribute', field: 'tags', op: 'contains', value: 'then' });
    const made = await momentOf(service);
    await eventually('the segment is live', async () => {
      const { status, count, progress } = await service.ok('GET', `/segments/${id}`);
      return status === 'live' && count === 1 && progress === null;
    });
    const then = await momentOf(service);
    await service.ok('PATCH', `/contacts/${contact.id}`, { first_name: 'Bea', tags: [] });
    const list = (as_of: string) => service.ok('GET', `/segments/${id}/contacts?as_of=${as_of}`);
    expect(await list(before)).to.deep.equal({ data: [], next_cursor: null, has_more: false, as_of: before, version: null });
    for (const at of [made, then]) {
      const { data, version, as_of } = await list(at);
      expect([data.map((one: { first_name: string }) => one.first_name), version, as_of]).to.deep.equal([['Ann'], 1, at]);
    }
    expect((await list(await momentOf(service))).data).to.deep.equal([]);
    expect(await service.ok('GET', `/segments/${id}/contacts`)).to.deep.include({ data: [], as_of: null, version: 1 });
  });

  it('keep the lists and custom fields that their rules name from being deleted', async () => {
    const { id: list_id } = await service.ok('POST', '/lists', { name: 'Named' });
    const field = await service.ok('POST', '/custom-fields', { key: 'named', type: 'string', label: 'Named' });
    const rules = {
      type: 'any',
      rules: [
        { type: 'list', list_id, is_member: true },
        { type: 'attribute', field: 'named', op: 'exists' },
      ],
    };
    const { id } = await segment(rules);
    for (const path of [`/lists/${list_id}`, `/custom-fields/${field.id}`]) {
      const { status, body } = await service.call('DELETE', path);
      expect([status, body.code, body.used_by]).to.deep.equal([409, 'in_use', [{ resource: 'segment', id }]]);
    }
    await service.ok('PATCH', `/segments/${id}`, { rules: regulars });
    for (const path of [`/lists/${list_id}`, `/custom-fields/${field.id}`]) expect((await service.call('DELETE', path)).status).to.equal(204);
  });

  it('are not visible to other accounts', async () => {
    const { id } = await segment();
    const other = { 'X-API-Key': await service.otherAccountKey() };
    for (const [method, path, body] of [
      ['GET', `/segments/${id}`],
      ['PATCH', `/segments/${id}`, { name: 'Mine' }],
      ['DELETE', `/segments/${id}`],
    ] as const)
      expect((await service.call(method, path, body, other)).status, `${method} ${path}`).to.equal(404);
    expect((await service.call('POST', '/segments', { name: 'x', rules: inside(id) }, other)).status).to.equal(422);
  });

  const contact = async (fields: object = {}): Promise<string> =>
    (await service.ok('POST', '/contacts', { email: `${++named}@example.com`, ...fields })).id;
  const happened = (id: string, event: string, properties = {}, occurred_at?: string) =>
    service.ok('POST', '/events', { contact: { id }, event, properties, ...(occurred_at && { occurred_at }) });
  let named = 0;

  it('are previewed with a count and some contacts, by fields, lists, consents and events', async () => {
    const list = await service.ok('POST', '/lists', { name: 'News' });
    const [reader, buyer, other] = [await contact({ tags: ['spring'] }), await contact({ tags: ['spring'] }), await contact()] as const;
    await service.ok('POST', `/lists/${list.id}/contacts`, { contact_ids: [reader, other] });
    await service.ok('POST', `/contacts/${reader}/consents`, {
      channel: 'email',
      purpose: 'marketing',
      status: 'granted',
      lawful_basis: 'consent',
      source: 'form',
    });
    await happened(buyer, 'bought', { value: 20 });
    const preview = async (rules: unknown) => {
      const { count, exact, sample } = await service.ok('POST', '/segments/preview', { rules });
      expect([count, exact]).to.deep.equal([sample.length, true]);
      return sample.map(({ id }: { id: string }) => id);
    };
    const spring = { type: 'attribute', field: 'tags', op: 'contains', value: 'SPRING' };
    const onList = { type: 'list', list_id: list.id, is_member: true };
    expect(await preview(spring)).to.deep.equal([buyer, reader]);
    expect(await preview({ type: 'all', rules: [onList, { type: 'not', rule: spring }] })).to.deep.equal([other]);
    expect(
      await preview({ type: 'all', rules: [onList, { type: 'consent', channel: 'email', purpose: 'marketing', status: 'granted' }] }),
    ).to.deep.equal([reader]);
    expect(await preview({ type: 'event', event: 'bought', where: [{ property: 'value', op: 'gte', value: 20 }] })).to.deep.equal([buyer]);
    const { id } = await segment({ type: 'event', event: 'bought' });
    expect(await preview({ type: 'all', rules: [spring, inside(id, false)] })).to.deep.equal([reader]);
    expect((await service.call('POST', '/segments/preview', { rules: { type: 'magic' } })).body.errors[0]).to.include({
      field: 'rules.type',
      pointer: '/type',
    });
  });

  it('explain a membership by the events of all contacts that were merged, and as it was known at an earlier time', async () => {
    const ancient = new Date(Date.now() - 40 * 86_400_000).toISOString();
    const { id } = await segment({
      type: 'all',
      rules: [
        { type: 'event', event: 'bought', count: { op: 'gte', value: 2 }, window: { last: 'P30D' } },
        { type: 'reachable', channel: 'email', is: true },
      ],
    });
    const [older, younger] = [await contact(), await contact({ email: null, phone: '+14155554100', tags: ['x'] })] as const;
    const first = await happened(older, 'bought');
    await happened(older, 'bought', {}, ancient);
    const second = await happened(younger, 'bought');
    const explain = (contact_id: string, query = '') => service.ok('GET', `/segments/${id}/explain?contact_id=${contact_id}${query}`);
    expect((await explain(older)).is_member).to.equal(false);
    await service.ok('POST', `/contacts/${older}/merge`, { source_contact_id: younger });
    const merged = await explain(younger);
    expect(merged).to.deep.include({ segment_id: id, contact_id: older, version: 1, is_member: true, as_of: null });
    const [events, reachable] = merged.explanation.rules;
    expect(events).to.deep.include({
      type: 'event',
      result: true,
      event_count: 2,
      description: 'had the event “bought” at least 2 times in the last 30 days',
    });
    expect(events.events.map((event: { id: string; type: string }) => [event.id, event.type])).to.deep.equal([
      [first.id, 'bought'],
      [second.id, 'bought'],
    ]);
    expect(reachable).to.deep.include({ result: true });
    expect(reachable.events.map(({ type }: { type: string }) => type)).to.deep.equal(['ContactCreated']);
    const { created_at, updated_at } = await service.ok('PATCH', `/segments/${id}`, {
      rules: { type: 'attribute', field: 'tags', op: 'contains', value: 'x' },
    });
    expect(await explain(older)).to.deep.include({ version: 2, is_member: true });
    const before = new Date(Date.parse(updated_at) - 1).toISOString();
    expect(await explain(older, `&as_of=${before}`)).to.deep.include({ version: 1, is_member: true, as_of: before });
    const atFirst = new Date(Date.parse(first.accepted_at)).toISOString();
    expect((await explain(older, `&as_of=${atFirst}`)).explanation.rules[0]).to.deep.include({ result: false, event_count: 1 });
    expect(created_at < atFirst).to.equal(true);
    const later = await segment({ type: 'everyone' });
    const unknown = await service.ok('GET', `/segments/${later.id}/explain?contact_id=${older}&as_of=${atFirst}`);
    expect(unknown).to.deep.include({ version: null, is_member: false, explanation: null });
  });

  it('list their contacts, and filter contacts, page by page', async () => {
    const { id } = await segment({
      type: 'all',
      rules: [
        { type: 'attribute', field: 'tags', op: 'contains', value: 'paged' },
        { type: 'event', event: 'visited' },
      ],
    });
    const people: string[] = [];
    for (let n = 0; n < 4; n++) people.unshift(await contact({ tags: n === 1 ? ['paged', 'odd'] : ['paged'] }));
    for (const person of people.slice(0, 3)) await happened(person, 'visited');
    const live = async () => {
      const { status, count } = await service.ok('GET', `/segments/${id}`);
      return status === 'live' && count === 3;
    };
    await eventually('the segment is live, with all members', live, { within: 30_000, every: 100 });
    const first = await service.ok('GET', `/segments/${id}/contacts?limit=2`);
    const rest = await service.ok('GET', `/segments/${id}/contacts?limit=2&cursor=${first.next_cursor}`);
    const ids = ({ data }: Reply['body']): string[] => data.map((one: { id: string }) => one.id);
    expect([ids(first), first.has_more, ids(rest), rest.has_more]).to.deep.equal([people.slice(0, 2), true, [people[2]], false]);
    expect(ids(await service.ok('GET', `/contacts?segment_id=${id}`))).to.deep.equal(people.slice(0, 3));
    expect(ids(await service.ok('GET', `/contacts?segment_id=${id}&tag=odd`))).to.deep.equal([people[2]]);
    await happened(people[3] as string, 'visited');
    await eventually('the contact has entered', async () => ids(await service.ok('GET', `/contacts?segment_id=${id}`)).includes(people[3] as string));
    const { data } = await service.ok('GET', `/segments/${id}/history?contact_id=${people[3]}`);
    expect(data.map(({ change, cause }: { change: string; cause: string }) => [change, cause])).to.deep.equal([['entered', 'event']]);
    expect(data[0].event_id).to.match(/^evt_/);
    const job = await service.ok('POST', '/contacts/export', { filter: { segment_id: id } });
    await eventually('the export is done', async () => (await service.ok('GET', `/jobs/${job.id}`)).status === 'completed');
    const lines = (await service.call('GET', `/jobs/${job.id}/result`)).text.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).id)).to.deep.equal([...people].reverse());
    expect((await service.call('POST', '/contacts/export', { filter: { segment_id: 'seg_none' } })).status).to.equal(422);
    expect(ids(await service.ok('GET', '/contacts?segment_id=seg_none'))).to.deep.equal([]);
    expect((await service.call('GET', '/segments/seg_none/contacts')).status).to.equal(404);
  });

  it('are audiences of campaigns, included and excluded, with the version of their rules', async () => {
    const tagged = (tag: string) => segment({ type: 'attribute', field: 'tags', op: 'contains', value: tag }, tag);
    const [target, left] = [await tagged('target'), await tagged('left-out')] as const;
    const [reached] = [await contact({ tags: ['target'] }), await contact({ tags: ['target', 'left-out'] }), await contact()] as const;
    const audience = { include: { segment_ids: [target.id] }, exclude: { segment_ids: [left.id] } };
    const content = { subject: 'Hello', message: 'It is spring.' };
    const campaign = await service.ok('POST', '/campaigns', { name: 'Spring', channel: 'email', category: 'transactional', audience, content });
    await eventually('the audience is known', async () => (await service.call('GET', `/campaigns/${campaign.id}/audience`)).body.total === 1);
    await service.ok('POST', `/campaigns/${campaign.id}/send`);
    await eventually('the campaign is sent', async () => (await service.ok('GET', `/campaigns/${campaign.id}`)).status === 'sent', {
      within: 30_000,
      every: 100,
    });
    const recipients = (await service.ok('GET', `/campaigns/${campaign.id}/recipients`)).data;
    expect(recipients.map(({ contact_id }: { contact_id: string }) => contact_id)).to.deep.equal([reached]);
    const unknown = await service.call('POST', '/campaigns', {
      name: 'x',
      channel: 'email',
      content,
      audience: { include: { segment_ids: ['seg_none'] } },
    });
    expect(unknown.body.errors[0]).to.include({ field: 'audience.include.segment_ids[0]', code: 'not_found' });
  });

  it('explain what became of messages', async () => {
    const { id } = await segment({ type: 'message', action: 'delivered', channel: 'email' });
    const recipient = await contact({ email: 'delivered@example.com' });
    const explain = () => service.ok('GET', `/segments/${id}/explain?contact_id=${recipient}`);
    expect((await explain()).is_member).to.equal(false);
    await service.ok('POST', '/messages/send', { channel: 'email', to: 'delivered@example.com', subject: 'Hi', message: 'Hi' });
    await eventually('the message is delivered', async () => (await explain()).is_member);
    expect((await explain()).explanation.events[0].type).to.equal('MessageDelivered');
    await service.ok('POST', `/contacts/${recipient}/erase`);
    const gone = await service.call('GET', `/segments/${id}/explain?contact_id=${recipient}`);
    expect([gone.status, gone.body.code]).to.deep.equal([410, 'contact_erased']);
  });
});
