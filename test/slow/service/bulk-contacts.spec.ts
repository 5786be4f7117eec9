import { expect } from 'chai';
import { eventually } from '../../support/eventually.js';
import { Service } from '../../support/service.js';

describe('one action for many contacts', () => {
  const service = Service.guest();
  const post = (body: unknown, headers = {}) => service.call('POST', '/contacts/bulk', body, headers);
  const contact = async (name: string, tags: string[] = []) =>
    (await service.call('POST', '/contacts', { email: `${name}@example.com`, first_name: name, tags })).body.id as string;
  const done = async (body: unknown) => {
    const { status, body: job, text } = await post(body);
    expect(status, text).to.equal(202);
    return eventually('the job is over', async () => {
      const { body: now } = await service.call('GET', `/jobs/${job.id}`);
      return now.finished_at ? now : undefined;
    });
  };
  const read = async (id: string) => (await service.call('GET', `/contacts/${id}`)).body;
  const fieldsOf = async (body: unknown) => {
    const answer = await post(body);
    expect(answer.status, answer.text).to.equal(422);
    return answer.body.errors.map(({ field }: { field: string }) => field);
  };

  it('gives and takes tags, by a filter or by ids', async () => {
    const ids = [await contact('ann', ['old']), await contact('bea', ['old']), await contact('cid', ['other'])];
    const tagged = await done({ action: 'tag', tags: ['new', 'vip'], filter: { tag: 'old' } });
    expect(tagged).to.include({ kind: 'contact_bulk', status: 'completed', done: 2, errors: 0 });
    expect(tagged.result).to.include({ changed: 2, unchanged: 0, failed: 0 });
    const tags = await Promise.all(ids.map(async (id) => (await read(id)).tags.sort()));
    expect(tags).to.deep.equal([['new', 'old', 'vip'], ['new', 'old', 'vip'], ['other']]);
    const untagged = await done({ action: 'untag', tags: ['old'], ids: [...ids, 'con_00000000000000000000000000'] });
    expect(untagged).to.include({ done: 4, total: 4, errors: 1 });
    expect(untagged.result).to.include({ changed: 2, unchanged: 1, failed: 1 });
    const { data } = (await service.call('GET', `/jobs/${untagged.id}/errors`)).body;
    expect(data.map(({ row, code }: { row: number; code: string }) => [row, code])).to.deep.equal([[4, 'not_found']]);
    expect((await read(ids[0] ?? '')).tags.sort()).to.deep.equal(['new', 'vip']);
  });

  it('adds to a list, and removes from it', async () => {
    const list = (await service.call('POST', '/lists', { name: 'Bulk' })).body.id;
    const ids = [await contact('list1', ['listed']), await contact('list2', ['listed'])];
    expect((await done({ action: 'add_to_list', list_id: list, filter: { tag: 'listed' } })).result.changed).to.equal(2);
    expect((await done({ action: 'add_to_list', list_id: list, filter: { tag: 'listed' } })).result).to.include({ changed: 0, unchanged: 2 });
    expect((await service.call('GET', `/lists/${list}`)).body.counts.subscribed).to.equal(2);
    expect((await done({ action: 'remove_from_list', list_id: list, ids: ids.slice(0, 1) })).result.changed).to.equal(1);
    await eventually('one is left', async () => (await service.call('GET', `/lists/${list}`)).body.counts.subscribed === 1);
  });

  it('suppresses addresses, and deletes', async () => {
    const [one, two] = [await contact('gone1', ['gone']), await contact('gone2', ['gone'])];
    expect((await done({ action: 'suppress', ids: [one] })).result.changed).to.equal(1);
    const { data } = (await service.call('GET', '/account/unsubscribes?address=gone1@example.com')).body;
    expect(data[0]).to.include({ address: 'gone1@example.com', channel: 'all', reason: 'manual' });
    expect((await done({ action: 'delete', filter: { q: 'gone' } })).result.changed).to.equal(2);
    for (const id of [one, two]) expect((await service.call('GET', `/contacts/${id}`)).status).to.equal(404);
    const again = await done({ action: 'delete', ids: [one, two] });
    expect(again.result).to.include({ changed: 0, failed: 2 });
  });

  it('says how many it would be about, and changes nothing', async () => {
    const ids = await Promise.all(Array.from({ length: 7 }, (_, i) => contact(`dry${i}`, ['dry'])));
    const run = await post({ action: 'delete', filter: { tag: 'dry' }, dry_run: true });
    expect([run.status, run.body.dry_run, run.body.total, run.body.sample.length]).to.deep.equal([200, true, { value: 7, exact: true }, 5]);
    expect(ids).to.include.members(run.body.sample.map(({ id }: { id: string }) => id));
    const named = await post({ action: 'tag', tags: ['x'], ids: [...ids.slice(0, 2), 'con_00000000000000000000000000'], dry_run: true });
    expect(named.body.total).to.deep.equal({ value: 2, exact: true });
    expect((await read(ids[0] ?? '')).tags).to.deep.equal(['dry']);
    const none = await post({ action: 'tag', tags: ['x'], filter: { tag: 'nobody' }, dry_run: true });
    expect(none.body).to.deep.equal({ dry_run: true, total: { value: 0, exact: true }, sample: [] });
  });

  it('refuses what is incomplete, all problems at once', async () => {
    expect(await fieldsOf({ action: 'tag', tags: ['x'] })).to.deep.equal(['filter']);
    expect(await fieldsOf({ action: 'tag', filter: {}, ids: ['con_1'] })).to.deep.equal(['filter', 'tags']);
    expect(await fieldsOf({ action: 'add_to_list', filter: { email: 'no address', segment_id: 'seg_1' } })).to.deep.equal([
      ...['filter.email', 'filter.segment_id', 'list_id'],
    ]);
    expect(await fieldsOf({ action: 'add_to_list', list_id: 'lst_1', ids: [] })).to.deep.equal(['ids', 'list_id']);
    expect(await fieldsOf({ action: 'tag', tags: ['x'], filter: { q: 'a' } })).to.deep.equal(['filter.q']);
    expect(await fieldsOf({ action: 'explode', filter: {} })).to.deep.equal(['action']);
    const reader = (await service.call('POST', '/api-keys', { name: 'Reader', scopes: ['read'] })).body.key;
    expect((await post({ action: 'tag', tags: ['x'], filter: {} }, { 'X-API-Key': reader })).body.code).to.equal('insufficient_scope');
    const test = (await service.call('POST', '/api-keys', { name: 'Test', mode: 'test' })).body.key;
    expect((await post({ action: 'tag', tags: ['x'], filter: {} }, { 'X-API-Key': test })).body.code).to.equal('forbidden');
  });

  it('is one job under a key of idempotency, and of one account alone', async () => {
    const mine = await contact('mine');
    const other = await Service.shared();
    const answer = await other.call('POST', '/contacts/bulk', { action: 'tag', tags: ['theirs'], ids: [mine], dry_run: true });
    expect(answer.body.total.value).to.equal(0);
    const all = await other.call('POST', '/contacts/bulk', { action: 'delete', filter: {}, dry_run: true });
    expect(all.body.total.value).to.equal(0);
    const headers = { 'Idempotency-Key': 'bulk-1' };
    const [first, second] = [
      await post({ action: 'tag', tags: ['once'], ids: [mine] }, headers),
      await post({ action: 'tag', tags: ['once'], ids: [mine] }, headers),
    ];
    expect([first.status, second.status, second.body.id]).to.deep.equal([202, 202, first.body.id]);
  });
});
