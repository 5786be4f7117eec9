import { createSocket } from 'node:dgram';
import { once } from 'node:events';

const TYPES: Readonly<Record<number, 'TXT' | 'CNAME'>> = { 5: 'CNAME', 16: 'TXT' };
const CODES = { 'server failure': 2, 'no such name': 3, refused: 5 } as const;

/** What a name has: records, or how its server fails. Names that are not listed do not exist. */
export type DnsZone = Map<string, { readonly TXT?: readonly string[]; readonly CNAME?: string } | keyof typeof CODES | 'silent'>;

/** A name server on a free port of this machine. `asked`: the questions that it got. */
export async function dnsServer(zone: DnsZone) {
  const socket = createSocket('udp4');
  const asked: string[] = [];
  socket.on('message', (message, { address, port }) => {
    const { name, end } = nameIn(message);
    const type = TYPES[message.readUInt16BE(end)] ?? 'TXT';
    asked.push(`${type} ${name}`);
    const found = zone.get(name) ?? 'no such name';
    if (found === 'silent') return;
    const isFailure = typeof found === 'string';
    const records = isFailure ? [] : type === 'TXT' ? (found.TXT ?? []).map(txtData) : found.CNAME ? [nameData(found.CNAME)] : [];
    const header = Buffer.alloc(12);
    message.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x8180 | (isFailure ? CODES[found] : 0), 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(records.length, 6);
    const answers = records.map((data) => {
      const head = Buffer.from([0xc0, 0x0c, 0, type === 'TXT' ? 16 : 5, 0, 1, 0, 0, 0, 0, data.length >> 8, data.length & 255]);
      return Buffer.concat([head, data]);
    });
    socket.send(Buffer.concat([header, message.subarray(12, end + 4), ...answers]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    asked,
    address: `127.0.0.1:${socket.address().port}`,
    close: () => new Promise<void>((resolve) => socket.close(() => resolve())),
  };
}

/** The name of the only question, in lower case, and where it ends. */
function nameIn(message: Buffer): { readonly name: string; readonly end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 };
}

const nameData = (name: string): Buffer =>
  Buffer.concat([...name.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label, 'latin1')])), Buffer.from([0])]);

/** In parts of at most 255 bytes. */
function txtData(text: string): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < text.length; at += 255) {
    const part = Buffer.from(text.slice(at, at + 255), 'latin1');
    parts.push(Buffer.from([part.length]), part);
  }
  return Buffer.concat(parts);
}
