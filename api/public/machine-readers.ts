import type { IncomingHttpHeaders } from 'node:http';
import { ownField } from '../../domain/kernel/own-fields.js';

/**
 * User agents of programs that load pictures and follow links without a reader: scanners of mail, makers of previews, libraries, and
 * Apple Mail Privacy Protection, which loads all pictures of every mail under the bare name. The proxies of Gmail and Yahoo are not
 * among them: they load a picture when a reader opens the mail.
 */
const MACHINES: readonly RegExp[] = [
  /^\s*$/,
  /^Mozilla\/5\.0$/,
  /bot\b|crawl|spider|scan|preview|prefetch|monitor|headless|facebookexternalhit|whatsapp\/|google-safety/i,
  /barracuda|proofpoint|mimecast|messagelabs|symantec|trend ?micro|sophos|fortiguard|fireeye|forcepoint|cloudmark/i,
  /^(curl|wget|python|go-http-client|java|okhttp|libwww|apache-httpclient|node|axios|got|ruby|php|powershell)\b/i,
];

/** Header fields by which browsers and proxies announce a prefetch, and their values. */
const AHEAD: readonly (readonly [field: string, value: RegExp])[] = [
  ['purpose', /prefetch|preview|prerender/i],
  ['sec-purpose', /prefetch|prerender/i],
  ['x-purpose', /prefetch|preview/i],
  ['x-moz', /prefetch/i],
];

/** Whether a program made a request, or a browser did before its user asked for it. */
export function isMachine(headers: IncomingHttpHeaders): boolean {
  const agent = headers['user-agent'] ?? '';
  return MACHINES.some((pattern) => pattern.test(agent)) || AHEAD.some(([field, value]) => value.test(String(ownField(headers, field) ?? '')));
}
