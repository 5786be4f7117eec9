import http from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Receivers of webhooks, each with a port of its own, in a process that is not the service's. The path decides the answer: `/ok` at
 * once, `/once` fails the first attempt of each delivery, `/never` leaves the caller waiting. `GET /ports` of the first server, which
 * prints its address, lists the others; `GET /arrivals` empties what has arrived since the last call.
 */

/** One request of the service. Times in milliseconds since 1970. */
export interface Arrival {
  readonly path: string;
  readonly delivery: string;
  readonly attempt: number;
  readonly at: number;
  /** When the event happened. */
  readonly occurredAt: number;
}

const count = Number(process.argv[2] ?? 1);
let arrivals: Arrival[] = [];

const receiver = http.createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const at = Date.now();
    const { headers, url: path = '' } = request;
    const attempt = Number(headers['x-service-attempt'] ?? 1);
    const { occurred_at } = JSON.parse(Buffer.concat(chunks).toString()) as { occurred_at: string };
    arrivals.push({ path, delivery: String(headers['x-service-delivery'] ?? ''), attempt, at, occurredAt: Date.parse(occurred_at) });
    if (path === '/never') return;
    response.writeHead(path === '/once' && attempt === 1 ? 500 : 200).end('{"ok":true}');
  });
});

const listen = async (server: http.Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
};

const answer = receiver.listeners('request')[0] as http.RequestListener;
const ports: number[] = [];
for (let n = 0; n < count; n++) ports.push(await listen(http.createServer(answer)));
const control = http.createServer((request, response) => {
  response.setHeader('content-type', 'application/json');
  if (request.url === '/ports') return void response.end(JSON.stringify(ports));
  response.end(JSON.stringify(arrivals));
  arrivals = [];
});
process.stdout.write(`${JSON.stringify({ listening: `http://127.0.0.1:${await listen(control)}` })}\n`);
