import { createHmac, randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { expect } from 'chai';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { type SignatureInput, signatureHeaders, signatureOf, standardWebhookHeaders, verifySignature } from '../../formats/webhooks/signature.js';

const stripe = new Stripe('sk_test_unused');
const now = 1_700_000_000_000;
const input: SignatureInput = {
  secret: 'whsec_test_secret',
  event: 'message.delivered',
  deliveryId: 'whd_1',
  attempt: 1,
  body: '{"event":"message.delivered","data":{"id":"msg_1"}}',
  timestampMs: now,
  prefix: 'Service',
  legacyPrefix: 'Legacy',
};
const lowerCase = (headers: Record<string, string>): IncomingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

describe('the signature of a webhook', () => {
  const vectors: [secret: string, timestampMs: number, body: string, hex: string][] = [
    [
      'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      1614265330000,
      '{"test": 2432232314}',
      '38dcd345d12a163975f2a8484af858926bb995e425f50d05a5aaeaacf2178698',
    ],
    [
      'whsec_test_secret',
      now,
      '{"event":"message.delivered","data":{"id":"msg_1"}}',
      '13a41af7792a889592c41117cd81980130f86cdb3af9dca4493b4a9f4a58957a',
    ],
    ['whsec_test_secret', now, '{"text":"héllo ☃ 😀"}', '775fc0fbe4685f248170803d9eb6cd18c4935af20f01b764bc8aac1155542a7e'],
  ];
  for (const [secret, timestampMs, body, hex] of vectors)
    it(`of ${body} is ${hex.slice(0, 8)}…, for a text and for its bytes, and Stripe's library agrees`, async () => {
      expect(signatureOf(secret, timestampMs, body)).to.equal(hex);
      expect(signatureOf(secret, timestampMs, Buffer.from(body))).to.equal(hex);
      expect(stripe.webhooks.generateTestHeaderString({ payload: body, secret, timestamp: timestampMs })).to.equal(`t=${timestampMs},v1=${hex}`);
      expect(await stripe.webhooks.signature?.verifyHeader(body, `t=${timestampMs},v1=${hex}`, secret, 0)).to.equal(true);
    });

  it('is an HMAC-SHA256 with the test vectors of RFC 4231 and others', () => {
    const hmac = (key: string, message: string) => createHmac('sha256', key).update(message).digest('hex');
    expect(hmac('Jefe', 'what do ya want for nothing?')).to.equal('5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843');
    expect(hmac("It's a Secret to Everybody", 'Hello, World!')).to.equal('757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17');
    expect(signatureOf('It’s a secret', 5, 'x')).to.equal(hmac('It’s a secret', '5.x'));
  });

  it('equals Stripe’s for any secret, time and body', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), fc.integer({ min: 1, max: 4e12 }), fc.json(), (secret, timestampMs, body) => {
        const header = stripe.webhooks.generateTestHeaderString({ payload: body, secret, timestamp: timestampMs });
        expect(header).to.equal(`t=${timestampMs},v1=${signatureOf(secret, timestampMs, body)}`);
      }),
    );
  });
});

describe('the headers of a webhook', () => {
  it('are event, timestamp, signature, delivery and attempt, and aliases of the first three', () => {
    const signature = '13a41af7792a889592c41117cd81980130f86cdb3af9dca4493b4a9f4a58957a';
    expect(signatureHeaders(input)).to.deep.equal({
      'X-Service-Event': 'message.delivered',
      'X-Service-Timestamp': '1700000000000',
      'X-Service-Signature': signature,
      'X-Service-Delivery': 'whd_1',
      'X-Service-Attempt': '1',
      'X-Legacy-Event': 'message.delivered',
      'X-Legacy-Timestamp': '1700000000000',
      'X-Legacy-Signature': signature,
    });
  });

  it('have the configured prefixes', () => {
    expect(signatureHeaders({ ...input, prefix: 'Acme', legacyPrefix: 'Old' })).to.include.all.keys(
      'X-Acme-Signature',
      'X-Acme-Attempt',
      'X-Old-Signature',
    );
  });

  it('have a new signature on a retry, and the same event and delivery', () => {
    const first = signatureHeaders(input);
    const second = signatureHeaders({ ...input, attempt: 2, timestampMs: now + 30_000 });
    expect(second).to.include({ 'X-Service-Delivery': 'whd_1', 'X-Service-Attempt': '2', 'X-Service-Timestamp': '1700000030000' });
    expect(second['X-Service-Signature']).not.to.equal(first['X-Service-Signature']);
  });

  it('are signed with both secrets while the previous one is valid', () => {
    const headers = signatureHeaders({ ...input, secret: 'whsec_new', previousSecret: 'whsec_test_secret' });
    const previous = signatureOf('whsec_test_secret', now, input.body);
    expect(headers).to.include({ 'X-Service-Signature-Previous': previous, 'X-Legacy-Signature-Previous': previous });
    expect(headers['X-Service-Signature']).to.equal(signatureOf('whsec_new', now, input.body));
    for (const secret of ['whsec_new', 'whsec_test_secret'])
      expect(verifySignature({ secret, headers: lowerCase(headers), body: input.body, nowMs: now })).to.deep.equal({ verified: true });
  });

  it('have no previous signature without a previous secret', () => {
    expect(signatureHeaders({ ...input, previousSecret: null })).not.to.have.property('X-Service-Signature-Previous');
  });
});

describe('a receiver', () => {
  const headers = lowerCase(signatureHeaders(input));
  const received = { secret: input.secret, headers, body: input.body, nowMs: now };

  it('verifies with either prefix', () => {
    for (const prefix of ['Service', 'Legacy', 'service']) expect(verifySignature({ ...received, prefix }), prefix).to.deep.equal({ verified: true });
  });

  it('verifies any body that was signed, and no other', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.uint8Array(), fc.string(), (bytes, others, secret) => {
        const body = Buffer.from(bytes);
        const signed = { secret, headers: lowerCase(signatureHeaders({ ...input, secret, body })), nowMs: now };
        expect(verifySignature({ ...signed, body })).to.deep.equal({ verified: true });
        if (!body.equals(others))
          expect(verifySignature({ ...signed, body: Buffer.from(others) })).to.deep.equal({ verified: false, reason: 'mismatch' });
      }),
    );
  });

  const refusals: [what: string, changed: Partial<Parameters<typeof verifySignature>[0]>, reason: string][] = [
    ['another secret', { secret: 'whsec_test_secre' }, 'mismatch'],
    ['a changed body', { body: `${input.body} ` }, 'mismatch'],
    ['a timestamp that was not signed', { headers: { ...headers, 'x-service-timestamp': '1700000000001' } }, 'mismatch'],
    ['a signature cut short', { headers: { ...headers, 'x-service-signature': 'abc' } }, 'malformed_signature'],
    ['a signature that is not hex', { headers: { ...headers, 'x-service-signature': 'z'.repeat(64) } }, 'malformed_signature'],
    ['no signature', { headers: { ...headers, 'x-service-signature': undefined } }, 'missing_headers'],
    ['no timestamp', { headers: { ...headers, 'x-service-timestamp': undefined } }, 'missing_headers'],
    ['a timestamp that is not a number', { headers: { ...headers, 'x-service-timestamp': '17e11' } }, 'malformed_timestamp'],
    ['headers of another prefix', { prefix: 'Other' }, 'missing_headers'],
    ['a request of more than five minutes ago', { nowMs: now + 300_001 }, 'outside_tolerance'],
    ['a request of more than five minutes ahead', { nowMs: now - 300_001 }, 'outside_tolerance'],
  ];
  for (const [what, changed, reason] of refusals)
    it(`refuses ${what}`, () => expect(verifySignature({ ...received, ...changed })).to.deep.equal({ verified: false, reason }));

  it('accepts a request at the limit of the tolerance, and any age with an infinite tolerance', () => {
    expect(verifySignature({ ...received, nowMs: now + 300_000 })).to.deep.equal({ verified: true });
    expect(verifySignature({ ...received, nowMs: now + 1e10, toleranceMs: Number.POSITIVE_INFINITY })).to.deep.equal({ verified: true });
  });
});

describe('the Standard Webhooks headers', () => {
  it('match the published test vector', () => {
    const headers = standardWebhookHeaders({
      secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      body: '{"test": 2432232314}',
      timestampMs: 1614265330999,
    });
    expect(headers).to.deep.equal({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  it('are verified by its library, with each of the valid secrets', () => {
    const secrets = [1, 2].map(() => `whsec_${randomBytes(32).toString('base64')}`);
    const body = '{"text":"héllo ☃ 😀"}';
    const headers = standardWebhookHeaders({ secrets, id: 'evt_1', body, timestampMs: Date.now() });
    for (const secret of secrets) expect(new Webhook(secret).verify(body, headers)).to.deep.equal(JSON.parse(body));
    expect(() => new Webhook(`whsec_${randomBytes(32).toString('base64')}`).verify(body, headers)).to.throw('No matching signature');
    expect(() => new Webhook(secrets[0] ?? '').verify(`${body} `, headers)).to.throw('No matching signature');
  });
});
