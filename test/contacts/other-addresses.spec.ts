import { expect } from 'chai';
import { changeContact } from '../../commands/contacts/change-contact.js';
import { eraseContact } from '../../commands/contacts/erase-contact.js';
import { upsertContact } from '../../commands/contacts/upsert-contact.js';
import { sendMessage } from '../../commands/messages/send-message.js';
import { contactStream } from '../../domain/contacts/contact.js';
import { applyPatch, emptyPatch, type Facts, noFacts } from '../../domain/contacts/facts.js';
import { otherAddressesOf, placeAddresses, shownName, withOtherAddresses } from '../../domain/contacts/other-addresses.js';
import { messageStream } from '../../domain/messages/message.js';
import { causesOf } from '../../domain/suppressions/suppression.js';
import { loadSuppression } from '../../log/aggregates/load-suppression.js';
import { findContactsToErase } from '../../ops/app/ports/contacts-to-erase.js';
import { eraseContacts } from '../../processes/contacts/erase-contacts.js';
import { contacts } from '../../projections/contacts/projection.js';
import { contactQueries } from '../../projections/contacts/queries.js';
import { readContact } from '../../projections/contacts/read-contact.js';
import { FailingWrites } from '../support/failing-writes.js';
import { ACCOUNT, TestApp } from '../support/test-app.js';

const at = '2026-01-15T10:00:00.000Z';
const factsOf = (personal: Record<string, string>, keys: Record<string, string>): Facts =>
  applyPatch(noFacts, { ...emptyPatch, personal, said: Object.keys(personal), keys }, at);
const patchOf = (email: string, key: string) => ({ ...emptyPatch, personal: { email }, said: ['email'], keys: { email: key } });
const ann = factsOf({ email: 'ann@x.test' }, { email: 'A' });

describe('the further addresses of a contact', () => {
  it('take the address that was the primary one, unless it is to be forgotten', () => {
    const placed = placeAddresses(patchOf('new@x.test', 'N'), new Map(), ann);
    expect(placed.personal).to.deep.equal({ email: 'new@x.test', 'other_emails.A': 'ann@x.test' });
    expect(placed.keys).to.deep.equal({ email: 'N', 'other_emails.A': 'A' });
    expect(placeAddresses(patchOf('new@x.test', 'N'), new Map(), ann, new Set(['A'])).keys).to.deep.equal({ email: 'N' });
  });

  it('lose an address that becomes the primary one', () => {
    const both = factsOf({ email: 'ann@x.test', 'shared_emails.B': 'bob@x.test' }, { email: 'A', 'shared_emails.B': 'B' });
    const placed = placeAddresses(patchOf('bob@x.test', 'B'), new Map(), both);
    expect(placed.keys).to.deep.equal({ email: 'B', 'shared_emails.B': null, 'other_emails.A': 'A' });
    expect(placed.cleared).to.deep.equal(['shared_emails.B']);
    const after = applyPatch(both, placed, at);
    expect(otherAddressesOf(after, 'other_emails')).to.deep.equal(['ann@x.test']);
  });

  it('take nothing that the contact has already, and nothing that belongs nowhere', () => {
    for (const to of ['other', 'shared', 'nowhere'] as const)
      expect(placeAddresses(patchOf('ann@x.test', 'A'), new Map([['email', to]]), ann).keys).to.deep.equal({});
    expect(placeAddresses(patchOf('b@x.test', 'B'), new Map([['email', 'shared']]), ann).personal).to.deep.equal({ 'shared_emails.B': 'b@x.test' });
  });

  it('include those of the members whose own email is not that of all', () => {
    const bob = factsOf({ email: 'bob@x.test', 'other_emails.C': 'c@x.test' }, { email: 'B', 'other_emails.C': 'C' });
    const unified = { ...bob, values: { ...bob.values, email: ann.values.email as never }, keys: { ...bob.keys, email: ann.keys.email as never } };
    expect(otherAddressesOf(withOtherAddresses(unified, [{ facts: ann }, { facts: bob }]), 'other_emails')).to.deep.equal(['bob@x.test', 'c@x.test']);
  });

  it('are shown by the names that requests have', () => {
    expect(['email', 'other_emails.K', 'shared_emails.K', 'other_phones.K', 'custom_fields.other_emails', 'first_name'].map(shownName)).to.deep.equal(
      [...['email', 'other_emails', 'other_emails', 'other_phones', 'custom_fields.other_emails', 'first_name']],
    );
  });
});

describe('a contact with further addresses', () => {
  let app: TestApp;
  beforeEach(() => {
    app = new TestApp([eraseContacts({ erase: (subject) => new FailingWrites(app).eraser.erase(subject) })]);
  });
  const made = async (contact: object) => (await app.execute(upsertContact, { contact, source: 'api' })).output.contact_id;

  it('is the same in the read model as in the log, also as a merged one', async () => {
    const phone = '+14155550166';
    const id = await made({ email: 'known@example.com', phone, other_emails: ['further@example.com'] });
    await made({ email: 'shared@example.com', phone });
    await app.execute(changeContact, { contact_id: id, change: { email: 'now@example.com' }, expected_version: null });
    const docs = await app.documents(contacts, 'contacts');
    expect(docs).to.have.length(1);
    const [listed] = await contactQueries({ log: app.log, views: app.views }).show(docs as never);
    const { resource } = await readContact(app.log, ACCOUNT, id);
    expect(resource.other_emails).to.deep.equal(['further@example.com', 'known@example.com', 'shared@example.com']);
    expect(otherAddressesOf(listed?.facts as Facts, 'other_emails')).to.deep.equal(resource.other_emails);
  });

  it('is erased with them: what was sent to them, and the addresses themselves', async () => {
    const shared = 'shared@example.com';
    const phone = '+14155550166';
    const known = await made({ email: 'known@example.com', phone, other_emails: ['further@example.com'] });
    expect(await made({ email: shared, phone })).to.equal(known);
    await app.execute(changeContact, { contact_id: known, change: { email: 'now@example.com' }, expected_version: null });
    const addresses = ['known@example.com', 'further@example.com', shared, 'now@example.com', phone];
    const { output } = await app.execute(sendMessage, { to: 'further@example.com', channel: 'email', message: 'Dear Further' });
    expect(await findContactsToErase(app.log, [app.vault.key(ACCOUNT, shared)])).to.deep.equal([known]);
    await app.execute(eraseContact, { contact_id: known });
    await app.run();
    const dataOf = async (stream: string) => JSON.stringify((await app.log.read(stream))?.map(({ event }) => event.data));
    const all = [await dataOf(contactStream(known)), await dataOf(messageStream(output.id))].join();
    for (const text of [...addresses, 'Dear Further']) expect(all).to.not.include(text);
    for (const address of addresses) {
      const causes = causesOf(await loadSuppression(app.log, app.vault.key(ACCOUNT, address)));
      expect(
        causes.map(({ channel, reason }) => `${channel} ${reason}`),
        address,
      ).to.deep.equal(['all erased']);
      expect(await made(address.includes('@') ? { email: address } : { phone: address })).to.not.equal(known);
    }
  });
});
