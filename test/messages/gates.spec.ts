import { expect } from 'chai';
import { recordConsent } from '../../commands/consent/record-consent.js';
import { mergeContact } from '../../commands/contacts/merge-contact.js';
import { upsertContact } from '../../commands/contacts/upsert-contact.js';
import { addToList } from '../../commands/lists/add-to-list.js';
import { createList } from '../../commands/lists/create-list.js';
import { cancelMessage } from '../../commands/messages/cancel-message.js';
import type { MessageRequest } from '../../commands/messages/request.js';
import { sendBulk } from '../../commands/messages/send-bulk.js';
import { sendMessage } from '../../commands/messages/send-message.js';
import { suppressAddress } from '../../commands/suppressions/suppress-address.js';
import { defaultSettings, mergeSettings, type SettingsPatch } from '../../domain/accounts/settings.js';
import { frequencyStream } from '../../domain/messages/frequency.js';
import { messageStream } from '../../domain/messages/message.js';
import { dispatchMessages } from '../../processes/messages/dispatch-messages.js';
import { carrierThat } from '../carriers/carrier-that.js';
import { marketingConsent } from '../consent/marketing-consent.js';
import { TestApp } from '../support/test-app.js';

const ada = 'ada@example.com';
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** A service with one account with these settings. The clock begins at 10:00 UTC on 15 January 2026. */
function start(patch: SettingsPatch = {}) {
  const handed: { id: string; at: string }[] = [];
  let failing = 0;
  const carrier = carrierThat(({ message_id }) => {
    if (failing-- > 0) return { outcome: 'transient_error', code: null, error: 'busy' };
    handed.push({ id: message_id, at: new Date(app.clock.now()).toISOString() });
    return { outcome: 'accepted', carrier_message_id: `c-${handed.length}` };
  });
  let settings = mergeSettings(defaultSettings('Acme', 'UTC'), patch);
  const app: TestApp = new TestApp([dispatchMessages({ routes: () => carrier })], { messages: { marketingRules: () => settings } });
  const request = (given: Partial<MessageRequest> = {}): MessageRequest => ({
    to: ada,
    channel: 'email',
    subject: 'News',
    message: 'News',
    category: 'marketing',
    ...given,
  });
  return {
    app,
    handed,
    request,
    change: (next: SettingsPatch) => {
      settings = mergeSettings(settings, next);
    },
    fail: (times: number) => {
      failing = times;
    },
    async send(given: Partial<MessageRequest> & { dry_run?: boolean } = {}) {
      return (await app.execute(sendMessage, { ...request(given), ...(given.dry_run && { dry_run: true }) })).output;
    },
    async bulk(...items: Partial<MessageRequest>[]) {
      const all = items.map((given, index) => ({ index, request: request(given) }));
      return (await app.execute(sendBulk, { received: all.length, items: all, problems: [], atomic: false })).output.messages;
    },
    contact: async (contact: Record<string, unknown>) => (await app.execute(upsertContact, { contact, source: 'api' })).output.contact_id,
    giveConsent: (contact_id: string, status: 'granted' | 'withdrawn' | 'pending', channel: 'email' | 'sms' | 'all' = 'email') =>
      app.execute(recordConsent, marketingConsent(contact_id, status, channel)),
    historyOf: (id: string) => app.history(messageStream(id)),
  };
}

const NIGHT = { quiet_hours: { enabled: true, start: '21:00', end: '08:00' } };
const outcomeOf = ({ status, status_reason = null, ...rest }: { status: string; status_reason?: string | null; scheduled_at?: string | null }) => [
  status,
  status_reason ?? rest.scheduled_at ?? null,
];

describe('the gate of consent', () => {
  it('passes marketing to recipients without a consent record, and to those with a grant', async () => {
    const { send, contact, giveConsent } = start();
    expect(outcomeOf(await send())).to.deep.equal(['queued', null]);
    const id = await contact({ email: ada });
    expect(outcomeOf(await send())).to.deep.equal(['queued', null]);
    await giveConsent(id, 'granted');
    expect(outcomeOf(await send())).to.deep.equal(['queued', null]);
  });

  for (const status of ['withdrawn', 'pending'] as const) {
    it(`refuses marketing when consent is ${status}, on its channel or on all, and nothing else`, async () => {
      const { send, contact, giveConsent } = start();
      const id = await contact({ email: ada, phone: '+14155550100' });
      await giveConsent(id, status);
      expect(outcomeOf(await send())).to.deep.equal(['suppressed', 'no_consent']);
      expect(outcomeOf(await send({ dry_run: true }))).to.deep.equal(['suppressed', 'no_consent']);
      expect(outcomeOf(await send({ category: 'transactional' }))).to.deep.equal(['queued', null]);
      expect(outcomeOf(await send({ channel: 'sms', to: '+14155550100' }))).to.deep.equal(['queued', null]);
      await giveConsent(id, status, 'all');
      expect(outcomeOf(await send({ channel: 'sms', to: '+14155550100' }))).to.deep.equal(['suppressed', 'no_consent']);
    });
  }

  it('still refuses whom an earlier release recorded as pending because of a list, and nothing else, until there is a grant', async () => {
    const { app, send, contact, giveConsent } = start();
    const id = await contact({ email: ada, phone: '+14155550100' });
    const about = { contact_id: id, channel: 'email', purpose: 'marketing', status: 'pending', proof: {} } as const;
    const cause = { kind: 'message', id: 'msg_MAIL' } as const;
    await app.execute(recordConsent, { ...about, lawful_basis: 'consent', source: 'double_opt_in', cause });
    expect(outcomeOf(await send())).to.deep.equal(['suppressed', 'no_consent']);
    expect(outcomeOf(await send({ channel: 'sms', to: '+14155550100' }))).to.deep.equal(['queued', null]);
    expect(outcomeOf(await send({ category: 'transactional' }))).to.deep.equal(['queued', null]);
    await giveConsent(id, 'granted');
    expect(outcomeOf(await send())).to.deep.equal(['queued', null]);
  });

  it('refuses who came by a form or an import of an earlier release, and is on no list, or has not confirmed any', async () => {
    const { app, send, giveConsent } = start();
    // Such releases recorded no basis.
    const made = async (email: string, source: 'form' | 'import' | 'api', ...lists: string[]) => {
      const id = (await app.execute(upsertContact, { contact: { email }, source })).output.contact_id;
      for (const list_id of lists)
        await app.execute(addToList, { list_id, contact_ids: [id], emails: [], phones: [], by: 'account', source: 'import', base_url: null });
      return id;
    };
    const list = async (opt_in: 'single' | 'double') => (await app.execute(createList, { name: opt_in, description: null, opt_in })).output.id;
    const [single, double] = [await list('single'), await list('double')];
    await made('form@x.test', 'form');
    const pending = await made('pending@x.test', 'form', double);
    await made('listed@x.test', 'form', single);
    await made('imported@x.test', 'import');
    await made('awaited@x.test', 'import', double);
    await made('both@x.test', 'import', double, single);
    await made('named@x.test', 'api', double);
    const outcome = async (name: string) => (await send({ to: `${name}@x.test` })).status;
    const names = ['form', 'pending', 'listed', 'imported', 'awaited', 'both', 'named'];
    const outcomes = Object.fromEntries(await Promise.all(names.map(async (name) => [name, await outcome(name)] as const)));
    const [yes, no] = ['queued', 'suppressed'];
    expect(outcomes).to.deep.equal({ form: no, pending: no, listed: yes, imported: yes, awaited: no, both: yes, named: yes });
    await giveConsent(pending, 'granted');
    expect(await outcome('pending')).to.equal('queued');
  });

  it('requires a grant on channels with the rule opt_in', async () => {
    const { send, contact, giveConsent } = start({ marketing_consent: { email: 'opt_in' } });
    expect(outcomeOf(await send())).to.deep.equal(['suppressed', 'no_consent']);
    expect(outcomeOf(await send({ channel: 'sms', to: '+14155550100' }))).to.deep.equal(['queued', null]);
    await giveConsent(await contact({ email: ada }), 'granted');
    expect(outcomeOf(await send())).to.deep.equal(['queued', null]);
  });

  it('includes the consents of merged contacts', async () => {
    const { app, send, contact, giveConsent } = start();
    const older = await contact({ email: ada });
    await app.clock.advance(1_000);
    const younger = await contact({ phone: '+14155550100' });
    await giveConsent(younger, 'withdrawn');
    expect(outcomeOf(await send())).to.deep.equal(['queued', null]);
    await app.execute(mergeContact, { contact_id: older, source_contact_id: younger });
    expect(outcomeOf(await send())).to.deep.equal(['suppressed', 'no_consent']);
  });

  it('suppresses a waiting message when consent is withdrawn; a suppression is the first reason', async () => {
    const { app, send, bulk, contact, giveConsent, historyOf, handed } = start();
    const id = await contact({ email: ada });
    const single = await send();
    const [inBulk] = await bulk({});
    const needed = await send({ category: 'transactional' });
    await giveConsent(id, 'withdrawn');
    await app.run();
    expect(handed.map((message) => message.id)).to.deep.equal([needed.id]);
    expect(await historyOf(single.id)).to.deep.equal(['MessageQueued', 'MessageSuppressed']);
    expect(await historyOf(inBulk?.id ?? '')).to.deep.equal(['MessageQueued', 'MessageSuppressed']);
    await app.execute(suppressAddress, { address: ada, channel: 'email', reason: 'manual', source: 'spec' });
    expect(outcomeOf(await send())).to.deep.equal(['suppressed', 'manual']);
  });

  it('suppresses every message of a bulk to a recipient who sent STOP between acceptance and dispatch', async () => {
    const { app, bulk, handed } = start();
    const [to, other] = ['+14155550100', '+14155550101'];
    const accepted = await bulk(
      { channel: 'sms', to },
      { channel: 'sms', to: other },
      { channel: 'sms', to, category: 'transactional', message: 'Code' },
    );
    expect(accepted.map(outcomeOf)).to.deep.equal([...Array(3)].map(() => ['queued', null]));
    await app.execute(suppressAddress, { address: to, channel: 'sms', reason: 'stop_keyword', source: 'keyword' });
    await app.run();
    expect(handed.map(({ id }) => id)).to.deep.equal([accepted[1]?.id]);
  });
});

describe('the gate of quiet hours', () => {
  it('delays marketing until they end in the account’s time zone, and never transactional messages', async () => {
    const { app, send, handed } = start({ ...NIGHT, timezone: 'America/Los_Angeles' });
    const later = await send();
    expect(outcomeOf(later)).to.deep.equal(['scheduled', '2026-01-15T16:00:00.000Z']);
    expect(outcomeOf(await send({ dry_run: true }))).to.deep.equal(['scheduled', '2026-01-15T16:00:00.000Z']);
    const now = await send({ category: 'transactional' });
    await app.run(DAY);
    expect(handed).to.deep.equal([
      { id: now.id, at: '2026-01-15T10:00:00.000Z' },
      { id: later.id, at: '2026-01-15T16:00:00.000Z' },
    ]);
    const [event] = (await app.log.read(messageStream(later.id))) ?? [];
    expect(event?.event.data).to.include({ because: 'quiet_hours', send_at: '2026-01-15T16:00:00.000Z' });
  });

  it('uses the recipient’s time zone if it is known, also for a send_at of the caller', async () => {
    const { send, contact } = start(NIGHT);
    await contact({ email: ada, timezone: 'Asia/Tokyo' });
    await contact({ email: 'eve@example.com', timezone: 'America/New_York' });
    const send_at = '2026-01-15T13:00:00.000Z';
    expect(outcomeOf(await send({ send_at }))).to.deep.equal(['scheduled', '2026-01-15T23:00:00.000Z']);
    expect(outcomeOf(await send({ to: 'eve@example.com', send_at }))).to.deep.equal(['scheduled', send_at]);
  });

  it('delays a message of a bulk until they end', async () => {
    const { app, bulk, handed, contact } = start(NIGHT);
    await contact({ email: ada, timezone: 'Asia/Kathmandu' });
    await app.clock.advance(6 * HOUR);
    const [message] = await bulk({});
    await app.run(DAY);
    expect(handed).to.deep.equal([{ id: message?.id, at: '2026-01-16T02:15:00.000Z' }]);
  });

  it('is checked again at dispatch, for a recipient who moved or a message that was delayed into them', async () => {
    const { app, send, bulk, contact, historyOf, handed } = start(NIGHT);
    await contact({ email: ada });
    const single = await send();
    const [inBulk] = await bulk({});
    await contact({ email: ada, timezone: 'Asia/Tokyo' });
    await app.clock.advance(3 * HOUR);
    await app.run(DAY);
    const again = ['MessageQueued', 'MessageScheduled', 'MessageReleased', 'MessageDispatchStarted', 'MessageSent'];
    expect(await historyOf(single.id)).to.deep.equal(again);
    expect(await historyOf(inBulk?.id ?? '')).to.deep.equal(again);
    expect(handed.map(({ at }) => at)).to.deep.equal(['2026-01-15T23:00:00.000Z', '2026-01-15T23:00:00.000Z']);

    const evening = start({ ...NIGHT, frequency_caps: [{ channel: 'email', max: 1, per: 'P1D' }] });
    await evening.app.clock.advance(11 * HOUR - 500);
    evening.fail(1);
    const tried = await evening.send();
    await evening.app.run(2 * DAY);
    expect(evening.handed).to.deep.equal([{ id: tried.id, at: '2026-01-16T08:00:00.000Z' }]);
    // The time of the dispatch counts.
    const places = (await evening.app.log.read(frequencyStream(evening.app.vault.key('acc_TEST', ada)))) ?? [];
    expect(places.map(({ event }) => event.type)).to.deep.equal(['FrequencyPlaceTaken', 'FrequencyPlaceReleased', 'FrequencyPlaceTaken']);
  });

  it('counts against the time to live of a message', async () => {
    const { app, send, historyOf } = start(NIGHT);
    await app.clock.advance(12 * HOUR);
    const { id } = await send({ ttl_seconds: 3_600 });
    await app.run(2 * HOUR);
    expect(await historyOf(id)).to.deep.equal(['MessageScheduled', 'MessageExpired']);
    const [, expired] = (await app.log.read(messageStream(id))) ?? [];
    expect(expired?.event.data).to.deep.equal({ at: '2026-01-15T23:00:00.000Z' });
  });
});

describe('the gate of frequency', () => {
  const twoADay = { frequency_caps: [{ channel: 'email' as const, max: 2, per: 'P1D' }] };

  it('passes the configured number of messages per recipient in a rolling window', async () => {
    const { app, send, handed } = start(twoADay);
    const first = await send();
    await app.run(0);
    await app.clock.advance(HOUR);
    const second = await send();
    await app.run(0);
    expect(outcomeOf(await send())).to.deep.equal(['suppressed', 'frequency_cap']);
    expect(outcomeOf(await send({ dry_run: true }))).to.deep.equal(['suppressed', 'frequency_cap']);
    const [eve, needed] = [await send({ to: 'eve@example.com' }), await send({ category: 'transactional' })];
    await app.run(0);
    expect(handed.map(({ id }) => id)).to.deep.equal([first.id, second.id, eve.id, needed.id]);
    await app.clock.advance(23 * HOUR - 1);
    expect(outcomeOf(await send())).to.deep.equal(['suppressed', 'frequency_cap']);
    await app.clock.advance(1);
    expect(outcomeOf(await send())).to.deep.equal(['queued', null]);
    await app.run(0);
    expect(outcomeOf(await send())).to.deep.equal(['suppressed', 'frequency_cap']);
  });

  it('never passes more, however many are accepted at once', async () => {
    const { app, bulk, handed, historyOf } = start(twoADay);
    const messages = await bulk({}, {}, {}, {}, {});
    expect(messages.every(({ status }) => status === 'queued')).to.equal(true);
    await app.run();
    expect(handed).to.have.length(2);
    const histories = await Promise.all(messages.map(({ id }) => historyOf(id)));
    expect(histories.filter((events) => events.at(-1) === 'MessageSuppressed')).to.have.length(3);
  });

  it('counts all channels and addresses of a contact, also those of merged contacts', async () => {
    const { app, send, contact } = start({ frequency_caps: [{ channel: 'any', max: 3, per: 'P7D' }] });
    const phone = '+14155550100';
    // Before the contact of the address exists.
    await send();
    await app.run(0);
    const older = await contact({ email: ada });
    await send();
    await app.run(0);
    await app.clock.advance(1_000);
    const younger = await contact({ phone });
    await send({ channel: 'sms', to: phone });
    await app.run(0);
    expect(outcomeOf(await send())).to.deep.equal(['queued', null]);
    await app.execute(mergeContact, { contact_id: older, source_contact_id: younger });
    expect(outcomeOf(await send())).to.deep.equal(['suppressed', 'frequency_cap']);
    expect(outcomeOf(await send({ channel: 'sms', to: phone }))).to.deep.equal(['suppressed', 'frequency_cap']);
  });

  it('counts a message with several attempts once, and one that is not sent not at all', async () => {
    const { app, send, fail, handed, historyOf } = start({ frequency_caps: [{ channel: 'email', max: 1, per: 'P1D' }] });
    fail(2);
    const tried = await send();
    await app.run();
    expect(handed.map(({ id }) => id)).to.deep.equal([tried.id]);
    expect(await app.history(frequencyStream(app.vault.key('acc_TEST', ada)))).to.deep.equal(['FrequencyPlaceTaken']);
    await app.clock.advance(2 * DAY);
    const canceled = await send();
    await app.execute(cancelMessage, { id: canceled.id, batch_id: null });
    await app.run();
    const next = await send();
    await app.run();
    expect((await historyOf(next.id)).at(-1)).to.equal('MessageSent');
  });

  it('counts nothing without a cap', async () => {
    const { app, send, change } = start({ frequency_caps: [{ channel: 'sms', max: 1, per: 'P1D' }] });
    await send();
    await app.run(0);
    expect(await app.history(frequencyStream(app.vault.key('acc_TEST', ada)))).to.deep.equal([]);
    change(twoADay);
    expect(outcomeOf(await send())).to.deep.equal(['queued', null]);
  });
});
