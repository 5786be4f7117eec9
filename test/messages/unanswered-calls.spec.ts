import { expect } from 'chai';
import { message, UNKNOWN_OUTCOME } from '../../domain/messages/message.js';
import type { ReceiptKind } from '../../domain/messages/receipt.js';
import type { Status } from '../../domain/messages/status.js';
import { specification } from '../given.js';
import {
  at,
  cancel,
  dispatchDeferred,
  dispatchStarted,
  failed,
  now,
  queued,
  receiptData,
  recordReceipt,
  recordTransientError,
  released,
  scheduled,
  take,
} from './message-examples.js';

const { given } = specification(message);

const NOT_SAID = 'The carrier has not said whether it took the message.';
const unanswered = dispatchDeferred({ code: UNKNOWN_OUTCOME, error: 'no answer' });
const givenUp = (why: string) => failed({ reason: 'unknown_outcome', code: null, error: `${NOT_SAID} ${why}` });

/** Messages that wait after a call without an answer, and one that has failed after it. */
const pasts = {
  queued: [queued(), dispatchStarted(), unanswered],
  scheduled: [queued(), dispatchStarted(), unanswered, scheduled({ because: 'quiet_hours' })],
  failed: [queued(), dispatchStarted(), failed({ reason: 'unknown_outcome', code: null, error: null })],
};
const sent = { type: 'MessageSent', data: { carrier: 'sandbox', carrier_message_id: 'sb_1', at: now } } as const;
const receiptEvent = (type: string, kind: ReceiptKind, more: object = {}) =>
  ({ type, data: { ...receiptData(kind), ...more } }) as ReturnType<typeof queued>;

describe('a message after a call to a carrier that had no answer', () => {
  for (const [status, past] of Object.entries(pasts)) {
    const ends: [ReceiptKind, Status, ReturnType<typeof queued>][] = [
      ['delivered', 'delivered', receiptEvent('MessageDelivered', 'delivered')],
      ['undelivered', 'undelivered', receiptEvent('MessageUndelivered', 'undelivered', { reason: 'carrier_rejected' })],
      ['bounced', 'bounced', receiptEvent('MessageBounced', 'bounced', { reason: 'hard_bounce' })],
    ];
    for (const [kind, after, event] of ends)
      it(`is ${after} by a report when it is ${status}`, () => {
        given(...past)
          .when(recordReceipt(kind))
          .then(event);
        expect(given(...past, event).state().status).to.equal(after);
      });

    for (const [kind, event] of [
      ['deferred', receiptEvent('MessageDeferred', 'deferred')],
      ['opened', receiptEvent('MessageOpened', 'opened')],
      ['complained', receiptEvent('MessageComplained', 'complained')],
    ] as const)
      it(`is sent, and not handed over again, when it is ${status} and '${kind}' is reported`, () => {
        given(...past)
          .when(recordReceipt(kind))
          .then(sent, event);
        const settled = given(...past, sent, event);
        expect(settled.state()).to.deep.include({ status: 'sent', carrier: { name: 'sandbox', message_id: 'sb_1' } });
        settled.when(take()).thenNothing();
      });

    it(`is sent when it is ${status} and the carrier reports its acceptance`, () =>
      given(...past)
        .when(recordReceipt('accepted'))
        .then(sent));

    it(`keeps its status when it is ${status} and a report does not name the carrier’s id`, () =>
      given(...past)
        .when(recordReceipt('opened', { carrier_message_id: null }))
        .then(receiptEvent('MessageOpened', 'opened', { carrier_message_id: null })));
  }

  it('is settled by a report after an interrupted call, too', () => {
    const past = [queued(), dispatchStarted({ epoch: 6 }), dispatchStarted({ attempt: 2, repeat: true }), dispatchDeferred({ attempt: 2 })];
    given(...past)
      .when(recordReceipt('delivered'))
      .then(receiptEvent('MessageDelivered', 'delivered'));
  });

  it('fails as unknown when it is canceled, because nobody knows whether it was taken', () => {
    for (const past of [pasts.queued, pasts.scheduled])
      given(...past)
        .when(cancel())
        .then(givenUp('It was canceled.'));
  });

  it('stays as it is when it is canceled once more', () =>
    given(...pasts.queued, givenUp('It was canceled.'))
      .when(cancel())
      .thenNothing());

  it('fails as unknown when its time to live ends', () => {
    given(queued({ expires_at: at(11) }), dispatchStarted(), unanswered)
      .when(take())
      .then(givenUp('Its time to live is over.'));
    given(queued({ expires_at: at(11) }), dispatchStarted(), unanswered, scheduled({ send_at: at(13), because: 'quiet_hours' }))
      .when(take())
      .then(givenUp('Its time to live is over.'));
  });

  it('fails as unknown when a gate refuses its repetition', () => {
    given(...pasts.queued)
      .when(take({ refused: { reason: 'stop_keyword' } }))
      .then(givenUp('Refused: stop_keyword.'));
    given(...pasts.scheduled)
      .when(take({ refused: { reason: 'unsubscribed' } }))
      .then(released(), givenUp('Refused: unsubscribed.'));
  });

  it('fails as unknown when no retries are left, whatever the last answer was', () =>
    given(queued(), dispatchStarted(), unanswered, dispatchStarted({ attempt: 6 }))
      .when(recordTransientError())
      .then(failed({ reason: 'unknown_outcome', code: '503', error: 'busy' })));

  it('is delivered by a late report after it was given up', () => {
    const [event] = message.decide(cancel(), given(...pasts.queued).state());
    given(...pasts.queued, event as ReturnType<typeof queued>)
      .when(recordReceipt('delivered'))
      .then(receiptEvent('MessageDelivered', 'delivered'));
  });
});
