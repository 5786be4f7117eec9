import { expect } from 'chai';
import { call, OPERATOR_TOKEN, ownTestServer, startTestServer } from './support.js';

describe('the HTTP shell', () => {
  const server = ownTestServer();

  const expectError = (reply: Awaited<ReturnType<typeof call>>, status: number, code: string): void => {
    expect(reply.body).to.include({ code, error: code, request_id: reply.headers.get('x-request-id') });
    expect(reply.body.message).to.be.a('string').with.length.above(5);
    expect(reply.status).to.equal(status);
    expect(reply.headers.get('content-type')).to.equal('application/json; charset=utf-8');
  };

  describe('answers', () => {
    it('a write with its position and the request id', async () => {
      const reply = await call(server, '/v1/notes', { json: { text: 'hello' } });
      expect(reply.status).to.equal(202);
      expect(reply.body).to.have.all.keys('id', 'text', 'version');
      expect(reply.headers.get('x-service-position')).to.match(/^\d{20}$/);
      expect(reply.headers.get('x-request-id')).to.match(/^req_[0-9A-HJKMNP-TV-Z]{26}$/);
      expect(reply.headers.get('x-content-type-options')).to.equal('nosniff');
      expect(reply.headers.get('cache-control')).to.equal('no-store');
      expect(reply.headers.get('x-powered-by')).to.equal(null);
    });

    it('with the prefix that is configured', async () => {
      const branded = await startTestServer({ config: { headerPrefix: 'Acme', trustProxy: false, operatorToken: null } });
      const reply = await call(branded, '/v1/notes', { json: { text: 'hello' } });
      await branded.close();
      expect(reply.headers.get('x-acme-position')).to.match(/^\d{20}$/);
    });

    it("keep the caller's own request id if it is well formed", async () => {
      for (const [given, kept] of [
        ['my-id_1.2', true],
        ['x'.repeat(128), true],
        ['x'.repeat(129), false],
        ['two words', false],
        ['<script>', false],
      ] as const) {
        const answered = (await call(server, '/v1/nothing', { headers: { 'X-Request-Id': given } })).headers.get('x-request-id');
        if (kept) expect(answered).to.equal(given);
        else expect(answered).to.match(/^req_/);
      }
    });

    it('204 without a body', async () => {
      const reply = await call(server, '/v1/notes/note_1', { method: 'DELETE' });
      expect([reply.status, reply.body, reply.headers.get('content-length')]).to.deep.equal([204, '', null]);
    });

    it('HEAD like GET, without the body', async () => {
      const head = await call(server, '/v1/notes/note_1', { method: 'HEAD' });
      const get = await call(server, '/v1/notes/note_1');
      expect([head.status, head.body]).to.deep.equal([200, '']);
      expect(head.headers.get('content-length')).to.equal(get.headers.get('content-length'));
      expect(head.headers.get('etag'))
        .to.equal(get.headers.get('etag'))
        .and.to.match(/^"1-[\w-]{16}"$/);
    });

    it('fixed paths before those with parameters', async () => {
      const reply = await call(server, '/v1/notes/bulk', { json: { notes: [{ text: 'a' }] } });
      expect(reply.body).to.deep.equal({ added: 1 });
    });

    it('a fixed path alike, however its request is written', async () => {
      const plain = await call(server, '/v1/notes');
      for (const path of ['/v1/notes?', '/v1/notes/', '/v1/notes/?limit=20']) {
        const reply = await call(server, path);
        expect([reply.status, reply.body], path).to.deep.equal([200, plain.body]);
      }
      expect((await call(server, '/v1/notes?limit=2')).body.data).to.deep.equal(plain.body.data.slice(0, 2));
      expectError(await call(server, '/v1/notes?colour=red'), 400, 'invalid_parameter');
      const head = await call(server, '/v1/notes', { method: 'HEAD' });
      expect([head.status, head.body, head.headers.get('content-length')]).to.deep.equal([200, '', plain.headers.get('content-length')]);
      const options = await call(server, '/v1/notes', { method: 'OPTIONS' });
      expect([options.status, options.headers.get('allow')]).to.deep.equal([204, 'POST, GET, HEAD, OPTIONS']);
      expectError(await call(server, '/v1/Notes'), 404, 'not_found');
    });

    it('report to the observer the pattern of the route, never the path', async () => {
      await call(server, '/v1/notes/note_1?');
      await call(server, '/v1/secret-looking-path');
      const [known, unknown] = server.completed.slice(-2);
      expect(known).to.include({ method: 'GET', route: '/v1/notes/:id', status: 200, account: 'acc_1' });
      expect(unknown).to.include({ route: 'unknown', status: 404, account: '' });
    });
  });

  describe('refuses', () => {
    it('what it does not know, with or without a key', async () => {
      for (const path of ['/', '/v1', '/v1/nope', '/v1/notes/1/2/3', '/V1/notes', '//', '/v1/notes/../../etc/passwd', '/healthz/x']) {
        for (const key of ['full', null]) expectError(await call(server, path, { key }), 404, 'not_found');
      }
    });

    it('a method that the path lacks, and names those it has', async () => {
      for (const [path, method, allow] of [
        ['/v1/notes', 'DELETE', 'POST, GET, HEAD'],
        ['/v1/notes/note_1', 'PUT', 'GET, HEAD, PATCH, DELETE'],
        ['/v1/sign-in', 'GET', 'POST'],
        ['/healthz', 'POST', 'GET, HEAD'],
      ] as const) {
        const reply = await call(server, path, { method });
        expectError(reply, 405, 'method_not_allowed');
        expect(reply.headers.get('allow')).to.equal(allow);
      }
    });

    it('callers without credentials or with unknown ones', async () => {
      for (const key of [null, 'stranger', '__proto__', 'constructor']) {
        const reply = await call(server, '/v1/notes', { key });
        expectError(reply, 401, 'unauthorized');
        expect(reply.headers.get('www-authenticate')).to.equal('Bearer');
      }
    });

    it('a key without the scope, and names it', async () => {
      const reply = await call(server, '/v1/notes', { key: 'reader', json: { text: 'x' } });
      expectError(reply, 403, 'insufficient_scope');
      expect(reply.body).to.deep.include({ required_scope: 'write', scopes: ['read'], message: "This key lacks the scope 'write'." });
      expect((await call(server, '/v1/notes', { key: 'reader' })).status).to.equal(200);
      expect((await call(server, '/v1/notes', { key: 'analyst', json: { text: 'x' } })).body.message).to.include("'analyst'");
      expectError(await call(server, '/v1/notes', { key: 'none' }), 403, 'insufficient_scope');
      expectError(await call(server, '/v1/notes/note_1', { key: 'none' }), 403, 'insufficient_scope');
      expect((await call(server, '/v1/notes/note_1/ring', { key: 'reader', method: 'POST' })).status).to.equal(200);
    });

    it('callers that are not owners, where only owners are allowed', async () => {
      for (const key of ['reader', 'none', 'analyst']) expectError(await call(server, '/v1/owners', { key }), 403, 'forbidden');
      for (const key of ['full', 'owner']) expect((await call(server, '/v1/owners', { key })).status).to.equal(200);
    });

    it("everybody but the operator on the operator's routes", async () => {
      const ask = (authorization: string) => call(server, '/v1/system/projections', { headers: { Authorization: authorization } });
      for (const wrong of ['', 'Bearer', 'Bearer x', `Basic ${OPERATOR_TOKEN}`, `Bearer ${OPERATOR_TOKEN}x`])
        expectError(await ask(wrong), 401, 'unauthorized');
      expect((await ask(`Bearer ${OPERATOR_TOKEN}`)).body).to.deep.equal([]);
      const closed = await startTestServer({ config: { headerPrefix: 'Service', trustProxy: false, operatorToken: null } });
      const reply = await call(closed, '/v1/system/projections', { headers: { Authorization: 'Bearer null' } });
      await closed.close();
      expectError(reply, 401, 'unauthorized');
    });

    it('a client that takes no JSON', async () => {
      for (const accept of ['text/html', 'application/xml, text/*', 'application/json;q=0']) {
        expectError(await call(server, '/v1/notes', { headers: { Accept: accept } }), 406, 'not_acceptable');
      }
      for (const accept of ['*/*', 'application/*', 'text/html, application/json;q=0.1']) {
        expect((await call(server, '/v1/notes', { headers: { Accept: accept } })).status).to.equal(200);
      }
    });

    it('an id that cannot exist like one that does not', async () => {
      for (const id of ['note_99', 'zzz', '%F0%9F%98%80', 'a'.repeat(2000)]) {
        const reply = await call(server, `/v1/notes/${id}`);
        expectError(reply, 404, 'not_found');
        expect(reply.body).to.include({ resource: 'note', id: decodeURIComponent(id) });
      }
    });

    it('malformed escapes and NUL in a URL', async () => {
      for (const path of ['/v1/notes/%', '/v1/notes/%ff', '/v1/notes/note_%00', '/v1/notes?color=%00']) {
        expectError(await call(server, path), 400, 'invalid_parameter');
      }
    });

    it('invalid query parameters, all of them at once', async () => {
      const reply = await call(server, '/v1/notes?limit=0&order=up&color=blue&unknown=1');
      expectError(reply, 400, 'invalid_parameter');
      expect(reply.body.errors.map((e: { field: string }) => e.field)).to.have.members(['unknown', 'limit', 'order', 'color']);
    });
  });

  describe('checks in this order:', () => {
    it('size before the credential', async () => {
      const reply = await call(server, '/v1/notes', { key: null, body: 'x'.repeat(3 * 1024 * 1024) });
      expectError(reply, 413, 'payload_too_large');
      expect(reply.body.limit_bytes).to.equal(2 * 1024 * 1024);
    });

    it('credential before rate limit, rate limit before scope, scope before the body', async () => {
      const hits: string[] = [];
      const refusing = await startTestServer({
        limits: {
          consume: (group, who) => {
            hits.push(`${group} ${who}`);
            return { allowed: who !== 'acc_2', limit: 1, remaining: 0, resetSeconds: 1, retryAfter: 1, windowSeconds: 1 };
          },
          refund: () => {},
        },
      });
      const statuses = [];
      for (const key of [null, 'other', 'reader', 'full']) statuses.push((await call(refusing, '/v1/notes', { key, body: '{' })).status);
      await refusing.close();
      expect(statuses).to.deep.equal([401, 429, 403, 400]);
      expect(hits).to.deep.equal(['public refused 127.0.0.1', 'send acc_2', 'send acc_1', 'send acc_1']);
    });

    it('idempotency before validation', async () => {
      const reply = await call(server, '/v1/notes', { json: {}, headers: { 'Idempotency-Key': 'ä' } });
      expectError(reply, 400, 'invalid_parameter');
      expect(reply.body.errors[0].field).to.equal('Idempotency-Key');
    });
  });

  it('lists the problem of a URL that holds U+0000, as for other invalid parameters', async () => {
    const reply = await call(server, '/v1/notes?color=%00');
    expectError(reply, 400, 'invalid_parameter');
    expect(reply.body.errors).to.deep.equal([{ field: '', code: 'invalid_format', message: 'The URL contains the character U+0000.' }]);
  });

  it('counts a request by the address that trusted proxies forward', async () => {
    const seen: string[] = [];
    const hit = { allowed: true, limit: 1, remaining: 0, resetSeconds: 1, retryAfter: 0, windowSeconds: 1 };
    const behind = await startTestServer({
      config: { headerPrefix: 'Service', trustProxy: ['127.0.0.0/8'], operatorToken: null },
      limits: {
        consume: (_group, who) => {
          seen.push(who);
          return hit;
        },
        refund: () => {},
      },
    });
    await call(behind, '/v1/sign-in', { key: null, headers: { 'X-Forwarded-For': '2001:db8::7' }, json: { email: 'a', password: 'b' } });
    await behind.close();
    expect(seen).to.deep.equal(['2001:db8:0:0::/64']);
  });
});
