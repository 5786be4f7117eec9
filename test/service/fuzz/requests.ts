import { toUSVString } from 'node:util';
import fc, { type Arbitrary } from 'fast-check';
import { type Body, bodyOf, type Contents, json } from './bodies.js';
import { reportBodies } from './reports.js';
import { allowedBy, hostileText, mutated, type Schema } from './values.js';

/** A request as sent over the wire, with a description. */
export interface FuzzRequest {
  /** `POST /v1/lists/{id}`, or null for a request to no operation. */
  readonly operation: string | null;
  readonly line: string;
  readonly head: readonly string[];
  readonly body: Buffer | null;
  /** The framing of the body, valid or invalid. */
  readonly framing: 'length' | 'chunked' | 'too long' | 'too short' | 'torn' | 'both' | 'nonsense';
}

export interface Operation extends Contents {
  readonly method: string;
  readonly path: string;
  readonly query: readonly (readonly [name: string, schema: Schema])[];
}

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document, of which only some fields are read
type Document = any;

/** Values for paths and headers that reach deeper code: existing ids, and credentials. */
export interface Known {
  readonly ids: readonly string[];
  /** Ids by the part of a path that comes before them, such as `lists`, or by the name of the parameter, such as `contact_id`. */
  readonly idsByName: ReadonlyMap<string, readonly string[]>;
  readonly credentials: readonly string[];
  readonly account: string;
  /** The value of `Authorization` that proves a webhook of a carrier. */
  readonly proof: string;
}

const PAGES = [
  '/healthz',
  '/metrics',
  '/docs',
  '/v1/openapi.json',
  '/',
  '/v1',
  '/v1/messages/',
  '/V1/messages',
  '/v1//messages',
  '*',
  'http://x/v1/messages',
];
const METHODS = ['GET', 'POST', 'PATCH', 'DELETE', 'PUT', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'BREW', 'get', 'CONNECT'];

/** Answers that never end have specs of their own. */
const isStream = ({ responses }: Document): boolean => 'text/event-stream' in (responses[200]?.content ?? {});

/** Every operation of the API's OpenAPI document but streams. `bodies`: more valid ones, by the id of the operation. */
export function operationsOf(given: Document, bodies: ReadonlyMap<string, unknown> = new Map()): Operation[] {
  const document = dereferenced({ paths: given.paths }, given);
  return Object.entries<Document>(document.paths).flatMap(([path, methods]) =>
    operationsOfPath(methods).map(([method, { operationId, parameters = [], requestBody }]) => ({
      method: method.toUpperCase(),
      path,
      query: parameters.flatMap((p: Document) => (p.in === 'query' ? [[p.name, p.schema] as const] : [])),
      body: requestBody ? requestBody.content['application/json'].schema : null,
      mediaTypes: Object.keys(requestBody?.content ?? {}).filter((type) => type !== 'application/json'),
      examples: [bodies.get(operationId), requestBody?.content['application/json'].example].filter((body) => body !== undefined),
    })),
  );
}

const operationsOfPath = (methods: Document): [method: string, operation: Document][] =>
  Object.entries<Document>(methods).filter(([, operation]) => !isStream(operation));

/** The value with all references resolved. Of a recursive schema, the inner one is any value. `within`: the references around it. */
function dereferenced(value: Document, document: Document, within: readonly string[] = []): Document {
  if (Array.isArray(value)) return value.map((part) => dereferenced(part, document, within));
  if (typeof value !== 'object' || value === null) return value;
  const { $ref } = value;
  if (typeof $ref !== 'string') return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, dereferenced(part, document, within)]));
  if (within.includes($ref)) return {};
  const target = $ref
    .split('/')
    .slice(1)
    .reduce((at: Document, key: string) => at[key], document);
  return dereferenced(target, document, [...within, $ref]);
}

/** Requests to all operations: some valid, most with one fault, some not valid HTTP. */
export function fuzzRequests(operations: readonly Operation[], known: Known): Arbitrary<FuzzRequest> {
  // Sends are weighted up because they have most fields; the others are weighted down because they hash passwords, which is slow.
  const weight = ({ path }: Operation) => (/\/(send|bulk)$/.test(path) ? 12 : /auth|users/.test(path) ? 1 : 4);
  const routed = operations.map((operation) => ({ weight: weight(operation), arbitrary: requestTo(operation, known) }));
  return fc.oneof(...routed, { weight: 8, arbitrary: unroutedRequests(known) }, { weight: 40, arbitrary: reportsOfCarriers(known) });
}

function requestTo(operation: Operation, known: Known): Arbitrary<FuzzRequest> {
  // Half of the requests are proper HTTP with the right key, so that faults of their contents are seen.
  const method = mostly(fc.constant(operation.method), fc.constantFrom(...METHODS), 15);
  const proper = fc.constant(['Host: x', properCredential(operation.path, known), `${CONTENT_TYPE}application/json`]);
  const shape = fc.oneof(fc.tuple(proper, fc.constant('length' as const)), fc.tuple(headOf(known), framing));
  const target = fc.tuple(pathOf(operation.path, known), queryOf(operation.query)).map(([path, query]) => path + query);
  return fc.tuple(method, target, shape, bodyOf(operation)).map(([verb, to, [head, how], body]) => ({
    operation: verb === operation.method ? `${verb} ${operation.path}` : null,
    line: `${verb} ${to} HTTP/1.1`,
    head: withType(head, body),
    body: body?.bytes ?? null,
    framing: how,
  }));
}

const properCredential = (path: string, { credentials }: Known): string => credentials.at(path.startsWith('/v1/system') ? -1 : 0) ?? '';

const framing = mostly(fc.constant('length' as const), fc.constantFrom('chunked', 'too long', 'too short', 'torn', 'both', 'nonsense'), 15);

/** Unknown paths, and invalid request lines. */
const unroutedRequests = (known: Known): Arbitrary<FuzzRequest> =>
  fc
    .record({
      operation: fc.constant(null),
      line: fc.oneof(
        fc.tuple(fc.constantFrom(...METHODS), fc.constantFrom(...PAGES)).map(([method, path]) => `${method} ${path} HTTP/1.1`),
        fc.tuple(fc.constantFrom(...METHODS), hostileText).map(([method, path]) => `${method} /${encodeURI(toUSVString(path))} HTTP/1.1`),
        fc.constantFrom(
          'GET / HTTP/1.0',
          'GET / HTTP/2.0',
          'GET /',
          '',
          'GET  /  HTTP/1.1',
          'PRI * HTTP/2.0',
          '\u0000\u0001\u0016\u0003',
          'GET /% HTTP/1.1',
        ),
        fc.string({ unit: 'binary', maxLength: 60 }),
      ),
      head: headOf(known),
      body: bodyOf(null),
      framing,
    })
    .map((request) => ({ ...request, head: withType(request.head, request.body), body: request.body?.bytes ?? null }));

/** Webhooks of carriers, which are no operations of the document. Only those of Postmark are proved by a header alone. */
const reportsOfCarriers = (known: Known): Arbitrary<FuzzRequest> =>
  fc
    .tuple(fc.constantFrom(...reportBodies), fc.constantFrom('', '', `/${known.account}`, '/constructor'), headOf(known), hostileText)
    .chain(([{ carrier, body }, account, head, text]) =>
      fc
        .tuple(json(fc.oneof(fc.constant(body), mutated(fc.constant(body)))), fc.constantFrom('POST', 'POST', 'POST', 'GET'), framing)
        .map(([sent, method, how]) => ({
          operation: null,
          line: `${method} /v1/webhooks/${carrier}${account}?${encodeURIComponent(toUSVString(text))} HTTP/1.1`,
          head: [...head.filter((line) => !line.startsWith('Authorization')), `Authorization: ${known.proof}`],
          body: sent.bytes,
          framing: how,
        })),
    );

function mostly<A, B>(usual: Arbitrary<A>, unusual: Arbitrary<B>, weight = 6): Arbitrary<A | B> {
  return fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: unusual });
}

const SEGMENTS = ['%', '%ff', '%00', '%2f', '..', '.', '', '__proto__', 'constructor', ':id', '%F0%9F%92%A9', 'x'.repeat(3_000), 'null', '*'];

function pathOf(path: string, { ids, idsByName }: Known): Arbitrary<string> {
  const idOf = (parameter: string, before: string | undefined): Arbitrary<string> =>
    fc.constantFrom(...(idsByName.get(parameter.slice(1, -1)) ?? idsByName.get(before ?? '') ?? ids));
  const value = (parameter: string, before: string | undefined) =>
    fc.oneof(
      { weight: 8, arbitrary: idOf(parameter, before) },
      { weight: 1, arbitrary: fc.constantFrom(...ids) },
      { weight: 1, arbitrary: fc.constantFrom(...SEGMENTS) },
      { weight: 1, arbitrary: hostileText.map((text) => encodeURIComponent(toUSVString(text))) },
    );
  const parts = path.split('/').map((part, i, all) => (part.startsWith('{') ? value(part, all[i - 1]) : fc.constant(part)));
  return fc.tuple(...parts).map((filled) => filled.join('/'));
}

function queryOf(parameters: Operation['query']): Arbitrary<string> {
  const encoded = (text: unknown) => encodeURIComponent(toUSVString(String(text)));
  const right = parameters.map(([name, schema]) => allowedBy(schema, name).map((value) => pairsOf(name, value, encoded)));
  const wrong = fc
    .tuple(fc.oneof(hostileText, fc.constantFrom('limit', 'cursor', 'order', 'limit[]', 'limit[__proto__]', 'a[b][c]')), hostileText)
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`);
  const raw = fc.constantFrom('%', '&&', '=', '%00', 'limit=1&limit=2', 'a'.repeat(4_000), '?', '[]=');
  const one = fc.oneof(...right.map((arbitrary) => ({ weight: 3, arbitrary })), { weight: 2, arbitrary: wrong }, { weight: 1, arbitrary: raw });
  const some = fc.oneof(fc.constant([]), fc.array(fc.oneof(...right, fc.constant('')), { maxLength: 1 }), fc.array(one, { maxLength: 3 }));
  return some.map((pairs) => (pairs.length > 0 ? `?${pairs.join('&')}` : ''));
}

/** Encodes objects as `name[key]=value`. */
function pairsOf(name: string, value: unknown, encoded: (text: unknown) => string): string {
  if (typeof value !== 'object' || value === null) return `${name}=${encoded(value)}`;
  return Object.entries(value)
    .map(([key, one]) => `${name}[${encoded(key)}]=${encoded(JSON.stringify(one))}`)
    .join('&');
}

/** Removes line ends, which would end a header. */
const headerText = hostileText.map((text) =>
  Buffer.from(text)
    .toString('latin1')
    .replace(/[\r\n]/g, ' '),
);

function headOf({ credentials }: Known): Arbitrary<string[]> {
  const credential = mostly(
    fc.constantFrom(...credentials),
    fc.oneof(
      headerText.map((text) => `X-API-Key: ${text}`),
      headerText.map((text) => `Authorization: Bearer ${text}`),
      fc.constantFrom('X-None: 1', 'Authorization: Basic Og==', 'Authorization: Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.', 'Authorization:'),
    ),
  );
  const type = mostly(
    fc.constant('application/json'),
    fc.constantFrom(
      'text/plain',
      'application/json; charset=utf-16',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      ';',
      '',
    ),
  );
  const named = (...names: string[]) => fc.tuple(fc.constantFrom(...names), headerText).map(([name, value]) => `${name}: ${value}`);
  const odd = fc.oneof(
    named('Idempotency-Key', 'If-Match', 'X-Request-Id', 'X-Forwarded-For', 'Accept', 'X-Service-Consistency', 'Cookie', 'Range', 'Accept-Encoding'),
    // Twenty digits would be a future position, which is answered with 503 by design.
    headerText.filter((text) => !/^\d{20}$/.test(text.trim())).map((text) => `X-Service-Min-Position: ${text}`),
    fc.nat(30).map((n) => `Idempotency-Key: key-${n}`),
    fc.constantFrom(
      'Expect: 100-continue',
      'Expect: nonsense',
      'Content-Encoding: gzip',
      'Accept: text/html',
      'Upgrade: websocket',
      'Connection: Upgrade',
    ),
    fc.constantFrom(
      'Host: y',
      'X-Service-Min-Position: 00000000000000000000',
      `X-Big: ${'x'.repeat(20_000)}`,
      'No colon',
      ': nothing',
      'Bad Name: x',
    ),
  );
  return fc
    .tuple(credential, type, fc.array(odd, { maxLength: 2 }), mostly(fc.constant('Host: x'), fc.constant('X-No-Host: 1'), 20))
    .map(([who, contentType, more, host]) => [host, who, `${CONTENT_TYPE}${contentType}`, ...more]);
}

const CONTENT_TYPE = 'Content-Type: ';

const withType = (head: readonly string[], body: Body | null): string[] =>
  head.map((line) => (body?.type !== undefined && line.startsWith(CONTENT_TYPE) ? CONTENT_TYPE + body.type : line));

/** The bytes of a request, and whether to close our side after them because the announced body is longer. */
export function bytesOf({ line, head, body, framing }: FuzzRequest): { bytes: Buffer; half: boolean } {
  const payload = body ?? Buffer.alloc(0);
  const { length } = payload;
  const chunk = Buffer.concat([Buffer.from(`${length.toString(16)}\r\n`), payload, Buffer.from('\r\n')]);
  const chunked = Buffer.concat([length > 0 ? chunk : Buffer.alloc(0), Buffer.from('0\r\n\r\n')]);
  const [frame, sent, half] = {
    length: [body === null ? [] : [`Content-Length: ${length}`], payload, false] as const,
    chunked: [['Transfer-Encoding: chunked'], chunked, false] as const,
    'too long': [[`Content-Length: ${length + 10}`], payload, true] as const,
    'too short': [[`Content-Length: ${Math.floor(length / 2)}`], payload, true] as const,
    torn: [['Transfer-Encoding: chunked'], chunked.subarray(0, Math.floor(chunked.length / 2)), true] as const,
    both: [['Transfer-Encoding: chunked', `Content-Length: ${length}`], chunked, true] as const,
    nonsense: [['Transfer-Encoding: gzip, x', 'Content-Length: -1'], payload, true] as const,
  }[framing];
  const lines = [line, ...head, ...frame, 'Connection: close', '', ''];
  return { bytes: Buffer.concat([Buffer.from(lines.join('\r\n'), 'latin1'), sent]), half };
}
