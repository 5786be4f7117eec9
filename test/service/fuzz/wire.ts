import { connect } from 'node:net';

export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const PATIENCE_MS = 15_000;

/**
 * Writes these bytes to a connection of their own and reads what comes until the server closes it. Null where it closes
 * without an answer. `half` ends our side after the bytes, as a client that went away in the middle does.
 */
export function exchange(url: string, bytes: Buffer, half: boolean): Promise<Answered | null> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    socket.setTimeout(PATIENCE_MS, () => {
      socket.destroy();
      reject(new Error(`no answer in ${PATIENCE_MS} ms, only ${JSON.stringify(Buffer.concat(chunks).toString('latin1').slice(0, 200))}`));
    });
    socket.on('connect', () => (half ? socket.end(bytes) : socket.write(bytes)));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('end', () => socket.end());
    // A server may refuse and close while we still write; what it said before that has arrived and counts.
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
  if (end < 0 || status === undefined) throw new Error(`this is no answer: ${JSON.stringify(text.slice(0, 200))}`);
  if (status === '100') return read(text.slice(end + 4));
  const headers = Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]));
  return { status: Number(status), headers, body: text.slice(end + 4) };
}
