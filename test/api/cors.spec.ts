import { expect } from 'chai';
import { route } from '../../api/http/route.js';
import { record, text } from '../../domain/kernel/schema.js';
import { call, ownTestServer, startTestServer } from './support.js';

describe('pages of other origins', () => {
  const cors = { allows: (origin: string) => origin === 'https://shop.example', headers: ['Authorization'] };
  const open = route({
    method: 'POST',
    path: '/v1/open/:id',
    operationId: 'open',
    summary: 'Open to a shop',
    tag: 'forms',
    access: 'public',
    limit: 'public',
    cors,
    params: record({ id: text }),
    body: record({ name: text }),
    responses: { 200: { description: 'Done.' } },
    handle: async ({ body }) => ({ status: 200, body, headers: { Vary: 'Accept-Language' } }),
  });
  const server = ownTestServer({ routes: [open, { ...open, path: '/v1/closed', cors: undefined } as unknown as typeof open] });

  const post = (origin: string | null, json: unknown = { name: 'Ada' }) =>
    call(server, '/v1/open/1', { key: null, headers: origin === null ? {} : { Origin: origin }, json });

  it('may call a route that allows their origin, and read errors too', async () => {
    for (const [json, status] of [
      [{ name: 'Ada' }, 200],
      [{}, 422],
    ] as const) {
      const { status: answered, headers } = await post('https://shop.example', json);
      expect(answered).to.equal(status);
      expect(headers.get('access-control-allow-origin')).to.equal('https://shop.example');
      expect(headers.get('access-control-allow-credentials')).to.equal(null);
      expect(headers.get('vary')).to.include('Origin');
    }
    expect((await post('https://shop.example')).headers.get('vary')).to.equal('Accept-Language, Origin');
  });

  it('are refused if their origin is another one, before anything is done', async () => {
    for (const origin of ['https://evil.example', 'http://shop.example', 'https://shop.example.evil.example', 'null']) {
      const { status, body, headers } = await post(origin, {});
      expect([status, body.code], origin).to.deep.equal([403, 'forbidden']);
      expect(headers.get('access-control-allow-origin')).to.equal(null);
    }
  });

  it('of the service itself, and programs without an origin, are never refused', async () => {
    expect((await post(null)).status).to.equal(200);
    expect((await post(server.url)).status).to.equal(200);
  });

  it('ask first by a preflight', async () => {
    const ask = (path: string, origin: string) => call(server, path, { key: null, method: 'OPTIONS', headers: { Origin: origin } });
    const allowed = await ask('/v1/open/1', 'https://shop.example');
    expect([allowed.status, allowed.body]).to.deep.equal([204, '']);
    expect(allowed.headers.get('access-control-allow-origin')).to.equal('https://shop.example');
    expect(allowed.headers.get('access-control-allow-methods')).to.equal('POST');
    expect(allowed.headers.get('access-control-allow-headers')).to.equal('Content-Type, Authorization');
    expect((await ask('/v1/open/1', 'https://evil.example')).status).to.equal(403);
    const closed = await ask('/v1/closed', 'https://shop.example');
    expect([closed.status, closed.headers.get('allow')]).to.deep.equal([204, 'POST, OPTIONS']);
    expect(closed.headers.get('access-control-allow-origin')).to.equal(null);
  });
});

describe('pages of origins in the setting', () => {
  const app = 'https://app.example.com';
  const started = (corsOrigins: readonly string[]) =>
    startTestServer({ config: { headerPrefix: 'Service', trustProxy: false, operatorToken: 'operator', corsOrigins } });

  it('may call routes with a key, and read the header fields of answers', async () => {
    const server = await started([app]);
    const asked = await call(server, '/v1/notes', { key: null, method: 'OPTIONS', headers: { Origin: app } });
    expect([asked.status, asked.headers.get('access-control-allow-origin')]).to.deep.equal([204, app]);
    expect(asked.headers.get('access-control-allow-headers'))
      .to.include('X-API-Key')
      .and.include('Idempotency-Key')
      .and.include('X-Service-Min-Position');
    const read = await call(server, '/v1/notes', { headers: { Origin: app } });
    expect([read.status, read.headers.get('access-control-allow-origin')]).to.deep.equal([200, app]);
    expect(read.headers.get('access-control-expose-headers')).to.include('X-Service-Position').and.include('ETag');
    const other = await call(server, '/v1/notes', { headers: { Origin: 'https://evil.example' } });
    expect([other.status, other.headers.get('access-control-allow-origin')]).to.deep.equal([403, null]);
    expect((await call(server, '/v1/notes')).status).to.equal(200);
    await server.close();
  });

  it('are all with *, and none without the setting', async () => {
    const [all, none] = [await started(['*']), await started([])];
    expect((await call(all, '/v1/notes', { headers: { Origin: app } })).headers.get('access-control-allow-origin')).to.equal(app);
    expect((await call(none, '/v1/notes', { headers: { Origin: app } })).headers.get('access-control-allow-origin')).to.equal(null);
    await Promise.all([all.close(), none.close()]);
  });
});
