import { writeFileSync } from 'node:fs';
import { bytesOf, type FuzzRequest } from './requests.js';

/** Longer bodies are written to a file. */
const MAX_SHOWN = 4_000;

/** The command that sends a request again. What curl would not send as it is, such as a wrong length, goes over a bare connection. `file`: where a long or binary body is kept. */
export function curlOf(url: string, request: FuzzRequest, file: string): string {
  const [method = '', target = '', version] = request.line.split(' ');
  const plain =
    request.framing === 'length' && version === 'HTTP/1.1' && target.startsWith('/') && /^[A-Z]+$/.test(method) && request.head.every(isHeader);
  if (!plain) {
    writeFileSync(file, bytesOf(request).bytes);
    return `curl -s -N --max-time 10 telnet://${new URL(url).host} < ${file}`;
  }
  const headers = request.head.map((line) => `-H ${quoted(line)}`);
  const { body } = request;
  const data = body === null ? [] : [`--data-binary ${dataOf(body, file)}`];
  return ['curl -i -g --path-as-is', `-X ${method}`, quoted(url + target), ...headers, ...data].join(' ');
}

const isHeader = (line: string): boolean => /^[\w-]+: ?[^\0\r\n]*\S$/.test(line);

/** For bash: texts of printable ASCII in quotes, others byte by byte. */
function quoted(text: string): string {
  if (/^[ -~]*$/.test(text)) return `'${text.replaceAll("'", `'\\''`)}'`;
  const bytes = [...Buffer.from(text, 'latin1')].map((byte) =>
    byte >= 0x20 && byte < 0x7f && byte !== 0x27 && byte !== 0x5c ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`,
  );
  return `$'${bytes.join('')}'`;
}

function dataOf(body: Buffer, file: string): string {
  if (body.length <= MAX_SHOWN && !body.includes(0) && body[0] !== 0x40) return quoted(body.toString('latin1'));
  writeFileSync(file, body);
  return `@${file}`;
}
