import { expect } from 'chai';
import type { OutgoingMessage } from '../../carriers/runtime/carrier.js';
import { recordConsent } from '../../commands/consent/record-consent.js';
import { changeContact } from '../../commands/contacts/change-contact.js';
import { deleteContact } from '../../commands/contacts/delete-contact.js';
import { eraseContact } from '../../commands/contacts/erase-contact.js';
import { upsertContact } from '../../commands/contacts/upsert-contact.js';
import { sendMessage } from '../../commands/messages/send-message.js';
import { receiveInbound } from '../../commands/suppressions/receive-inbound.js';
import { defaultSettings, type Settings } from '../../domain/accounts/settings.js';
import { contactKey, contactKeyStream } from '../../domain/contacts/contact-key.js';
import type { DomainError } from '../../domain/kernel/errors.js';
import { loadAggregate } from '../../log/aggregates/load-aggregate.js';
import { dispatchMessages } from '../../processes/messages/dispatch-messages.js';
import { followKeywords } from '../../processes/suppressions/follow-keywords.js';
import { readContact } from '../../projections/contacts/read-contact.js';
import { carrierThat } from '../carriers/carrier-that.js';
import { ACCOUNT, TestApp } from '../support/test-app.js';

const numbers: readonly (readonly [one: string, other: string])[] = [
  ['+525512340001', '+5215512340001'],
  ['+5491123456789', '+541123456789'],
  ['+551187654321', '+5511987654321'],
];

function start(rules: Partial<Settings> = {}) {
  const handed: OutgoingMessage[] = [];
  const carrier = carrierThat((message) => {
    handed.push(message);
    return { outcome: 'accepted', carrier_message_id: `c-${handed.length}` };
  });
  const follow = followKeywords({ sender: async () => ({ name: 'Acme', contact: 'help@acme.example' }) });
  const settings = { ...defaultSettings('Acme', 'UTC'), quiet_hours: { enabled: false, start: '21:00', end: '08:00' }, ...rules } as Settings;
  const app = new TestApp([follow, dispatchMessages({ routes: () => carrier })], { messages: { marketingRules: () => settings } });
  const upsert = async (contact: Record<string, unknown>, more: Record<string, unknown> = {}) =>
    (await app.execute(upsertContact, { contact, source: 'api', ...more })).output;
  let texts = 0;
  return {
    app,
    handed,
    upsert,
    send: async (to: string, category: 'marketing' | 'transactional' = 'marketing') =>
      (await app.execute(sendMessage, { to, channel: 'whatsapp', message: 'Hi', category })).output,
    async receive(text: string, from: string) {
      const about = { carrier: 'recorder', carrier_message_id: `in-${++texts}`, channel: 'whatsapp', from, to: '+14155550999', text } as const;
      await app.execute(receiveInbound, { ...about, answered: false });
      await app.run();
      await app.clock.advance(1_000);
    },
    /** The contact that has claimed a number, or null. */
    async claimant(phone: string): Promise<string | null> {
      const { state } = await loadAggregate(app.log, contactKey, contactKeyStream(app.vault.key(ACCOUNT, phone)));
      return state.status === 'claimed' ? state.contact_id : null;
    },
    show: async (id: string) => (await readContact(app.log, ACCOUNT, id)).resource,
  };
}

for (const [one, other] of numbers)
  describe(`a number with two spellings, ${one}`, () => {
    it('has one contact, who claims both and keeps the given one', async () => {
      const acme = start();
      const { contact_id, outcome } = await acme.upsert({ phone: one });
      expect(outcome).to.equal('created');
      for (const phone of [one, other]) {
        expect(await acme.claimant(phone)).to.equal(contact_id);
        expect(await acme.upsert({ phone })).to.deep.include({ contact_id, outcome: 'unchanged', warnings: [] });
      }
      expect(await acme.show(contact_id)).to.deep.include({ phone: one, other_phones: [] });
    });

    it('has one contact where two requests create it at once', async () => {
      const acme = start();
      const made = await Promise.all([one, other, one, other].map((phone) => acme.upsert({ phone })));
      expect(new Set(made.map(({ contact_id }) => contact_id)).size).to.equal(1);
    });

    it('is refused in both spellings after a STOP by one of them, and not after the START by the other', async () => {
      const acme = start();
      const { contact_id } = await acme.upsert({ phone: one });
      await acme.receive('STOP', other);
      for (const to of [one, other]) expect(await acme.send(to), to).to.deep.include({ status: 'suppressed' });
      expect((await acme.show(contact_id)).suppressed_channels).to.deep.equal(['whatsapp']);
      acme.handed.length = 0;
      await acme.receive('START', one);
      expect(acme.handed.map(({ to }) => to)).to.deep.equal([one]);
      for (const to of [one, other]) expect((await acme.send(to)).status, to).to.equal('queued');
      await acme.app.run();
      expect(acme.handed.map(({ to }) => to)).to.deep.equal([one, one, other]);
    });

    it('counts as one recipient of a frequency cap, with a contact and without', async () => {
      for (const withContact of [false, true]) {
        const acme = start({ frequency_caps: [{ channel: 'any', max: 2, per: 'P1D' }] });
        if (withContact) await acme.upsert({ phone: one });
        for (const to of [one, other, one, other]) {
          await acme.send(to);
          await acme.app.run(1_000);
        }
        expect(
          acme.handed.map(({ to }) => to),
          String(withContact),
        ).to.deep.equal([one, other]);
      }
    });

    it('has the consents of its contact in both spellings', async () => {
      const acme = start();
      const { contact_id } = await acme.upsert({ phone: one });
      const about = { channel: 'whatsapp', purpose: 'marketing', status: 'withdrawn', lawful_basis: 'consent', source: 'api', proof: {} } as const;
      await acme.app.execute(recordConsent, { contact_id, ...about, cause: { kind: 'request', id: 'req_1' } });
      for (const to of [one, other]) expect((await acme.send(to)).status_reason, to).to.equal('no_consent');
      for (const to of [one, other]) expect((await acme.send(to, 'transactional')).status, to).to.equal('queued');
    });

    it('that has sent STOP gets the answer to HELP by the other', async () => {
      const acme = start();
      await acme.receive('STOP', one);
      acme.handed.length = 0;
      await acme.receive('HELP', other);
      expect(acme.handed.map(({ to }) => to)).to.deep.equal([other]);
    });

    it('is stopped while a message waits', async () => {
      const acme = start();
      await acme.app.execute(sendMessage, {
        ...{ to: one, channel: 'whatsapp', message: 'Sale', category: 'marketing', send_at: '2026-01-16T10:00:00.000Z' },
      });
      await acme.receive('STOP', other);
      acme.handed.length = 0;
      await acme.app.run(172_800_000);
      expect(acme.handed).to.deep.equal([]);
    });

    it('joins a contact by its email and one by the other spelling', async () => {
      const acme = start();
      const byPhone = await acme.upsert({ phone: one });
      await acme.app.clock.advance(1_000);
      const byEmail = await acme.upsert({ email: 'ada@x.test' });
      const joined = await acme.upsert({ email: 'ada@x.test', phone: other });
      expect(joined).to.deep.include({ contact_id: byPhone.contact_id, merge_ids: joined.merge_ids });
      expect(joined.merge_ids).to.have.length(1);
      expect((await acme.show(byEmail.contact_id)).id).to.equal(byPhone.contact_id);
      expect(await acme.show(byPhone.contact_id)).to.deep.include({ phone: one, other_phones: [], email: 'ada@x.test' });
    });

    it('stays with its contact where a row with another email names the other spelling', async () => {
      const acme = start();
      const { contact_id } = await acme.upsert({ phone: one, email: 'ada@x.test' });
      expect((await acme.upsert({ phone: other, email: 'bob@x.test' })).warnings.map(({ code }) => code)).to.deep.equal(['matched_by_phone']);
      const apart = await acme.upsert({ phone: other, email: 'eve@x.test' }, { on_conflict: 'keep_separate' });
      expect(apart).to.deep.include({ warnings: [{ code: 'phone_kept_by', field: 'phone', contact_id }], outcome: 'created' });
      expect((await acme.show(apart.contact_id)).phone).to.equal(null);
      expect(await acme.claimant(other)).to.equal(contact_id);
    });

    it('is no further number of its own contact', async () => {
      const acme = start();
      const { contact_id } = await acme.upsert({ phone: one, other_phones: [other] });
      await acme.upsert({ phone: one, other_phones: [other] });
      expect((await acme.show(contact_id)).other_phones).to.deep.equal([]);
      const further = await acme.upsert({ email: 'ada@x.test', other_phones: [other] });
      expect(further.warnings.map(({ code }) => code)).to.deep.equal(['phone_kept_by']);
    });

    it('is changed to the other spelling by a request that names the contact, which forgets nothing', async () => {
      const acme = start();
      const { contact_id } = await acme.upsert({ phone: one });
      const change = (to: Record<string, unknown>) => acme.app.execute(changeContact, { contact_id, change: to, expected_version: null });
      await change({ phone: other });
      expect(await acme.show(contact_id)).to.deep.include({ phone: other, other_phones: [] });
      for (const phone of [one, other]) expect((await acme.upsert({ phone })).contact_id).to.equal(contact_id);
      await change({ phone: '+14155550100', forget_previous: true });
      expect(await acme.show(contact_id)).to.deep.include({ phone: '+14155550100', other_phones: [] });
      for (const phone of [one, other]) expect(await acme.claimant(phone), phone).to.equal(null);
      const next = await acme.upsert({ phone: one });
      expect(next.contact_id).not.to.equal(contact_id);
      expect(await acme.claimant(other)).to.equal(next.contact_id);
    });

    it('is not given to another contact by a request', async () => {
      const acme = start();
      const owner = await acme.upsert({ phone: one });
      const { contact_id } = await acme.upsert({ email: 'ada@x.test' });
      const change = { contact_id, change: { phone: other }, expected_version: null };
      const refused = await acme.app.execute(changeContact, change).catch((e: unknown) => e as DomainError);
      expect(refused).to.deep.include({ code: 'conflict', details: { contact_ids: [owner.contact_id] } });
    });

    it('is free in both spellings once its contact is deleted or erased', async () => {
      const acme = start();
      for (const end of ['deleted', 'erased']) {
        const { contact_id } = await acme.upsert({ phone: one });
        if (end === 'deleted') await acme.app.execute(deleteContact, { contact_id });
        else await acme.app.execute(eraseContact, { contact_id });
        for (const phone of [one, other]) expect(await acme.claimant(phone), phone).to.equal(null);
      }
      for (const to of [one, other]) expect((await acme.send(to)).status, to).to.equal('suppressed');
    });
  });
