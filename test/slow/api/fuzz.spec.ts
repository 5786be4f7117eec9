import { expect } from 'chai';
import fc from 'fast-check';
import { call, OPERATOR_TOKEN, ownTestServer, type Reply, rawRequest } from '../../api/support.js';

const DEADLINE_MS = 5000;

/** Rejects when a request is not answered in time: a hanging one must fail here and not at the end of the test's patience. */
async function inTime<T>(promise: Promise<T>, what: string): Promise<T> {
  let late: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_, reject) => {
    late = setTimeout(() => reject(new Error(`no answer: ${what}`)), DEADLINE_MS);
  });
  try {
    return await Promise.race([promise, deadline]);
  } finally {
    clearTimeout(late);
  }
}

const paths = [
  '/v1/notes',
  '/v1/notes/bulk',
  '/v1/notes/note_1',
  '/v1/notes/note_1/ring',
  '/v1/sign-in',
  '/v1/owners',
  '/v1/system/projections',
  '/healthz',
];
const methods = ['GET', 'POST', 'PATCH', 'DELETE', 'PUT', 'OPTIONS', 'HEAD', 'PROPFIND'];

const segment = fc.oneof(
  fc.string({ unit: 'binary' }).map(encodeURIComponent),
  fc.constantFrom('%', '%ff', '%00', '..', '.', '', 'note_1', ':id', '__proto__', '*', '%2f'),
);
const target = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...paths) },
  fc.array(segment, { maxLength: 5 }).map((s) => `/${s.join('/')}`),
  segment.map((s) => `/v1/notes/${s}`),
);
const query = fc.oneof(
  fc.constant(''),
  fc
    .array(fc.tuple(fc.constantFrom('limit', 'cursor', 'order', 'color', 'field[a]', 'field[__proto__]', '__proto__', '[', 'a[b][c]'), segment), {
      maxLength: 4,
    })
    .map((pairs) => `?${pairs.map(([k, v]) => `${k}=${v}`).join('&')}`),
);

const hostile = fc.constantFrom<unknown>(
  null,
  -1,
  1e308,
  '',
  '__proto__',
  'constructor',
  [],
  {},
  [[[[]]]],
  '\u0000',
  '\ud800',
  '1998-12-31T23:59:60Z',
  'x'.repeat(5000),
);
const noteLike = fc.record(
  {
    text: fc.oneof({ weight: 3, arbitrary: fc.string({ minLength: 1, maxLength: 200 }) }, hostile, fc.string({ unit: 'binary' })),
    color: fc.oneof(hostile, fc.constant('red')),
    pinned_until: fc.oneof(hostile, fc.date({ noInvalidDate: true }).map(String)),
    author: fc.oneof(hostile, fc.record({ name: hostile, email: hostile }, { requiredKeys: [] })),
    metadata: fc.oneof(hostile, fc.dictionary(fc.string(), hostile)),
    tags: fc.oneof(hostile, fc.array(hostile)),
    idempotency_key: fc.oneof(hostile, fc.string()),
    notes: fc.array(fc.record({ text: hostile }, { requiredKeys: [] }), { maxLength: 30 }),
  },
  { requiredKeys: [] },
);
const plainNote = fc.record({ text: fc.string({ minLength: 1, maxLength: 50 }), color: fc.constant('red') }, { requiredKeys: ['text'] });
const text = fc.oneof(
  { weight: 4, arbitrary: noteLike.map((v) => JSON.stringify(v)) },
  { weight: 4, arbitrary: plainNote.map((v) => JSON.stringify(v)) },
  { weight: 2, arbitrary: fc.json({ maxDepth: 8 }) },
  fc.string({ unit: 'binary' }),
  fc.nat({ max: 200 }).map((depth) => '['.repeat(depth) + ']'.repeat(depth)),
  fc.nat({ max: 200 }).map((depth) => `${'{"text":'.repeat(depth)}1${'}'.repeat(depth)}`),
  noteLike.map((v) => JSON.stringify(v).replace('{', '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},')),
  fc
    .tuple(
      noteLike.map((v) => JSON.stringify(v)),
      fc.nat(),
    )
    .map(([json, at]) => json.slice(0, at % (json.length + 1))),
);
const body: fc.Arbitrary<string | Uint8Array | undefined> = fc.oneof(
  { weight: 6, arbitrary: text },
  fc.uint8Array({ maxLength: 300 }),
  fc.constant(undefined),
);

const printable = fc.string({ maxLength: 40 }).map((s) => s.trim());
const headers = fc.record(
  {
    'Content-Type': fc.oneof(
      { weight: 8, arbitrary: fc.constant('application/json') },
      fc.constantFrom('text/plain', 'application/json; charset=utf-7', ';', ''),
    ),
    Accept: fc.oneof({ weight: 8, arbitrary: fc.constant('*/*') }, printable),
    'Idempotency-Key': fc.oneof({ weight: 8, arbitrary: fc.uuid() }, fc.constantFrom('k1', '"k2"', '""'), printable),
    'X-Request-Id': printable,
    'X-Service-Min-Position': fc.oneof({ weight: 8, arbitrary: fc.constant('00000000000000000001') }, printable),
    'X-Service-Consistency': fc.constantFrom('eventual', 'x'),
    'If-Match': fc.oneof(fc.constantFrom('"3"', 'W/"3"', '*'), printable),
    'Content-Encoding': fc.oneof({ weight: 8, arbitrary: fc.constant('identity') }, fc.constantFrom('gzip', 'br, x')),
    Authorization: fc.oneof(fc.constant(`Bearer ${OPERATOR_TOKEN}`), printable),
    'X-Forwarded-For': printable,
  },
  { requiredKeys: ['Content-Type'] },
);
const key = fc.constantFrom('full', 'full', 'full', 'full', 'full', 'full', 'reader', 'none', 'other', 'owner', 'stranger', null);

/** Mostly a route that exists, so that the checks behind routing get their share. */
const known = fc.constantFrom<[method: string, path: string]>(
  ['POST', '/v1/notes'],
  ['POST', '/v1/notes'],
  ['POST', '/v1/notes/bulk'],
  ['POST', '/v1/sign-in'],
  ['GET', '/v1/notes'],
  ['PATCH', '/v1/notes/note_1'],
  ['GET', '/v1/system/projections'],
);
const route = fc.oneof({ weight: 3, arbitrary: known }, fc.tuple(fc.constantFrom('POST', ...methods), target));
const request = fc.record({ route, query, key, headers, body }).map(({ route: [method, path], ...rest }) => ({ method, target: path, ...rest }));

/** Never our fault, always the one shape. */
function judge(reply: Reply, method: string): void {
  expect(reply.status).to.be.within(200, 499);
  expect(reply.headers.get('x-request-id')).to.match(/^[A-Za-z0-9._-]{1,128}$/);
  if (reply.status < 400 || method === 'HEAD') return;
  expect(reply.body).to.include.keys('error', 'code', 'message', 'request_id');
  expect(reply.body.error).to.equal(reply.body.code);
}

describe('whatever is sent, the shell', function () {
  this.timeout(60_000);

  const server = ownTestServer({ config: { headerPrefix: 'Service', trustProxy: 1, operatorToken: OPERATOR_TOKEN } });

  it('answers below 500 and in the one shape', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(request, { minLength: 8, maxLength: 8 }), async (requests) => {
        const replies = requests.map(async (r) => {
          const carries = r.body !== undefined && r.method !== 'GET' && r.method !== 'HEAD';
          const path = r.target + r.query;
          const reply = call(server, path, { method: r.method, key: r.key, headers: r.headers, ...(carries ? { body: r.body as string } : {}) });
          judge(await inTime(reply, `${r.method} ${path}`), r.method);
        });
        await Promise.all(replies);
      }),
      { numRuns: 300 },
    );
    expect(server.reported).to.deep.equal([]);
    expect(({} as { polluted?: unknown }).polluted).to.equal(undefined);
  });

  it('answers malformed HTTP, or closes the connection', async () => {
    const line = fc.oneof(
      {
        weight: 3,
        arbitrary: fc.constantFrom('POST /v1/notes HTTP/1.1', 'GET /v1/notes HTTP/1.1', 'POST /v1/notes/note_1/ring HTTP/1.0', 'GET / HTTP/1.1'),
      },
      fc.constantFrom('GET', 'PRI * HTTP/2.0', 'GET / HTTP/0.9', 'CONNECT a:1 HTTP/1.1'),
      fc.string({ maxLength: 60 }),
    );
    const field = fc.oneof(
      fc.constantFrom(
        'Host: a',
        'Content-Length: 5',
        'Content-Length: x',
        'Transfer-Encoding: chunked',
        'Transfer-Encoding: gzip',
        'Upgrade: websocket',
        'Connection: upgrade',
        'X-API-Key: full',
      ),
      printable.map((s) => `X-Odd: ${s}`),
    );
    const bytes = fc.oneof(
      fc.tuple(line, fc.array(field, { maxLength: 5 }), fc.string()).map(([l, f, b]) => `${[l, ...f, 'Connection: close'].join('\r\n')}\r\n\r\n${b}`),
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.uint8Array({ maxLength: 200 }).map((b) => Buffer.from(b).toString('latin1')),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(bytes, { minLength: 10, maxLength: 10 }), async (all) => {
        // Nothing follows, so that the server does not wait for the rest of a body.
        const received = await Promise.all(
          all.map((b) => inTime(rawRequest(server.port, Buffer.from(`${b}\r\n\r\n`, 'latin1'), { ended: true }), JSON.stringify(b))),
        );
        for (const answer of received) if (answer !== '') expect(answer).to.match(/^HTTP\/1\.1 [1-4]\d\d /);
      }),
      { numRuns: 100 },
    );
    expect(server.reported).to.deep.equal([]);
    expect((await call(server, '/healthz')).status).to.equal(200);
  });
});
