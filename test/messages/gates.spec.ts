import { expect } from 'chai';
import type { Carrier } from '../../carriers/kernel.js';
import { recordConsent } from '../../commands/consent/record-consent.js';
import { mergeContact } from '../../commands/contacts/merge-contact.js';
import { upsertContact } from '../../commands/contacts/upsert-contact.js';
import { cancelMessage } from '../../commands/messages/cancel-message.js';
import type { MessageRequest } from '../../commands/messages/request.js';
import { sendBulk } from '../../commands/messages/send-bulk.js';
import { sendMessage } from '../../commands/messages/send-message.js';
import { suppressionGate } from '../../commands/suppressions/gate.js';
import { suppressAddress } from '../../commands/suppressions/suppress-address.js';
import { defaultSettings, mergeSettings, type SettingsPatch } from '../../domain/accounts/settings.js';
import { channelNames } from '../../domain/messages/channels.js';
import { frequencyStream } from '../../domain/messages/frequency.js';
import { messageStream } from '../../domain/messages/message.js';
import { dispatchMessages } from '../../processes/messages/dispatch-messages.js';
import { Play } from '../standins/play.js';

const ada = 'ada@example.com';
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** A service that sends for one account with these settings. The clock begins at 10:00 UTC on 15 January 2026. */
function start(patch: SettingsPatch = {}) {
  const handed: { id: string; at: string }[] = [];
  let failing = 0;
  const carrier: Carrier = {
    name: 'recorder',
    channels: channelNames,
    deduplicates: true,
    async send({ message_id }) {
      if (failing-- > 0) return { outcome: 'passing_error', code: null, error: 'busy' };
      handed.push({ id: message_id, at: new Date(play.clock.now()).toISOString() });
      return { outcome: 'accepted', carrier_message_id: `c-${handed.length}` };
    },
  };
  let settings = mergeSettings(defaultSettings('Acme', 'UTC'), patch);
  const play: Play = new Play([dispatchMessages({ routes: () => carrier })], (log) => ({ ...suppressionGate(log), marketingRules: () => settings }));
  const request = (given: Partial<MessageRequest> = {}): MessageRequest => ({
    to: ada,
    channel: 'email',
    subject: 'News',
    message: 'News',
    category: 'marketing',
    ...given,
  });
  return {
    play,
    handed,
    request,
    change: (next: SettingsPatch) => {
      settings = mergeSettings(settings, next);
    },
    fail: (times: number) => {
      failing = times;
    },
    async send(given: Partial<MessageRequest> & { dry_run?: boolean } = {}) {
      return (await play.execute(sendMessage, { ...request(given), ...(given.dry_run && { dry_run: true }) })).output;
    },
    async bulk(...items: Partial<MessageRequest>[]) {
      const all = items.map((given, index) => ({ index, request: request(given) }));
      return (await play.execute(sendBulk, { received: all.length, items: all, problems: [], atomic: false })).output.messages;
    },
    contact: async (contact: Record<string, unknown>) => (await play.execute(upsertContact, { contact, source: 'api' })).output.contact_id,
    say: (contact_id: string, status: 'granted' | 'withdrawn' | 'pending', channel: 'email' | 'sms' | 'all' = 'email') =>
      play.execute(recordConsent, {
        contact_id,
        channel,
        purpose: 'marketing',
        status,
        lawful_basis: 'consent',
        source: 'spec',
        proof: {},
        cause: { kind: 'request', id: 'req_SPEC' },
      }),
    story: (id: string) => play.story(messageStream(id)),
  };
}

const NIGHT = { quiet_hours: { enabled: true, start: '21:00', end: '08:00' } };
const told = ({ status, status_reason = null, ...rest }: { status: string; status_reason?: string | null; scheduled_at?: string | null }) => [
  status,
  status_reason ?? rest.scheduled_at ?? null,
];

describe('the gate of consent', () => {
  it('lets marketing go to whom nothing is known of, and to those who granted it', async () => {
    const { send, contact, say } = start();
    expect(told(await send())).to.deep.equal(['queued', null]);
    const id = await contact({ email: ada });
    expect(told(await send())).to.deep.equal(['queued', null]);
    await say(id, 'granted');
    expect(told(await send())).to.deep.equal(['queued', null]);
  });

  for (const status of ['withdrawn', 'pending'] as const) {
    it(`refuses marketing where consent is ${status}, on its channel or on all, and nothing else`, async () => {
      const { send, contact, say } = start();
      const id = await contact({ email: ada, phone: '+14155550100' });
      await say(id, status);
      expect(told(await send())).to.deep.equal(['suppressed', 'no_consent']);
      expect(told(await send({ dry_run: true }))).to.deep.equal(['suppressed', 'no_consent']);
      expect(told(await send({ category: 'transactional' }))).to.deep.equal(['queued', null]);
      expect(told(await send({ channel: 'sms', to: '+14155550100' }))).to.deep.equal(['queued', null]);
      await say(id, status, 'all');
      expect(told(await send({ channel: 'sms', to: '+14155550100' }))).to.deep.equal(['suppressed', 'no_consent']);
    });
  }

  it('asks for a grant on channels on which the account wants one', async () => {
    const { send, contact, say } = start({ marketing_consent: { email: 'opt_in' } });
    expect(told(await send())).to.deep.equal(['suppressed', 'no_consent']);
    expect(told(await send({ channel: 'sms', to: '+14155550100' }))).to.deep.equal(['queued', null]);
    await say(await contact({ email: ada }), 'granted');
    expect(told(await send())).to.deep.equal(['queued', null]);
  });

  it('hears what any contact said that is merged with the one that has the address', async () => {
    const { play, send, contact, say } = start();
    const older = await contact({ email: ada });
    await play.clock.advance(1_000);
    const younger = await contact({ phone: '+14155550100' });
    await say(younger, 'withdrawn');
    expect(told(await send())).to.deep.equal(['queued', null]);
    await play.execute(mergeContact, { contact_id: older, source_contact_id: younger });
    expect(told(await send())).to.deep.equal(['suppressed', 'no_consent']);
  });

  it('stops what waits when consent is withdrawn, and tells the suppression first where there are both', async () => {
    const { play, send, bulk, contact, say, story, handed } = start();
    const id = await contact({ email: ada });
    const single = await send();
    const [inBulk] = await bulk({});
    const needed = await send({ category: 'transactional' });
    await say(id, 'withdrawn');
    await play.go();
    expect(handed.map((message) => message.id)).to.deep.equal([needed.id]);
    expect(await story(single.id)).to.deep.equal(['MessageQueued', 'MessageSuppressed']);
    expect(await story(inBulk?.id ?? '')).to.deep.equal(['MessageQueued', 'MessageSuppressed']);
    await play.execute(suppressAddress, { address: ada, channel: 'email', reason: 'manual', source: 'spec' });
    expect(told(await send())).to.deep.equal(['suppressed', 'manual']);
  });

  it('stops every message of a bulk to somebody who said STOP between acceptance and hand-over', async () => {
    const { play, bulk, handed } = start();
    const [to, other] = ['+14155550100', '+14155550101'];
    const accepted = await bulk(
      { channel: 'sms', to },
      { channel: 'sms', to: other },
      { channel: 'sms', to, category: 'transactional', message: 'Code' },
    );
    expect(accepted.map(told)).to.deep.equal([...Array(3)].map(() => ['queued', null]));
    await play.execute(suppressAddress, { address: to, channel: 'sms', reason: 'stop_keyword', source: 'keyword' });
    await play.go();
    expect(handed.map(({ id }) => id)).to.deep.equal([accepted[1]?.id]);
  });
});

describe('the gate of quiet hours', () => {
  it('lets marketing wait until they are over by the account’s clock, and never what is transactional', async () => {
    const { play, send, handed } = start({ ...NIGHT, timezone: 'America/Los_Angeles' });
    const later = await send();
    expect(told(later)).to.deep.equal(['scheduled', '2026-01-15T16:00:00.000Z']);
    expect(told(await send({ dry_run: true }))).to.deep.equal(['scheduled', '2026-01-15T16:00:00.000Z']);
    const now = await send({ category: 'transactional' });
    await play.go(DAY);
    expect(handed).to.deep.equal([
      { id: now.id, at: '2026-01-15T10:00:00.000Z' },
      { id: later.id, at: '2026-01-15T16:00:00.000Z' },
    ]);
    const [event] = (await play.log.read(messageStream(later.id))) ?? [];
    expect(event?.event.data).to.include({ because: 'quiet_hours', send_at: '2026-01-15T16:00:00.000Z' });
  });

  it('go by the recipient’s own clock where it is known, also at a time that the caller chose', async () => {
    const { send, contact } = start(NIGHT);
    await contact({ email: ada, timezone: 'Asia/Tokyo' });
    await contact({ email: 'eve@example.com', timezone: 'America/New_York' });
    const send_at = '2026-01-15T13:00:00.000Z';
    expect(told(await send({ send_at }))).to.deep.equal(['scheduled', '2026-01-15T23:00:00.000Z']);
    expect(told(await send({ to: 'eve@example.com', send_at }))).to.deep.equal(['scheduled', send_at]);
  });

  it('send a message of a bulk when they are over', async () => {
    const { play, bulk, handed, contact } = start(NIGHT);
    await contact({ email: ada, timezone: 'Asia/Kathmandu' });
    await play.clock.advance(6 * HOUR);
    const [message] = await bulk({});
    await play.go(DAY);
    expect(handed).to.deep.equal([{ id: message?.id, at: '2026-01-16T02:15:00.000Z' }]);
  });

  it('are asked again at hand-over: who has moved meanwhile, or was not served by day, waits', async () => {
    const { play, send, bulk, contact, story, handed } = start(NIGHT);
    await contact({ email: ada });
    const single = await send();
    const [inBulk] = await bulk({});
    await contact({ email: ada, timezone: 'Asia/Tokyo' });
    await play.clock.advance(3 * HOUR);
    await play.go(DAY);
    const again = ['MessageQueued', 'MessageScheduled', 'MessageReleased', 'MessageDispatchStarted', 'MessageSent'];
    expect(await story(single.id)).to.deep.equal(again);
    expect(await story(inBulk?.id ?? '')).to.deep.equal(again);
    expect(handed.map(({ at }) => at)).to.deep.equal(['2026-01-15T23:00:00.000Z', '2026-01-15T23:00:00.000Z']);

    const evening = start({ ...NIGHT, frequency_caps: [{ channel: 'email', max: 1, per: 'P1D' }] });
    await evening.play.clock.advance(11 * HOUR - 500);
    evening.fail(1);
    const tried = await evening.send();
    await evening.play.go(2 * DAY);
    expect(evening.handed).to.deep.equal([{ id: tried.id, at: '2026-01-16T08:00:00.000Z' }]);
    // What counts is when it went.
    const places = (await evening.play.log.read(frequencyStream(evening.play.vault.key('acc_TEST', ada)))) ?? [];
    expect(places.map(({ event }) => event.type)).to.deep.equal(['FrequencyPlaceTaken', 'FrequencyPlaceReleased', 'FrequencyPlaceTaken']);
  });

  it('count against the time that a message may live', async () => {
    const { play, send, story } = start(NIGHT);
    await play.clock.advance(12 * HOUR);
    const { id } = await send({ ttl_seconds: 3_600 });
    await play.go(2 * HOUR);
    expect(await story(id)).to.deep.equal(['MessageScheduled', 'MessageExpired']);
    const [, expired] = (await play.log.read(messageStream(id))) ?? [];
    expect(expired?.event.data).to.deep.equal({ at: '2026-01-15T23:00:00.000Z' });
  });
});

describe('the gate of frequency', () => {
  const twoADay = { frequency_caps: [{ channel: 'email' as const, max: 2, per: 'P1D' }] };

  it('lets so many messages go within a window that rolls, each to whom it goes', async () => {
    const { play, send, handed } = start(twoADay);
    const first = await send();
    await play.go(0);
    await play.clock.advance(HOUR);
    const second = await send();
    await play.go(0);
    expect(told(await send())).to.deep.equal(['suppressed', 'frequency_cap']);
    expect(told(await send({ dry_run: true }))).to.deep.equal(['suppressed', 'frequency_cap']);
    const [eve, needed] = [await send({ to: 'eve@example.com' }), await send({ category: 'transactional' })];
    await play.go(0);
    expect(handed.map(({ id }) => id)).to.deep.equal([first.id, second.id, eve.id, needed.id]);
    await play.clock.advance(23 * HOUR - 1);
    expect(told(await send())).to.deep.equal(['suppressed', 'frequency_cap']);
    await play.clock.advance(1);
    expect(told(await send())).to.deep.equal(['queued', null]);
    await play.go(0);
    expect(told(await send())).to.deep.equal(['suppressed', 'frequency_cap']);
  });

  it('never lets more go than that, however many were accepted at once', async () => {
    const { play, bulk, handed, story } = start(twoADay);
    const messages = await bulk({}, {}, {}, {}, {});
    expect(messages.every(({ status }) => status === 'queued')).to.equal(true);
    await play.go();
    expect(handed).to.have.length(2);
    const stories = await Promise.all(messages.map(({ id }) => story(id)));
    expect(stories.filter((events) => events.at(-1) === 'MessageSuppressed')).to.have.length(3);
  });

  it('counts all channels of a person, and all addresses, also those of contacts that are merged', async () => {
    const { play, send, contact } = start({ frequency_caps: [{ channel: 'any', max: 3, per: 'P7D' }] });
    const phone = '+14155550100';
    // Before anybody knew whose address it is.
    await send();
    await play.go(0);
    const older = await contact({ email: ada });
    await send();
    await play.go(0);
    await play.clock.advance(1_000);
    const younger = await contact({ phone });
    await send({ channel: 'sms', to: phone });
    await play.go(0);
    expect(told(await send())).to.deep.equal(['queued', null]);
    await play.execute(mergeContact, { contact_id: older, source_contact_id: younger });
    expect(told(await send())).to.deep.equal(['suppressed', 'frequency_cap']);
    expect(told(await send({ channel: 'sms', to: phone }))).to.deep.equal(['suppressed', 'frequency_cap']);
  });

  it('counts a message that was tried several times once, and one that did not go not at all', async () => {
    const { play, send, fail, handed, story } = start({ frequency_caps: [{ channel: 'email', max: 1, per: 'P1D' }] });
    fail(2);
    const tried = await send();
    await play.go();
    expect(handed.map(({ id }) => id)).to.deep.equal([tried.id]);
    expect(await play.story(frequencyStream(play.vault.key('acc_TEST', ada)))).to.deep.equal(['FrequencyPlaceTaken']);
    await play.clock.advance(2 * DAY);
    const canceled = await send();
    await play.execute(cancelMessage, { id: canceled.id, batch_id: null });
    await play.go();
    const next = await send();
    await play.go();
    expect((await story(next.id)).at(-1)).to.equal('MessageSent');
  });

  it('counts nothing while there is no cap', async () => {
    const { play, send, change } = start({ frequency_caps: [{ channel: 'sms', max: 1, per: 'P1D' }] });
    await send();
    await play.go(0);
    expect(await play.story(frequencyStream(play.vault.key('acc_TEST', ada)))).to.deep.equal([]);
    change(twoADay);
    expect(told(await send())).to.deep.equal(['queued', null]);
  });
});
