import { expect } from 'chai';
import { sendMessage } from '../../commands/messages/send-message.js';
import { type MessageDoc, type StoredMessage, storedMessage, wholeMessage } from '../../projections/messages/message-doc.js';
import { messages } from '../../projections/messages/projection.js';
import { TestApp } from '../support/test-app.js';

describe('a stored message', () => {
  const stored = async (): Promise<StoredMessage> => {
    const app = new TestApp();
    await app.execute(sendMessage, { channel: 'sms', to: '+14155550100', message: 'Hello' } as never);
    const [doc] = await app.documents<StoredMessage>(messages, 'messages');
    return doc as StoredMessage;
  };

  it('leaves out the fields that nothing has set', async () => {
    const doc = await stored();
    expect(doc).to.not.have.any.keys('campaign_id', 'sent_at', 'tags', 'engagement', 'attempts', 'created_at');
    expect(wholeMessage(doc)).to.include({ campaign_id: null, sent_at: null, attempts: 0, created_at: doc.seq.slice(0, 24) });
  });

  it('leaves out a field that is unset again', async () => {
    const whole = wholeMessage(await stored());
    expect(storedMessage({ ...whole, status_reason: 'ttl', tags: ['a'] })).to.deep.include({ status_reason: 'ttl', tags: ['a'] });
    expect(storedMessage({ ...whole, status_reason: null, tags: [] })).to.not.have.any.keys('status_reason', 'tags');
  });

  it('of an earlier version, with all its fields, reads the same', async () => {
    const whole: MessageDoc = wholeMessage(await stored());
    expect(wholeMessage(whole)).to.deep.equal(whole);
  });
});
