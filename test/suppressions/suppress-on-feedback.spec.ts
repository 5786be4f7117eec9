import { expect } from 'chai';
import fc from 'fast-check';
import { SANDBOX, sandbox, scriptOf } from '../../carriers/sandbox/sandbox.js';
import { recordReceipt } from '../../commands/messages/record-receipt.js';
import { recordSendResult } from '../../commands/messages/record-send-result.js';
import { sendMessage } from '../../commands/messages/send-message.js';
import { startDispatch } from '../../commands/messages/start-dispatch.js';
import { liftSuppression } from '../../commands/suppressions/lift-suppression.js';
import { suppressAddress } from '../../commands/suppressions/suppress-address.js';
import { fold } from '../../domain/kernel/decider.js';
import type { SealedMessageEvent } from '../../domain/messages/message.js';
import { type SealedListEvent, type SuppressionEvent, suppression, suppressionStream } from '../../domain/suppressions/suppression.js';
import { dispatchMessages } from '../../processes/messages/dispatch-messages.js';
import { simulateSandboxReceipts } from '../../processes/messages/simulate-sandbox-receipts.js';
import { type SuppressTodo, suppressOnFeedback } from '../../processes/suppressions/suppress-on-feedback.js';
import { processSpecification } from '../support/process-specification.js';
import { ACCOUNT, TestApp } from '../support/test-app.js';
import { at, causeFields, liftedEvent } from './event-examples.js';

type Handled = Parameters<typeof suppressOnFeedback.react>[0]['event'];

const receipt = (given: object = {}) => ({
  carrier: 'ses',
  carrier_message_id: 'ses-1',
  raw_status: 'x',
  code: null,
  at: at(10),
  received_at: at(11),
  receipt_key: 'r1',
  to_key: 'key-of-ada',
  channel: 'email',
  sealed: 'box',
  ...given,
});
const feedback = (type: SealedMessageEvent['type'], given: object = {}) => ({ type, data: receipt(given) }) as Handled;
const suppressedEvent = (given: Parameters<typeof causeFields>[0] = {}) =>
  ({ type: 'AddressSuppressed', data: { ...causeFields(given), sealed: 'box' } }) as unknown as SealedListEvent;

const { given } = processSpecification<Handled, SuppressTodo>(suppressOnFeedback, { stream: 'message-msg_1' });

const todo = (given: Partial<SuppressTodo>): SuppressTodo => ({
  id: `key-of-ada/${given.channel ?? 'email'}/${given.reason}`,
  due_at: Date.parse(at(11)),
  priority: given.source === undefined || given.source === 'bounce' ? 1 : 0,
  lane: 'feedback',
  account: 'acc_1',
  correlation: 'req_1',
  address_key: 'key-of-ada',
  channel: 'email',
  reason: 'bounced',
  source: 'bounce',
  message_id: 'msg_1',
  occurred_at: at(10),
  ...given,
});
const schedule = (given: Partial<SuppressTodo>) => ({ do: 'schedule', todo: todo(given) }) as const;
const STOPPED = { reason: 'stop_keyword', source: 'keyword' } as const;
const hardBounce = feedback('MessageBounced', { reason: 'hard_bounce' });

describe('suppressing on feedback', () => {
  it('schedules a suppression after a hard bounce', () =>
    given()
      .when(hardBounce)
      .then(schedule({ reason: 'bounced', source: 'bounce' })));

  it('ignores a bounce for another reason', () =>
    given()
      .when(feedback('MessageBounced', { reason: 'carrier_rejected' }))
      .thenIgnored('the_address_may_live'));

  it('schedules a suppression after a hard bounce that came too late for its message', () =>
    given()
      .when(feedback('ReceiptIgnored', { kind: 'bounced', reason: 'hard_bounce' }))
      .then(schedule({ reason: 'bounced' })));

  it('ignores a receipt of another kind that came too late for its message', () =>
    given()
      .when(feedback('ReceiptIgnored', { kind: 'delivered' }))
      .thenIgnored('no_bounce'));

  it('schedules a suppression after a complaint', () =>
    given()
      .when(feedback('MessageComplained'))
      .then(schedule({ reason: 'complained', source: 'complaint' })));

  it('schedules a suppression after an unsubscription', () =>
    given()
      .when(feedback('MessageUnsubscribed'))
      .then(schedule({ reason: 'unsubscribed', source: 'one_click' })));

  for (const channel of ['sms', 'whatsapp', 'rcs'] as const)
    it(`schedules a suppression on ${channel} after a STOP on ${channel}`, () =>
      given()
        .when(feedback('MessageReplied', { keyword: 'stop', channel }))
        .then(schedule({ ...STOPPED, channel })));

  const LISTED = {
    opted_out: { sms: { reason: 'stop_keyword', source: 'carrier' }, email: { reason: 'unsubscribed', source: 'carrier' } },
    complained: { sms: { reason: 'complained', source: 'complaint' }, email: { reason: 'complained', source: 'complaint' } },
    bounced: { sms: { reason: 'bounced', source: 'bounce' }, email: { reason: 'bounced', source: 'bounce' } },
  } as const;
  for (const [listed_as, byChannel] of Object.entries(LISTED))
    for (const [name, consequence] of Object.entries(byChannel)) {
      const channel = name as 'sms' | 'email';
      for (const type of ['MessageUndelivered', 'MessageBounced', 'ReceiptIgnored'] as const)
        it(`schedules a suppression where the carrier has the recipient of ${channel} as ${listed_as}: ${type}`, () =>
          given()
            .when(feedback(type, { listed_as, channel, reason: 'carrier_rejected' }))
            .then(schedule({ ...consequence, channel })));

      it(`schedules a suppression where the carrier has the recipient of ${channel} as ${listed_as}: MessageFailed`, () => {
        const listed = { as: listed_as, to_key: 'key-of-ada', channel };
        const failed = { type: 'MessageFailed', data: { carrier: 'x', reason: 'carrier_rejected', code: '1', error: null, at: at(10), listed } };
        given()
          .when(failed as Handled)
          .then(schedule({ ...consequence, channel, due_at: Date.parse(at(10)) }));
        const test = { ...failed, data: { ...failed.data, listed: { ...listed, test: true } } };
        given()
          .when(test as Handled)
          .thenIgnored('test_message');
      });
    }

  it('ignores other failures, and those of test keys', () => {
    given()
      .when(feedback('MessageUndelivered', { reason: 'unsubscribed', channel: 'sms' }))
      .thenIgnored('no_list_of_the_carrier');
    given()
      .when(feedback('MessageUndelivered', { listed_as: 'opted_out', test: true, channel: 'sms' }))
      .thenIgnored('test_message');
    given()
      .when({ type: 'MessageFailed', data: { carrier: null, reason: 'dropped', code: null, error: null, at: at(10) } } as Handled)
      .thenIgnored('no_list_of_the_carrier');
  });

  it('ignores a STOP by email', () =>
    given()
      .when(feedback('MessageReplied', { keyword: 'stop' }))
      .thenIgnored('no_keyword'));

  for (const keyword of [null, 'start', 'yes', 'help'])
    it(`ignores an answer with the keyword ${keyword}`, () =>
      given()
        .when(feedback('MessageReplied', { keyword, channel: 'sms' }))
        .thenIgnored('no_keyword'));

  const bounced = (hour: number) => suppressedEvent({ reason: 'bounced', occurred_at: at(hour) });

  it('ignores feedback for a reason that is suppressed since that time', () => given(bounced(10)).when(hardBounce).thenIgnored('stands_already'));

  it('schedules feedback that is older than the suppression, to backdate it', () =>
    given(bounced(11))
      .when(hardBounce)
      .then(schedule({ reason: 'bounced' })));

  it('schedules feedback that stops more than the suppression, to widen it', () =>
    given(suppressedEvent({ reason: 'bounced', scope: 'marketing', occurred_at: at(10) }))
      .when(hardBounce)
      .then(schedule({ reason: 'bounced' })));

  it('remembers the widest scope and the earliest time', () =>
    given(bounced(11), suppressedEvent({ reason: 'bounced', scope: 'marketing', occurred_at: at(10) }))
      .when(hardBounce)
      .thenIgnored('stands_already'));

  it('ignores feedback that is scheduled already', () => given(hardBounce).when(hardBounce).thenIgnored('on_the_list_already'));

  it('replaces a scheduled suppression by one with older feedback', () =>
    given(feedback('MessageBounced', { reason: 'hard_bounce', at: at(12) }))
      .when(hardBounce)
      .then(schedule({ reason: 'bounced' })));

  const unsubscribed = suppressedEvent({ reason: 'unsubscribed', occurred_at: at(10) });
  const id = 'key-of-ada/email/unsubscribed';
  const storeNote = { do: 'store-note', note: { id, occurred_at: at(10), scope: 'all' } } as const;

  it('stores the time of a suppression', () => given().when(unsubscribed).then(storeNote));

  it('cancels the to-do that the suppression completes', () =>
    given(feedback('MessageUnsubscribed', { at: at(10) }))
      .when(unsubscribed)
      .then(storeNote, { do: 'cancel', id }));

  it('keeps a to-do with an earlier time than the suppression', () =>
    given(feedback('MessageUnsubscribed', { at: at(9) }))
      .when(unsubscribed)
      .then(storeNote));

  it('deletes the stored times when a suppression is lifted', () =>
    given(unsubscribed)
      .when(liftedEvent({ reasons: ['unsubscribed', 'bounced'] }) as unknown as SealedListEvent)
      .then({ do: 'delete-note', id }, { do: 'delete-note', id: 'key-of-ada/email/bounced' }));
});

describe('an address with feedback from the sandbox', () => {
  const start = () =>
    new TestApp([dispatchMessages({ routes: () => sandbox() }), simulateSandboxReceipts({ name: SANDBOX, scriptOf }), suppressOnFeedback]);
  const send = async (app: TestApp, to: string, category: 'transactional' | 'marketing' = 'transactional') => {
    const channel = to.includes('@') ? 'email' : 'sms';
    return (await app.execute(sendMessage, { to, channel, category, message: 'Hi', subject: 'Hi' })).output;
  };
  const listOf = async (app: TestApp, address: string) =>
    ((await app.log.read(suppressionStream(app.vault.key(ACCOUNT, address)))) ?? []).map(({ event }) => event);

  const answers = {
    '+15005550006': { channel: 'sms', reason: 'stop_keyword', status: 'stop_keyword' },
    'bounce@sandbox.test': { channel: 'email', reason: 'bounced', status: 'hard_bounce' },
    'complaint@sandbox.test': { channel: 'email', reason: 'complained', status: 'complaint' },
    'unsubscribe@sandbox.test': { channel: 'email', reason: 'unsubscribed', status: 'unsubscribed' },
  };
  for (const [to, { channel, reason, status }] of Object.entries(answers))
    it(`is messaged once, and then refused with '${status}': ${to}`, async () => {
      const app = start();
      const { id } = await send(app, to);
      await app.run();
      const [event, ...more] = await listOf(app, to);
      expect(more).to.deep.equal([]);
      expect(event?.data).to.include({ address: to, channel, reason, message_id: id });
      expect(await send(app, to, 'marketing')).to.include({ status: 'suppressed', status_reason: status });
      expect((await send(app, to)).status).to.equal(reason === 'unsubscribed' ? 'queued' : 'suppressed');
      await app.run();
      expect(await app.todos()).to.deep.equal([]);
    });

  const spellings = [
    ['+14155550100', 'Stop.', 'STOP'],
    ['+14155550100', 'arrêt', 'ARRET'],
    ['+34612345678', 'baja', 'BAJA'],
    ['+14155550100', 'No more please', 'STOP'],
  ] as const;
  for (const [to, text, keyword] of spellings)
    it(`is listed with the keyword ${keyword} after the reply '${text}' from ${to}`, async () => {
      const app = start();
      const { id } = await send(app, to);
      await app.run();
      const sent = { carrier: SANDBOX, carrier_message_id: 'sbx_1', raw_status: 'received', code: null };
      const reply = { ...sent, kind: 'replied', at: new Date(app.clock.now()).toISOString(), text, keyword: 'stop' } as const;
      await app.execute(recordReceipt, { id, receipt: reply });
      await app.run();
      expect((await listOf(app, to))[0]?.data).to.include({ reason: 'stop_keyword', keyword });
    });

  for (const to of ['+14155550100', '+15005550002', '+15005550001', 'softbounce@sandbox.test', 'reply@sandbox.test'])
    it(`stays off the list: ${to}`, async () => {
      const app = start();
      await send(app, to);
      await app.run();
      expect(await listOf(app, to)).to.deep.equal([]);
      expect((await send(app, to)).status).to.equal('queued');
    });

  it('is suppressed before the dispatch of a message that is accepted already', async () => {
    const app = start();
    await send(app, '+15005550006');
    const later = new Date(app.clock.now() + 60_000).toISOString();
    const { output } = await app.execute(sendMessage, { to: '+15005550006', channel: 'sms', message: 'Later', send_at: later });
    await app.run();
    expect(await app.history(`message-${output.id}`)).to.deep.equal(['MessageScheduled', 'MessageReleased', 'MessageSuppressed']);
  });

  it('is suppressed although its personal fields were erased in between', async () => {
    const app = start();
    await send(app, '+15005550006');
    await app.run(200);
    await app.vault.erase(app.vault.key(ACCOUNT, '+15005550006'));
    await app.run();
    expect((await listOf(app, '+15005550006')).map(({ data }) => data)).to.have.nested.property('[0].address', null);
  });
});

describe('the to-do list of addresses to suppress', () => {
  const hour = fc.integer({ min: 0, max: 20 });
  const step = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ do: fc.constant('feedback' as const), kind: fc.constantFrom('bounced', 'complained', 'unsubscribed'), hour }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('suppress by hand' as const), hour }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('lift' as const) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('let the process work' as const) }) },
  );
  const address = 'ada@example.com';

  async function sent(app: TestApp): Promise<string> {
    const { output } = await app.execute(sendMessage, { to: address, channel: 'email', message: 'Hi', subject: 'Hi' });
    const about = { id: output.id, carrier: 'ses' } as const;
    const dispatch = { toKey: 'x', channel: 'email', category: 'transactional', hasStream: true, epoch: 1, on_unknown_outcome: 'retry' } as const;
    const taken = await app.execute(startDispatch, { ...about, ...dispatch });
    await app.execute(recordSendResult, { ...about, known: taken.output, result: { outcome: 'accepted', carrier_message_id: 'ses-1' } });
    return output.id;
  }

  /** The suppressions after all steps. */
  async function afterwards(steps: readonly (typeof step extends fc.Arbitrary<infer S> ? S : never)[]): Promise<string[]> {
    const app = new TestApp([suppressOnFeedback]);
    const address_key = app.vault.key(ACCOUNT, address);
    const at = (hour: number) => new Date(app.clock.now() + (hour - 10) * 3_600_000).toISOString();
    for (const next of steps) {
      if (next.do === 'let the process work') await app.run();
      else if (next.do === 'lift') {
        await app.execute(liftSuppression, { address_key, channel: 'email', by: 'request', because: 'asked', proof: null });
      } else if (next.do === 'suppress by hand') {
        await app.execute(suppressAddress, { address, channel: 'email', reason: 'bounced', source: 'operator', occurred_at: at(next.hour) });
      } else {
        const { kind, hour } = next;
        const receipt = { kind, carrier: 'ses', carrier_message_id: 'ses-1', raw_status: kind, code: null, at: at(hour) } as const;
        await app.execute(recordReceipt, { id: await sent(app), receipt });
      }
    }
    await app.run();
    expect(await app.todos()).to.deep.equal([]);
    const events = (await app.log.read<SuppressionEvent>(suppressionStream(address_key))) ?? [];
    const state = fold(
      suppression,
      events.map(({ event }) => event),
    );
    return state.status === 'clear' ? [] : state.causes.map(({ reason, occurred_at }) => `${reason} ${occurred_at}`);
  }

  it('is empty in the end for every order of events', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 10 }), async (steps) => {
        await afterwards(steps);
      }),
      { numRuns: 60 },
    );
  }).timeout(60_000);

  it('results in all reasons with their earliest occurred_at if nothing is lifted', async () => {
    const saying = step.filter((next) => next.do === 'feedback' || next.do === 'suppress by hand');
    await fc.assert(
      fc.asyncProperty(fc.array(saying, { maxLength: 8 }), fc.infiniteStream(fc.boolean()), async (sayings, pause) => {
        const begin = Date.parse('2026-01-15T10:00:00.000Z');
        const earliest = new Map<string, number>();
        for (const next of sayings) {
          const reason = next.do === 'feedback' ? next.kind : 'bounced';
          // Feedback that is dated before its message has the time of its arrival.
          const time = next.do === 'suppress by hand' ? begin + Math.min(0, next.hour - 10) * 3_600_000 : begin;
          earliest.set(reason, Math.min(earliest.get(reason) ?? begin, time));
        }
        const steps = sayings.flatMap((next) => (pause.next().value ? [next, { do: 'let the process work' } as const] : [next]));
        const expected = [...earliest].map(([reason, time]) => `${reason} ${new Date(time).toISOString()}`);
        expect(await afterwards(steps)).to.have.members(expected);
      }),
      { numRuns: 60 },
    );
  }).timeout(60_000);
});
