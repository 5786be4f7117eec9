import { expect } from 'chai';
import fc from 'fast-check';
import { scrub, scrubValue } from '../../ops/app/config/scrub.js';

describe('scrubbing of texts', () => {
  const secrets: Record<string, { text: string; secret: string }> = {
    'an email address': { text: 'Mailbox ada.lovelace+news@mail.example.co.uk is full', secret: 'ada' },
    'an email address in another script': { text: 'no such user: юзер@пример.рф', secret: 'юзер' },
    'a phone number': { text: 'Number +14155550100 is not reachable', secret: '4155550100' },
    'a spaced phone number': { text: 'to: "+44 20 7946 0958"', secret: '7946' },
    'a phone number with brackets': { text: 'call (415) 555-0100 now', secret: '555' },
    'a phone number of digits alone': { text: 'msisdn=14155550100&x=1', secret: '14155550100' },
    'a signing secret': { text: 'signed with whsec_c2VjcmV0LXNlY3JldA==', secret: 'c2Vj' },
    'a bearer token': { text: 'Authorization: Bearer abc.def-ghi', secret: 'abc.def' },
    'a JSON Web Token': { text: 'got eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln', secret: 'eyJ' },
    'a password in a URL': { text: 'connect esdb://admin:changeit@db.local:2113', secret: 'changeit' },
    'the path of a URL, which can be the secret': { text: 'POST https://hooks.example.com/T000/B111/xyz failed', secret: 'T000' },
    'the query of a URL': { text: 'GET http://example.com?token=abc123', secret: 'abc123' },
    'a named password': { text: '{"password":"correct horse"}', secret: 'correct' },
    'a named key': { text: 'api_key=hk_live_abc123 rejected', secret: 'hk_live' },
    'a key of 32 bytes in base64': { text: `key ${Buffer.alloc(32, 251).toString('base64')}`, secret: '+/v7' },
    'a hash in hex': { text: 'stream suppression-x of 5f4dcc3b5aa765d61d8327deb882cf99', secret: '5f4dcc' },
    'a long random text': { text: 'X-API-Key Zk9xT2mQ4rV8sY1bN6cD3eF7', secret: 'Zk9x' },
  };
  for (const [what, { text, secret }] of Object.entries(secrets)) {
    it(`hides ${what}`, () => expect(scrub(text)).to.include('<hidden>').and.not.include(secret));
  }

  const unchanged: Record<string, string> = {
    ids: 'message msg_01ARZ3NDEKTSV4RRFFQ69G5FAV of acc_01ARZ3NDEKTSV4RRFFQ69G5FAW',
    'streams and revisions': 'stream message-msg_01ARZ3NDEKTSV4RRFFQ69G5FAV is at 4, expected no-stream',
    'positions of the log': 'halted at 00000000000000012345',
    'event ids': 'event 1b4e28ba-2fa1-5d2e-883f-0016d3cca427 is unknown',
    times: 'due at 2026-01-15T10:30:00.000Z, now 2026-01-15T10:30:01.000+02:00',
    'addresses of hosts': 'connect ECONNREFUSED 10.200.100.50:65535',
    'the origin of a URL': 'listening on http://127.0.0.1:3000',
    'positions in code': 'at Object.processTicksAndRejections (file:///srv/heliograph/node_modules/@photostructure/sqlite/dist/index.js:1234:56)',
    'versions of packages': 'commander@14.0.3 and typebox@1.4.3',
  };
  for (const [what, text] of Object.entries(unchanged)) it(`keeps ${what}`, () => expect(scrub(text)).to.equal(text));

  it('hides every phone number and email address in any text', () => {
    const phone = fc.integer({ min: 1_000_000_000, max: 999_999_999_999 }).map((n) => `+${n}`);
    const email = fc.tuple(fc.stringMatching(/^[a-z0-9._]{1,20}$/), fc.stringMatching(/^[a-z]{2,10}$/)).map(([user, host]) => `${user}@${host}.com`);
    const around = fc.constantFrom('', ' ', '"', ', ', ': ', '<', '>', '(', '=', '\n');
    fc.assert(
      fc.property(fc.oneof(phone, email), around, around, (address, before, after) => {
        expect(scrub(`could not send${before || ' '}${address}${after}`)).not.to.include(address);
      }),
    );
  });

  it('handles adversarial texts quickly', () => {
    const started = process.cpuUsage().user;
    for (const unit of ['a', '@', '+1', 'aA1', '1-', 'https://', '=a@', '(1) ']) scrubValue(unit.repeat(100_000 / unit.length));
    expect((process.cpuUsage().user - started) / 1_000).to.be.below(1_000);
  });
});

describe('scrubbing of fields', () => {
  it('hides personal and secret fields by name, in any spelling', () => {
    const fields = { to: 'x', First_Name: 'Ada', 'X-API-Key': 'k', webhookUrl: 'u', nested: [{ phone: 1, message_id: 'msg_1' }] };
    expect(scrubValue(fields)).to.deep.equal({
      to: '<hidden>',
      First_Name: '<hidden>',
      'X-API-Key': '<hidden>',
      webhookUrl: '<hidden>',
      nested: [{ phone: '<hidden>', message_id: 'msg_1' }],
    });
  });

  it('keeps numbers, null, undefined and booleans', () =>
    expect(scrubValue({ n: 14155550100, none: null, ok: true, email: null })).to.deep.equal({ n: 14155550100, none: null, ok: true, email: null }));

  it('shows the type, the stack and the scrubbed message of an error, and no other fields', () => {
    const cause = new TypeError('bad address ada@example.com');
    const shown = scrubValue(Object.assign(new Error('to +14155550100 failed', { cause }), { code: 'E_SEND', request: { headers: 'secret' } }));
    expect(shown).to.deep.include({ type: 'Error', detail: 'to <hidden> failed', code: 'E_SEND' });
    expect(shown).to.have.nested.include({ 'cause.type': 'TypeError', 'cause.detail': 'bad address <hidden>' });
    expect(shown).to.have.property('stack').that.includes('scrub.spec').and.not.include('4155550100');
    expect(shown).not.to.have.property('request');
  });

  it('stops at a maximum depth and at cycles', () => {
    const circle: Record<string, unknown> = {};
    circle.circle = circle;
    expect(JSON.stringify(scrubValue(circle))).to.include('<hidden>');
  });
});
