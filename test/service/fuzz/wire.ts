import { connect } from 'node:net';
import { TIMEOUT_FACTOR } from '../../support/eventually.js';

export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const TIMEOUT_MS = 15_000 * TIMEOUT_FACTOR;

/**
 * Writes the bytes to a new connection and reads until the server closes it. Resolves with null if it closes
 * without an answer. `half` ends our side after the bytes, like a client that disconnects during a request.
 */
export function exchange(url: string, bytes: Buffer, half: boolean): Promise<Answered | null> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    socket.setTimeout(TIMEOUT_MS, () => {
      socket.destroy();
      reject(new Error(`no answer in ${TIMEOUT_MS} ms, only ${JSON.stringify(Buffer.concat(chunks).toString('latin1').slice(0, 200))}`));
    });
    socket.on('connect', () => (half ? socket.end(bytes) : socket.write(bytes)));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('end', () => socket.end());
    // A server may answer and close while we still write; the answer counts.
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE' && error.code !== 'ECONNRESET') reject(error);
    });
    socket.on('close', () => {
      try {
        resolve(read(Buffer.concat(chunks).toString('utf8')));
      } catch (e) {
        reject(e);
      }
    });
  });
}

function read(text: string): Answered | null {
  if (text === '') return null;
  const end = text.indexOf('\r\n\r\n');
  const [first = '', ...lines] = text.slice(0, end).split('\r\n');
  const [, status] = /^HTTP\/1\.1 (\d{3}) /.exec(first) ?? [];
  if (end < 0 || status === undefined) throw new Error(`invalid answer: ${JSON.stringify(text.slice(0, 200))}`);
  if (status === '100') return read(text.slice(end + 4));
  const headers = Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]));
  return { status: Number(status), headers, body: text.slice(end + 4) };
}
