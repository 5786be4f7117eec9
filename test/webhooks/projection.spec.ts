import { expect } from 'chai';
import { type Doc, UNDIVIDED } from '../../domain/kernel/ports.js';
import type { MessageEvent } from '../../domain/messages/message.js';
import type { SealedDeliveryEvent } from '../../domain/webhooks/delivery.js';
import { deliveryIds } from '../../log/aggregates/webhooks/deliveries.js';
import type { LogEvent } from '../../log/runtime/log-event.js';
import type { View } from '../../projections/runtime/projection.js';
import { DELIVERIES, type DeliveryDoc, webhookDeliveries } from '../../projections/webhooks/projection.js';
import { queued, sent, started, stored } from './samples.js';

const at = '2026-01-15T10:30:02.000Z';
const delivery = deliveryIds.statusDelivery('msg_1', 'event-2');
type Trigger = 'schedule' | 'manual';
const common = (number: number, trigger: Trigger) => ({ trigger, number, duration_ms: 1, subject: 'k1', at, sealed: `box ${trigger} ${number}` });
const success = (number: number, trigger: Trigger = 'schedule'): SealedDeliveryEvent => ({
  type: 'DeliverySucceeded',
  data: { ...common(number, trigger), status_code: 200 },
});
const failure = (number: number, next_attempt_at: string | null, trigger: Trigger = 'schedule'): SealedDeliveryEvent => ({
  type: 'DeliveryAttemptFailed',
  data: { ...common(number, trigger), status_code: 500, error: null, next_attempt_at },
});
const last: SealedDeliveryEvent = {
  type: 'DeliveryFailed',
  data: { ...common(4, 'schedule'), status_code: null, error: { code: 'timeout', message: 'late' } },
};

/** The document after a message was sent and these attempts were made. Fails if `apply` reads a document that `reads` did not declare. */
function docAfter(attempts: readonly SealedDeliveryEvent[], message: readonly MessageEvent[] = [queued(), started, sent]): DeliveryDoc | undefined {
  const docs = new Map<string, Doc>();
  const events: LogEvent<never>[] = [
    ...message.map((event, revision) => stored<never>(event, { revision })),
    ...attempts.map((event) => stored<never>(event, { stream: `delivery-${delivery}` })),
  ];
  for (const event of events.filter((s) => webhookDeliveries.handles.includes((s as LogEvent).event.type as never))) {
    const named = new Set(webhookDeliveries.reads(event, UNDIVIDED).map(({ collection, id }) => `${collection}/${id}`));
    const place = (collection: string, id: string) => {
      expect(named).to.include(`${collection}/${id}`);
      return `${collection}/${id}`;
    };
    const view: View = {
      partition: UNDIVIDED,
      isLoaded: () => true,
      get: <D extends Doc>(collection: string, id: string) => docs.get(place(collection, id)) as D | undefined,
      put: (collection, doc) => void docs.set(place(collection, doc.id), doc),
      remove: (collection, id) => void docs.delete(place(collection, id)),
    };
    for (const { collection, id } of webhookDeliveries.readsMore?.(event, view) ?? []) named.add(`${collection}/${id}`);
    webhookDeliveries.apply(event, view);
  }
  return docs.get(`${DELIVERIES}/${delivery}`) as DeliveryDoc | undefined;
}

describe('the list of webhook deliveries', () => {
  it('has a delivery as soon as it is due', () =>
    expect(docAfter([])).to.deep.include({
      status: 'pending',
      attempts: [],
      message_id: 'msg_1',
      account_id: 'acc_1',
      revision: 2,
      event: 'message.sent',
    }));

  it('has none for a message without webhook_url', () =>
    expect(docAfter([], [queued({ webhook_url: undefined }), started, sent])).to.equal(undefined));

  it('shows a delivery as pending until the retry schedule ends', () =>
    expect(docAfter([failure(1, '2026-01-15T10:30:32.000Z')])).to.include({ status: 'pending', next_attempt_at: '2026-01-15T10:30:32.000Z' }));

  it('shows it as delivered after a success, and as failed after the last failure', () => {
    expect(docAfter([failure(1, at), success(2)])).to.include({ status: 'delivered', next_attempt_at: null });
    expect(docAfter([failure(1, at), failure(2, at), failure(3, at), last])).to.include({ status: 'failed', next_attempt_at: null });
  });

  it('shows it as pending after a manual success, and as delivered once the retry schedule ends', () => {
    expect(docAfter([failure(1, at), success(1, 'manual')])).to.include({ status: 'pending', next_attempt_at: at });
    expect(docAfter([failure(1, at), success(1, 'manual'), failure(2, at), failure(3, at), last])).to.include({
      status: 'delivered',
      next_attempt_at: null,
    });
  });

  it('shows a failed one as delivered after a manual success, and does not change it after a manual failure', () => {
    expect(docAfter([last, success(1, 'manual')])).to.include({ status: 'delivered' });
    expect(docAfter([last, failure(1, null, 'manual')])).to.include({ status: 'failed' });
    expect(docAfter([success(1), failure(1, null, 'manual')])).to.include({ status: 'delivered', next_attempt_at: null });
  });

  it('stores response bodies sealed, and null if there was none', () => {
    const boxes = docAfter([failure(1, at), last])?.attempts.map(({ answer_box }) => answer_box);
    expect(boxes).to.deep.equal(['box schedule 1', null]);
  });

  it('stores the last fifty attempts', () => {
    const attempts = docAfter([last, ...Array.from({ length: 60 }, (_, i) => failure(i + 1, null, 'manual'))])?.attempts;
    expect(attempts).to.have.lengthOf(50);
    expect(attempts?.at(-1)?.number).to.equal(60);
  });
});
