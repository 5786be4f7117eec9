import { expect } from 'chai';
import type { OutgoingMessage } from '../../carriers/runtime/carrier.js';
import { changeContact } from '../../commands/contacts/change-contact.js';
import { eraseContact } from '../../commands/contacts/erase-contact.js';
import { mergeContact } from '../../commands/contacts/merge-contact.js';
import { upsertContact } from '../../commands/contacts/upsert-contact.js';
import { sendMessage } from '../../commands/messages/send-message.js';
import { contactStream } from '../../domain/contacts/contact.js';
import { contactKeyStream } from '../../domain/contacts/contact-key.js';
import type { Position } from '../../domain/kernel/ports.js';
import { messageStream } from '../../domain/messages/message.js';
import { causesOf } from '../../domain/suppressions/suppression.js';
import { loadSuppression } from '../../log/aggregates/load-suppression.js';
import { findContactsToErase } from '../../ops/app/ports/contacts-to-erase.js';
import { dispatchMessages } from '../../processes/messages/dispatch-messages.js';
import { contacts } from '../../projections/contacts/projection.js';
import { type ContactFilter, contactQueries } from '../../projections/contacts/queries.js';
import { readContact } from '../../projections/contacts/read-contact.js';
import { loadHolderAfter } from '../../projections/webhooks/contact-after.js';
import { carrierThat } from '../carriers/carrier-that.js';
import { ACCOUNT } from '../support/test-app.js';
import { appOverKeptLog } from './kept-log.js';

interface Ids {
  /** Has +525512340001. */
  readonly lua: string;
  /** Has +5511987650000; +551187650000 has sent STOP. */
  readonly rui: string;
  /** Have +5511987654321 and +551187654321. */
  readonly twins: readonly [string, string];
  /** Marketing to Rui, which waits. */
  readonly scheduled: string;
}

/** An account as a version has left it that knew numbers in one spelling only, and what its carrier gets from now on. */
async function start() {
  const handed: OutgoingMessage[] = [];
  const carrier = carrierThat((message) => {
    handed.push(message);
    return { outcome: 'accepted', carrier_message_id: `c-${handed.length}` };
  });
  const { app, ids } = await appOverKeptLog<Ids>('test/golden/logs/two-spellings.json', [dispatchMessages({ routes: () => carrier })]);
  const upsert = async (contact: Record<string, unknown>) => (await app.execute(upsertContact, { contact, source: 'api' })).output;
  const send = async (to: string, category: 'marketing' | 'transactional' = 'marketing') =>
    (await app.execute(sendMessage, { to, channel: 'sms', message: 'Hi', category })).output;
  return { app, ids, handed, upsert, send, key: (address: string) => app.vault.key(ACCOUNT, address) };
}

describe('a log of a version that knew numbers in one spelling only', () => {
  it('has its contacts found by the other spelling, unchanged', async () => {
    const { app, ids, upsert, key } = await start();
    const before = await app.history(contactStream(ids.lua));
    for (const phone of ['+5215512340001', '+525512340001']) {
      const { contact_id, outcome, warnings } = await upsert({ phone });
      expect([contact_id, outcome, warnings]).to.deep.equal([ids.lua, 'unchanged', []]);
    }
    expect(await app.history(contactStream(ids.lua))).to.deep.equal(before);
    expect(await app.history(contactKeyStream(key('+5215512340001')))).to.deep.equal([]);
    expect((await upsert({ phone: '+5215512340001', first_name: 'Luana' })).outcome).to.equal('merged');
    const { resource } = await readContact(app.log, ACCOUNT, ids.lua);
    expect(resource).to.deep.include({ phone: '+525512340001', other_phones: [], first_name: 'Luana' });
  });

  it('has its contacts in lists by either spelling', async () => {
    const { app, ids, key } = await start();
    await app.documents(contacts, 'contacts');
    const filter = { account: ACCOUNT, fields: [], after: null, descending: true, limit: 10 };
    for (const phone of ['+525512340001', '+5215512340001']) {
      const found = await contactQueries(app).page({ ...filter, keys: [key(phone)] });
      expect(found.map(({ item }) => item.unified.tree.id)).to.deep.equal([ids.lua]);
    }
  });

  it('has its suppressions hold for the other spelling, at acceptance and at dispatch', async () => {
    const { app, ids, handed, send } = await start();
    for (const to of ['+5511987650000', '+551187650000', '+5491123456789', '+541123456789'])
      expect(await send(to), to).to.deep.include({ status: 'suppressed' });
    await app.run(172_800_000);
    expect(handed).to.deep.equal([]);
    expect((await app.history(messageStream(ids.scheduled))).at(-1)).to.equal('MessageSuppressed');
    expect((await readContact(app.log, ACCOUNT, ids.rui)).resource.suppressed_channels).to.include('sms');
  });

  it('keeps two contacts with one number apart, each with its own spelling', async () => {
    const { app, ids, upsert } = await start();
    expect((await upsert({ phone: '+5511987654321', first_name: 'One' })).contact_id).to.equal(ids.twins[0]);
    expect((await upsert({ phone: '+551187654321', first_name: 'Two' })).contact_id).to.equal(ids.twins[1]);
    const shown = await Promise.all(ids.twins.map(async (id) => (await readContact(app.log, ACCOUNT, id)).resource));
    expect(shown.map(({ phone, first_name }) => [phone, first_name])).to.deep.equal([
      ['+5511987654321', 'One'],
      ['+551187654321', 'Two'],
    ]);
  });

  it('names the two as possible duplicates, until they are merged', async () => {
    const { app, ids } = await start();
    const [one, two] = ids.twins;
    const duplicatesOf = async (id: string) => (await readContact(app.log, ACCOUNT, id)).resource.possible_duplicates;
    const listed = async (more: Partial<ContactFilter> = {}) => {
      await app.documents(contacts, 'contacts');
      const filter = { account: ACCOUNT, keys: [], fields: [], duplicates: true, after: null, descending: false, limit: 10, ...more } as const;
      return (await contactQueries(app).search(filter)).found.map(({ item }) => item.unified.tree.id);
    };
    expect([await duplicatesOf(one), await duplicatesOf(two), await duplicatesOf(ids.lua)]).to.deep.equal([[two], [one], undefined]);
    expect(await listed()).to.deep.equal([one, two]);
    expect(await listed({ limit: 1 })).to.deep.equal([one]);
    expect(await listed({ tag: 'vip' })).to.deep.equal([]);
    expect(await listed({ account: 'acc_OTHER' })).to.deep.equal([]);
    await app.execute(mergeContact, { contact_id: one, source_contact_id: two });
    expect([await duplicatesOf(one), await listed()]).to.deep.equal([undefined, []]);
  });

  it('takes the other spelling where a request changes the number of a contact to it', async () => {
    const { app, ids, upsert } = await start();
    await app.execute(changeContact, { contact_id: ids.lua, change: { phone: '+5215512340001' }, expected_version: null });
    const { resource } = await readContact(app.log, ACCOUNT, ids.lua);
    expect(resource).to.deep.include({ phone: '+5215512340001', other_phones: [] });
    for (const phone of ['+5215512340001', '+525512340001']) expect((await upsert({ phone })).contact_id).to.equal(ids.lua);
  });

  it('names its contact in what webhooks tell of the other spelling', async () => {
    const { app, ids, key } = await start();
    const head = await app.engine.events.head();
    const holder = (address: string) => loadHolderAfter(app.log, ACCOUNT, { key: key(address), address }, head as Position);
    for (const address of ['+5215512340001', '+525512340001']) expect((await holder(address))?.id, address).to.equal(ids.lua);
    expect((await holder('+551187654321'))?.id).to.equal(ids.twins[1]);
    expect(await holder('+525512349999')).to.equal(null);
  });

  it('is erased under both spellings', async () => {
    const { app, ids, key, send } = await start();
    const { id } = await send('+5215512340001', 'transactional');
    expect(await findContactsToErase(app.log, [key('+5215512340001'), key('+525512340001')])).to.deep.equal([ids.lua]);
    await app.execute(eraseContact, { contact_id: ids.lua });
    for (const phone of ['+525512340001', '+5215512340001'])
      expect(causesOf(await loadSuppression(app.log, key(phone))).map(({ reason }) => reason)).to.deep.equal(['erased']);
    expect(id).to.match(/^msg_/);
  });
});
