import { expect } from 'chai';
import { createAccount } from '../../commands/accounts/create-account.js';
import { issueKey } from '../../commands/accounts/issue-key.js';
import { revokeKey } from '../../commands/accounts/revoke-key.js';
import { changeContact } from '../../commands/contacts/change-contact.js';
import { type AccountEvent, account, accountStream } from '../../domain/accounts/account.js';
import { type ContactEvent, contactStream } from '../../domain/contacts/contact.js';
import { ERASED } from '../../domain/kernel/erased.js';
import type { AnyEvent } from '../../domain/kernel/event.js';
import { loadContact } from '../../log/aggregates/contacts/load-contact.js';
import { loadAggregate } from '../../log/aggregates/load-aggregate.js';
import { eventTypes } from '../../log/event-types.js';
import { EventLog } from '../../log/runtime/event-log.js';
import { AggregateCache } from '../../log/snapshots/aggregate-snapshots.js';
import { readContact } from '../../projections/contacts/read-contact.js';
import { cheapPasswords } from '../support/cheap-passwords.js';
import { ACCOUNT, TestApp } from '../support/test-app.js';
import { at, CHANGES, cause, contactWith, counting, EMAIL } from './growing-streams.js';

describe('a stream that has grown', () => {
  it('is read from the last change on: each change of a contact reads as many events after 10,000 as after none', async () => {
    const app = new TestApp();
    const { store, take } = counting(app.engine.events);
    const node = app.nodeOver(store);
    const id = await contactWith(app, CHANGES);
    const change = (first_name: string) => node.execute(changeContact, { contact_id: id, change: { first_name }, expected_version: null });
    await change('Grace');
    expect(take()).to.be.at.least(CHANGES);
    await change('Mary');
    expect(take()).to.be.at.most(2);
    await node.execute(changeContact, { contact_id: id, change: { email: EMAIL, tags: ['new'] }, expected_version: CHANGES + 3 });
    expect(take()).to.be.at.most(5);
    const { resource } = await readContact(app.log, ACCOUNT, id);
    expect(resource).to.deep.include({ email: EMAIL, first_name: 'Mary', last_name: 'Lovelace', tags: ['new'], version: CHANGES + 4 });
  });

  it('is decided as the whole stream says, by a state that another node has outrun', async () => {
    const app = new TestApp();
    const id = await contactWith(app, 100);
    const node = app.nodeOver(counting(app.engine.events).store);
    await node.execute(changeContact, { contact_id: id, change: { first_name: 'Grace' }, expected_version: null });
    await app.execute(changeContact, { contact_id: id, change: { first_name: 'Mary' }, expected_version: null });
    await node.execute(changeContact, { contact_id: id, change: { tags: ['vip'] }, expected_version: 103 });
    const { resource } = await readContact(app.log, ACCOUNT, id);
    expect(resource).to.deep.include({ first_name: 'Mary', tags: ['vip'], version: 104 });
  });

  it('is read as of an earlier time and with its events as before', async () => {
    const app = new TestApp();
    const id = await contactWith(app, 100);
    await loadContact(app.log, id);
    const { state, events } = await loadContact(app.log, id);
    expect(state.status === 'active' && state.facts.values.first_name?.value).to.equal('Ada 99');
    expect((await events()).map(({ event }) => (event as ContactEvent).data.at)).to.have.length(101);
    const { position } = (await events())[51] as { position: string };
    const before = await loadContact(app.log, id, { position });
    expect(before.past.count).to.equal(52);
    expect(before.state.status === 'active' && before.state.facts.values.first_name?.value).to.equal('Ada 50');
  });

  it('keeps personal fields sealed, and shows none of them once their key is destroyed', async () => {
    const app = new TestApp();
    const id = await contactWith(app, 100);
    await loadContact(app.log, id);
    const kept = app.log.aggregateCache?.get('contact', contactStream(id));
    expect(kept?.revision).to.equal(100);
    expect(JSON.stringify(kept)).not.to.contain('Lovelace').and.not.to.contain('Ada ').and.not.to.contain(EMAIL);
    await app.vault.erase(id);
    const { state } = await loadContact(app.log, id);
    const { values } = state.status === 'new' ? expect.fail() : state.facts;
    expect([values.email?.value, values.first_name?.value, values.last_name?.value]).to.deep.equal([ERASED, ERASED, ERASED]);
  });

  it('is read from the last change on where keys of an account were issued and revoked 10,000 times', async () => {
    const app = new TestApp([], { accounts: { passwords: cheapPasswords() } });
    const { store, take } = counting(app.engine.events);
    const node = app.nodeOver(store);
    const { output } = await app.execute(createAccount, { name: 'Acme', email: EMAIL, password: 'a long password' });
    const stream = accountStream(output.account_id);
    const own = { account: output.account_id };
    const { revision } = await loadAggregate(app.log, account, stream);
    const past = Array.from({ length: CHANGES / 2 }, (_, nth): AccountEvent[] => [
      { type: 'ApiKeyIssued', data: { key_id: `key_${nth}`, name: 'old', prefix: 'hg', hash: String(nth), scopes: null, at: at(nth) } },
      { type: 'ApiKeyRevoked', data: { key_id: `key_${nth}`, at: at(nth) } },
    ]).flat();
    await app.log.append(stream, revision, past as AnyEvent[], cause);
    const issued = await node.execute(issueKey, { name: 'new', scopes: null, granted_by: null }, own);
    take();
    await node.execute(revokeKey, { key_id: issued.output.id }, own);
    expect(take()).to.equal(1);
    const repeated = await node.execute(revokeKey, { key_id: 'key_0' }, own);
    expect(repeated.position).to.equal('start');
    expect(take()).to.equal(1);
    const keyed = { ...own, key: 'key of the request, hashed', fingerprint: 'request' };
    await node.execute(issueKey, { name: 'keyed', scopes: null, granted_by: null }, keyed);
    expect(take()).to.be.at.most(2);
    const again = await node.execute(issueKey, { name: 'keyed', scopes: null, granted_by: null }, keyed);
    expect(again.replayed).to.equal(true);
    const other = await node
      .execute(issueKey, { name: 'other', scopes: null, granted_by: null }, { ...keyed, fingerprint: 'other' })
      .catch((e: unknown) => e);
    expect(other).to.include({ code: 'idempotency_key_reused' });
  });

  it('costs memory up to a limit: what was used least recently is read again', async () => {
    const app = new TestApp();
    const { store, take } = counting(app.engine.events);
    const id = await contactWith(app, 100);
    const small = new EventLog(store, app.vault, eventTypes, new AggregateCache(10));
    await loadContact(small, id);
    expect(take()).to.equal(101);
    await loadContact(small, id);
    expect(take()).to.equal(101);
  });
});
