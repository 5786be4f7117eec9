import { expect } from 'chai';
import { eraseContact } from '../../commands/contacts/erase-contact.js';
import { upsertContact } from '../../commands/contacts/upsert-contact.js';
import { createList } from '../../commands/lists/create-list.js';
import { ConsentGranted, consent, consentStream, noProof } from '../../domain/consent/consent.js';
import { ERASED } from '../../domain/kernel/erased.js';
import type { AnyEvent } from '../../domain/kernel/event.js';
import { ListResubscribed, ListUnsubscribed, membership, membershipStream } from '../../domain/lists/membership.js';
import { AddressSuppressed, suppression, suppressionStream } from '../../domain/suppressions/suppression.js';
import { findContact } from '../../log/aggregates/contacts/load-contact.js';
import { EventLog } from '../../log/runtime/event-log.js';
import { EventTypeRegistry } from '../../log/runtime/event-type-registry.js';
import { eraseContacts } from '../../processes/contacts/erase-contacts.js';
import { loadActiveSuppressions } from '../../projections/consent/active-suppressions.js';
import { loadLedger } from '../../projections/consent/ledger.js';
import { contacts } from '../../projections/contacts/projection.js';
import { loadMemberAt } from '../../projections/lists/member-at.js';
import { lists } from '../../projections/lists/projection.js';
import { listQueries } from '../../projections/lists/queries.js';
import { suppressions } from '../../projections/suppressions/projection.js';
import { suppressionQueries } from '../../projections/suppressions/queries.js';
import { ACCOUNT, TestApp } from '../support/test-app.js';

const NOW = '2026-01-15T10:00:00.000Z';
const EMAIL = 'ada@example.com';
const SOURCE = 'her brother Byron told us';
const ALL = { after: null, descending: true, limit: 10 } as const;

/** These event types as they were before their sources were sealed. */
const legacyTypes = [ConsentGranted, ListUnsubscribed, ListResubscribed, AddressSuppressed].map((type) => {
  const fields = type.personal?.fields.filter((field) => field !== 'source') ?? [];
  const personal = fields.length > 0 && type.personal ? { subject: type.personal.subject, fields } : null;
  return { ...type, version: type.version - 1, personal };
});

for (const age of ['former', 'new'] as const)
  describe(`the source of a ${age} statement`, () => {
    let app: TestApp;
    let contact_id: string;
    let list_id: string;
    let address_key: string;

    before(async () => {
      app = new TestApp([eraseContacts({ erase: (subject) => app.vault.erase(subject) })]);
      contact_id = (await app.execute(upsertContact, { contact: { email: EMAIL }, source: 'api' })).output.contact_id;
      list_id = (await app.execute(createList, { name: 'News', description: null, opt_in: 'single' })).output.id;
      address_key = app.vault.key(ACCOUNT, EMAIL);
      const log = age === 'new' ? app.log : new EventLog(app.engine.events, app.vault, new EventTypeRegistry(legacyTypes));
      const cause = { account: ACCOUNT, actor: { kind: 'key', id: 'k' }, $correlationId: 'r', $causationId: 'r', occurredAt: NOW, invocation: 'r' };
      const append = (stream: string, events: readonly AnyEvent[]) => log.append(stream, 'no-stream', events, cause);
      const about = { contact_id, list_id, now: NOW, source: SOURCE } as const;
      const left: AnyEvent = { type: 'ListUnsubscribed', data: { contact_id, list_id, source: SOURCE, by: 'account', at: NOW } };
      const whole = membership.evolve(membership.initial, left as never);
      await append(membershipStream(contact_id), [left, ...membership.decide({ type: 'Resubscribe', ...about, reason: 'r', proof: 'p' }, whole)]);
      const statement = { channel: 'email', purpose: 'marketing', lawful_basis: 'consent', occurred_at: NOW, proof: noProof } as const;
      const granted = { type: 'Record', status: 'granted', ...statement, contact_id, source: SOURCE, now: NOW } as const;
      await append(consentStream(contact_id), consent.decide({ ...granted, cause: { kind: 'request', id: 'r' } }, consent.initial));
      const entry = { suppression_id: 'sup_1', address_key, address: EMAIL, channel: 'all', reason: 'manual', scope: 'all', via: 'request' } as const;
      const suppress = { type: 'Suppress', ...entry, source: SOURCE, occurred_at: NOW, message_id: null, now: NOW } as const;
      await append(suppressionStream(address_key), suppression.decide(suppress, suppression.initial));
    });

    const stored = async () => {
      const { events } = await app.engine.events.readAll('start', 1_000);
      const docs = await Promise.all([
        app.documents(lists, 'members'),
        app.documents(lists, 'contacts'),
        app.documents(contacts, 'contacts'),
        app.documents(suppressions, 'entries'),
      ]);
      return JSON.stringify([events, docs]);
    };
    const ledgerSources = async () => (await loadLedger(app.log, [contact_id])).map(({ source }) => source);
    const entrySources = async () => {
      await app.documents(suppressions, 'entries');
      const entries = await suppressionQueries({ log: app.log, views: app.views }).entries({ account: ACCOUNT, ...ALL });
      return entries.flatMap(({ item }) => item.reasons.map(({ reason, source }) => `${reason}: ${source}`)).sort();
    };

    it('is read as it was said', async () => {
      const { unified } = await findContact(app.log, ACCOUNT, contact_id);
      await app.documents(lists, 'members');
      const members = await listQueries({ log: app.log, views: app.views }).members(list_id, undefined, ALL);
      expect(await ledgerSources()).to.deep.equal([SOURCE]);
      expect(await entrySources()).to.deep.equal([`manual: ${SOURCE}`]);
      expect(members.map(({ item: { status, source } }) => [status, source])).to.deep.equal([['subscribed', SOURCE]]);
      expect(await loadMemberAt(app.log, list_id, contact_id, NOW)).to.include({ status: 'subscribed', source: SOURCE });
      expect((await loadActiveSuppressions(app.log, unified)).map(({ source }) => source)).to.deep.equal([SOURCE]);
    });

    if (age === 'new')
      it('is stored in boxes only', async () => {
        expect(await stored()).to.not.include('Byron');
      });

    it('is erased with the person', async () => {
      await app.execute(eraseContact, { contact_id });
      await app.run();
      expect(await ledgerSources()).to.deep.equal([ERASED]);
      const membershipEvents = (await app.log.read(membershipStream(contact_id))) ?? [];
      // Before, an event without other personal fields had no sealed box that shows the erasure.
      const sources = membershipEvents.map(({ event }) => (event.data as { source: string }).source);
      expect(sources).to.deep.equal(age === 'new' ? [ERASED, ERASED] : [SOURCE, ERASED]);
      if (age === 'new') expect(await entrySources()).to.deep.equal([`erased: ${ERASED}`, `manual: ${ERASED}`]);
    });
  });
