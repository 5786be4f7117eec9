import { expect } from 'chai';
import { recordConsent } from '../../commands/consent/record-consent.js';
import { changeContact } from '../../commands/contacts/change-contact.js';
import { deleteContact } from '../../commands/contacts/delete-contact.js';
import { eraseAddresses, eraseContact } from '../../commands/contacts/erase-contact.js';
import { mergeContact } from '../../commands/contacts/merge-contact.js';
import { unmergeContact } from '../../commands/contacts/unmerge-contact.js';
import { upsertContact } from '../../commands/contacts/upsert-contact.js';
import { recordEvent } from '../../commands/events/record-event.js';
import { sendMessage } from '../../commands/messages/send-message.js';
import { startDispatch } from '../../commands/messages/start-dispatch.js';
import { consentStream } from '../../domain/consent/consent.js';
import { contactStream } from '../../domain/contacts/contact.js';
import { ERASURES, type ErasureCommand, type ErasureEvent, erasure, erasureStream } from '../../domain/contacts/erasure.js';
import { customEventStream } from '../../domain/events/custom-event.js';
import { ERASED } from '../../domain/kernel/erased.js';
import { isDomainError } from '../../domain/kernel/errors.js';
import type { AnyEvent } from '../../domain/kernel/event.js';
import type { Doc } from '../../domain/kernel/ports.js';
import { messageStream } from '../../domain/messages/message.js';
import { causesOf, suppression, suppressionStream } from '../../domain/suppressions/suppression.js';
import { openMemoryViews } from '../../engines/memory/index.js';
import { loadSuppression } from '../../log/aggregates/load-suppression.js';
import { ErasedKeyEviction } from '../../log/runtime/erased-key-eviction.js';
import { findContactsToErase } from '../../ops/app/ports/contacts-to-erase.js';
import { eraseContacts } from '../../processes/contacts/erase-contacts.js';
import { readContact } from '../../projections/contacts/read-contact.js';
import { projections } from '../../projections/registry.js';
import { buildUpTo } from '../../projections/runtime/build.js';
import { eventually } from '../support/eventually.js';
import { FailingWrites } from '../support/failing-writes.js';
import { followNames } from '../support/follow-changed-streams.js';
import { ACCOUNT, TestApp } from '../support/test-app.js';
import { withAppend } from '../support/with-append.js';

const NOW = '2026-01-15T10:00:00.000Z';
const EMAIL = 'ada@example.com';
const OLD_EMAIL = 'countess@example.com';
const PHONE = '+14155550100';
/** Has a space, so that no key or sealed text contains it by chance. */
const NAME = 'Ada Augusta';

describe('an erasure', () => {
  const asked = { erasure_id: 'evt_1', contact_id: 'con_1', address_keys: [] };
  const done = { erasure_id: 'evt_1', contact_ids: ['con_1'], address_keys: ['key'] };
  const at = '2026-01-15T10:00:00.000Z';
  const running = erasure.evolve(erasure.initial, { type: 'ErasureRequested', data: { ...asked, at } });

  it('is requested once and completed once, and not before its request', () => {
    expect(erasure.decide({ type: 'Request', ...asked, now: at }, erasure.initial)).to.have.length(1);
    expect(erasure.decide({ type: 'Request', ...asked, now: at }, running)).to.deep.equal([]);
    expect(erasure.decide({ type: 'Complete', ...done, now: at }, erasure.initial)).to.deep.equal([]);
    const [completed] = erasure.decide({ type: 'Complete', ...done, now: at }, running) as [ErasureEvent];
    expect(completed).to.deep.equal({ type: 'ErasureCompleted', data: { ...done, at } });
    const after = erasure.evolve(running, completed);
    expect(erasure.decide({ type: 'Complete', ...done, now: at }, after)).to.deep.equal([]);
    const sweep: ErasureCommand = { type: 'Sweep', erasure_id: 'evt_1', contact_ids: ['con_1'], now: at };
    expect(erasure.decide(sweep, running)).to.deep.equal([]);
    const [swept] = erasure.decide(sweep, after) as [ErasureEvent];
    expect(erasure.decide(sweep, erasure.evolve(after, swept))).to.deep.equal([]);
  });
});

describe('erasing a contact', () => {
  let app: TestApp;
  let failing: FailingWrites;
  let older: string;
  let younger: string;
  let ids: { message: string; event: string };

  beforeEach(scene);

  /** A contact of two parts, with something of each kind that is kept of people. */
  async function scene(): Promise<void> {
    app = new TestApp([eraseContacts({ erase: (subject) => failing.eraser.erase(subject) })]);
    failing = new FailingWrites(app);
    older = await made({ email: OLD_EMAIL, first_name: NAME, tags: ['vip'] });
    await app.clock.advance(1_000);
    younger = await made({ phone: PHONE, last_name: 'Lovelace' });
    await app.execute(changeContact, { contact_id: older, change: { email: EMAIL, forget_previous: true }, expected_version: null });
    await app.execute(mergeContact, { contact_id: older, source_contact_id: younger });
    const { output: message } = await app.execute(sendMessage, { to: OLD_EMAIL, channel: 'email', message: `Dear ${NAME}` });
    const { output: event } = await app.execute(recordEvent, { contact: { phone: PHONE }, event: 'seen', properties: { where: 'in London' } });
    await app.execute(recordConsent, {
      contact_id: older,
      channel: 'email',
      purpose: 'marketing',
      status: 'granted',
      lawful_basis: 'consent',
      source: 'form',
      proof: { form_id: null, text_version: null, text: `Yes, says ${NAME}`, ip: null, user_agent: null },
      cause: { kind: 'request', id: 'req_1' },
    });
    ids = { message: message.id, event: event.id };
    await app.clock.advance(1_000);
  }

  const made = async (contact: object) => (await app.execute(upsertContact, { contact, source: 'api' })).output.contact_id;
  const erase = (contact_id: string, cause = {}, over: Pick<TestApp, 'execute'> = app) =>
    over.execute(eraseContact, { contact_id }, cause).then(({ output }) => output);
  const codeOf = (work: Promise<unknown>) =>
    work.then(
      () => 'fine',
      (e: unknown) => (isDomainError(e) ? e.code : Promise.reject(e)),
    );
  const read = (id: string) => codeOf(readContact(app.log, ACCOUNT, id));
  const dataOf = async (stream: string) => JSON.stringify((await app.log.read(stream))?.map(({ event }) => event.data));
  const reasons = async (address: string) =>
    causesOf(await loadSuppression(app.log, app.vault.key(ACCOUNT, address))).map(({ channel, reason }) => `${channel} ${reason}`);

  async function expectErased(what: string): Promise<void> {
    expect([await read(older), await read(younger)], what).to.deep.equal(['contact_erased', 'contact_erased']);
    for (const id of [older, younger]) expect((await app.history(contactStream(id))).at(-1), what).to.equal('ContactErased');
    const all = await Promise.all(
      [contactStream(older), contactStream(younger), consentStream(older), messageStream(ids.message), customEventStream(ids.event)].map(dataOf),
    );
    for (const text of [EMAIL, OLD_EMAIL, PHONE, NAME, 'Lovelace', 'in London']) expect(all.join(), what).to.not.include(text);
    for (const address of [EMAIL, OLD_EMAIL, PHONE]) expect(await reasons(address), what).to.deep.equal(['all erased']);
  }

  it('makes the personal data of the contact and its parts unreadable for good', async () => {
    const asked = await erase(younger);
    expect(asked.status).to.equal('running');
    expect(await read(older)).to.equal('contact_erased');
    await app.run();
    await expectErased('done');
    expect(await app.history(erasureStream(asked.erasure_id))).to.deep.equal(['ErasureRequested', 'ErasureCompleted', 'ErasureSwept']);
    const [message] = (await app.log.read(messageStream(ids.message))) ?? [];
    expect(message?.event.data).to.deep.include({ to: ERASED, content: { message: ERASED } });
  });

  it('is the same for repeated requests, also under an idempotency key', async () => {
    const asked = await erase(older, { key: 'K', fingerprint: 'f' });
    expect(await erase(older, { key: 'K', fingerprint: 'f' })).to.deep.equal(asked);
    await app.run();
    expect(await erase(younger)).to.deep.equal({ ...asked, status: 'completed' });
    expect(await app.todos()).to.deep.equal([]);
    expect((await app.history(contactStream(older))).filter((type) => type === 'ContactErased')).to.have.length(1);
  });

  it('suppresses addresses that another contact claims at the same moment', async () => {
    for (let [moment, appends] = [1, 1]; moment <= appends; moment++) {
      await scene();
      appends = 0;
      const watched = withAppend(app.engine.events, async (...given) => {
        const appended = await app.engine.events.append(...given);
        appends += 1;
        if (appends === moment) for (const address of [{ email: EMAIL }, { phone: PHONE }]) await codeOf(made(address));
        return appended;
      });
      await erase(older, {}, app.nodeOver(watched));
      await app.run();
      for (const address of [EMAIL, PHONE]) expect(await reasons(address), `taken after append ${moment}`).to.deep.equal(['all erased']);
    }
  });

  it('is recorded once where its process is done before its request goes on', async () => {
    const overtaken = withAppend(app.engine.events, async (...given) => {
      const appended = await app.engine.events.append(...given);
      if (!given[0].startsWith(ERASURES)) return appended;
      await app.clock.advance(1_000);
      await app.run(1_000);
      return appended;
    });
    const { erasure_id } = await erase(older, {}, app.nodeOver(overtaken));
    expect(await app.history(erasureStream(erasure_id))).to.deep.equal(['ErasureRequested', 'ErasureCompleted']);
    for (const address of [EMAIL, OLD_EMAIL, PHONE]) {
      const key = app.vault.key(ACCOUNT, address);
      expect(await app.history(suppressionStream(key)), address).to.deep.equal(['AddressSuppressed']);
    }
  });

  it('is completed wherever its process is killed', async () => {
    for (let writes = 1, killed = true; killed; writes++) {
      await scene();
      failing.left = writes;
      killed = await erase(older, {}, app.nodeOver(failing.events)).then(
        () => false,
        () => true,
      );
      const destroyed = failing.left;
      failing.left = Number.POSITIVE_INFINITY;
      await app.run();
      await expectErased(`killed at write ${writes}`);
      expect(await app.todos(), `with ${destroyed} left`).to.deep.equal([]);
    }
    for (let keys = 0, killed = true; killed; keys++) {
      await scene();
      await erase(older);
      failing.left = keys;
      killed = await app.run().then(
        () => false,
        () => true,
      );
      failing.left = Number.POSITIVE_INFINITY;
      await app.run();
      await expectErased(`killed at key ${keys}`);
    }
  });

  it('makes data unreadable that a request sealed after the erasure', async () => {
    const { erasure_id } = await erase(older);
    await app.run(1_000);
    expect(await app.history(erasureStream(erasure_id))).to.deep.equal(['ErasureRequested', 'ErasureCompleted']);
    const late = { event_id: 'evt_late', contact_id: older, name: 'seen', properties: { where: 'too late' }, occurred_at: NOW, at: NOW };
    const [sealed] = await app.log.seal([{ type: 'CustomEventRecorded', data: late }]);
    const cause = {
      account: ACCOUNT,
      actor: { kind: 'key', id: 'key_TEST' },
      $correlationId: 'r',
      $causationId: 'r',
      occurredAt: NOW,
      invocation: 'r',
    };
    await app.log.append(customEventStream('evt_late'), 'no-stream', [sealed as AnyEvent], cause);
    expect(await dataOf(customEventStream('evt_late'))).to.include('too late');
    await app.run();
    expect(await dataOf(customEventStream('evt_late'))).to.not.include('too late');
    expect(await app.todos()).to.deep.equal([]);
  });

  it('frees the address for a later contact, and keeps it suppressed', async () => {
    await erase(older);
    await app.run();
    const later = await made({ email: EMAIL, phone: PHONE });
    expect(later).to.not.be.oneOf([older, younger]);
    const { resource } = await readContact(app.log, ACCOUNT, later);
    expect(resource).to.deep.include({ email: EMAIL, phone: PHONE, first_name: null, tags: [], merged_ids: [] });
    expect(resource.suppressed_channels).to.include.members(['email', 'sms']);
    const { output } = await app.execute(sendMessage, { to: EMAIL, channel: 'email', message: 'Hello' });
    expect(output).to.include({ status: 'suppressed', status_reason: 'erased' });
    expect([await read(older), await read(younger)]).to.deep.equal(['contact_erased', 'contact_erased']);
  });

  it('cancels messages that were queued before, also once the suppression is lifted', async () => {
    await erase(older);
    await app.run();
    const address_key = app.vault.key(ACCOUNT, OLD_EMAIL);
    const take = { id: ids.message, toKey: address_key, channel: 'email', category: 'transactional', hasStream: true } as const;
    const lift = { type: 'Lift', suppression_id: 'sup_1', address_key, channel: 'all', by: 'request', because: 'a mistake', proof: null } as const;
    const lifted = suppression.decide({ ...lift, now: NOW }, await loadSuppression(app.log, address_key));
    const { revision } = (await app.log.read(suppressionStream(address_key)))?.at(-1) ?? { revision: -1 };
    const cause = { account: ACCOUNT, actor: { kind: 'key', id: 'k' }, $correlationId: 'r', $causationId: 'r', occurredAt: NOW, invocation: 'r' };
    await app.log.append(suppressionStream(address_key), revision, lifted, cause);
    const { output } = await app.execute(startDispatch, { ...take, carrier: 'sandbox', epoch: 1, on_unknown_outcome: 'retry' });
    expect(output.state).to.include({ status: 'suppressed', reason: 'erased' });
  });

  it('leaves alone an address that another contact has now', async () => {
    const other = await made({ email: OLD_EMAIL, first_name: 'Grace' });
    await erase(older);
    await app.run();
    expect((await readContact(app.log, ACCOUNT, other)).resource).to.include({ email: OLD_EMAIL, first_name: 'Grace' });
    expect(await reasons(OLD_EMAIL)).to.deep.equal([]);
    expect(await reasons(EMAIL)).to.deep.equal(['all erased']);
  });

  it('leaves alone a part that was unmerged before', async () => {
    const { output } = await app.execute(mergeContact, { contact_id: older, source_contact_id: younger });
    await app.execute(unmergeContact, { contact_id: older, merge_id: output.merge_id });
    await erase(older);
    await app.run();
    expect((await readContact(app.log, ACCOUNT, younger)).resource).to.include({ phone: PHONE, last_name: 'Lovelace' });
    expect(await reasons(PHONE)).to.deep.equal([]);
  });

  it('erases a deleted contact with the parts that were deleted with it', async () => {
    await app.execute(deleteContact, { contact_id: older });
    expect(await read(younger)).to.equal('not_found');
    await erase(younger);
    await app.run();
    await expectErased('deleted before');
  });

  it('leaves read models equal to rebuilt ones', async () => {
    const present = async (): Promise<[string, string, Doc[]][]> => {
      const all: [string, string, Doc[]][] = [];
      for (const projection of projections)
        for (const collection of Object.keys(projection.collections))
          all.push([projection.name, collection, await app.documents(projection, collection)]);
      return all;
    };
    const before = JSON.stringify(await present());
    expect(before).to.include(older);
    await erase(older);
    await app.run();
    const after = await present();
    const rebuilt = await Promise.all(
      projections.map(async (projection) => {
        const writer = await openMemoryViews({ clock: app.clock }).views.writer(projection);
        await buildUpTo(projection, { log: app.log }, writer, new AbortController().signal);
        return Promise.all(
          Object.keys(projection.collections).map(async (collection) => {
            const documents: Doc[] = [];
            for await (const document of writer.scan(collection)) documents.push(document);
            return [projection.name, collection, documents];
          }),
        );
      }),
    );
    expect(after).to.deep.equal(rebuilt.flat());
    const contacts = after.find(([name, collection]) => name === 'contacts' && collection === 'contacts');
    expect(contacts?.[2]).to.deep.equal([]);
  });

  it('returns not_found for contacts of other accounts', async () => {
    expect(await codeOf(erase(older, { account: 'acc_OTHER' }))).to.equal('not_found');
    expect(await codeOf(erase('con_none'))).to.equal('not_found');
    expect(await read(older)).to.equal('fine');
  });

  it('erases an address that no contact has', async () => {
    const { output: message } = await app.execute(sendMessage, { to: 'nobody@example.com', channel: 'email', message: 'Dear nobody' });
    const address_key = app.vault.key(ACCOUNT, 'nobody@example.com');
    expect(await findContactsToErase(app.log, [address_key])).to.deep.equal([]);
    await app.execute(eraseAddresses, { address_keys: [address_key] });
    await app.run();
    expect(await dataOf(messageStream(message.id))).to.not.include('nobody');
    expect(await reasons('nobody@example.com')).to.deep.equal(['all erased']);
    expect(await read(older)).to.equal('fine');
  });

  it('finds the contacts of an address: its holder, and those that had it when deleted', async () => {
    const keyOf = (address: string) => findContactsToErase(app.log, [app.vault.key(ACCOUNT, address)]);
    expect(await keyOf(EMAIL)).to.deep.equal([older]);
    expect(await keyOf(PHONE)).to.deep.equal([younger]);
    expect(await keyOf(OLD_EMAIL)).to.deep.equal([]);
    await app.execute(deleteContact, { contact_id: older });
    expect(await keyOf(EMAIL)).to.deep.equal([older]);
  });

  it('evicts cached keys on every node', async () => {
    const forgotten: string[] = [];
    const ending = new AbortController();
    const eviction = new ErasedKeyEviction(app.log, { evict: (subject) => void forgotten.push(subject) });
    const watching = followNames(app.log, { events: [ERASURES] }, 'start', ending.signal, ({ events }) => {
      for (const event of events) eviction.note(event);
    });
    await erase(older);
    await app.run();
    await eventually('both contacts, twice, and three addresses are forgotten', () => forgotten.length === 7);
    ending.abort();
    await watching;
    expect(forgotten).to.include.members([older, younger, app.vault.key(ACCOUNT, EMAIL), app.vault.key(ACCOUNT, PHONE)]);
  });
});
