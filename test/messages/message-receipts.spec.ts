import { expect } from 'chai';
import { message } from '../../domain/messages/message.js';
import type { ReceiptKind } from '../../domain/messages/receipt.js';
import { type Status, statusNames } from '../../domain/messages/status.js';
import { specification } from '../given.js';
import { dispatchStarted, now, pasts, queued, receiptData, recordAccepted, recordReceipt } from './message-examples.js';

const { given } = specification(message);

/** The transitions of each kind of receipt: the statuses in which it counts, and the status after it. */
const kinds: Readonly<Record<Exclude<ReceiptKind, 'accepted'>, { event: string; from: readonly Status[]; to: Status | null; fields?: object }>> = {
  delivered: { event: 'MessageDelivered', from: ['sending', 'sent', 'undelivered'], to: 'delivered' },
  undelivered: { event: 'MessageUndelivered', from: ['sending', 'sent'], to: 'undelivered', fields: { reason: 'carrier_rejected' } },
  bounced: { event: 'MessageBounced', from: ['sending', 'sent', 'delivered'], to: 'bounced', fields: { reason: 'hard_bounce' } },
  deferred: { event: 'MessageDeferred', from: ['sent'], to: null },
  opened: { event: 'MessageOpened', from: statusNames, to: null },
  clicked: { event: 'MessageClicked', from: statusNames, to: null, fields: { url: null } },
  read: { event: 'MessageRead', from: statusNames, to: null },
  replied: { event: 'MessageReplied', from: statusNames, to: null, fields: { text: null, keyword: null } },
  complained: { event: 'MessageComplained', from: statusNames, to: null },
  unsubscribed: { event: 'MessageUnsubscribed', from: statusNames, to: null },
};

describe('a receipt of a message', () => {
  for (const [name, { event, from, to, fields = {} }] of Object.entries(kinds)) {
    const kind = name as keyof typeof kinds;
    for (const status of statusNames) {
      const past = given(...pasts[status]);
      const decided = past.when(recordReceipt(kind));
      if (from.includes(status)) {
        const expected = { type: event, data: { ...receiptData(kind), ...fields } } as ReturnType<typeof queued>;
        // Who has read a message has it.
        const arrived = kind === 'read' && kinds.delivered.from.includes(status);
        const before = { type: 'MessageDelivered', data: { ...receiptData(kind), receipt_key: 'key of read/delivered' } } as ReturnType<
          typeof queued
        >;
        it(`records ${event} when the message is ${status}`, () => (arrived ? decided.then(before, expected) : decided.then(expected)));
        it(`leaves the message ${to ?? status} after ${event} in ${status}`, () =>
          expect(given(...pasts[status], expected).state().status).to.equal(to ?? status));
      } else {
        const reason = 'reason' in fields ? { reason: fields.reason } : {};
        const ignored = { type: 'ReceiptIgnored', data: { ...receiptData(kind), kind, ...reason } } as ReturnType<typeof queued>;
        it(`ignores '${kind}' when the message is ${status}`, () => decided.then(ignored));
        it(`leaves the message ${status} after it ignored '${kind}'`, () => expect(given(...pasts[status], ignored).state().status).to.equal(status));
      }
    }
  }

  it('that it is read shows that it arrived, and the report of that changes nothing any more', () => {
    const read = recordReceipt('read');
    const events = message.decide(read, given(...pasts.sent).state());
    expect(events.map(({ type }) => type)).to.deep.equal(['MessageDelivered', 'MessageRead']);
    given(...pasts.sent, ...events)
      .when(recordReceipt('delivered'))
      .thenIncludes({ type: 'ReceiptIgnored', data: { kind: 'delivered' } });
    given(...pasts.sent, ...events)
      .when(read)
      .thenNothing();
  });

  it('of its acceptance may be recorded before the answer of the carrier, and changes nothing otherwise', () => {
    const expected = { type: 'MessageSent', data: { carrier: 'sandbox', carrier_message_id: 'sb_1', peer_key: 'p', at: now } } as const;
    given(queued(), dispatchStarted({ peer_key: 'p' }))
      .when(recordReceipt('accepted'))
      .then(expected);
    given(queued(), dispatchStarted({ peer_key: 'p' }), expected)
      .when(recordAccepted())
      .thenNothing();
    for (const status of statusNames.filter((name) => name !== 'sending'))
      given(...pasts[status])
        .when(recordReceipt('accepted'))
        .thenNothing();
  });

  it('has the time of its arrival where it is dated before its message', () => {
    const command = recordReceipt('bounced', { at: '2009-04-29T23:34:45.000Z', received_at: '2030-01-01T00:00:00.000Z' });
    given(...pasts.sent)
      .when(command)
      .thenIncludes({ type: 'MessageBounced', data: { at: '2030-01-01T00:00:00.000Z' } });
  });

  it('keeps what a bounce means for the address, also where the bounce comes too late', () => {
    const bounced = recordReceipt('bounced', { reason: 'blocked', bounce_class: 'blocked' });
    const expected = { reason: 'blocked', bounce_class: 'blocked' };
    given(...pasts.sent)
      .when(bounced)
      .thenIncludes({ type: 'MessageBounced', data: expected });
    given(...pasts.canceled)
      .when(bounced)
      .thenIncludes({ type: 'ReceiptIgnored', data: expected });
  });

  it('keeps the reason that the carrier gives', () => {
    given(...pasts.sent)
      .when(recordReceipt('undelivered', { reason: 'invalid_recipient' }))
      .thenIncludes({ type: 'MessageUndelivered', data: { reason: 'invalid_recipient' } });
    given(...pasts.delivered)
      .when(recordReceipt('undelivered', { reason: 'no_device' }))
      .thenIncludes({ type: 'ReceiptIgnored', data: { kind: 'undelivered', reason: 'no_device' } });
  });

  it('keeps the link, the text and the keyword of an interaction', () => {
    given(...pasts.sent)
      .when(recordReceipt('clicked', { url: 'https://example.com/a' }))
      .thenIncludes({ type: 'MessageClicked', data: { url: 'https://example.com/a' } });
    given(...pasts.sent)
      .when(recordReceipt('replied', { text: 'Stop', keyword: 'stop' }))
      .thenIncludes({ type: 'MessageReplied', data: { text: 'Stop', keyword: 'stop' } });
  });

  it('keeps the raw receipt', () =>
    given(...pasts.sent)
      .when(recordReceipt('delivered', { raw: '{"status":"ok"}' }))
      .thenIncludes({ type: 'MessageDelivered', data: { raw: '{"status":"ok"}' } }));

  it('changes nothing when its key was recorded before, also as ignored', () => {
    for (const kind of Object.keys(kinds) as (keyof typeof kinds)[]) {
      const [event] = message.decide(recordReceipt(kind), given(...pasts.canceled).state());
      expect(event?.type).to.be.oneOf([kinds[kind].event, 'ReceiptIgnored']);
      given(...pasts.canceled, event as ReturnType<typeof queued>)
        .when(recordReceipt(kind))
        .thenNothing();
    }
  });

  it('may be recorded before the answer of the carrier, and then has the carrier’s message id', () => {
    const [event] = message.decide(recordReceipt('delivered', { carrier_message_id: 'sb_early' }), given(queued(), dispatchStarted()).state());
    const state = given(queued(), dispatchStarted(), event as ReturnType<typeof queued>);
    expect(state.state()).to.deep.include({ status: 'delivered', carrier: { name: 'sandbox', message_id: 'sb_early' } });
    state.when(recordAccepted()).thenNothing();
  });

  it('does not replace the carrier’s message id of the answer', () => {
    const [event] = message.decide(recordReceipt('delivered', { carrier_message_id: 'another' }), given(...pasts.sent).state());
    expect(given(...pasts.sent, event as ReturnType<typeof queued>).state()).to.deep.include({ carrier: { name: 'sandbox', message_id: 'sb_1' } });
  });
});
