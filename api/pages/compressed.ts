import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import Negotiator from 'negotiator';
import type { HttpResponse } from '../http/route.js';

const unzipped = promisify(gunzip);

/** A file that was compressed at the build. */
export type ReadCompressed = (encoding: 'br' | 'gzip') => Promise<Uint8Array>;

/** Answers with a file in the encoding that the client takes; plain to one that takes neither. */
export async function compressedAnswer(
  request: IncomingMessage,
  read: ReadCompressed,
  fields: Readonly<Record<string, string>>,
): Promise<HttpResponse> {
  const accepted = new Negotiator(request).encodings();
  const encoding = (['br', 'gzip'] as const).find((one) => accepted.includes(one));
  const headers = { ...fields, Vary: 'Accept-Encoding' };
  if (!encoding) return { status: 200, body: await unzipped(await read('gzip')), headers };
  return { status: 200, body: await read(encoding), headers: { ...headers, 'Content-Encoding': encoding } };
}
