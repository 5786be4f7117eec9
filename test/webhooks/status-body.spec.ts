import { expect } from 'chai';
import type { MessageEvent } from '../../domain/messages/message.js';
import { transitions, webhookEvents } from '../../domain/messages/status.js';
import { statusBody } from '../../domain/webhooks/status-body.js';
import { accepted, delivered, queued, receipt, released, scheduled, sent, started, suppressed } from './samples.js';

const told = (...events: MessageEvent[]) => statusBody(events, { message_id: 'msg_1', event_id: 'evt_1', recordedAt: '2026-01-15T10:31:00.000Z' });

const failed = (code: string | null, error: string | null): MessageEvent => ({
  type: 'MessageFailed',
  data: { carrier: 'twilio', reason: 'carrier_rejected', code, error, at: '2026-01-15T10:30:01.000Z' },
});

describe('what a webhook_url is told', () => {
  it('is every field in this order', () => {
    expect(JSON.stringify(told(queued(), started, sent, delivered))).to.equal(
      '{"event":"message.delivered","event_id":"evt_1","message_id":"msg_1","batch_id":null,"channel":"sms","to":"+14155550100",' +
        '"status":"delivered","previous_status":"sent","status_reason":null,"sequence":4,"occurred_at":"2026-01-15T10:30:02.000Z",' +
        '"contact_id":null,"campaign_id":null,"journey_id":null,"carrier":{"name":"twilio","message_id":"SM1","code":null},' +
        '"error":null,"metadata":{"order":"A1"}}',
    );
  });

  it('is the same text each time it is made', () => {
    const once = () => JSON.stringify(told(queued({ metadata: { z: 1, a: { y: 2, b: [3] } } }), started, sent));
    expect(once()).to.equal(once());
    expect(once()).to.contain('"metadata":{"z":1,"a":{"y":2,"b":[3]}}');
  });

  it('names where the message belongs', () => {
    const body = told(queued({ batch_id: 'bat_1', contact_id: 'con_1', campaign_id: 'cmp_1', journey_id: 'jrn_1' }), started, sent);
    expect(body).to.include({ batch_id: 'bat_1', contact_id: 'con_1', campaign_id: 'cmp_1', journey_id: 'jrn_1' });
  });

  it('has no carrier before there is one, and empty metadata where none was given', () => {
    const { metadata: _, ...without } = accepted();
    expect(told({ type: 'MessageQueued', data: without }, suppressed)).to.deep.include({ carrier: null, metadata: {} });
  });

  it('says why a message was suppressed', () =>
    expect(told(queued(), suppressed)).to.include({
      event: 'message.suppressed',
      status: 'suppressed',
      previous_status: 'queued',
      status_reason: 'stop_keyword',
      sequence: 2,
    }));

  it('says that a scheduled message is queued', () =>
    expect(told(scheduled(), released)).to.include({ event: 'message.queued', status: 'queued', previous_status: 'scheduled', sequence: 2 }));

  it('says that a queued message waits again, at the time it was recorded', () =>
    expect(told(queued(), scheduled())).to.include({
      event: 'message.scheduled',
      previous_status: 'queued',
      occurred_at: '2026-01-15T10:31:00.000Z',
    }));

  it('gives expiry its reason', () =>
    expect(told(queued(), { type: 'MessageExpired', data: { at: '2026-01-15T11:00:00.000Z' } })).to.include({
      status: 'expired',
      status_reason: 'ttl',
      occurred_at: '2026-01-15T11:00:00.000Z',
    }));

  it("gives a failure the carrier's code and words", () => {
    const body = told(queued(), started, failed('30007', 'Carrier violation'));
    expect(body.error).to.deep.equal({ code: '30007', message: 'Carrier violation' });
    expect(body.carrier).to.deep.equal({ name: 'twilio', message_id: null, code: '30007' });
    expect(body).to.include({ event: 'message.failed', status_reason: 'carrier_rejected' });
  });

  it('gives a failure our reason where the carrier gave none', () =>
    expect(told(queued(), started, failed(null, null)).error).to.deep.equal({
      code: 'carrier_rejected',
      message: 'No carrier took it: carrier_rejected.',
    }));

  it('gives a bounce its error, also after delivery', () => {
    const bounced: MessageEvent = {
      type: 'MessageBounced',
      data: { ...receipt({ code: '550', raw_status: 'bounce', receipt_key: 'r2' }), reason: 'hard_bounce' },
    };
    expect(told(queued(), started, sent, delivered, bounced)).to.deep.include({
      previous_status: 'delivered',
      status_reason: 'hard_bounce',
      error: { code: '550', message: "The carrier reports 'bounce'." },
    });
  });

  it('tells a click without a change of status', () => {
    const clicked: MessageEvent = { type: 'MessageClicked', data: { ...receipt({ receipt_key: 'r2' }), url: 'https://example.com' } };
    expect(told(queued(), started, sent, delivered, clicked)).to.include({
      event: 'message.clicked',
      status: 'delivered',
      previous_status: 'delivered',
    });
  });

  it('tells a delivery that overtook the answer of the carrier', () =>
    expect(told(queued(), started, delivered)).to.deep.include({
      previous_status: 'sending',
      carrier: { name: 'twilio', message_id: 'SM1', code: null },
    }));

  it('takes erased fields', () =>
    expect(told(queued({ to: '<erased>', content: {} as never, metadata: {} }), started, sent)).to.deep.include({ to: '<erased>', metadata: {} }));

  it('writes the time of a carrier in another zone in UTC with milliseconds', () =>
    expect(told(queued(), started, { type: 'MessageDelivered', data: receipt({ at: '2026-01-15T12:30:02.5+02:00' }) }).occurred_at).to.equal(
      '2026-01-15T10:30:02.500Z',
    ));

  it('has a body for every event that can be told', () => {
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
    for (const [name, events] of Object.entries(later)) expect(told(queued(), ...events).event).to.equal(name);
  });

  it('refuses what nobody is told', () => {
    for (const events of [[], [queued()], [queued(), started]] as MessageEvent[][]) expect(() => told(...events)).to.throw('fires no webhook');
    expect(transitions.MessageDispatchStarted.webhook).to.equal(null);
  });
});
