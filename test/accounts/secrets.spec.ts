import { expect } from 'chai';
import fc from 'fast-check';
import { apiKeyHash, apiKeyPrefix, apiKeyText, looksLikeApiKey, webhookSecretText } from '../../commands/accounts/secrets.js';

const secret = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes));

describe('an API key', () => {
  it('looks like one, whatever its secret', () => fc.assert(fc.property(secret, (bytes) => looksLikeApiKey(apiKeyText(bytes)))));
  it('holds the whole secret', () => fc.assert(fc.property(secret, secret, (a, b) => (apiKeyText(a) === apiKeyText(b)) === a.equals(b))));
  it('fits the largest secret', () => expect(apiKeyText(Buffer.alloc(32, 0xff))).to.match(/^hk_live_[0-9A-Za-z]{43}$/));
  it('is told from other texts', () => {
    const key = apiKeyText(Buffer.alloc(32, 7));
    for (const text of ['', 'hk_live_', `${key}x`, ` ${key}`, `${key}\n`, key.slice(0, -1), key.replace('live', 'test')])
      expect(looksLikeApiKey(text), JSON.stringify(text)).to.equal(false);
  });
  it('is known by its beginning, and stored as a hash that does not contain it', () => {
    const key = apiKeyText(Buffer.alloc(32, 7));
    expect(key.startsWith(apiKeyPrefix(key))).to.equal(true);
    expect(apiKeyPrefix(key)).to.have.length(12);
    expect(apiKeyHash(key)).to.match(/^[\w-]{43}$/);
  });
});

describe('a webhook secret', () => {
  it('is 32 bytes as the Standard Webhooks libraries read them', () =>
    expect(Buffer.from(webhookSecretText(Buffer.alloc(32, 9)).slice('whsec_'.length), 'base64')).to.deep.equal(Buffer.alloc(32, 9)));
});
