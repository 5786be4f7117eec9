import { expect } from 'chai';
import type { AnyEvent } from '../../domain/kernel/event.js';
import type { ReadOptions } from '../../domain/kernel/ports.js';
import { type MessageEvent, messageStream } from '../../domain/messages/message.js';
import { type EngagementModel, engagementModelStream } from '../../domain/scores/engagement-fitted.js';
import { bestHour } from '../../domain/scores/send-hours.js';
import { hoursToSendReader } from '../../ops/app/ports/hours-to-send.js';
import { messages } from '../../projections/messages/projection.js';
import { reachedQueries } from '../../projections/scores/reached.js';
import { cause } from '../log/growing-streams.js';
import { accepted } from '../messages/message-examples.js';
import { ACCOUNT, TestApp } from '../support/test-app.js';

const DAY_MS = 86_400_000;
const NOW = Date.parse('2026-01-15T10:00:00.000Z');
const daysAgo = (days: number): string => new Date(NOW - days * DAY_MS).toISOString();

describe('the messages that reached contacts', () => {
  const app = new TestApp();
  const queries = reachedQueries(app);

  /** A message that was delivered some days ago, with what became of it `hours` later. */
  async function reach(id: string, days: number, about: object, became: readonly (readonly [type: string, hours: number, code?: string])[] = []) {
    const receipt = (time: string, code: string | null = null) => ({
      ...{ carrier: 'sandbox', carrier_message_id: 'sb', carrier_event_id: `${id}/${time}`, code, at: time, received_at: time },
    });
    const delivered = daysAgo(days);
    const events = [
      { type: 'MessageQueued', data: { ...accepted, channel: 'email', created_at: delivered, ...about } },
      { type: 'MessageDispatchStarted', data: { carrier: 'sandbox', attempt: 1, epoch: 1, repeat: false, at: delivered } },
      { type: 'MessageSent', data: { carrier: 'sandbox', carrier_message_id: 'sb', at: delivered } },
      { type: 'MessageDelivered', data: receipt(delivered) },
      ...became.map(([type, hours, code]) => ({ type, data: receipt(new Date(Date.parse(delivered) + hours * 3_600_000).toISOString(), code) })),
    ] as MessageEvent[];
    await app.log.append(messageStream(id), 'no-stream', events as readonly AnyEvent[], { ...cause, invocation: `req_${id}`, occurredAt: delivered });
  }
  const shown = (found: readonly { delivered: number; engaged: number | null }[] = []) =>
    found
      .map(({ delivered, engaged }) => [(NOW - delivered) / DAY_MS, engaged === null ? null : (engaged - delivered) / 3_600_000])
      .sort(([a = 0], [b = 0]) => (a ?? 0) - (b ?? 0));

  before(async () => {
    await reach('msg_1', 10, { contact_id: 'con_1' }, [
      ['MessageOpened', 1, 'machine_open'],
      ['MessageOpened', 5],
      ['MessageClicked', 6],
    ]);
    await reach('msg_2', 20, { contact_id: 'con_1' }, [['MessageOpened', 1, 'machine_open']]);
    await reach('msg_3', 30, { contact_id: 'con_2', channel: 'sms' }, [['MessageReplied', 2]]);
    await reach('msg_4', 40, { to_key: 'key_1' }, [['MessageRead', 3]]);
    await reach('msg_5', 50, { to_key: 'key_1', contact_id: 'con_3' }, [['MessageRead', 3]]);
    await reach('msg_6', 60, { contact_id: 'con_1', test: true }, [['MessageRead', 3]]);
    await app.documents(messages, 'messages');
  });

  it('are those that name it or its parts, and those without a name to its addresses, with the first engagement of the person', async () => {
    const found = await queries.ofContact({ account: ACCOUNT, members: ['con_1', 'con_2'], addressKeys: ['key_1'], at: NOW });
    expect(shown(found.get('email'))).to.deep.equal([
      [10, 5],
      [20, null],
      [40, 3],
    ]);
    expect(shown(found.get('sms'))).to.deep.equal([[30, 2]]);
    const earlier = await queries.ofContact({ account: ACCOUNT, members: ['con_1'], addressKeys: [], at: NOW - 15 * DAY_MS });
    expect(shown(earlier.get('email'))).to.deep.equal([[20, null]]);
  });

  it('are read for a fit by channel and contact', async () => {
    const [email, sms] = await queries.ofAccount(ACCOUNT, 'Europe/Berlin', NOW, async () => {});
    expect([email?.channel, sms?.channel]).to.deep.equal(['email', 'sms']);
    expect(email?.contacts.map((own) => shown(own))).to.deep.equal([
      [
        [10, 5],
        [20, null],
      ],
      [[40, 3]],
      [[50, 3]],
    ]);
    // Delivered at 10:00 UTC, opened five hours later, which is 16:00 in Berlin.
    expect(email?.hours.map((hours) => hours.indexOf(1))).to.deep.equal([16, 14, 14]);
    expect(sms?.hours.map((hours) => hours.indexOf(1))).to.deep.equal([13]);
  });

  it("give the hours to send at: the account's, and the contact's own once it has engaged often enough", async () => {
    const reader = hoursToSendReader(app);
    const ask = async (contact: string) => (await reader(ACCOUNT, 'email'))({ members: [contact], addressKeys: [], offsetAt: () => 0, now: NOW });
    expect(await ask('con_5')).to.equal(null);
    const hours = Array.from({ length: 24 }, (_, hour) => (hour === 12 ? 0.54 : 0.02));
    const figures = { null_reason: null, quality: null, reliability: [], baseline: null, bounds: null, percentiles: [], with_value: 0, without: {} };
    const email = { messages: 1, contacts: 1, prior: null, engagement: figures, hours, kappa: 2, best_hour: figures };
    const data: EngagementModel = { job_id: 'job_1', model_version: 1, channels: { email }, at: daysAgo(1) };
    const fitted = { type: 'EngagementModelFitted', data } as const;
    await app.log.append(engagementModelStream(ACCOUNT), 'no-stream', [fitted], { ...cause, invocation: 'fit', occurredAt: data.at });
    expect(await ask('con_5')).to.deep.equal(hours);
    for (const n of [1, 2, 3, 4, 5]) await reach(`msg_often_${n}`, 20 + n, { contact_id: 'con_5' }, [['MessageOpened', 10]]);
    await app.documents(messages, 'messages');
    // Delivered at 10:00, opened ten hours later.
    expect(bestHour((await ask('con_5')) ?? [])).to.equal(20);
  });

  it('read the model once for many contacts', async () => {
    let reads = 0;
    const log = Object.create(app.log, {
      read: {
        value: (stream: string, options?: ReadOptions) => {
          if (stream === engagementModelStream(ACCOUNT)) reads += 1;
          return app.log.read(stream, options);
        },
      },
    }) as typeof app.log;
    const hoursOf = await hoursToSendReader({ log, views: app.views })(ACCOUNT, 'email');
    for (const contact of ['con_1', 'con_2', 'con_5'])
      expect(await hoursOf({ members: [contact], addressKeys: [], offsetAt: () => 0, now: NOW })).to.have.length(24);
    expect(reads).to.equal(1);
  });
});
