import { expect } from 'chai';
import { createList } from '../../commands/lists/create-list.js';
import { deleteList } from '../../commands/lists/delete-list.js';
import { contactList, listStream } from '../../domain/lists/list.js';
import { contactRecord } from '../../log/aggregates/contacts/load-contact.js';
import { findOwn, isOwn, loadAggregate, loadHistory, loadOwn } from '../../log/aggregates/load-aggregate.js';
import { aggregates } from '../../log/event-types.js';
import { failureOf } from '../contract/helpers.js';
import { ACCOUNT, TestApp } from '../support/test-app.js';

describe('an aggregate of an account', () => {
  async function setUp() {
    const app = new TestApp();
    const [kept, deleted] = await Promise.all(
      ['News', 'Old'].map(async (name) => (await app.execute(createList, { name, description: null, opt_in: 'single' })).output.id),
    );
    await app.clock.advance(1_000);
    await app.execute(deleteList, { list_id: deleted as string });
    return { app, kept: kept as string, deleted: deleted as string };
  }

  it('is found by its id', async () => {
    const { app, kept } = await setUp();
    const found = await findOwn(app.log, contactList, ACCOUNT, kept);
    expect(found?.state).to.deep.include({ status: 'active', name: 'News' });
    expect(found?.revision).to.equal(0);
  });

  it('does not exist for another account', async () => {
    const { app, kept } = await setUp();
    expect(await findOwn(app.log, contactList, 'acc_OTHER', kept)).to.equal(null);
    const error = await failureOf(loadOwn(app.log, contactList, 'acc_OTHER', kept));
    expect(error).to.deep.include({ code: 'not_found', details: { resource: 'list', id: kept } });
  });

  it('does not exist once it is deleted, unless that is asked for', async () => {
    const { app, deleted } = await setUp();
    expect(await findOwn(app.log, contactList, ACCOUNT, deleted)).to.equal(null);
    expect((await findOwn(app.log, contactList, ACCOUNT, deleted, { includeDeleted: true }))?.state.status).to.equal('deleted');
  });

  it('does not exist before it was made, nor where nothing was', async () => {
    const { app, kept } = await setUp();
    expect(await findOwn(app.log, contactList, ACCOUNT, kept, { until: '2026-01-15T09:59:59.999Z' })).to.equal(null);
    expect(await findOwn(app.log, contactList, ACCOUNT, 'lst_NONE')).to.equal(null);
    expect([isOwn(null, ACCOUNT), isOwn({ account: null }, ACCOUNT), isOwn({ account: ACCOUNT }, ACCOUNT)]).to.deep.equal([false, false, true]);
  });

  it('comes with its events, the runs under idempotency keys, and an earlier state', async () => {
    const { app } = await setUp();
    const by = { key: 'a hash of the key of the caller', fingerprint: 'f' };
    const { id } = (await app.execute(createList, { name: 'Keyed', description: null, opt_in: 'single' }, by)).output;
    const { state, runOf } = await loadAggregate(app.log, contactList, listStream(id));
    expect(state.status).to.equal('active');
    expect([runOf(by.key), runOf('another')]).to.deep.equal([0, undefined]);
    const { events, revision } = await loadHistory(app.log, contactList, listStream(id), { where: () => false });
    expect([events, revision]).to.deep.equal([[], -1]);
  });
});

describe('aggregates with snapshots', () => {
  it('keep their stored names, and a version that says which states can be used', () => {
    const stored = [contactRecord, ...aggregates].flatMap(({ snapshots }) => (snapshots ? [[snapshots.name, snapshots.version]] : []));
    expect(Object.fromEntries(stored)).to.deep.equal({
      account: 6,
      consent: 5,
      contact: 3,
      customFields: 1,
      endpoints: 1,
      form: 1,
      journey: 1,
      keptMails: 1,
      list: 1,
      membership: 3,
      passwordReset: 1,
      recordedScores: 1,
      savedViews: 1,
      secondFactor: 1,
      segment: 2,
      suppression: 3,
      template: 1,
      templatePartial: 1,
      userSessions: 1,
    });
    expect(stored).to.have.length(19);
  });
});
