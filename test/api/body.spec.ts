import { once } from 'node:events';
import { type ClientRequest, request } from 'node:http';
import { expect } from 'chai';
import { rateLimits } from '../../api/http/access/rate-limits.js';
import { BodyBudget } from '../../api/http/body/body.js';
import { MemoryRateLimits } from '../../engines/memory/index.js';
import { eventually } from '../support/eventually.js';
import { ManualClock } from '../support/manual-clock.js';
import { call, freshTestServer } from './support.js';

const MB = 1024 * 1024;

describe('the budget for bodies', () => {
  it('takes large bodies of one caller up to half, and of all callers up to the whole', () => {
    const budget = new BodyBudget(8 * MB);
    const first = budget.reserve('a', 3 * MB);
    expect(() => budget.reserve('a', 2 * MB)).to.throw(/Too much/);
    budget.reserve('a', MB);
    budget.reserve('b', 4 * MB);
    expect(() => budget.reserve('c', MB)).to.throw(/Too much/);
    first.release();
    first.release();
    expect(budget.held).to.equal(5 * MB);
    budget.reserve('c', 3 * MB);
  });

  it('reserves an eighth more for small bodies of any caller', () => {
    const budget = new BodyBudget(8 * MB);
    budget.reserve('a', 4 * MB);
    budget.reserve('b', 4 * MB);
    for (let i = 0; i < 16; i++) budget.reserve('a', 64 * 1024);
    expect(() => budget.reserve('c', 1024)).to.throw(/Too much/);
  });

  it('counts a body of unknown length as it grows', () => {
    const budget = new BodyBudget(8 * MB);
    const growing = budget.reserve('a', 0);
    growing.grow(60 * 1024);
    growing.grow(3 * MB);
    expect(() => growing.grow(MB)).to.throw(/Too much/);
    expect(budget.held).to.equal(3 * MB + 60 * 1024);
    expect(() => budget.reserve('a', 2 * MB)).to.throw(/Too much/);
    growing.release();
    expect(budget.held).to.equal(0);
    budget.reserve('a', 4 * MB);
  });
});

describe('bodies that do not fit into memory', () => {
  const open: ClientRequest[] = [];
  afterEach(() => {
    for (const one of open.splice(0)) one.destroy();
  });
  const server = freshTestServer(() => ({
    config: { headerPrefix: 'Service', trustProxy: false, operatorToken: null, bodyBudget: 8 * MB },
    limits: new MemoryRateLimits({ ...rateLimits, bulk: { limit: 20, windowSeconds: 60 } }, new ManualClock()),
  }));

  const notes = (bytes: number): string => JSON.stringify([{ text: 'a', metadata: { long: 'x'.repeat(bytes) } }]);
  const bulk = (body: string, key = 'full') => call(server, '/v1/notes/bulk', { body, key });

  /** Sends the headers of a body and one byte of it. */
  async function begin(bytes: number, key = 'full'): Promise<ClientRequest> {
    const headers = { 'X-API-Key': key, 'Content-Type': 'application/json', 'Content-Length': bytes, Expect: '100-continue' };
    const begun = request(`${server.url}/v1/notes/bulk`, { method: 'POST', headers });
    begun.on('error', () => {});
    open.push(begun);
    begun.flushHeaders();
    await once(begun, 'continue');
    begun.write('[');
    return begun;
  }

  it('are refused with 503 and Retry-After before the rate limit counts them, by what others are still sending', async () => {
    await begin(3 * MB);
    const refused = await bulk(notes(2 * MB));
    expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).to.deep.equal([503, 'unavailable', '1']);
    expect(refused.headers.get('ratelimit-remaining')).to.equal(null);
    const small = await bulk(notes(1));
    expect([small.status, small.headers.get('ratelimit-remaining')]).to.deep.equal([202, '18']);
    expect((await bulk(notes(2 * MB), 'other')).status).to.equal(202);
  });

  it('are rejected while they are read if they have no Content-Length', async () => {
    await begin(3 * MB);
    const chunks = new ReadableStream({
      start(controller) {
        for (let i = 0; i < 32; i++) controller.enqueue(Buffer.alloc(64 * 1024, ' '));
        controller.close();
      },
    });
    const init = { method: 'POST', headers: { 'X-API-Key': 'full', 'Content-Type': 'application/json' }, body: chunks, duplex: 'half' };
    const refused = await fetch(`${server.url}/v1/notes/bulk`, init as RequestInit);
    expect([refused.status, refused.headers.get('ratelimit-remaining')]).to.deep.equal([503, null]);
  });

  it('fit again once the others are answered or gone', async () => {
    const begun = await begin(4 * MB);
    expect((await bulk(notes(MB))).status).to.equal(503);
    begun.destroy();
    await eventually('a body is taken', async () => (await bulk(notes(MB))).status === 202);
    await eventually('a larger body is taken', async () => (await bulk(notes(3 * MB))).status === 202);
  });

  it('are each answered when many come at once, and refused ones pass later', async () => {
    const begun = await begin(3 * MB);
    const body = notes(1.5 * MB);
    let waiting = 16;
    const seen = new Set<number>();
    await eventually('all bodies are taken', async () => {
      const replies = await Promise.all(Array.from({ length: waiting }, () => bulk(body)));
      for (const { status } of replies) seen.add(status);
      waiting = replies.filter(({ status }) => status === 503).length;
      begun.destroy();
      return waiting === 0;
    });
    expect([...seen].sort()).to.deep.equal([202, 503]);
    expect((await bulk(notes(1))).headers.get('ratelimit-remaining')).to.equal('2');
  });
});
