import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { expect } from 'chai';
import fc from 'fast-check';
import { createPost, type PostOptions, type PostResult } from '../../net/client.js';
import { system } from '../support/system.js';

const allowedCidrs = ['127.0.0.0/8'];
const json = Buffer.from('{"event":"message.delivered"}');

interface Received {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: http.IncomingHttpHeaders;
  readonly rawHeaders: string[];
  readonly body: Buffer;
}

describe('a POST to the outside', () => {
  const open: { close(): void }[] = [];
  afterEach(() => {
    for (const server of open.splice(0)) server.close();
  });

  /** A receiver that records requests and answers as configured. */
  async function receiver(answer: (request: Received, response: http.ServerResponse) => void = (_, response) => response.end('ok')) {
    const received: Received[] = [];
    let connections = 0;
    const server = http.createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const { method, url, headers, rawHeaders } = request;
      const entry = { method, url, headers, rawHeaders, body: Buffer.concat(chunks) };
      received.push(entry);
      answer(entry, response);
    });
    server.on('connection', () => connections++);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    open.push({
      close() {
        server.close();
        server.closeAllConnections();
      },
    });
    const { port } = server.address() as AddressInfo;
    return { received, url: `http://127.0.0.1:${port}/hook?a=1`, port, connections: () => connections };
  }

  /** A server of bytes, for what no HTTP server would do. */
  async function rawServer(onRequest: (socket: net.Socket, nth: number) => void) {
    let requests = 0;
    const sockets = new Set<net.Socket>();
    const server = net.createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('data', () => onRequest(socket, ++requests));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    open.push({
      close() {
        server.close();
        for (const socket of sockets) socket.destroy();
      },
    });
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, requests: () => requests, connections: () => sockets.size };
  }

  const post = createPost(system);
  const send = (url: string, options: Partial<PostOptions> = {}) => post(url, { body: json, allowedCidrs, ...options });
  const code = (result: PostResult) => ('error' in result ? result.error.code : result.status);

  it('sends the exact bytes, the content type and the user agent', async () => {
    const { url, received } = await receiver();
    const body = Buffer.from([0x7b, 0xff, 0x00, 0xc3, 0xa9, 0x7d]);
    const result = await send(url, { body, headers: { 'X-Service-Event': 'message.sent' } });
    expect(result).to.include({ status: 200, body: 'ok' });
    const request = received[0];
    expect(request).to.include({ method: 'POST', url: '/hook?a=1' });
    expect(request?.body.equals(body)).to.equal(true);
    expect(request?.headers).to.include({ 'content-type': 'application/json', 'content-length': '6', 'x-service-event': 'message.sent' });
    expect(request?.headers['user-agent']).to.match(/^Heliograph\/\d+\.\d+\.\d+/);
    expect(request?.rawHeaders).to.include('X-Service-Event');
  });

  it('sends a text as UTF-8, with its length in bytes', async () => {
    const { url, received } = await receiver();
    await send(url, { body: '{"text":"héllo ☃ 😀"}' });
    expect(received[0]?.body.toString('utf8')).to.equal('{"text":"héllo ☃ 😀"}');
    expect(received[0]?.headers['content-length']).to.equal(String(Buffer.byteLength('{"text":"héllo ☃ 😀"}')));
  });

  it('lets the caller set another content type', async () => {
    const { url, received } = await receiver();
    await send(url, { headers: { 'Content-Type': 'text/plain' } });
    expect(received[0]?.headers['content-type']).to.equal('text/plain');
  });

  for (const status of [200, 204, 301, 404, 410, 429, 500, 503])
    it(`returns the status ${status}`, async () => {
      const { url } = await receiver((_, response) => response.writeHead(status).end());
      expect(await send(url)).to.include({ status, body: '' });
    });

  for (const status of [301, 302, 303, 307, 308])
    it(`does not follow a redirect: ${status}`, async () => {
      const inner = await receiver();
      const outer = await receiver((_, response) => response.writeHead(status, { location: inner.url }).end());
      expect(code(await send(outer.url))).to.equal(status);
      expect(inner.connections()).to.equal(0);
    });

  it('returns its duration in milliseconds', async () => {
    const { url } = await receiver();
    const { durationMs } = await send(url);
    expect(durationMs).to.satisfy(Number.isInteger).and.to.be.within(0, 5_000);
  });

  describe('is refused before any connection', () => {
    it('where the address is private', async () => {
      const { port, connections } = await receiver();
      for (const host of ['127.0.0.1', '0x7f000001', '2130706433', '[::ffff:127.0.0.1]', 'localhost']) {
        const result = await send(`http://${host}:${port}/`, { allowedCidrs: [] });
        expect(code(result), host).to.equal('forbidden_address');
        expect('error' in result && result.error.message).to.contain('HELIOGRAPH_WEBHOOK_ALLOW_CIDRS');
      }
      expect(connections()).to.equal(0);
    });

    it('where a name resolves to a private address, also after it resolved to a public one', async () => {
      const { port, connections } = await receiver();
      const answers = ['127.0.0.1', '10.0.0.1'];
      const guarded = createPost({ ...system, resolve: async () => [{ address: answers.shift() ?? '::1', family: 4 }] });
      for (let i = 0; i < 2; i++) {
        const result = await guarded(`http://rebinding.example:${port}/`, { body: json, allowedCidrs: [] });
        expect(code(result)).to.equal('forbidden_address');
        expect('error' in result && result.error.message).to.contain('HELIOGRAPH_WEBHOOK_ALLOW_CIDRS');
      }
      expect(connections()).to.equal(0);
    });

    it('where the URL is malformed or not of HTTP', async () => {
      for (const url of ['', 'nonsense', 'ftp://example.com/', 'http://user:secret@127.0.0.1/'])
        expect(code(await send(url)), url).to.equal('invalid_url');
    });

    it('where a header is invalid', async () => {
      const { url, connections } = await receiver();
      expect(code(await send(url, { headers: { 'x-a': 'b\r\nc: d' } }))).to.equal('invalid_request');
      expect(connections()).to.equal(0);
    });
  });

  it('reaches a name by its allowed address', async () => {
    const { port, received } = await receiver();
    const named = createPost({
      ...system,
      resolve: async () => [
        { address: '10.0.0.1', family: 4 },
        { address: '127.0.0.1', family: 4 },
      ],
    });
    expect(code(await named(`http://receiver.example:${port}/`, { body: json, allowedCidrs }))).to.equal(200);
    expect(received[0]?.headers.host).to.equal(`receiver.example:${port}`);
  });

  describe('ends in time', () => {
    it('where no answer arrives', async () => {
      const { url } = await receiver(() => undefined);
      const result = await send(url, { timeoutMs: 50 });
      expect(code(result)).to.equal('timeout');
      expect(result.durationMs).to.be.within(45, 5_000);
    });

    it('where the answer never ends', async () => {
      const { url } = await receiver((_, response) => response.write('half'));
      expect(code(await send(url, { timeoutMs: 50 }))).to.equal('timeout');
    });

    it('where a name server does not answer', async () => {
      const silent = createPost({ ...system, resolve: () => new Promise(() => undefined) });
      expect(code(await silent('http://silent.example/', { body: json, allowedCidrs, timeoutMs: 50 }))).to.equal('timeout');
    });
  });

  describe('reads no more than the cap', () => {
    it('of an answer without end, and does not wait for the rest', async () => {
      let gone = () => {};
      const closed = new Promise<void>((resolve) => {
        gone = resolve;
      });
      const { url } = await receiver((_, response) => {
        const more = () => {
          while (!response.destroyed && response.write('x'.repeat(10_000)));
        };
        response.on('drain', more);
        response.on('close', () => gone());
        more();
      });
      const result = await send(url);
      expect(result).to.include({ status: 200 });
      expect('body' in result && result.body).to.equal('x'.repeat(16_384));
      await closed;
    });

    it('of an answer whose length equals the cap', async () => {
      const { url } = await receiver((_, response) => response.write('x'.repeat(100)));
      expect(await send(url, { maxResponseBytes: 100 })).to.include({ status: 200, body: 'x'.repeat(100) });
    });

    it('and drops an incomplete last character', async () => {
      const { url } = await receiver((_, response) => response.end('é'.repeat(100)));
      expect(await send(url, { maxResponseBytes: 5 })).to.include({ body: 'éé' });
    });
  });

  describe('returns the reason where there is no answer', () => {
    it('where the connection is refused', async () => {
      const { port } = await receiver();
      for (const server of open.splice(0)) server.close();
      expect(code(await send(`http://127.0.0.1:${port}/`))).to.equal('connection_refused');
    });

    it('where the name does not exist', async () => {
      const unknown = createPost({ ...system, resolve: () => Promise.reject(Object.assign(new Error(), { code: 'ENOTFOUND', syscall: 'queryA' })) });
      expect(code(await unknown('http://nowhere.example/', { body: json, allowedCidrs }))).to.equal('dns_error');
    });

    it('where the connection breaks', async () => {
      const { url, requests } = await rawServer((socket) => socket.destroy());
      expect(code(await send(url))).to.equal('connection_reset');
      expect(requests()).to.equal(1);
    });

    it('where the connection breaks in the middle of the answer', async () => {
      const { url, requests } = await rawServer((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf'));
      expect(code(await send(url))).to.equal('connection_reset');
      expect(requests()).to.equal(1);
    });

    for (const [name, answer] of [
      ['is not HTTP', 'SSH-2.0-OpenSSH_9.6\r\n'],
      ['has endless headers', `HTTP/1.1 200 OK\r\n${'X-A: b\r\n'.repeat(10_000)}\r\n`],
    ] as const)
      it(`where the answer ${name}`, async () => {
        const { url } = await rawServer((socket) => socket.write(answer));
        expect(code(await send(url))).to.equal('invalid_response');
      });

    it('where the server does not speak TLS', async () => {
      const { port } = await receiver();
      expect(code(await send(`https://127.0.0.1:${port}/`))).to.equal('tls_error');
    });

    it('without addresses', async () => {
      const { port } = await receiver();
      for (const server of open.splice(0)) server.close();
      const result = await send(`http://127.0.0.1:${port}/`);
      expect('error' in result && result.error.message)
        .to.be.a('string')
        .and.not.to.contain('127.0.0.1');
    });
  });

  describe('over an idle connection', () => {
    it('reuses it', async () => {
      const { url, connections } = await receiver();
      for (let i = 0; i < 5; i++) await send(url);
      expect(connections()).to.equal(1);
    });

    it('opens a new one where the other side has closed it', async () => {
      const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
      const { url, connections } = await rawServer((socket, nth) => (nth === 2 ? socket.destroy() : socket.write(ok)));
      expect(code(await send(url))).to.equal(200);
      expect(await send(url)).to.include({ status: 200, body: 'ok' });
      expect(connections()).to.equal(2);
    });

    it('is not repeated after its timeout', async () => {
      const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
      const { url, requests } = await rawServer((socket, nth) => nth === 1 && socket.write(ok));
      await send(url);
      expect(code(await send(url, { timeoutMs: 50 }))).to.equal('timeout');
      expect(requests()).to.equal(2);
    });
  });

  it('never throws, whatever the URL and headers', async () => {
    const host = fc.oneof(fc.string(), fc.constantFrom('127.0.0.1', 'localhost', '[::1]', '10.0.0.1'));
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string(),
          host.map((h) => `http://${h}:1/`),
        ),
        fc.dictionary(fc.string(), fc.string()),
        async (url, headers) => {
          const refusing = createPost({
            ...system,
            resolve: () => Promise.reject(Object.assign(new Error(), { code: 'ENOTFOUND', syscall: 'getaddrinfo' })),
          });
          expect(await refusing(url, { body: json, headers, allowedCidrs, timeoutMs: 1_000 })).to.have.property('error');
        },
      ),
      { numRuns: 200 },
    );
  });
});
