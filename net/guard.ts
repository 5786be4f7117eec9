/**
 * Protects private networks from requests to addresses that callers chose (webhook targets, push endpoints): SSRF. A URL is
 * checked when it is registered, so that mistakes are reported at once, and every address is checked again on connecting: the
 * addresses of a name are filtered inside the connection's own lookup, so the checked address is the one that is dialed, and
 * DNS rebinding has no effect.
 */

import { type LookupAddress, type LookupOptions, lookup as systemLookup } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { parseUrl } from '../domain/kernel/urls.js';

/**
 * Ports that no URL may name: those that browsers refuse ("port blocking" of the WHATWG Fetch Standard). Services behind them
 * speak protocols other than HTTP, and some of them, such as mail servers, would take parts of a request for commands.
 */
const forbiddenPorts: ReadonlySet<number> = new Set([
  ...[0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95],
  ...[101, 102, 103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179],
  ...[389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995],
  ...[1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080],
]);

/** `port`: as `URL` writes it, empty for the default port of the scheme. */
const isForbiddenPort = (port: string): boolean => port !== '' && forbiddenPorts.has(Number(port));

/** The setting that opens ranges; every refusal names it. */
const SETTING = 'HELIOGRAPH_WEBHOOK_ALLOW_CIDRS';
const MAX_URL_LENGTH = 2048;
const CONTROL_CHARACTER = /\p{Cc}/u;
const DNS_TIMEOUT_MS = 2_000;
const DNS_TRIES = 2;

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = [Address, number];

/** Denied although ipaddr.js classes it as unicast: the host agent of Azure, reachable from every machine there. */
const EXTRA_DENIED: readonly Network[] = [ipaddr.parseCIDR('168.63.129.16/32')];
/** The IPv6 range of the public internet (RFC 4291, IANA). Other addresses embed IPv4 or are reserved. */
const GLOBAL_IPV6: Network = ipaddr.parseCIDR('2000::/3');

const parseNetworks = (cidrs: readonly string[]): readonly Network[] =>
  cidrs.map((cidr) => ipaddr.parseCIDR(cidr.includes('/') ? cidr : `${cidr}/${cidr.includes(':') ? 128 : 32}`));

const within = (address: Address, network: Network): boolean => address.kind() === network[0].kind() && address.match(network as [never, number]);

/**
 * Whether a connection to this address is allowed: public addresses, and those of the networks in `allowedCidrs`. Private,
 * loopback, link-local, multicast, documentation and other special ranges are refused, also where they are written as IPv4
 * inside IPv6; so is a text that is no address. Throws if an entry of `allowedCidrs` is not in CIDR form.
 */
export const isAllowedAddress = (ip: string, allowedCidrs: readonly string[]): boolean => isAllowed(ip, parseNetworks(allowedCidrs));

function isAllowed(ip: string, opened: readonly Network[]): boolean {
  // ipaddr.js takes the deprecated ::1.2.3.4 for the mapped ::ffff:1.2.3.4, but not with a zero in front.
  const bare = ip.replace(/^\[(.*)\]$/, '$1').replace(/^::(?=\d+\.)/, '0::');
  if (!ipaddr.isValid(bare)) return false;
  const address = ipaddr.process(bare);
  if (opened.some((network) => within(address, network))) return true;
  if (address.range() !== 'unicast' || EXTRA_DENIED.some((network) => within(address, network))) return false;
  return address.kind() === 'ipv4' || within(address, GLOBAL_IPV6);
}

/** Why an URL may not be called. */
export interface UrlProblem {
  readonly code: 'invalid_url';
  readonly reason: 'malformed' | 'too_long' | 'control_character' | 'scheme' | 'credentials' | 'port' | 'forbidden_address';
  readonly message: string;
}

const problem = (reason: UrlProblem['reason'], message: string): UrlProblem => ({ code: 'invalid_url', reason, message });

const forbidden = (host: string): UrlProblem =>
  problem('forbidden_address', `'${host}' is in a private or reserved network. ${SETTING} opens networks for development, for example 127.0.0.0/8.`);

/**
 * Why this URL must not be called, or null. Names are not resolved here, since they may resolve to another address later; but
 * names that always mean a private network are refused like its addresses.
 */
export const checkUrl = (url: string, allowedCidrs: readonly string[]): UrlProblem | null => problemOf(url, parseNetworks(allowedCidrs));

/** The same for many URLs: the networks are parsed once. */
export function urlCheck(allowedCidrs: readonly string[]): (url: string) => UrlProblem | null {
  const opened = parseNetworks(allowedCidrs);
  return (url) => problemOf(url, opened);
}

function problemOf(url: string, opened: readonly Network[]): UrlProblem | null {
  if (url.length > MAX_URL_LENGTH) return problem('too_long', `Use an URL of at most ${MAX_URL_LENGTH} characters.`);
  // The parser would drop tabs and line breaks without a word.
  if (CONTROL_CHARACTER.test(url)) return problem('control_character', 'Use an URL without line breaks and other control characters.');
  const parsed = parseUrl(url);
  if (!parsed) return problem('malformed', 'Use an absolute URL, for example https://example.com/hook.');
  const { protocol, username, password, hostname, port } = parsed;
  if (protocol !== 'https:' && protocol !== 'http:') return problem('scheme', 'Use an http or https URL.');
  if (username !== '' || password !== '') return problem('credentials', 'Leave user and password out of the URL.');
  if (isForbiddenPort(port)) return problem('port', `Use another port: ${port} belongs to another protocol, and browsers refuse it too.`);
  return mayReach(hostname, opened) ? null : forbidden(hostname);
}

/**
 * The same for the endpoint of a push service. Only https; plain http is for networks that are opened on purpose, as test servers have no
 * certificate.
 */
export function checkPushEndpoint(url: string, allowedCidrs: readonly string[]): UrlProblem | null {
  const found = checkUrl(url, allowedCidrs);
  if (found !== null || new URL(url).protocol === 'https:' || checkUrl(url, [])?.reason === 'forbidden_address') return found;
  return problem('scheme', 'Use an https URL.');
}

/**
 * Whether a connection to this host may be made at all: it is neither an address in a forbidden network nor a name that always means
 * one. `host` as WHATWG writes it. The addresses of a name are checked by `guardedLookup`.
 */
export const isAllowedHost = (host: string, allowedCidrs: readonly string[]): boolean => mayReach(host, parseNetworks(allowedCidrs));

/** Of a host as WHATWG writes it: any spelling of an IPv4 address has become four decimal numbers, IPv6 is in brackets. */
function mayReach(host: string, opened: readonly Network[]): boolean {
  if (host.startsWith('[') || /^[\d.]+$/.test(host)) return isAllowed(host, opened);
  const name = host.endsWith('.') ? host.slice(0, -1) : host;
  if (/(^|\.)localhost$/.test(name)) return isAllowed('127.0.0.1', opened) || isAllowed('::1', opened);
  return opened.length > 0 || !/(^|\.)(local|internal)$/.test(name);
}

/** The guard refused the connection, not the other side. */
export class ForbiddenAddress extends Error {
  override readonly name = 'ForbiddenAddress';
  readonly code = 'forbidden_address';
  constructor(host: string) {
    super(forbidden(host).message);
  }
}

/** All addresses of a name; throws as `dns.promises.lookup` does. */
export type ResolveHost = (hostname: string) => Promise<readonly LookupAddress[]>;

/**
 * The lookup of an agent whose connections reach allowed addresses only. It resolves all addresses of a name, drops
 * the others, and fails with ForbiddenAddress when none is left. Node connects to an address in the URL
 * without a lookup: `checkUrl` must come before each call.
 */
export function guardedLookup(allowedCidrs: readonly string[], resolve: ResolveHost = resolverFor(allowedCidrs)): LookupFunction {
  const opened = parseNetworks(allowedCidrs);
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (found) => {
        const addresses = found.filter(({ address, family }) => ofFamily(family, options.family) && isAllowed(address, opened));
        const first = addresses[0];
        if (first === undefined) callback(new ForbiddenAddress(hostname), '', 0);
        else if (options.all === true) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, '', 0),
    );
  };
}

function ofFamily(family: number, wanted: LookupOptions['family']): boolean {
  return wanted === undefined || wanted === 0 || wanted === family || wanted === `IPv${family}`;
}

/**
 * Where private networks are opened, names are resolved as the machine does it, with its hosts file and search domains.
 * Elsewhere targets are untrusted, and DNS is queried without the system's resolver, which blocks a thread of the process's
 * pool until a name server answers: four unanswered names would block all of its threads.
 */
function resolverFor(allowedCidrs: readonly string[]): ResolveHost {
  return allowedCidrs.length > 0 ? bySystem : byDns(new Resolver({ timeout: DNS_TIMEOUT_MS, tries: DNS_TRIES }));
}

const bySystem: ResolveHost = (hostname) =>
  new Promise((resolve, reject) => {
    systemLookup(hostname, { all: true }, (error, addresses) => (error ? reject(error) : resolve(addresses)));
  });

const byDns =
  (resolver: Resolver): ResolveHost =>
  async (hostname) => {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses = [
      ...(v4.status === 'fulfilled' ? v4.value : []).map(ofVersion(4)),
      ...(v6.status === 'fulfilled' ? v6.value : []).map(ofVersion(6)),
    ];
    if (addresses.length === 0 && v4.status === 'rejected') throw v4.reason;
    return addresses;
  };

const ofVersion =
  (family: 4 | 6) =>
  (address: string): LookupAddress => ({ address, family });
