import { expect } from 'chai';
import { type Doc, UNDIVIDED } from '../../domain/kernel/ports.js';
import type { MessageEvent } from '../../domain/messages/message.js';
import type { SealedDeliveryEvent } from '../../domain/webhooks/delivery.js';
import type { Subscription } from '../../domain/webhooks/delivery-rules.js';
import { legacyLane } from '../../formats/webhooks/lanes.js';
import { deliveryIds } from '../../log/aggregates/webhooks/deliveries.js';
import type { Intention, ReactionMemory } from '../../processes/runtime/process-manager.js';
import { type AttemptTodo, deliverWebhooks } from '../../processes/webhooks/deliver-webhooks.js';
import { delivered, queued, receipt, released, scheduled, sent, started, stored, suppressed, URL_ } from './samples.js';

const { handles, reads, readsMore, react } = deliverWebhooks({
  secrets: () => null,
  retryDelaysMs: [],
  headerPrefix: 'Service',
  legacyHeaderPrefix: 'Legacy',
  allowedCidrs: [],
  post: () => Promise.reject(new Error('react() makes no requests')),
});

const memory = ({ notes = [], todos = [] }: { notes?: readonly Doc[]; todos?: readonly AttemptTodo[] }): ReactionMemory<AttemptTodo> => ({
  partition: UNDIVIDED,
  note: <N extends Doc>(id: string) => notes.find((note) => note.id === id) as N | undefined,
  isLoaded: () => true,
  todo: (id) => todos.find((todo) => todo.id === id),
});

const subscription: Subscription = { id: 'msg_1', lane: legacyLane(URL_) };
const whd = (revision: number) => deliveryIds.statusDelivery('msg_1', `event-${revision}`);

const afterMessage = (event: MessageEvent, revision: number, notes: readonly Subscription[] = [subscription]): readonly Intention[] =>
  react(stored(event, { revision, occurredAt: '2026-01-15T10:30:01.250Z' }), memory({ notes }));
const afterOutcome = (event: SealedDeliveryEvent, todos: readonly AttemptTodo[] = []): readonly Intention[] =>
  react(stored(event, { stream: `delivery-${whd(2)}` }), memory({ todos }));

const first: AttemptTodo = {
  id: whd(2),
  due_at: Date.parse('2026-01-15T10:30:01.250Z'),
  priority: 1,
  lane: legacyLane(URL_),
  delivery_id: whd(2),
  account: 'acc_1',
  correlation: 'req_1',
  endpoint_id: null,
  term: null,
  source_stream: 'message-msg_1',
  revision: 2,
  event: 'message.sent',
  event_id: deliveryIds.event('event-2'),
  trigger: 'schedule',
  attempt: 1,
};
const byHand: AttemptTodo = { ...first, id: `${whd(2)}/manual/1`, priority: 0, trigger: 'manual' };

const at = '2026-01-15T10:30:02.000Z';
const failedAttempt = (number: number, next_attempt_at: string | null, trigger: 'schedule' | 'manual' = 'schedule'): SealedDeliveryEvent => ({
  type: 'DeliveryAttemptFailed',
  data: { trigger, number, duration_ms: 1, subject: 'k1', at, status_code: 500, error: null, next_attempt_at, sealed: 'box' },
});
const success = (number: number, trigger: 'schedule' | 'manual' = 'schedule'): SealedDeliveryEvent => ({
  type: 'DeliverySucceeded',
  data: { trigger, number, duration_ms: 1, subject: 'k1', at, status_code: 200, sealed: 'box' },
});
const failure: SealedDeliveryEvent = {
  type: 'DeliveryFailed',
  data: { trigger: 'schedule', number: 4, duration_ms: 1, subject: 'k1', at, status_code: 500, error: null, sealed: 'box' },
};

describe('delivering statuses, event by event', () => {
  it('stores the webhook of a message, and nothing else of it', () => {
    expect(afterMessage(queued(), 0, [])).to.deep.equal([{ do: 'store-note', note: subscription }]);
    expect(afterMessage(scheduled({ webhook_events: ['message.opened'] }), 0, [])).to.deep.equal([
      { do: 'store-note', note: { ...subscription, events: ['message.opened'] } },
    ]);
  });

  it('stores nothing of a message without webhook_url', () => {
    expect(afterMessage(queued({ webhook_url: undefined }), 0, [])).to.deep.equal([{ do: 'ignore', reason: 'no_webhook_url' }]);
  });

  it('schedules the delivery of a status at once, in the lane of its host', () =>
    expect(afterMessage(sent, 2)).to.deep.equal([{ do: 'schedule', todo: first }]));

  it('has one lane for each host and port', () => {
    const laneOf = (url: string) => {
      const [intention] = afterMessage(queued({ webhook_url: url }), 0, []);
      return intention?.do === 'store-note' && intention.note.lane;
    };
    expect(laneOf('http://127.0.0.1:4000/a')).to.equal(laneOf('http://127.0.0.1:4000/b')).and.not.equal(laneOf('http://127.0.0.1:4001/a'));
    expect(laneOf('https://ada.example.com/')).to.not.include('ada');
  });

  it('ignores later events of a message without webhook_url', () =>
    expect(afterMessage(sent, 2, [])).to.deep.equal([{ do: 'ignore', reason: 'not_subscribed' }]));

  for (const [what, event, revision] of [
    ['the release of a scheduled message', released, 1],
    ['a suppression at acceptance', suppressed, 1],
    ['quiet hours after acceptance', scheduled(), 3],
    ['a receipt', delivered, 3],
  ] as const)
    it(`schedules the delivery of ${what}`, () => {
      const [intention] = afterMessage(event, revision);
      expect(intention).to.have.nested.property('todo.id', whd(revision));
      expect(intention).to.have.nested.property('todo.revision', revision);
    });

  it('delivers opens only if webhook_events has them, and then no other event', () => {
    const opened: MessageEvent = { type: 'MessageOpened', data: receipt() };
    const chose = [{ ...subscription, events: ['message.opened'] }];
    expect(afterMessage(opened, 4)).to.deep.equal([{ do: 'ignore', reason: 'not_subscribed' }]);
    expect(afterMessage(opened, 4, chose)[0]).to.have.nested.property('todo.id', whd(4));
    expect(afterMessage(sent, 2, chose)).to.deep.equal([{ do: 'ignore', reason: 'not_subscribed' }]);
  });

  it('does not handle events that fire no webhook', () => {
    expect(handles).to.not.include(started.type);
    expect(handles).to.not.include('ReceiptIgnored');
    expect(handles).to.include.members(['MessageQueued', 'MessageScheduled', 'MessageSent', 'MessageClicked', 'RedeliveryRequested']);
  });

  it('schedules the next attempt at the time in the record of the last', () =>
    expect(afterOutcome(failedAttempt(1, '2026-01-15T10:30:32.000Z'), [first])).to.deep.equal([
      { do: 'schedule', todo: { ...first, attempt: 2, due_at: Date.parse('2026-01-15T10:30:32.000Z') } },
    ]));

  it('cancels the to-do after a success, and after the last failure', () => {
    expect(afterOutcome(success(2), [{ ...first, attempt: 2 }])).to.deep.equal([{ do: 'cancel', id: first.id }]);
    expect(afterOutcome(failure, [{ ...first, attempt: 4 }])).to.deep.equal([{ do: 'cancel', id: first.id }]);
  });

  it('schedules a requested redelivery beside the retries, and one of a replay behind all others', () => {
    const asked: SealedDeliveryEvent = {
      type: 'RedeliveryRequested',
      data: {
        number: 1,
        endpoint_id: null,
        source_stream: 'message-msg_1',
        revision: 2,
        event: 'message.sent',
        event_id: deliveryIds.event('event-2'),
        lane: legacyLane(URL_),
        at,
      },
    };
    expect(afterOutcome(asked, [first])).to.deep.equal([{ do: 'schedule', todo: { ...byHand, due_at: Date.parse(at) } }]);
    const turn = { due_at: Date.parse(at), priority: 2, lane: `${legacyLane(URL_)}/replay` };
    const replayed = { ...asked, data: { ...asked.data, replay: 'job_1' } } as SealedDeliveryEvent;
    expect(afterOutcome(replayed, [first])).to.deep.equal([{ do: 'schedule', todo: { ...byHand, ...turn } }]);
  });

  it('cancels the to-do of a manual attempt after any outcome, and leaves the retries', () => {
    expect(afterOutcome(success(1, 'manual'), [first, byHand])).to.deep.equal([{ do: 'cancel', id: byHand.id }]);
    expect(afterOutcome(failedAttempt(1, null, 'manual'), [first, byHand])).to.deep.equal([{ do: 'cancel', id: byHand.id }]);
  });

  it('ignores the outcome of an unknown delivery', () =>
    expect(afterOutcome(success(1))).to.deep.equal([{ do: 'ignore', reason: 'nothing_to_deliver' }]));

  it('declares the notes and to-dos that react() loads', () => {
    expect(reads?.(stored(queued()), UNDIVIDED)).to.deep.equal({ notes: ['msg_1'], fresh: true });
    expect(reads?.(stored(sent, { revision: 2 }), UNDIVIDED)).to.deep.equal({ notes: ['msg_1'], fresh: false });
    expect(readsMore?.(stored(sent, { revision: 2 }), memory({ notes: [subscription] }))).to.deep.equal({ todos: [whd(2)], fresh: true });
    expect(readsMore?.(stored(sent, { revision: 2 }), memory({}))).to.deep.equal({});
    expect(reads?.(stored(success(1, 'manual'), { stream: `delivery-${whd(2)}` }), UNDIVIDED)).to.deep.equal({ todos: [byHand.id] });
  });
});
