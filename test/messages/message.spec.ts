import { expect } from 'chai';
import { ERASED } from '../../domain/kernel/erased.js';
import { type MessageCommand, message } from '../../domain/messages/message.js';
import { type Status, statusNames } from '../../domain/messages/status.js';
import { specification } from '../given.js';
import {
  accept,
  acceptanceOf,
  accepted,
  at,
  cancel,
  canceled,
  dispatchDeferred,
  dispatchStarted,
  expired,
  failed,
  now,
  pasts,
  queued,
  recordAccepted,
  recordPermanentError,
  recordReceipt,
  recordTransientError,
  released,
  repeated,
  scheduled,
  sent,
  suppressed,
  take,
} from './message-examples.js';

const { given } = specification(message);
const others = (...statuses: Status[]): Status[] => statusNames.filter((status) => !statuses.includes(status));

describe('Message', () => {
  for (const status of statusNames) it(`is ${status} after its events`, () => expect(given(...pasts[status]).state().status).to.equal(status));

  describe('Accept', () => {
    it('queues a new message', () => given().when(accept()).then(queued()));
    it('schedules a new message that has a send time', () =>
      given()
        .when(accept({ send_at: at(18) }))
        .then(scheduled({ send_at: at(18) })));
    it('schedules a new message for the end of quiet hours', () =>
      given()
        .when(accept({ send_at: at(18), because: 'quiet_hours' }))
        .then(scheduled({ send_at: at(18), because: 'quiet_hours' })));
    it('suppresses a new message that a gate refuses', () =>
      given()
        .when(accept({ refused: { reason: 'stop_keyword' } }))
        .then(queued(), suppressed('stop_keyword', at(10))));
    it('suppresses a new scheduled message that a gate refuses', () =>
      given()
        .when(accept({ send_at: at(18), refused: { reason: 'no_consent' } }))
        .then(scheduled({ send_at: at(18) }), suppressed('no_consent', at(10))));
    for (const status of statusNames)
      it(`changes nothing when the message is already ${status}`, () =>
        given(...pasts[status])
          .when(accept())
          .thenNothing());
  });

  describe('any other command on a message that does not exist', () => {
    const commands: Record<string, MessageCommand> = {
      Cancel: cancel(),
      Take: take(),
      'the answer of a carrier': recordAccepted(),
      'a transient error': recordTransientError(),
      'a permanent error': recordPermanentError(),
      'a receipt': recordReceipt('delivered'),
    };
    for (const [name, command] of Object.entries(commands))
      it(`refuses ${name} with not_found`, () => given().when(command).thenRefused('not_found', { resource: 'message' }));
  });

  describe('Cancel', () => {
    for (const status of ['queued', 'scheduled'] as const)
      it(`cancels a ${status} message`, () =>
        given(...pasts[status])
          .when(cancel())
          .then(canceled()));
    it('changes nothing when the message is canceled already', () =>
      given(...pasts.canceled)
        .when(cancel())
        .thenNothing());
    for (const status of others('queued', 'scheduled', 'canceled'))
      it(`refuses a ${status} message with invalid_state`, () =>
        given(...pasts[status])
          .when(cancel())
          .thenRefused('invalid_state', { current: status, allowed: ['queued', 'scheduled'] }));
    it('creates and cancels a message of a batch that has no stream yet', () =>
      given()
        .when(cancel({ acceptance: acceptanceOf() }))
        .then(queued(), canceled()));
  });

  describe('StartDispatch', () => {
    it('starts the dispatch of a queued message', () => given(queued()).when(take()).then(dispatchStarted()));
    it('counts the attempts', () =>
      given(queued(), dispatchStarted(), dispatchDeferred())
        .when(take())
        .then(dispatchStarted({ attempt: 2 })));
    it('releases a scheduled message that is due', () => given(scheduled()).when(take()).then(released(), dispatchStarted()));
    it('releases a scheduled message at its send time', () =>
      given(scheduled({ send_at: now }))
        .when(take())
        .then(released(), dispatchStarted()));
    it('leaves a scheduled message that is not due', () =>
      given(scheduled({ send_at: at(13) }))
        .when(take())
        .thenNothing());
    it('creates and dispatches a message of a batch that has no stream yet', () =>
      given()
        .when(take({ acceptance: acceptanceOf() }))
        .then(queued(), dispatchStarted()));

    it('expires a queued message whose time to live is over', () =>
      given(queued({ expires_at: now }))
        .when(take())
        .then(expired()));
    it('expires a scheduled message before it is due', () =>
      given(scheduled({ send_at: at(13), expires_at: at(11) }))
        .when(take())
        .then(expired()));
    it('expires a scheduled message that is due too late', () =>
      given(scheduled({ expires_at: at(11) }))
        .when(take())
        .then(released(), expired()));
    it('expires rather than suppresses', () =>
      given(queued({ expires_at: now }))
        .when(take({ refused: { reason: 'unsubscribed' } }))
        .then(expired()));

    it('suppresses a queued message that a gate refuses', () =>
      given(queued())
        .when(take({ refused: { reason: 'frequency_cap' } }))
        .then(suppressed('frequency_cap')));
    it('suppresses a scheduled message that a gate refuses', () =>
      given(scheduled())
        .when(take({ refused: { reason: 'unsubscribed' } }))
        .then(released(), suppressed('unsubscribed')));
    it('suppresses a message whose recipient is erased', () =>
      given(queued({ to: ERASED }))
        .when(take())
        .then(suppressed('erased', now, { gate: 'suppression', at: 'hand_over', passed: [], refused_by: { kind: 'erasure' } })));
    it('begins and ends a message of a bulk that was refused at acceptance', () =>
      given()
        .when(take({ acceptance: acceptanceOf({ refused: { reason: 'unsubscribed' } }) }))
        .then(queued(), suppressed('unsubscribed', at(10))));

    it('schedules a queued message again when quiet hours have begun', () =>
      given(queued())
        .when(take({ wait_until: at(20) }))
        .then(scheduled({ send_at: at(20), because: 'quiet_hours' })));
    it('keeps the attempts of a message that waits for the end of quiet hours', () =>
      given(queued(), dispatchStarted(), dispatchDeferred(), scheduled({ because: 'quiet_hours' }))
        .when(take())
        .then(released(), dispatchStarted({ attempt: 2 })));
  });

  describe('Take while the outcome of a dispatch is unknown', () => {
    const sending = (epoch: number) => given(queued(), dispatchStarted({ epoch }));

    it('repeats the call of an earlier epoch', () =>
      sending(6)
        .when(take())
        .then(dispatchStarted({ attempt: 2, repeat: true })));
    it('repeats a call of the same epoch that was interrupted', () =>
      sending(7)
        .when(take())
        .then(dispatchStarted({ attempt: 2, repeat: true })));
    it('does not repeat a call to a recipient whom a gate refuses now, or who is erased', () => {
      const givenUp = (reason: string) =>
        failed({ reason: 'unknown_outcome', code: null, error: `The carrier has not said whether it took the message. Refused: ${reason}.` });
      sending(6)
        .when(take({ refused: { reason: 'stop_keyword' } }))
        .then(givenUp('stop_keyword'));
      given(queued({ to: ERASED }), dispatchStarted({ epoch: 6 }))
        .when(take())
        .then(givenUp('erased'));
    });
    it('leaves the call of a later epoch alone', () => sending(8).when(take()).thenNothing());
    it('gives the message up when the account says so', () =>
      sending(6)
        .when(take({ on_unknown_outcome: 'fail' }))
        .then(failed({ reason: 'unknown_outcome', code: null, error: null })));
    it('leaves the call of a later epoch alone even when the account gives up', () =>
      sending(8)
        .when(take({ on_unknown_outcome: 'fail' }))
        .thenNothing());
  });

  describe('Take after the dispatch', () => {
    for (const status of others('queued', 'scheduled', 'sending')) {
      it(`leaves a ${status} message alone`, () =>
        given(...pasts[status])
          .when(take())
          .thenNothing());
      it(`records that a later batch repeats a ${status} message`, () =>
        given(...pasts[status])
          .when(take({ acceptance: acceptanceOf({ accepted: { ...accepted, batch_id: 'bat_2' } }) }))
          .then(repeated('bat_2')));
    }
    it('records a repeat outside a batch', () =>
      given(...pasts.sent)
        .when(take({ acceptance: acceptanceOf() }))
        .then(repeated(null)));
    it('keeps the state when a message is repeated', () =>
      expect(given(...pasts.sent, repeated('bat_2')).state()).to.deep.equal(given(...pasts.sent).state()));
  });

  describe('the answer of the carrier', () => {
    it('marks a message as sent', () =>
      given(...pasts.sending)
        .when(recordAccepted())
        .then(sent()));
    it('fails a message after a permanent error', () =>
      given(...pasts.sending)
        .when(recordPermanentError())
        .then(failed()));

    const delays: [attempt: number, retry_at: string][] = [
      [1, at(12, 0, 1)],
      [2, at(12, 0, 5)],
      [3, at(12, 0, 30)],
      [4, at(12, 2)],
      [5, at(12, 10)],
    ];
    for (const [attempt, retry_at] of delays)
      it(`defers a message until ${retry_at.slice(11, 19)} after transient error ${attempt} at noon`, () =>
        given(queued(), dispatchStarted({ attempt })).when(recordTransientError()).then(dispatchDeferred({ attempt, retry_at })));
    it('fails a message after the sixth transient error', () =>
      given(queued(), dispatchStarted({ attempt: 6 }))
        .when(recordTransientError())
        .then(failed({ reason: 'carrier_unavailable', code: '503', error: 'busy' })));
    it('fails a message whose sixth call has no answer as one whose outcome is unknown', () =>
      given(queued(), dispatchStarted({ attempt: 6 }))
        .when(recordTransientError({ code: 'unknown_outcome', error: 'no answer' }))
        .then(failed({ reason: 'unknown_outcome', code: 'unknown_outcome', error: 'no answer' })));
    it('queues a deferred message', () =>
      expect(given(queued(), dispatchStarted(), dispatchDeferred()).state()).to.include({ status: 'queued', attempts: 1 }));

    for (const status of others('sending'))
      it(`changes nothing when the message is ${status}`, () => {
        for (const answer of [recordAccepted(), recordTransientError(), recordPermanentError()])
          given(...pasts[status])
            .when(answer)
            .thenNothing();
      });
  });
});
