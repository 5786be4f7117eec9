import { expect } from 'chai';
import { type Attempt, type AttemptOutcome, type DeliveryEvent, delivery } from '../../domain/webhooks/delivery.js';
import { DELIVERY_RETRY_DELAYS_MS } from '../../domain/webhooks/limits.js';
import { specification } from '../given.js';

const { given } = specification(delivery);

const at = '2026-01-15T10:30:00.000Z';
const answer = (status_code: number, response_body = ''): AttemptOutcome => ({ status_code, response_body });
const refused: AttemptOutcome = { error: { code: 'connection_refused', message: 'The host refused the connection.' } };

const attempt = (number: number, outcome: AttemptOutcome, trigger: Attempt['trigger'] = 'schedule'): Attempt => ({
  trigger,
  number,
  outcome,
  duration_ms: 81,
  subject: 'k1',
  at,
});
const record = (number: number, outcome: AttemptOutcome, trigger?: Attempt['trigger'], retry_delays_ms = DELIVERY_RETRY_DELAYS_MS) =>
  ({ type: 'RecordAttempt', attempt: attempt(number, outcome, trigger), retry_delays_ms }) as const;
const source = { endpoint_id: null, source_stream: 'message-msg_1', revision: 2, event_id: 'evt_1', event: 'message.sent', lane: 'lane' } as const;
const request = { type: 'RequestRedelivery', ...source, now: at } as const;

const common = (number: number, trigger: Attempt['trigger']) => ({ trigger, number, duration_ms: 81, subject: 'k1', at });
const succeeded = (number: number, trigger: Attempt['trigger'] = 'schedule', status_code = 200): DeliveryEvent => ({
  type: 'DeliverySucceeded',
  data: { ...common(number, trigger), status_code, response_body: '' },
});
const attemptFailed = (number: number, next_attempt_at: string | null, trigger: Attempt['trigger'] = 'schedule'): DeliveryEvent => ({
  type: 'DeliveryAttemptFailed',
  data: { ...common(number, trigger), status_code: 500, error: null, response_body: '', next_attempt_at },
});
const failed = (number: number): DeliveryEvent => ({
  type: 'DeliveryFailed',
  data: { ...common(number, 'schedule'), status_code: 500, error: null, response_body: '' },
});
const requested = (number: number): DeliveryEvent => ({
  type: 'RedeliveryRequested',
  data: { number, ...source, at },
});

const first = attemptFailed(1, '2026-01-15T10:30:30.000Z');
const second = attemptFailed(2, '2026-01-15T10:35:00.000Z');
const third = attemptFailed(3, '2026-01-15T11:00:00.000Z');

describe('a webhook delivery', () => {
  describe('by its schedule', () => {
    it('succeeds with an answer of 200', () =>
      given()
        .when(record(1, answer(200)))
        .then(succeeded(1)));
    for (const status of [201, 204, 299])
      it(`succeeds with an answer of ${status}`, () =>
        given()
          .when(record(1, answer(status)))
          .then(succeeded(1, 'schedule', status)));

    for (const status of [199, 301, 302, 304, 400, 404, 410, 429, 500, 503]) {
      it(`records an answer of ${status} as a failure`, () => {
        const [event] = delivery.decide(record(1, answer(status)), delivery.initial);
        expect(event).to.have.property('type', 'DeliveryAttemptFailed');
        expect(event?.data).to.include({ status_code: status, error: null });
      });
    }

    it('is tried again 30 s after the end of the first failed attempt', () =>
      given()
        .when(record(1, answer(500)))
        .then(first));
    it('is tried again 5 min after the end of the second', () =>
      given(first)
        .when(record(2, answer(500)))
        .then(second));
    it('is tried again 30 min after the end of the third', () =>
      given(first, second)
        .when(record(3, answer(500)))
        .then(third));
    it('fails with the fourth failed attempt', () =>
      given(first, second, third)
        .when(record(4, answer(500)))
        .then(failed(4)));
    it('can succeed with the fourth attempt', () =>
      given(first, second, third)
        .when(record(4, answer(200)))
        .then(succeeded(4)));

    it('records the error if there was no answer', () =>
      given()
        .when(record(1, refused))
        .then({
          type: 'DeliveryAttemptFailed',
          data: {
            ...common(1, 'schedule'),
            status_code: null,
            error: refused.error,
            response_body: null,
            next_attempt_at: '2026-01-15T10:30:30.000Z',
          },
        }));
    it('records the response body', () => {
      const [event] = delivery.decide(record(1, answer(500, 'oops')), delivery.initial);
      expect(event?.data).to.include({ response_body: 'oops' });
    });

    it('uses the configured retry delays', () =>
      given()
        .when(record(1, answer(500), 'schedule', [1_500]))
        .then(attemptFailed(1, '2026-01-15T10:30:01.500Z')));
    it('fails with the first attempt if no retry delays are configured', () =>
      given()
        .when(record(1, answer(500), 'schedule', []))
        .then(failed(1)));
  });

  describe('recorded twice', () => {
    it('does not change after a second failure', () =>
      given(first)
        .when(record(1, answer(500)))
        .thenNothing());
    it('stays pending although the repeated attempt succeeded', () =>
      given(first)
        .when(record(1, answer(200)))
        .thenNothing());
    it('stays delivered', () =>
      given(succeeded(1))
        .when(record(1, answer(500)))
        .thenNothing());
    it('records no attempt after its success', () =>
      given(succeeded(1))
        .when(record(2, answer(500)))
        .thenNothing());
    it('records no attempt after its last', () =>
      given(first, second, third, failed(4))
        .when(record(5, answer(200)))
        .thenNothing());
  });

  describe('redelivered', () => {
    it('can be requested before the first attempt', () => given().when(request).then(requested(1)));
    it('can be requested again, with the next number', () => given(first, requested(1)).when(request).then(requested(2)));
    it('can be requested after success and after failure', () => {
      given(succeeded(1)).when(request).then(requested(1));
      given(first, second, third, failed(4)).when(request).then(requested(1));
    });
    it('is stopped once, before its end only, and still redelivered', () => {
      const stop = { type: 'Stop', reason: 'disabled', now: at } as const;
      const stopped: DeliveryEvent = { type: 'DeliveryStopped', data: { reason: 'disabled', at } };
      given(first).when(stop).then(stopped);
      given(first, stopped).when(stop).thenNothing();
      given(first, stopped)
        .when(record(2, answer(200)))
        .thenNothing();
      given(succeeded(1)).when(stop).thenNothing();
      given(first, stopped).when(request).then(requested(1));
    });
    it('records its success', () =>
      given(first, requested(1))
        .when(record(1, answer(200), 'manual'))
        .then(succeeded(1, 'manual')));
    it('records its failure without a next attempt', () =>
      given(first, requested(1))
        .when(record(1, answer(500), 'manual'))
        .then(attemptFailed(1, null, 'manual')));
    it('records each attempt once', () => {
      given(requested(1), succeeded(1, 'manual'))
        .when(record(1, answer(500), 'manual'))
        .thenNothing();
      given(requested(1), requested(2), succeeded(2, 'manual'))
        .when(record(1, answer(200), 'manual'))
        .then(succeeded(1, 'manual'));
    });
    it('does not change the retry schedule, also with a success', () => {
      given(first, requested(1), succeeded(1, 'manual'))
        .when(record(2, answer(500)))
        .then(second);
      given(first, requested(1), attemptFailed(1, null, 'manual'))
        .when(record(2, answer(200)))
        .then(succeeded(2));
    });
    it('does not restart the retry schedule', () =>
      given(first, second, third, failed(4), requested(1), succeeded(1, 'manual'))
        .when(record(1, answer(500)))
        .thenNothing());
  });

  describe('by a replay', () => {
    const replay = (only_failed = false) => ({ type: 'RequestReplay', replay: 'job_1', only_failed, ...source, now: at }) as const;
    const replayed = (number: number): DeliveryEvent => ({ type: 'RedeliveryRequested', data: { number, ...source, replay: 'job_1', at } });

    it('is requested once, with the next number of the manual attempts', () => {
      given(requested(1)).when(replay()).then(replayed(2));
      given(requested(1), replayed(2)).when(replay()).then();
      given(requested(1), replayed(2), requested(3)).when(replay()).then();
    });
    it('is requested where all attempts failed or the schedule was stopped, if only that is asked for', () => {
      const stopped: DeliveryEvent = { type: 'DeliveryStopped', data: { reason: 'disabled', at } };
      given(first, second, third, failed(4)).when(replay(true)).then(replayed(1));
      given(first, stopped).when(replay(true)).then(replayed(1));
      for (const past of [[], [first], [succeeded(1)], [first, second, third, failed(4), requested(1), succeeded(1, 'manual')]] as const)
        given(...past)
          .when(replay(true))
          .then();
    });
    it('knows which of its attempts succeeded', () => {
      const state = [replayed(1), attemptFailed(1, null, 'manual'), requested(2), succeeded(2, 'manual')].reduce(delivery.evolve, delivery.initial);
      expect(state.redeliveries).to.deep.equal({ requested: 2, made: [1, 2], succeeded: [2], replays: { job_1: 1 } });
      expect(state).to.deep.include({ status: 'pending', succeeded: true });
      const known = [succeeded(1), replayed(1), attemptFailed(1, null, 'manual')].reduce(delivery.evolve, delivery.initial);
      expect(known.redeliveries).to.deep.include({ made: [1], succeeded: [] });
    });
  });
});
