import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { accountAuthenticator } from '../../api/accounts/authenticator.js';
import { SessionCookies } from '../../api/accounts/session-cookies.js';
import { route } from '../../api/http/route.js';
import { ifMatch } from '../../api/http/versions.js';
import { record, text } from '../../domain/kernel/schema.js';
import { formatApiKey } from '../../formats/accounts/secrets.js';
import { call, ownTestServer } from './support.js';

/** The answer as it is on the wire. */
const raw = (url: string, headers: Record<string, string>) =>
  new Promise<{ headers: Record<string, unknown>; body: Buffer }>((resolve, reject) => {
    const sent = request(url, { headers }, (answer) => {
      buffer(answer).then((body) => resolve({ headers: answer.headers, body }), reject);
    });
    sent.once('error', reject).end();
  });

async function* parts(): AsyncGenerator<string> {
  for (let i = 0; i < 200; i++) yield `data: ${i}\n\n`;
}

describe('answers to a GET', () => {
  let count = 0;
  const get = (path: string, more: object) =>
    route({
      method: 'GET',
      path,
      operationId: path,
      summary: path,
      tag: 'lists',
      access: 'public',
      limit: 'public',
      responses: { 200: { description: '.' } },
      ...more,
    } as never);
  const server = ownTestServer({
    routes: [
      get('/counted', { handle: async () => ({ status: 200, body: { version: 7, count }, headers: { ETag: '"7"' } }) }),
      get('/texts/:size', {
        params: record({ size: text }),
        handle: async ({ params }: { params: { size: string } }) => ({ status: 200, body: { text: 'a'.repeat(Number(params.size)) } }),
      }),
      get('/rows', { handle: async () => ({ status: 200, body: { data: Array.from({ length: 3_000 }, (_, i) => ({ i })) } }) }),
      get('/events', {
        streams: ['text/event-stream'],
        handle: async () => ({ status: 200, stream: parts(), headers: { 'Content-Type': 'text/event-stream' } }),
      }),
    ],
  });

  it('are 304 while nothing has changed, numbers that are no part of the version included', async () => {
    const first = await call(server, '/counted', { key: null });
    const tag = String(first.headers.get('etag'));
    expect(ifMatch({ 'if-match': tag })).to.equal(7);
    const again = (value: string) => call(server, '/counted', { key: null, headers: { 'If-None-Match': value } });
    for (const value of [tag, `W/${tag}`, `"x", ${tag}`, '*']) {
      const { status, body, headers } = await again(value);
      expect([status, body, headers.get('etag'), headers.get('content-length')], value).to.deep.equal([304, '', tag, null]);
    }
    expect((await again('"7"')).status).to.equal(200);
    count++;
    expect((await again(tag)).status).to.equal(200);
    const list = await call(server, '/texts/3', { key: null });
    expect(list.headers.get('etag')).to.match(/^W\/"[\w-]{16}"$/);
    expect((await call(server, '/texts/3', { key: null, headers: { 'If-None-Match': String(list.headers.get('etag')) } })).status).to.equal(304);
  });

  it('are compressed from a kilobyte on, with what the client accepts', async () => {
    const plain = JSON.stringify({ text: 'a'.repeat(5_000) });
    for (const [accepted, encoding, open] of [
      ['gzip, br', 'br', brotliDecompressSync],
      ['gzip', 'gzip', gunzipSync],
    ] as const) {
      const { headers, body } = await raw(`${server.url}/texts/5000`, { 'Accept-Encoding': accepted });
      expect([headers['content-encoding'], headers['content-length'], headers.vary]).to.deep.equal([encoding, undefined, 'Accept-Encoding']);
      expect(body.length).to.be.below(200);
      expect(open(body).toString()).to.equal(plain);
    }
    const rows = await raw(`${server.url}/rows`, { 'Accept-Encoding': 'br' });
    expect(JSON.parse(brotliDecompressSync(rows.body).toString()).data).to.have.lengthOf(3_000);
    for (const [path, accepted] of [
      ['/texts/900', 'br'],
      ['/texts/5000', 'identity'],
      ['/events', 'br, gzip'],
    ]) {
      const { headers, body } = await raw(server.url + path, { 'Accept-Encoding': accepted as string });
      expect(headers['content-encoding'], path).to.equal(undefined);
      if (headers['content-length'] !== undefined) expect(Number(headers['content-length'])).to.equal(body.length);
    }
  });
});

describe('an API key in the wrong place', () => {
  it('is named as such, with the right one', async () => {
    const { authenticate } = accountAuthenticator({} as never, { verify: () => expect.fail('a key is no token') } as never, new SessionCookies(''));
    const key = formatApiKey(Buffer.alloc(32, 7));
    const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
    for (const authorization of [`Bearer ${key}`, `bearer ${key}`, basic(`${key}:`), basic(`api:${key}`)]) {
      const refused = await Promise.resolve()
        .then(() => authenticate({ apiKey: undefined, authorization }))
        .catch((error: Error & { code?: string }) => error);
      expect((refused as { code?: string }).code).to.equal('unauthorized');
      expect((refused as Error).message)
        .to.include('`X-API-Key`')
        .and.not.include(key);
    }
  });
});
