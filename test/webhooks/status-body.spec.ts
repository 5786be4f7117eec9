import { expect } from 'chai';
import type { MessageEvent } from '../../domain/messages/message.js';
import { transitions, webhookEvents } from '../../domain/messages/status.js';
import { statusBody } from '../../domain/webhooks/status-body.js';
import { accepted, delivered, queued, receipt, released, scheduled, sent, started, suppressed } from './samples.js';

const bodyOf = (...events: MessageEvent[]) => statusBody(events, { message_id: 'msg_1', event_id: 'evt_1', recordedAt: '2026-01-15T10:31:00.000Z' });

const failed = (code: string | null, error: string | null): MessageEvent => ({
  type: 'MessageFailed',
  data: { carrier: 'twilio', reason: 'carrier_rejected', code, error, at: '2026-01-15T10:30:01.000Z' },
});

describe('the body of a webhook', () => {
  it('has every field in this order', () => {
    expect(JSON.stringify(bodyOf(queued(), started, sent, delivered))).to.equal(
      '{"event":"message.delivered","event_id":"evt_1","message_id":"msg_1","batch_id":null,"channel":"sms","to":"+14155550100",' +
        '"status":"delivered","previous_status":"sent","status_reason":null,"sequence":4,"occurred_at":"2026-01-15T10:30:02.000Z",' +
        '"contact_id":null,"campaign_id":null,"journey_id":null,"carrier":{"name":"twilio","message_id":"SM1","code":null},' +
        '"error":null,"metadata":{"order":"A1"}}',
    );
  });

  it('is the same text for the same events', () => {
    const once = () => JSON.stringify(bodyOf(queued({ metadata: { z: 1, a: { y: 2, b: [3] } } }), started, sent));
    expect(once()).to.equal(once());
    expect(once()).to.contain('"metadata":{"z":1,"a":{"y":2,"b":[3]}}');
  });

  it('has the batch, contact, campaign and journey of the message', () => {
    const body = bodyOf(queued({ batch_id: 'bat_1', contact_id: 'con_1', campaign_id: 'cmp_1', journey_id: 'jrn_1' }), started, sent);
    expect(body).to.include({ batch_id: 'bat_1', contact_id: 'con_1', campaign_id: 'cmp_1', journey_id: 'jrn_1' });
  });

  it('says of a message of a test key that it is one', () => {
    expect(bodyOf(queued({ test: true }), started, sent, delivered)).to.include({ test: true });
    expect(bodyOf(queued(), started, sent, delivered)).to.not.have.property('test');
  });

  it('has the text of an answer by text, and nothing of one by email', () => {
    const replied = (text: string | null): MessageEvent => ({ type: 'MessageReplied', data: { ...receipt(), text, keyword: null } });
    expect(bodyOf(queued(), started, sent, replied('Yes, please')).reply).to.deep.equal({
      ...{ text: 'Yes, please', from: '+14155550100', received_at: receipt().at },
    });
    expect(bodyOf(queued(), started, sent, replied(null))).not.to.have.property('reply');
  });

  it('has no carrier before there is one, and empty metadata without metadata in the request', () => {
    const { metadata: _, ...without } = accepted();
    expect(bodyOf({ type: 'MessageQueued', data: without }, suppressed)).to.deep.include({ carrier: null, metadata: {} });
  });

  it('has the reason of a suppression', () =>
    expect(bodyOf(queued(), suppressed)).to.include({
      event: 'message.suppressed',
      status: 'suppressed',
      previous_status: 'queued',
      status_reason: 'stop_keyword',
      sequence: 2,
    }));

  it('reports the release of a scheduled message', () =>
    expect(bodyOf(scheduled(), released)).to.include({ event: 'message.queued', status: 'queued', previous_status: 'scheduled', sequence: 2 }));

  it('reports that a queued message is delayed, with the time of the record', () =>
    expect(bodyOf(queued(), scheduled())).to.include({
      event: 'message.scheduled',
      previous_status: 'queued',
      occurred_at: '2026-01-15T10:31:00.000Z',
    }));

  it('has the reason of an expiry', () =>
    expect(bodyOf(queued(), { type: 'MessageExpired', data: { at: '2026-01-15T11:00:00.000Z' } })).to.include({
      status: 'expired',
      status_reason: 'ttl',
      occurred_at: '2026-01-15T11:00:00.000Z',
    }));

  it("has the carrier's code and text of a failure", () => {
    const body = bodyOf(queued(), started, failed('30007', 'Carrier violation'));
    expect(body.error).to.deep.equal({ code: '30007', message: 'Carrier violation' });
    expect(body.carrier).to.deep.equal({ name: 'twilio', message_id: null, code: '30007' });
    expect(body).to.include({ event: 'message.failed', status_reason: 'carrier_rejected' });
  });

  it('has our reason of a failure if the carrier gave none', () =>
    expect(bodyOf(queued(), started, failed(null, null)).error).to.deep.equal({
      code: 'carrier_rejected',
      message: 'No carrier took it: carrier_rejected.',
    }));

  it('has the error of a bounce, also after delivery', () => {
    const bounced: MessageEvent = {
      type: 'MessageBounced',
      data: { ...receipt({ code: '550', raw_status: 'bounce', receipt_key: 'r2' }), reason: 'hard_bounce' },
    };
    expect(bodyOf(queued(), started, sent, delivered, bounced)).to.deep.include({
      previous_status: 'delivered',
      status_reason: 'hard_bounce',
      error: { code: '550', message: "The carrier reports 'bounce'." },
    });
  });

  it('reports a click without a change of status', () => {
    const clicked: MessageEvent = { type: 'MessageClicked', data: { ...receipt({ receipt_key: 'r2' }), url: 'https://example.com' } };
    expect(bodyOf(queued(), started, sent, delivered, clicked)).to.include({
      event: 'message.clicked',
      status: 'delivered',
      previous_status: 'delivered',
    });
  });

  it('reports a delivery whose receipt came before the answer of the carrier', () =>
    expect(bodyOf(queued(), started, delivered)).to.deep.include({
      previous_status: 'sending',
      carrier: { name: 'twilio', message_id: 'SM1', code: null },
    }));

  it('is made from erased fields, too', () =>
    expect(bodyOf(queued({ to: '<erased>', content: {} as never, metadata: {} }), started, sent)).to.deep.include({ to: '<erased>', metadata: {} }));

  it('writes the time of a carrier in another zone in UTC with milliseconds', () =>
    expect(bodyOf(queued(), started, { type: 'MessageDelivered', data: receipt({ at: '2026-01-15T12:30:02.5+02:00' }) }).occurred_at).to.equal(
      '2026-01-15T10:30:02.500Z',
    ));

  it('exists for every event that fires a webhook', () => {
    const at = '2026-01-15T10:30:05.000Z';
    const later: Record<string, MessageEvent[]> = {
      'message.scheduled': [scheduled()],
      'message.queued': [scheduled(), released],
      'message.suppressed': [suppressed],
      'message.canceled': [{ type: 'MessageCanceled', data: { at } }],
      'message.expired': [{ type: 'MessageExpired', data: { at } }],
      'message.deferred': [
        started,
        { type: 'MessageDispatchDeferred', data: { carrier: 'twilio', attempt: 1, code: null, error: 'busy', retry_at: at, at } },
      ],
      'message.sent': [started, sent],
      'message.failed': [started, failed(null, null)],
      'message.delivered': [started, sent, delivered],
      'message.undelivered': [started, sent, { type: 'MessageUndelivered', data: { ...receipt(), reason: 'carrier_rejected' } }],
      'message.bounced': [started, sent, { type: 'MessageBounced', data: { ...receipt(), reason: 'hard_bounce' } }],
      'message.opened': [started, sent, { type: 'MessageOpened', data: receipt() }],
      'message.clicked': [started, sent, { type: 'MessageClicked', data: { ...receipt(), url: null } }],
      'message.read': [started, sent, { type: 'MessageRead', data: receipt() }],
      'message.replied': [started, sent, { type: 'MessageReplied', data: { ...receipt(), text: null, keyword: null } }],
      'message.complained': [started, sent, { type: 'MessageComplained', data: receipt() }],
      'message.unsubscribed': [started, sent, { type: 'MessageUnsubscribed', data: receipt() }],
    };
    expect(Object.keys(later)).to.have.members([...webhookEvents]);
    for (const [name, events] of Object.entries(later)) expect(bodyOf(queued(), ...events).event).to.equal(name);
  });

  it('throws for an event that fires no webhook', () => {
    for (const events of [[], [queued()], [queued(), started]] as MessageEvent[][]) expect(() => bodyOf(...events)).to.throw('fires no webhook');
    expect(transitions.MessageDispatchStarted.webhook).to.equal(null);
  });
});
