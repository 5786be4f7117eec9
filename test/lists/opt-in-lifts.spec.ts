import { expect } from 'chai';
import { changeContact } from '../../commands/contacts/change-contact.js';
import { upsertContact } from '../../commands/contacts/upsert-contact.js';
import { addToList } from '../../commands/lists/add-to-list.js';
import { confirmSubscription } from '../../commands/lists/confirm-subscription.js';
import { createList } from '../../commands/lists/create-list.js';
import { leaveList } from '../../commands/lists/leave-list.js';
import { suppressAddress } from '../../commands/suppressions/suppress-address.js';
import { consentStream } from '../../domain/consent/consent.js';
import { membershipStream } from '../../domain/lists/membership.js';
import { causesOf, suppressionStream } from '../../domain/suppressions/suppression.js';
import { loadSuppression } from '../../log/aggregates/load-suppression.js';
import { confirmSubscriptions } from '../../processes/lists/confirm-subscriptions.js';
import { FailingWrites } from '../support/failing-writes.js';
import { ACCOUNT, TestApp } from '../support/test-app.js';

const ADA = 'ada@example.com';
type Reason = Partial<Parameters<typeof suppressAddress.handle>[0]>;

/** Ada was asked by email to confirm that she wants to be on a list. */
async function asked({ test = false } = {}) {
  const app = new TestApp([confirmSubscriptions({ key: Buffer.alloc(32, 3), baseUrl: 'https://messages.example.com' })]);
  const by = test ? ({ test: true } as const) : {};
  const { contact_id } = (await app.execute(upsertContact, { contact: { email: ADA }, source: 'api' }, by)).output;
  const list_id = (await app.execute(createList, { name: 'News', description: null, opt_in: 'double' })).output.id;
  const references = { contact_ids: [contact_id], emails: [], phones: [] };
  await app.execute(addToList, { list_id, ...references, by: 'account', source: 'api', base_url: null }, by);
  await app.run(1_000);
  const [request] = (await app.log.read(membershipStream(contact_id))) ?? [];
  const { request_id = '' } = (request?.event.data ?? {}) as { request_id?: string };
  const press = (node: Pick<TestApp, 'execute'> = app) =>
    node.execute(confirmSubscription, { contact_id, list_id, request_id, ip: '203.0.113.7', user_agent: 'Browser/1' });
  const suppress = (about: Reason) =>
    app.execute(suppressAddress, { address: ADA, channel: 'email', reason: 'unsubscribed', source: 'page', via: 'page', ...about });
  const address_key = app.vault.key(ACCOUNT, ADA);
  return {
    app,
    contact_id,
    list_id,
    press,
    suppress,
    active: async () => causesOf(await loadSuppression(app.log, address_key)).map(({ reason }) => reason),
    changes: () => app.history(suppressionStream(address_key)),
    lifted: async () => (await app.log.read(suppressionStream(address_key)))?.find(({ event }) => event.type === 'SuppressionLifted')?.event.data,
  };
}

describe('a confirmed double opt-in', () => {
  for (const via of ['page', 'one_click'] as const)
    it(`lifts the opt-out from marketing email that came by ${via}, with the mail and the text as its cause`, async () => {
      const { press, suppress, active, lifted, list_id } = await asked();
      await suppress({ via });
      await press();
      expect(await active()).to.deep.equal([]);
      const { message_id, proof, ...about } = (await lifted()) as unknown as Record<string, string>;
      expect(about).to.deep.include({ by: 'opt_in', channel: 'email', reasons: ['unsubscribed'], list_id });
      expect(message_id).to.match(/^msg_/);
      expect(proof).to.contain('News');
    });

  const kept: [string, Reason][] = [
    ['an opt-out from all messages', { scope: 'all' }],
    ['an opt-out that the account recorded', { via: 'request', scope: 'marketing' }],
    ['an imported opt-out', { via: 'import', scope: 'marketing' }],
    ['a complaint', { reason: 'complained', via: 'feedback' }],
    ['a hard bounce', { reason: 'bounced', via: 'feedback' }],
    ['a STOP', { reason: 'stop_keyword', via: 'keyword' }],
    ['an entry for all channels', { channel: 'all' }],
    ['an entry for another channel', { channel: 'sms' }],
  ];
  for (const [what, about] of kept)
    it(`does not lift ${what}`, async () => {
      const { press, suppress, active } = await asked();
      await suppress(about);
      await press();
      expect(await active()).to.deep.equal([about.reason ?? 'unsubscribed']);
    });

  it('lifts nothing for an address that the mail was not sent to', async () => {
    const { app, contact_id, press, suppress, active } = await asked();
    await app.execute(changeContact, { contact_id, change: { email: 'lovelace@example.com' }, expected_version: null });
    await suppress({ address: 'lovelace@example.com' });
    await suppress({});
    await press();
    expect(await active()).to.deep.equal([]);
    const other = await loadSuppression(app.log, app.vault.key(ACCOUNT, 'lovelace@example.com'));
    expect(causesOf(other)).to.have.length(1);
  });

  it('of a test key lifts nothing', async () => {
    const { press, suppress, active } = await asked({ test: true });
    await suppress({});
    expect((await press()).output.changed).to.equal(true);
    expect(await active()).to.deep.equal(['unsubscribed']);
  });

  it('does not lift what the person says afterward when its link is used again', async () => {
    const { app, contact_id, list_id, press, suppress, active } = await asked();
    await press();
    await suppress({});
    expect((await press()).output.changed).to.equal(false);
    await app.execute(leaveList, { list_id, contact_id, by: 'person', source: 'page' });
    await press().catch(() => null);
    expect(await active()).to.deep.equal(['unsubscribed']);
  });

  it('is complete when the button is pressed again after a crash, wherever that was, and recorded once', async () => {
    for (let writes = 0, done = false; !done; writes++) {
      const { app, contact_id, press, suppress, changes, active } = await asked();
      await suppress({});
      const failing = new FailingWrites(app);
      failing.left = writes;
      done = await press(app.nodeOver(failing.events)).then(
        () => true,
        () => false,
      );
      await press();
      expect(await active(), `after ${writes} writes`).to.deep.equal([]);
      expect(await changes()).to.deep.equal(['AddressSuppressed', 'SuppressionLifted']);
      expect(await app.history(consentStream(contact_id))).to.deep.equal(['ConsentGranted']);
      expect((await app.history(membershipStream(contact_id))).filter((type) => type === 'ListSubscribed')).to.have.length(1);
      if (done) expect(writes).to.equal(3);
    }
  });
});
