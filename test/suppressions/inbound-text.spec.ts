import { expect } from 'chai';
import { type InboundTextCommand, type InboundTextEvent, inboundText, type ReceivedText } from '../../domain/suppressions/inbound-text.js';
import { specification } from '../given.js';

const { given } = specification(inboundText);
const now = '2026-01-01T12:00:00.000Z';
const text: ReceivedText = {
  inbound_id: 'inb_1',
  carrier: 'sandbox',
  carrier_message_id: 'c-1',
  channel: 'sms',
  from_key: 'key-1',
  from: '+14155550100',
  to: null,
  text: 'STOP',
  kind: 'stop',
  keyword: 'STOP',
  language: 'en',
  answered: false,
  at: now,
  received_at: now,
};

const receive: InboundTextCommand = { type: 'Receive', received: text };
const follow = (answer_id: string | null = 'msg_1'): InboundTextCommand => ({
  type: 'Follow',
  inbound_id: 'inb_1',
  effect: 'opted_out',
  answer_id,
  now,
});
const received: InboundTextEvent = { type: 'InboundTextReceived', data: text };
const followed = (answer_id: string | null = 'msg_1'): InboundTextEvent => ({
  type: 'KeywordFollowed',
  data: { inbound_id: 'inb_1', effect: 'opted_out', answer_id, at: now },
});

describe('InboundText', () => {
  it('is received', () => given().when(receive).then(received));
  it('produces no event when the carrier repeats its report', () => given(received).when(receive).thenNothing());
  it('produces no event when the report is repeated after the keyword was applied', () => given(received, followed()).when(receive).thenNothing());

  it('records the effect of its keyword and the reply', () => given(received).when(follow()).then(followed()));
  it('records the effect of its keyword without a reply', () => given(received).when(follow(null)).then(followed(null)));
  it('produces no event when the keyword is applied twice', () => given(received, followed()).when(follow('msg_2')).thenNothing());
  it('produces no event for a text that was not received', () => given().when(follow()).thenNothing());

  it('keeps the text and the effect in its state', () =>
    expect(given(received, followed()).state()).to.deep.equal({ status: 'followed', received: text, effect: 'opted_out' }));
});
