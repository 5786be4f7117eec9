import { expect } from 'chai';
import type { BounceClass } from '../../domain/messages/bounces/meanings.js';
import { MAX_SOFT_BOUNCES, type SoftBounceCommand, type SoftBounceEvent, softBounces } from '../../domain/suppressions/soft-bounces.js';
import { countSoftBounces, type SoftBounceTodo } from '../../processes/suppressions/count-soft-bounces.js';
import { specification } from '../given.js';
import { processSpecification } from '../support/process-specification.js';

const DAY = 86_400_000;
const at = (day: number) => new Date(Date.UTC(2026, 0, 1) + day * DAY).toISOString();
const limit = { count: 3, within_ms: 30 * DAY };
const count = (nth: number, more: Partial<SoftBounceCommand> = {}): SoftBounceCommand => ({
  type: 'Count',
  address_key: 'key',
  message_id: `msg_${nth}`,
  occurred_at: at(nth),
  delivered_at: null,
  limit,
  suppressed: false,
  now: at(nth),
  ...more,
});
const { given } = specification(softBounces);
function eventsOf(...commands: readonly SoftBounceCommand[]): SoftBounceEvent[] {
  const past: SoftBounceEvent[] = [];
  for (const command of commands) past.push(...softBounces.decide(command, given(...past).state()));
  return past;
}
const reached = (...commands: readonly SoftBounceCommand[]) => eventsOf(...commands).map(({ data }) => data.reached);

describe('soft bounces that follow each other', () => {
  it('reach the limit of the account', () => {
    expect(reached(count(1), count(2), count(3))).to.deep.equal([false, false, true]);
    const { reached: by } = given(...eventsOf(count(1), count(2), count(3))).state();
    expect(by?.bounces.map(({ message_id }) => message_id)).to.deep.equal(['msg_1', 'msg_2', 'msg_3']);
    expect(by?.limit).to.deep.equal(limit);
  });

  it('of one message count once', () => expect(reached(count(1), count(2), count(2), count(1))).to.deep.equal([false, false]));

  it('start anew with a delivery between them', () =>
    expect(reached(count(1), count(2), count(4, { delivered_at: at(3) }), count(5), count(6))).to.deep.equal([false, false, false, false, true]));

  it('do not count once their time is over', () =>
    expect(reached(count(1), count(2), count(32), count(33), count(34))).to.deep.equal([false, false, false, false, true]));

  it('never reach a limit that the account has not', () => {
    const many = Array.from({ length: MAX_SOFT_BOUNCES + 5 }, (_, nth) => count(nth, { limit: null }));
    expect(reached(...many).includes(true)).to.equal(false);
    expect(given(...eventsOf(...many)).state().counted).to.have.length(MAX_SOFT_BOUNCES);
  });

  it('start anew where the suppression was lifted, and go on where it stands', () => {
    const first = [count(1), count(2), count(3)];
    expect(reached(...first, count(4, { suppressed: true }), count(5, { suppressed: true }), count(6))).to.deep.equal([
      false,
      false,
      true,
      false,
      false,
      false,
    ]);
    expect(reached(...first, count(4), count(5), count(6))).to.deep.equal([false, false, true, false, false, true]);
    expect(given(...eventsOf(...first, count(4))).state()).to.deep.equal({ counted: [{ message_id: 'msg_4', occurred_at: at(4) }], reached: null });
  });

  it('are told as reached also where the suppression is on record and the count is not', () =>
    expect(reached(count(1), count(2), count(3, { suppressed: true }))).to.deep.equal([false, false, true]));
});

describe('counting soft bounces', () => {
  const process = countSoftBounces(async () => null);
  type Handled = Parameters<typeof process.react>[0]['event'];
  const bounce = (bounce_class: BounceClass | undefined, more: object = {}, type = 'MessageBounced') =>
    ({
      type,
      data: {
        to_key: 'key',
        channel: 'email',
        at: at(1),
        received_at: at(2),
        reason: 'carrier_rejected',
        ...(bounce_class && { bounce_class }),
        ...more,
      },
    }) as unknown as Handled;
  const { given: list } = processSpecification<Handled, SoftBounceTodo>(process, { stream: 'message-msg_1' });
  const about = {
    account: 'acc_1',
    correlation: 'req_1',
    lane: 'feedback',
    priority: 1,
    address_key: 'key',
    message_id: 'msg_1',
    occurred_at: at(1),
  } as const;
  const todo: SoftBounceTodo = { id: 'key/msg_1', due_at: Date.parse(at(2)), ...about };
  const counted = { type: 'SoftBounceCounted', data: { address_key: 'key', message_id: 'msg_1' } } as unknown as Handled;

  it('is to be done for soft ones, in time or late', () => {
    list().when(bounce('soft')).then({ do: 'schedule', todo });
    list()
      .when(bounce('soft', { kind: 'bounced' }, 'ReceiptIgnored'))
      .then({ do: 'schedule', todo });
  });

  it('is not for those of another class, of an unknown one, and of before there were classes', () => {
    for (const other of ['hard', 'blocked', 'unknown', undefined] as const) list().when(bounce(other)).thenIgnored('no_soft_bounce');
    list()
      .when(bounce('soft', { test: true }))
      .thenIgnored('test_message');
    list()
      .when(bounce('soft', { channel: 'sms' }))
      .thenIgnored('no_soft_bounce');
  });

  it('is over once it is counted, and stays so', () => {
    list(bounce('soft'))
      .when(counted)
      .then({ do: 'store-note', note: { id: 'key/msg_1' } }, { do: 'cancel', id: 'key/msg_1' });
    list(bounce('soft'), counted).when(bounce('soft')).thenIgnored('counted_already');
  });
});
