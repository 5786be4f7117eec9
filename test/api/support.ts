import type { Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import Type from 'typebox';
import { rateLimits } from '../../api/http/access/rate-limits.js';
import type { RecordedExamples } from '../../api/http/description.js';
import { healthPages, systemRoutes } from '../../api/http/health.js';
import { Cursors, pageOf, pagingQuery } from '../../api/http/paging.js';
import { type AnyRoute, type Caller, route } from '../../api/http/route.js';
import { InMemoryLastWrites } from '../../api/http/server/last-writes.js';
import { createServer, stop } from '../../api/http/server/server.js';
import type { CompletedRequest, HttpServerOptions } from '../../api/http/server/server-options.js';
import { etag, ifMatch, requireVersion } from '../../api/http/versions.js';
import { type Cause, type Command, type Context, command, type Dispatcher, type ExecuteResult } from '../../commands/runtime/command.js';
import { DomainError, notFound } from '../../domain/kernel/errors.js';
import { anyRecord, list, named, nullable, oneOf, optional, record, type Static, type TSchema, text, time } from '../../domain/kernel/schema.js';
import { MemoryRateLimits } from '../../engines/memory/index.js';
import { ManualClock } from '../support/manual-clock.js';
import { system } from '../support/system.js';

/** A board of notes: a made-up capability with one route of every kind. */

const note = named('Note', Type.Object({ id: text, text, version: Type.Integer() }));
const newNote = record({
  text: Type.String({ minLength: 1, maxLength: 200, description: 'What it says.' }),
  color: optional(oneOf('red', 'green')),
  pinned_until: optional(nullable(time)),
  author: optional(record({ name: text, email: optional(Type.String({ format: 'email' })) })),
  metadata: optional(anyRecord),
  tags: optional(list(text, { maxItems: 20 })),
  idempotency_key: optional(Type.String({ maxLength: 255 })),
});

export const addNote = command({
  name: 'AddNote',
  input: newNote,
  handle: async (input, { newId }) => ({ id: newId('job'), text: input.text, version: 1 }),
});

const cursors = new Cursors(Buffer.alloc(32, 7));
const shelf = Array.from({ length: 7 }, (_, i) => ({ id: `note_${i}`, text: `Note ${i}`, version: i }));

const board: AnyRoute[] = [
  route({
    method: 'POST',
    path: '/v1/notes',
    operationId: 'addNote',
    summary: 'Add a note',
    description: 'Pins a note to the board. A note can say:\n\n- what to **do**\n- what to `avoid`',
    tag: 'messages',
    access: 'write',
    limit: 'send',
    body: newNote,
    responses: { 202: { description: 'The note.', schema: note } },
    handle: async ({ body, execute }) => ({ status: 202, body: (await execute(addNote, body)).output }),
  }),
  route({
    method: 'GET',
    path: '/v1/notes',
    operationId: 'listNotes',
    summary: 'List notes',
    tag: 'messages',
    access: 'read',
    limit: 'general',
    query: record({ ...pagingQuery, color: optional(oneOf('red', 'green')), field: optional(Type.Record(Type.String(), Type.String())) }),
    responses: { 200: { description: 'Notes, newest first.', schema: pageOf(note) } },
    handle: async (request) => {
      await request.consistent('notes');
      const paging = cursors.read(request, 'notes');
      const sorted = paging.descending ? [...shelf].reverse() : shelf;
      const from = paging.after ? sorted.findIndex((n) => n.id === paging.after?.[0]) + 1 : 0;
      return { status: 200, body: paging.page(sorted.slice(from, from + paging.take), (n) => [n.id]) };
    },
  }),
  route({
    method: 'POST',
    path: '/v1/notes/bulk',
    operationId: 'addNotes',
    summary: 'Add many notes',
    tag: 'messages',
    access: 'write',
    limit: 'bulk',
    bodyLimit: 8 * 1024 * 1024,
    body: Type.Union([list(newNote, { maxItems: 10_000 }), record({ notes: list(newNote, { maxItems: 10_000 }) })]),
    responses: { 202: { description: 'How many.', schema: record({ added: Type.Integer() }) } },
    handle: async ({ body }) => ({ status: 202, body: { added: (Array.isArray(body) ? body : body.notes).length } }),
  }),
  route({
    method: 'GET',
    path: '/v1/notes/:id',
    operationId: 'getNote',
    summary: 'Read a note',
    tag: 'messages',
    access: 'either',
    limit: 'general',
    params: record({ id: Type.String({ pattern: '^note_' }) }),
    responses: { 200: { description: 'The note.', schema: note } },
    handle: async ({ params }) => {
      const found = shelf.find((n) => n.id === params.id);
      if (!found) throw notFound('note', params.id);
      return { status: 200, body: found, headers: etag(found.version) };
    },
  }),
  route({
    method: 'PATCH',
    path: '/v1/notes/:id',
    operationId: 'changeNote',
    summary: 'Change a note',
    tag: 'messages',
    access: 'write',
    limit: 'general',
    body: record({ text: optional(text) }),
    errors: ['version_conflict'],
    responses: { 200: { description: 'The note.', schema: note } },
    handle: async ({ headers, params }) => {
      requireVersion(ifMatch(headers), 3);
      return { status: 200, body: { id: (params as { id: string }).id, text: 'changed', version: 4 }, headers: etag(4) };
    },
  }),
  route({
    method: 'DELETE',
    path: '/v1/notes/:id',
    operationId: 'removeNote',
    summary: 'Take a note off',
    tag: 'messages',
    access: 'write',
    limit: 'general',
    responses: { 204: { description: 'Gone.' } },
    handle: async () => ({ status: 204 }),
  }),
  route({
    method: 'POST',
    path: '/v1/notes/:id/ring',
    operationId: 'ringBell',
    summary: 'Ring a bell',
    tag: 'messages',
    access: 'either',
    limit: 'general',
    responses: { 200: { description: 'Rung.' } },
    handle: async () => ({ status: 200, body: { rung: true } }),
  }),
  route({
    method: 'POST',
    path: '/v1/sign-in',
    operationId: 'signIn',
    summary: 'Sign in',
    tag: 'accounts',
    access: 'public',
    limit: 'login',
    body: record({ email: text, password: text }),
    errors: ['invalid_credentials'],
    responses: { 200: { description: 'A token.' } },
    handle: async () => {
      throw new DomainError('invalid_credentials', 'Email address and password do not belong together.');
    },
  }),
  route({
    method: 'GET',
    path: '/v1/owners',
    operationId: 'getOwners',
    summary: 'For owners',
    tag: 'accounts',
    access: 'owner',
    limit: 'general',
    responses: { 200: { description: 'Yes.' } },
    handle: async ({ caller }) => ({ status: 200, body: { account: caller.account } }),
  }),
];

/** Examples of the board's operations. */
export const boardExamples: RecordedExamples = {
  operations: {
    addNote: { body: { text: "Don't forget", color: 'red' }, responses: { 202: { id: 'note_1', text: "Don't forget", version: 1 } } },
  },
  webhooks: {},
};

export const boardRoutes = (): AnyRoute[] => [...board, ...systemRoutes({ projections: async () => [] })];

/** A dispatcher that knows repeats by their key, as the real one does from the event stream. */
export class FakeDispatcher implements Dispatcher {
  readonly causes: Cause[] = [];
  readonly #done = new Map<string, { fingerprint: string | undefined; output: unknown; position: string }>();
  /** Its log seals nothing: the addresses of users are of no interest here. */
  context = (cause: Cause): Context =>
    ({ cause, now: '', log: { sealBoxes: async (items: readonly unknown[]) => items.map(() => 'sealed') } }) as unknown as Context;
  /** Runs before each first execution. */
  before: () => Promise<void> = async () => {};

  async execute<Input extends TSchema, Output>(c: Command<Input, Output>, input: Static<Input>, cause: Cause): Promise<ExecuteResult<Output>> {
    const known = cause.key === undefined ? undefined : this.#done.get(cause.key);
    if (known && known.fingerprint !== cause.fingerprint) throw new DomainError('idempotency_key_reused', 'Another body.');
    if (known) return { output: known.output as Output, position: known.position, replayed: true };
    await this.before();
    this.causes.push(cause);
    const number = String(this.causes.length);
    const output = await c.handle(input, { newId: (prefix: string) => `${prefix}_${number}`, now: '', cause } as unknown as Context);
    const position = number.padStart(20, '0');
    if (cause.key !== undefined) this.#done.set(cause.key, { fingerprint: cause.fingerprint, output, position });
    return { output, position, replayed: false };
  }
}

const callers = new Map<string, Caller>(
  Object.entries({
    full: { account: 'acc_1', actor: { kind: 'key', id: 'key_full' }, scopes: null, role: null },
    reader: { account: 'acc_1', actor: { kind: 'key', id: 'key_reader' }, scopes: ['read'], role: null },
    none: { account: 'acc_1', actor: { kind: 'key', id: 'key_none' }, scopes: [], role: null },
    analyst: { account: 'acc_1', actor: { kind: 'user', id: 'usr_1' }, scopes: ['read'], role: 'analyst' },
    owner: { account: 'acc_1', actor: { kind: 'user', id: 'usr_2' }, scopes: ['read', 'write'], role: 'owner' },
    other: { account: 'acc_2', actor: { kind: 'key', id: 'key_other' }, scopes: null, role: null },
  } satisfies Record<string, Caller>),
);

export const OPERATOR_TOKEN = 'operator-token';

export interface TestServer {
  readonly url: string;
  readonly port: number;
  readonly server: Server;
  readonly dispatcher: FakeDispatcher;
  readonly clock: ManualClock;
  readonly reported: { error: unknown; requestId: string }[];
  readonly completed: CompletedRequest[];
  readonly close: () => Promise<void>;
}

/** Starts a server on a free port. Limits are out of the way unless a test brings its own. */
export async function startTestServer(overrides: Partial<HttpServerOptions> = {}): Promise<TestServer> {
  const dispatcher = new FakeDispatcher();
  const clock = new ManualClock('2026-01-15T10:30:00.000Z');
  const reported: TestServer['reported'] = [];
  const completed: CompletedRequest[] = [];
  const plenty = Object.fromEntries(Object.entries(rateLimits).map(([group, l]) => [group, { ...l, limit: 1_000_000 }]));
  const server = createServer({
    routes: boardRoutes(),
    pages: healthPages({
      storesReachable: async () => {},
      storesWritable: async () => {},
      projections: async () => [],
      metrics: async () => 'up 1\n',
    }),
    authenticator: {
      authenticate: async ({ apiKey }) => {
        const caller = callers.get(apiKey ?? '');
        if (!caller) throw new DomainError('unauthorized', 'Send a key in X-API-Key.');
        return caller;
      },
    },
    dispatcher,
    limits: new MemoryRateLimits(plenty as typeof rateLimits, clock),
    lastWrites: new InMemoryLastWrites(),
    reached: async () => true,
    clock,
    entropy: system.entropy,
    config: { headerPrefix: 'Service', trustProxy: false, operatorToken: OPERATOR_TOKEN },
    requestHashKey: Buffer.alloc(32),
    report: (error, requestId) => reported.push({ error, requestId }),
    onCompleted: (c) => completed.push(c),
    ...overrides,
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, port, server, dispatcher, clock, reported, completed, close: () => stop(server, 0, system.clock) };
}

/** As `startTestServer`, for all specs of the suite that calls this. */
export function ownTestServer(overrides?: Partial<HttpServerOptions>): TestServer {
  const server = {} as TestServer;
  before(async () => void Object.assign(server, await startTestServer(overrides)));
  after(() => server.close());
  return server;
}

/** As `startTestServer`, new for each spec of the suite that calls this. */
export function freshTestServer(overrides?: () => Partial<HttpServerOptions>): TestServer {
  const server = {} as TestServer;
  beforeEach(async () => void Object.assign(server, await startTestServer(overrides?.())));
  afterEach(() => server.close());
  return server;
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  readonly body: any;
}

export interface CallOptions {
  readonly method?: string;
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly body?: string | Uint8Array;
}

/** One request, by default with a full key. */
export async function call(at: TestServer, path: string, { method, key = 'full', headers = {}, json, body }: CallOptions = {}): Promise<Reply> {
  const sent = json === undefined ? body : JSON.stringify(json);
  const all = { ...(key === null ? {} : { 'X-API-Key': key }), ...(sent === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers };
  const init = { method: method ?? (sent === undefined ? 'GET' : 'POST'), headers: all, ...(sent === undefined ? {} : { body: sent as string }) };
  const response = await fetch(at.url + path, init);
  const answer = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  return { status: response.status, headers: response.headers, body: answer !== '' && isJson ? JSON.parse(answer) : answer };
}

/** Writes bytes to a bare connection and resolves with all that comes back until the server closes it. */
export function rawRequest(port: number, bytes: string | Buffer, { ended = false } = {}): Promise<string> {
  return new Promise((resolve) => {
    const socket: Socket = connect(port, '127.0.0.1', () => (ended ? socket.end(bytes) : socket.write(bytes)));
    let answer = '';
    socket.setEncoding('latin1').on('data', (chunk) => (answer += chunk));
    socket.on('error', () => {});
    socket.on('close', () => resolve(answer));
  });
}
