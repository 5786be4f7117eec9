import http, { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import express, { type Express } from 'express';

/**
 * Servers that answer with the JSON that they get. `bare` has nothing but `node:http`: the price of one echo is the unit of CPU
 * figures. `plain` is Express with `express.json()` as its guide shows it, the reference for a send. `lean` creates requests and answers
 * with Express's prototypes from the start, as our server does, so that Express need not change them on each request, which is much
 * faster on Node 20.
 */
const app = express();
app.disable('x-powered-by');
app.use(express.json());
app.post('/v1/messages/send', (request, response) => {
  response.json(request.body);
});

const servers: Readonly<Record<string, () => http.Server>> = {
  bare: () => http.createServer(bare),
  lean: () => http.createServer(lean(app), app),
  plain: () => http.createServer(app),
};
const server = servers[process.argv[2] ?? 'plain']?.() ?? http.createServer(app);
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ listening: `http://127.0.0.1:${port}` })}\n`);
});

function bare(request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = JSON.stringify(JSON.parse(Buffer.concat(chunks).toString('utf8')));
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body);
  });
}

function lean({ request, response }: Express): http.ServerOptions {
  function Incoming(this: IncomingMessage, socket: Socket): void {
    Reflect.apply(IncomingMessage, this, [socket]);
  }
  function Outgoing(this: ServerResponse, incoming: IncomingMessage, options: unknown): void {
    Reflect.apply(ServerResponse, this, [incoming, options]);
  }
  Incoming.prototype = request;
  Outgoing.prototype = response;
  return { IncomingMessage: Incoming, ServerResponse: Outgoing } as unknown as http.ServerOptions;
}
