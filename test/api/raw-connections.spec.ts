import { connect } from 'node:net';
import { expect } from 'chai';
import { route } from '../../api/http/route.js';
import { stop } from '../../api/http/server/server.js';
import { system } from '../support/system.js';
import { boardRoutes, call, ownTestServer, rawRequest, startTestServer } from './support.js';

/** Status and body of each answer on a connection; every body must be JSON of the declared length. */
function answersOf(received: string): { status: number; code: string; head: string }[] {
  const answers = [];
  let rest = received;
  while (rest !== '') {
    const end = rest.indexOf('\r\n\r\n');
    const head = rest.slice(0, end);
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
    const body = rest.slice(end + 4, end + 4 + length);
    if (!head.startsWith('HTTP/1.1 100')) answers.push({ status: Number(head.slice(9, 12)), code: JSON.parse(body).code as string, head });
    rest = rest.slice(end + 4 + (Number.isNaN(length) ? 0 : length));
  }
  return answers;
}

describe('a connection', () => {
  const server = ownTestServer();

  const ask = async (bytes: string | Buffer) => answersOf(await rawRequest(server.port, bytes));
  const note = '{"text":"a"}';
  const post = (headers: string, body = note) =>
    `POST /v1/notes HTTP/1.1\r\nHost: a\r\nX-API-Key: full\r\nContent-Type: application/json\r\n${headers}\r\n\r\n${body}`;

  it('without valid HTTP gets an error of the usual shape, and is closed', async () => {
    for (const bytes of [
      'nonsense\r\n\r\n',
      'GET\r\n\r\n',
      'GET /v1/notes HTTP/9.9\r\n\r\n',
      '\x16\x03\x01\x02\x00',
      'GET / HTTP/1.1\r\nA B: c\r\n\r\n',
    ]) {
      const [answer] = await ask(bytes);
      expect([answer?.status, answer?.code], JSON.stringify(bytes)).to.deep.equal([400, 'invalid_parameter']);
      expect(answer?.head).to.match(/X-Request-Id: req_/);
    }
  });

  it('with headers that are too large gets 431', async () => {
    const [answer] = await ask(`GET /v1/notes HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`);
    expect([answer?.status, answer?.code]).to.deep.equal([431, 'headers_too_large']);
  });

  it('with contradicting lengths, or a chunk that is none, gets 400', async () => {
    for (const headers of ['Content-Length: 5\r\nContent-Length: 6', 'Content-Length: 5\r\nTransfer-Encoding: chunked', 'Content-Length: -1']) {
      const [answer] = await ask(post(headers));
      expect(answer?.status, headers).to.equal(400);
    }
    const [answer] = await ask(post('Transfer-Encoding: chunked', 'zz\r\n{}\r\n0\r\n\r\n'));
    expect(answer?.status).to.equal(400);
  });

  it('without a Host header, or with an odd target, gets an answer all the same', async () => {
    const close = 'Connection: close\r\n\r\n';
    const [noHost] = await ask(`GET /v1/notes HTTP/1.1\r\n${close}`);
    expect([noHost?.status, noHost?.code]).to.deep.equal([401, 'unauthorized']);
    for (const target of ['*', 'http://[::', 'http://a/v1/nope', '//', '/%', '?', 'x', '/\\..\\', 'http://a:b@c:99999/']) {
      const [answer] = await ask(`GET ${target} HTTP/1.1\r\nHost: a\r\n${close}`);
      expect(answer?.status, target).to.be.oneOf([400, 404]);
    }
  });

  it('may ask for a whole URL, as through a proxy', async () => {
    const [answer] = await ask('GET http://elsewhere:1234/v1/notes/note_1? HTTP/1.1\r\nHost: a\r\nX-API-Key: full\r\nConnection: close\r\n\r\n');
    expect(answer?.status).to.equal(200);
  });

  it('carries several requests, answered in their order', async () => {
    const received = await ask(
      `${post('Content-Length: 12')}${post('Content-Length: 1', '{')}GET /nope HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
    );
    expect(received.map((a) => a.status)).to.deep.equal([202, 400, 404]);
  });

  it('asks for the body only when it is read', async () => {
    const length = Buffer.byteLength(note);
    const taken = await rawRequest(server.port, post(`Expect: 100-continue\r\nConnection: close\r\nContent-Length: ${length}`));
    expect(taken).to.match(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 202 /);
    const refused = await rawRequest(
      server.port,
      `POST /v1/notes HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nConnection: close\r\nContent-Length: 9\r\n\r\n`,
    );
    expect(refused).to.match(/^HTTP\/1.1 401 /);
    const [odd] = await ask(post(`Expect: wonders\r\nConnection: close\r\nContent-Length: ${length}`));
    expect(odd?.status).to.equal(202);
  });

  it('that breaks off in the middle of a body leaves nothing behind', async () => {
    const executed = server.dispatcher.causes.length;
    await new Promise<void>((resolve) => {
      const socket = connect(server.port, '127.0.0.1', () => socket.write(post('Content-Length: 100', '{"te'), () => socket.destroy()));
      socket.on('close', () => resolve());
    });
    expect((await call(server, '/v1/notes/note_1')).status).to.equal(200);
    expect(server.dispatcher.causes).to.have.length(executed);
    expect(server.reported).to.deep.equal([]);
  });
});

describe('a server that stops', () => {
  it('answers what runs, closes those connections and takes no new ones', async () => {
    let finish = (): void => {};
    let begun = (): void => {};
    const running = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const slow = route({
      method: 'GET',
      path: '/v1/slow',
      operationId: 'probe',
      summary: 'Slow',
      tag: 'system',
      access: 'public',
      limit: 'public',
      responses: { 200: { description: 'Done.' } },
      handle: () =>
        new Promise((resolve) => {
          finish = () => resolve({ status: 200, body: { done: true } });
          begun();
        }),
    });
    const server = await startTestServer({ routes: [...boardRoutes(), slow] });
    const answer = call(server, '/v1/slow');
    await running;
    const stopped = stop(server.server, 10_000, system.clock);
    finish();
    const reply = await answer;
    await stopped;
    expect([reply.status, reply.body.done, reply.headers.get('connection')]).to.deep.equal([200, true, 'close']);
    const refused = await call(server, '/healthz').catch((e: Error) => e);
    expect(refused).to.be.instanceOf(Error);
  });

  it('cuts off what still runs when its time is over', async () => {
    const hanging = route({
      method: 'GET',
      path: '/v1/hang',
      operationId: 'probe',
      summary: 'Hang',
      tag: 'system',
      access: 'public',
      limit: 'public',
      responses: {},
      handle: () => new Promise(() => {}),
    });
    const server = await startTestServer({ routes: [hanging] });
    const answer = call(server, '/v1/hang').catch((e: Error) => e);
    await new Promise<void>((resolve) => server.server.once('request', () => resolve()));
    await stop(server.server, 1, system.clock);
    expect(await answer).to.be.instanceOf(Error);
  });
});
