import http, { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import express, { type Express } from 'express';

/**
 * The reference for a send: Express with `express.json()` that answers with the body it got. `plain` is Express as its
 * guide shows it. `lean` creates requests and answers with Express's prototypes from the start, as our server does, so
 * that Express need not change them on each request, which is much faster on Node 20.
 */
const app = express();
app.disable('x-powered-by');
app.use(express.json());
app.post('/v1/messages/send', (request, response) => {
  response.json(request.body);
});

const server = process.argv[2] === 'lean' ? http.createServer(lean(app), app) : http.createServer(app);
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ listening: `http://127.0.0.1:${port}` })}\n`);
});

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
