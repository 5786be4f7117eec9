import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { parse, stringify } from 'node:querystring';
import { parseUrl } from '../../domain/kernel/urls.js';
import { queryOf, type RawRequest, requestHeaderOf } from '../runtime/incoming.js';

/**
 * Whether Twilio signed the request: HMAC-SHA1 over the public address and the sorted fields of the form, or over the address with
 * the hash of a JSON body. `publicUrl`: of this service, without a slash at the end.
 */
export function verifyTwilio(request: RawRequest, { authToken, publicUrl }: { readonly authToken: string; readonly publicUrl: string }): boolean {
  if (fieldsIn(request.body) > MAX_FIELDS || request.target.length > MAX_TARGET) return false;
  const given = Buffer.from(requestHeaderOf(request, 'x-twilio-signature'));
  const url = publicUrl + request.target;
  const bodyHash = new URLSearchParams(queryOf(request.target)).get('bodySHA256');
  if (bodyHash !== null && !equal(Buffer.from(bodyHash), Buffer.from(createHash('sha256').update(request.body).digest('hex')))) return false;
  const fields = bodyHash === null && request.method === 'POST' ? sortedFields(request.body.toString('utf8')) : '';
  const isSigned = (address: string): boolean =>
    equal(
      given,
      Buffer.from(
        createHmac('sha1', authToken)
          .update(address + fields)
          .digest('base64'),
      ),
    );
  return spellingsOf(url).some(isSigned);
}

/** Twilio sends some thirty. More are no request of Twilio's: sorting them would hold the thread before anything is proved. */
const MAX_FIELDS = 1_000;
const MAX_TARGET = 16_384;

function fieldsIn(form: Buffer): number {
  let fields = 1;
  for (let at = form.indexOf('&'); at >= 0 && fields <= MAX_FIELDS; at = form.indexOf('&', at + 1)) fields++;
  return fields;
}

const equal = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b);

/** Names in order, each with its values: each value once, in order, behind its name. */
function sortedFields(form: string): string {
  const values = new Map<string, Set<string>>();
  for (const [name, value] of new URLSearchParams(form)) values.set(name, (values.get(name) ?? new Set()).add(value));
  return [...values.keys()]
    .sort()
    .flatMap((name) => [...(values.get(name) as Set<string>)].sort().map((value) => name + value))
    .join('');
}

/** As it is and as a parser writes it, each without and with a port, the latter also with the query in its older encoding. */
function spellingsOf(url: string): string[] {
  const asGiven = [withoutPort(url), withPort(url)];
  if (!parseUrl(url)) return asGiven;
  const normal = new URL(url).toString();
  const normalized = [withoutPort(normal), withPort(normal)];
  return [...new Set([...asGiven, ...normalized, ...normalized.map(withOlderQuery)])];
}

const ADDRESS = /^([a-z][a-z0-9+.-]*:\/\/)((?:[^/?#]*@)?)(\[[^\]/?#]*\]|[^/?#:]*)(:[^/?#]*)?(.*)$/is;

const withoutPort = (url: string): string => url.replace(ADDRESS, '$1$2$3$5');
const withPort = (url: string): string =>
  url.replace(ADDRESS, (_, scheme: string, user: string, host: string, port: string | undefined, rest: string) => {
    return scheme + user + host + (port || (scheme.toLowerCase() === 'https://' ? ':443' : ':80')) + rest;
  });

function withOlderQuery(url: string): string {
  const start = url.indexOf('?');
  return start < 0 || start === url.length - 1 ? url : `${url.slice(0, start)}?${stringify(parse(url.slice(start + 1)))}`;
}
