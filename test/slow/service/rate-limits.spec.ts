import { expect } from 'chai';
import { eventually } from '../../support/eventually.js';
import { PASSWORD, type Reply, Service } from '../../support/service.js';

describe('the rate limits over HTTP', () => {
  const service = Service.own({ HELIOGRAPH_RATE_LIMITS: '{}' });

  const send = (headers = {}): Promise<Reply> =>
    service.api('POST', '/v1/messages/send', { to: '+15005550004', channel: 'sms', message: 'x' }, headers);

  /** Sends `count` requests with limited concurrency and returns the replies in request order. */
  async function many(count: number, ask: () => Promise<Reply>): Promise<Reply[]> {
    const replies: Reply[] = [];
    while (replies.length < count) replies.push(...(await Promise.all(Array.from({ length: Math.min(50, count - replies.length) }, ask))));
    return replies;
  }

  it('count a request without a credential by its address', async () => {
    const wrong = () => service.api('GET', '/v1/messages', undefined, { 'X-API-Key': 'wrong' });
    const replies = await many(120, wrong);
    expect(new Set(replies.map(({ status }) => status))).to.deep.equal(new Set([401]));
    expect((await wrong()).body).to.include({ error: 'Rate limit exceeded', limit: 120, window: '1 minute' });
    expect((await service.api('GET', '/v1/messages')).status, 'a good credential from the same address').to.equal(200);
  });

  it('accept 1,000 sends a minute and reject the next as documented, separately for each account', async function () {
    const startedAt = performance.now();
    const replies = await many(1_000, send);
    const refused = await send();
    if (performance.now() - startedAt > 55_000) this.skip();
    expect(new Set(replies.map(({ status }) => status))).to.deep.equal(new Set([202]));
    const remaining = replies.map(({ headers }) => Number(headers.get('ratelimit-remaining'))).sort((a, b) => b - a);
    expect(remaining).to.deep.equal(Array.from({ length: 1_000 }, (_, n) => 999 - n));

    expect(refused.status).to.equal(429);
    const { retry_after, request_id, message, ...rest } = refused.body;
    expect(rest).to.deep.equal({ error: 'Rate limit exceeded', code: 'rate_limit_exceeded', limit: 1_000, window: '1 minute' });
    expect(message).to.match(/^Limit of 1000 requests per 1 minute reached\./);
    expect(request_id).to.equal(refused.headers.get('x-request-id'));
    expect(retry_after).to.be.within(1, 60);
    const header = (name: string) => refused.headers.get(name);
    expect(header('retry-after')).to.equal(String(retry_after));
    expect(header('ratelimit-limit')).to.equal('1000');
    expect(header('ratelimit-remaining')).to.equal('0');
    expect(Number(header('ratelimit-reset'))).to.equal(retry_after);
    expect(header('ratelimit-policy')).to.equal('1000;w=60');

    const other = await service.otherAccountKey();
    // A busy server may answer 503 while it cannot check the key.
    await eventually('another account is accepted', async () => (await send({ 'X-API-Key': other })).status === 202);
    const bulk = await service.api('POST', '/v1/messages/bulk', [{ to: '+15005550004', channel: 'sms', message: 'x' }]);
    expect([bulk.status, bulk.headers.get('ratelimit-limit')], 'another group').to.deep.equal([202, '100']);
    expect((await service.api('GET', '/v1/messages')).headers.get('ratelimit-limit')).to.equal('500');
  }).timeout(70_000);

  it('reject the 21st sign-in from one address in fifteen minutes, whether valid, invalid or malformed', async () => {
    const login = (password?: string) => service.api('POST', '/v1/auth/login', { email: service.account.email, password });
    const passwords = [PASSWORD, 'wrong password', PASSWORD, 'wrong again', ...Array.from({ length: 16 }, () => undefined)];
    const replies = await Promise.all(passwords.map(login));
    expect(replies.map(({ status }) => status)).to.deep.equal([200, 401, 200, 401, ...Array.from({ length: 16 }, () => 422)]);
    const refused = await login(PASSWORD);
    expect(refused.status).to.equal(429);
    expect(refused.body).to.include({ error: 'Rate limit exceeded', limit: 20, window: '15 minutes' });
    expect(refused.headers.get('ratelimit-policy')).to.equal('20;w=900');
    expect(refused.headers.get('retry-after')).to.equal(String(refused.body.retry_after));
  });
});
