import type { IncomingMessage, ServerResponse } from 'node:http';
import compression from 'compression';
import type { Request, Response } from 'express';

const compress = compression({ threshold: 0 });
const SKIPPED = /^(?:text\/event-stream|multipart\/|image\/(?!svg))/;

/**
 * Compresses what is written from now on with br or gzip, if the client accepts one of them and the media type gains by it. Streams of
 * events are left alone, since each event must arrive at once, and so is what is compressed already. `headers`: names and values in turn.
 */
export function compressed(incoming: IncomingMessage, outgoing: ServerResponse, headers: readonly string[]): void {
  const headerOf = (name: string): string | undefined => {
    const at = headers.findIndex((one, i) => i % 2 === 0 && one.toLowerCase() === name);
    return at < 0 ? undefined : headers[at + 1];
  };
  if (incoming.headers['accept-encoding'] === undefined || headerOf('content-encoding') !== undefined) return;
  if (SKIPPED.test(headerOf('content-type') ?? '')) return;
  compress(incoming as Request, outgoing as Response, () => {});
}
