import { expect } from 'chai';
import { rateLimits, windowText, withOverrides } from '../../api/http/access/rate-limits.js';
import { DomainError } from '../../domain/kernel/errors.js';
import type { RateGroup } from '../../domain/kernel/rate-limits.js';
import { MemoryRateLimits } from '../../engines/memory/index.js';
import { ManualClock } from '../support/manual-clock.js';
import { call, freshTestServer, OPERATOR_TOKEN, startTestServer } from './support.js';

describe('the table of rate limits', () => {
  it('has the documented limits', () => {
    expect(rateLimits).to.deep.equal({
      send: { limit: 1000, windowSeconds: 60 },
      bulk: { limit: 100, windowSeconds: 60 },
      general: { limit: 500, windowSeconds: 60 },
      login: { limit: 20, windowSeconds: 900 },
      login_user: { limit: 20, windowSeconds: 900 },
      reset: { limit: 20, windowSeconds: 3600 },
      reset_user: { limit: 3, windowSeconds: 3600 },
      public: { limit: 120, windowSeconds: 60 },
      inbox: { limit: 120, windowSeconds: 60 },
    });
  });

  it('can be overridden one number at a time', () => {
    expect(withOverrides({ login: { limit: 3 } }).login).to.deep.equal({ limit: 3, windowSeconds: 900 });
  });

  it('describes windows in words', () => {
    expect([60, 900, 1, 90, 3600].map(windowText)).to.deep.equal(['1 minute', '15 minutes', '1 second', '90 seconds', '1 hour']);
  });
});

describe('rate limits over HTTP', () => {
  let clock: ManualClock;
  const server = freshTestServer(() => {
    clock = new ManualClock();
    return { limits: new MemoryRateLimits(rateLimits, clock), clock };
  });

  const hits = async (count: number, path: string, init: Parameters<typeof call>[2]): Promise<void> => {
    const counted = new Map<number, number>();
    for (let done = 0; done < count; done += 50) {
      const replies = await Promise.all(Array.from({ length: Math.min(50, count - done) }, () => call(server, path, init)));
      for (const { status } of replies) counted.set(status, (counted.get(status) ?? 0) + 1);
    }
    expect(counted.get(429)).to.equal(undefined);
  };

  it('refuse the 1,001st send of a minute as specified, and leave another account alone', async () => {
    const note = { json: { text: 'hi' } };
    await hits(1000, '/v1/notes', note);
    await clock.advance(47_500);
    const refused = await call(server, '/v1/notes', note);
    expect(refused.status).to.equal(429);
    expect(refused.body).to.include({ error: 'Rate limit exceeded', code: 'rate_limit_exceeded', limit: 1000, window: '1 minute', retry_after: 13 });
    expect(refused.body.message).to.be.a('string').that.includes('1000');
    expect(Object.fromEntries([...refused.headers].filter(([name]) => /^ratelimit|retry/.test(name)))).to.deep.equal({
      'ratelimit-limit': '1000',
      'ratelimit-policy': '1000;w=60',
      'ratelimit-remaining': '0',
      'ratelimit-reset': '13',
      'retry-after': '13',
    });
    expect((await call(server, '/v1/notes', { ...note, key: 'other' })).status).to.equal(202);
    await clock.advance(13_000);
    expect((await call(server, '/v1/notes', note)).status).to.equal(202);
  });

  it('refuse the 21st sign-in of an address in 15 minutes', async () => {
    const attempt = { key: null, json: { email: 'a@example.com', password: 'x' } };
    for (let i = 0; i < 20; i++) expect((await call(server, '/v1/sign-in', attempt)).status).to.equal(401);
    const refused = await call(server, '/v1/sign-in', attempt);
    expect(refused.status).to.equal(429);
    expect(refused.body).to.include({ limit: 20, window: '15 minutes', retry_after: 900 });
    expect(refused.headers.get('retry-after')).to.equal('900');
  });

  it('count an account and not its keys', async () => {
    const { headers } = await call(server, '/v1/notes/note_1', { key: 'reader' });
    expect(headers.get('ratelimit-remaining')).to.equal('499');
    expect((await call(server, '/v1/notes/note_1')).headers.get('ratelimit-remaining')).to.equal('498');
    expect((await call(server, '/v1/notes/note_1', { key: 'other' })).headers.get('ratelimit-remaining')).to.equal('499');
  });

  it('show on errors too', async () => {
    for (const [path, init] of [
      ['/v1/notes', { json: {} }],
      ['/v1/notes', { body: '{' }],
      ['/v1/notes/note_99', {}],
      ['/v1/notes', { key: 'reader', json: {} }],
      ['/v1/notes', { key: 'wrong' }],
    ] as const) {
      const { headers } = await call(server, path, init);
      for (const name of ['limit', 'remaining', 'reset', 'policy']) expect(headers.get(`ratelimit-${name}`), `${path} ${name}`).to.match(/^\d/);
    }
  });

  it('count wrong credentials by address, apart from everything else', async () => {
    await hits(120, '/v1/notes', { key: 'wrong' });
    expect((await call(server, '/v1/notes', { key: 'wrong' })).status).to.equal(429);
    expect((await call(server, '/v1/notes')).status).to.equal(200);
    expect((await call(server, '/v1/system/projections', { key: null, headers: { Authorization: `Bearer ${OPERATOR_TOKEN}` } })).status).to.equal(
      200,
    );
  });

  it('are not used up by credentials that cannot be checked at the moment', async () => {
    const authenticator = { authenticate: () => Promise.reject(new DomainError('projection_behind', 'Not known here yet.')) };
    const starting = await startTestServer({ limits: new MemoryRateLimits(rateLimits, clock), clock, authenticator });
    for (let i = 0; i <= 120; i++) {
      const { status, headers } = await call(starting, '/v1/notes', { key: 'new' });
      expect([status, headers.get('retry-after')]).to.deep.equal([503, '1']);
    }
    await starting.close();
  });

  it('may be kept in a store that answers later', async () => {
    const hit = { allowed: false, limit: 1, remaining: 0, resetSeconds: 2, retryAfter: 2, windowSeconds: 5 };
    const asked: [RateGroup, string][] = [];
    const shared = await startTestServer({
      limits: {
        consume: async (group, who) => {
          asked.push([group, who]);
          return hit;
        },
        refund: async () => {},
      },
    });
    const refused = await call(shared, '/v1/notes', { json: { text: 'x' } });
    await shared.close();
    expect(refused.status).to.equal(429);
    expect(refused.body.window).to.equal('5 seconds');
    expect(asked).to.deep.equal([['send', 'acc_1']]);
  });
});
