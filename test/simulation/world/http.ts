import type { Server } from 'node:http';
import { Duplex } from 'node:stream';

export interface Request {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON, or a text as it is. */
  readonly body?: unknown;
  /** Address of the client. */
  readonly from?: string;
}

export interface Response {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  // biome-ignore lint/suspicious/noExplicitAny: the bodies of all routes; an invariant asserts on them
  readonly body: any;
}

/** The address of callers that name no other one. */
export const CALLERS = '203.0.113.7';

/** The server's end of a connection that exists in memory only. */
class Connection extends Duplex {
  readonly #received: Buffer[] = [];

  constructor(
    readonly remoteAddress: string,
    private readonly onEnd: (answer: Buffer) => void,
  ) {
    super();
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#received.push(chunk);
    done();
  }

  override _final(done: () => void): void {
    done();
    this.onEnd(Buffer.concat(this.#received));
  }
}

/** Sends a request to a server that does not listen. Resolves with its answer. Node holds a connection, and all that it leads to, until that is closed. */
export function exchange(server: Server, request: Request, open: Set<Duplex>): Promise<Response> {
  return new Promise((resolve) => {
    const connection: Connection = new Connection(request.from ?? CALLERS, (answer) => {
      open.delete(connection);
      connection.destroy();
      resolve(parse(answer.toString('utf8')));
    });
    open.add(connection);
    server.emit('connection', connection);
    connection.push(requestText(request));
  });
}

/** A request as it is on the wire. */
export function requestText({ method, path, headers, body }: Request): string {
  const content = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
  const all = {
    host: 'heliograph',
    connection: 'close',
    ...(body !== undefined && { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(content)) }),
    ...headers,
  };
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return `${method} ${path} HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n${content}`;
}

function parse(answer: string): Response {
  const split = answer.indexOf('\r\n\r\n');
  const [first = '', ...lines] = answer.slice(0, split).split('\r\n');
  const headers = Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]));
  const text = headers['transfer-encoding'] === 'chunked' ? unchunked(answer.slice(split + 4)) : answer.slice(split + 4);
  const isJson = text !== '' && headers['content-type']?.startsWith('application/json');
  return { status: Number(first.split(' ')[1]), headers, body: isJson ? JSON.parse(text) : text };
}

function unchunked(text: string): string {
  const bytes = Buffer.from(text);
  const parts: Buffer[] = [];
  for (let at = 0; ; ) {
    const end = bytes.indexOf('\r\n', at);
    const size = Number.parseInt(bytes.toString('latin1', at, end), 16);
    if (!(size > 0)) return Buffer.concat(parts).toString('utf8');
    parts.push(bytes.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
}
