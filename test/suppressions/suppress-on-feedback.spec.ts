import { expect } from 'chai';
import fc from 'fast-check';
import { SANDBOX, sandbox, scriptOf } from '../../carriers/sandbox/sandbox.js';
import { recordHandOver } from '../../commands/messages/record-hand-over.js';
import { recordReceipt } from '../../commands/messages/record-receipt.js';
import { sendMessage } from '../../commands/messages/send-message.js';
import { takeMessage } from '../../commands/messages/take-message.js';
import { liftSuppression } from '../../commands/suppressions/lift-suppression.js';
import { suppressAddress } from '../../commands/suppressions/suppress-address.js';
import { fold } from '../../domain/kernel/decider.js';
import type { SealedMessageEvent } from '../../domain/messages/message.js';
import { type SealedListEvent, type SuppressionEvent, suppression, suppressionStream } from '../../domain/suppressions/suppression.js';
import type { LogEvent } from '../../log/log-event.js';
import type { Intention, LoadedState } from '../../processes/kernel.js';
import { dispatchMessages } from '../../processes/messages/dispatch-messages.js';
import { simulateSandboxReceipts } from '../../processes/messages/simulate-sandbox-receipts.js';
import { type SuppressTodo, suppressOnFeedback } from '../../processes/suppressions/suppress-on-feedback.js';
import { ACCOUNT, TestApp, withSuppressions } from '../support/test-app.js';
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

/** The reaction to one event, where the list holds these to-dos and notes. */
function reactionTo(event: Handled, memory: { todo?: Partial<SuppressTodo>; standing?: string } = {}): readonly Intention[] {
  const stored: LogEvent<Handled> = {
    event,
    stream: 'message-msg_1',
    revision: 4,
    position: '00000000000000000009',
    id: 'e1',
    meta: {
      account: 'acc_1',
      $correlationId: 'req_1',
      $causationId: 'c1',
      actor: { kind: 'process', id: 'p' },
      schemaVersion: 1,
      occurredAt: at(11),
    },
  };
  const named = suppressOnFeedback.reads?.(stored) ?? {};
  const known: LoadedState<SuppressTodo> = {
    todo: (id) => (named.todos?.includes(id) && memory.todo ? ({ id, ...memory.todo } as SuppressTodo) : undefined),
    note: <N>(id: string) => (named.notes?.includes(id) && memory.standing ? ({ id, occurred_at: memory.standing } as N) : undefined),
  };
  return suppressOnFeedback.react(stored, known);
}

const todo = (given: Partial<SuppressTodo>): SuppressTodo => ({
  id: `key-of-ada/${given.channel ?? 'email'}/${given.reason}`,
  due_at: Date.parse(at(11)),
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
const scheduled = (given: Partial<SuppressTodo>) => [{ do: 'schedule', todo: todo(given) }];
const ignored = (reason: string) => [{ do: 'ignore', reason }];
const STOPPED = { reason: 'stop_keyword', source: 'keyword' } as const;
const hard = { reason: 'hard_bounce' };

describe('feedback', () => {
  const reactions: [sentence: string, event: Handled, memory: Parameters<typeof reactionTo>[1], intentions: readonly object[]][] = [
    ['of a hard bounce suppresses the address', feedback('MessageBounced', hard), {}, scheduled({ reason: 'bounced', source: 'bounce' })],
    ['of another bounce leaves the address alone', feedback('MessageBounced', { reason: 'carrier_rejected' }), {}, ignored('the_address_may_live')],
    [
      'of a hard bounce that came too late for its message suppresses too',
      feedback('ReceiptIgnored', { kind: 'bounced', ...hard }),
      {},
      scheduled({ reason: 'bounced' }),
    ],
    ['of anything else that came too late means nothing', feedback('ReceiptIgnored', { kind: 'delivered' }), {}, ignored('no_bounce')],
    ['of a complaint suppresses', feedback('MessageComplained'), {}, scheduled({ reason: 'complained', source: 'complaint' })],
    ['of an unsubscription suppresses', feedback('MessageUnsubscribed'), {}, scheduled({ reason: 'unsubscribed', source: 'one_click' })],
    ...(['sms', 'whatsapp', 'rcs'] as const).map(
      (channel) =>
        [
          `of a STOP on ${channel} suppresses on ${channel}`,
          feedback('MessageReplied', { keyword: 'stop', channel }),
          {},
          scheduled({ ...STOPPED, channel }),
        ] as [string, Handled, object, object[]],
    ),
    ['of a STOP by email means nothing', feedback('MessageReplied', { keyword: 'stop' }), {}, ignored('no_keyword')],
    ...[null, 'start', 'yes', 'help'].map(
      (keyword) =>
        [
          `of an answer with the keyword ${keyword} suppresses nobody`,
          feedback('MessageReplied', { keyword, channel: 'sms' }),
          {},
          ignored('no_keyword'),
        ] as [string, Handled, object, object[]],
    ),
    ['that was known before changes nothing', feedback('MessageBounced', hard), { standing: at(10) }, ignored('stands_already')],
    ['that is older than what was known dates it back', feedback('MessageBounced', hard), { standing: at(11) }, scheduled({ reason: 'bounced' })],
    ['that is to be done already is not put there twice', feedback('MessageBounced', hard), { todo: todo({}) }, ignored('on_the_list_already')],
    [
      'that is older than what is to be done takes its place',
      feedback('MessageBounced', hard),
      { todo: todo({ occurred_at: at(12) }) },
      scheduled({ reason: 'bounced' }),
    ],
  ];
  for (const [sentence, event, memory, intentions] of reactions) it(sentence, () => expect(reactionTo(event, memory)).to.deep.equal(intentions));
});

describe('a suppression in the log', () => {
  const id = 'key-of-ada/email/unsubscribed';
  const note = (occurred_at: string) => ({ do: 'remember', note: { id, occurred_at } });

  it('is remembered', () => expect(reactionTo(suppressedEvent())).to.deep.equal([note(at(10))]));
  it('takes the to-do off the list', () =>
    expect(reactionTo(suppressedEvent(), { todo: { occurred_at: at(10) } })).to.deep.equal([note(at(10)), { do: 'cancel', id }]));
  it('leaves a to-do that knows of an earlier time', () =>
    expect(reactionTo(suppressedEvent(), { todo: { occurred_at: at(9) } })).to.deep.equal([note(at(10))]));
  it('is forgotten when it is lifted', () =>
    expect(reactionTo(liftedEvent({ reasons: ['unsubscribed', 'bounced'] }) as unknown as SealedListEvent)).to.deep.equal([
      { do: 'forget', id },
      { do: 'forget', id: 'key-of-ada/email/bounced' },
    ]));
});

describe('an address that answers through the sandbox', () => {
  const start = () =>
    new TestApp(
      [dispatchMessages({ routes: () => sandbox() }), simulateSandboxReceipts({ name: SANDBOX, scriptOf }), suppressOnFeedback],
      withSuppressions,
    );
  const send = async (app: TestApp, to: string) => {
    const channel = to.includes('@') ? 'email' : 'sms';
    return (await app.execute(sendMessage, { to, channel, message: 'Hi', subject: 'Hi' })).output;
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
      expect(await send(app, to)).to.include({ status: 'suppressed', status_reason: status });
      await app.run();
      expect(await app.todos()).to.deep.equal([]);
    });

  for (const to of ['+14155550100', '+15005550002', '+15005550001', 'softbounce@sandbox.test', 'reply@sandbox.test'])
    it(`stays off the list: ${to}`, async () => {
      const app = start();
      await send(app, to);
      await app.run();
      expect(await listOf(app, to)).to.deep.equal([]);
      expect((await send(app, to)).status).to.equal('queued');
    });

  it('is suppressed before a message that was accepted already goes out', async () => {
    const app = start();
    await send(app, '+15005550006');
    const later = new Date(app.clock.now() + 60_000).toISOString();
    const { output } = await app.execute(sendMessage, { to: '+15005550006', channel: 'sms', message: 'Later', send_at: later });
    await app.run();
    expect(await app.history(`message-${output.id}`)).to.deep.equal(['MessageScheduled', 'MessageReleased', 'MessageSuppressed']);
  });

  it('is suppressed although what is personal about it was erased in between', async () => {
    const app = start();
    await send(app, '+15005550006');
    await app.run(200);
    await app.vault.erase(app.vault.key(ACCOUNT, '+15005550006'));
    await app.run();
    expect((await listOf(app, '+15005550006')).map(({ data }) => data)).to.have.nested.property('[0].address', null);
  });
});

describe('the list of addresses to suppress', () => {
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
    const taken = await app.execute(takeMessage, { ...about, ...dispatch });
    await app.execute(recordHandOver, { ...about, known: taken.output, result: { outcome: 'accepted', carrier_message_id: 'ses-1' } });
    return output.id;
  }

  /** What stands in the end. */
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

  it('is empty in the end, whatever came in which order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 10 }), async (steps) => {
        await afterwards(steps);
      }),
      { numRuns: 60 },
    );
  }).timeout(60_000);

  it('leaves everything standing that was ever said, since its earliest time, where nothing was lifted', async () => {
    const saying = step.filter((next) => next.do === 'feedback' || next.do === 'suppress by hand');
    await fc.assert(
      fc.asyncProperty(fc.array(saying, { maxLength: 8 }), fc.infiniteStream(fc.boolean()), async (sayings, pause) => {
        const begin = Date.parse('2026-01-15T10:00:00.000Z');
        const earliest = new Map<string, number>();
        for (const next of sayings) {
          const reason = next.do === 'feedback' ? next.kind : 'bounced';
          const time = 'hour' in next ? begin + Math.min(0, next.hour - 10) * 3_600_000 : begin;
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
