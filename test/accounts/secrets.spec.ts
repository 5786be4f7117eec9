import { expect } from 'chai';
import fc from 'fast-check';
import { apiKeyPrefix, formatApiKey, formatWebhookSecret, hasApiKeyFormat, hashApiKey } from '../../formats/accounts/secrets.js';

const secret = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes));

describe('an API key', () => {
  it('has the format of one, whatever its secret', () => fc.assert(fc.property(secret, (bytes) => hasApiKeyFormat(formatApiKey(bytes)))));
  it('contains the whole secret', () => fc.assert(fc.property(secret, secret, (a, b) => (formatApiKey(a) === formatApiKey(b)) === a.equals(b))));
  it('has room for the largest secret', () => expect(formatApiKey(Buffer.alloc(32, 0xff))).to.match(/^hk_live_[0-9A-Za-z]{43}$/));
  it('is distinguished from other texts', () => {
    const key = formatApiKey(Buffer.alloc(32, 7));
    for (const text of ['', 'hk_live_', `${key}x`, ` ${key}`, `${key}\n`, key.slice(0, -1), key.replace('live', 'trial')])
      expect(hasApiKeyFormat(text), JSON.stringify(text)).to.equal(false);
  });
  it('is recognized by its prefix, and stored as a hash that does not contain it', () => {
    const key = formatApiKey(Buffer.alloc(32, 7));
    expect(key.startsWith(apiKeyPrefix(key))).to.equal(true);
    expect(apiKeyPrefix(key)).to.have.length(12);
    expect(hashApiKey(key)).to.match(/^[\w-]{43}$/);
  });
});

describe('a webhook secret', () => {
  it('is 32 bytes in the format of the Standard Webhooks libraries', () =>
    expect(Buffer.from(formatWebhookSecret(Buffer.alloc(32, 9)).slice('whsec_'.length), 'base64')).to.deep.equal(Buffer.alloc(32, 9)));
});
