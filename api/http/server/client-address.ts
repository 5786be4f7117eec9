import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import { ownField } from '../../../domain/kernel/own-fields.js';

/** Which `X-Forwarded-For` entries are trusted: none, those of a number of proxies, or those of proxies in CIDR networks. */
export type TrustProxy = false | number | readonly string[];

type Ip = ipaddr.IPv4 | ipaddr.IPv6;
const UNKNOWN = 'unknown';

/**
 * The address of the client, from the socket or from the `X-Forwarded-For` entries of trusted proxies. An invalid entry ends
 * the search at the last valid one, so a client cannot use a forged entry to get the rate limit of another address.
 */
export function clientAddress(trust: TrustProxy): (request: IncomingMessage) => string {
  const trusted = trustCheck(trust);
  return (request) => {
    const peer = parse(request.socket.remoteAddress ?? '');
    if (!peer) return UNKNOWN;
    const header = trusted && request.headers['x-forwarded-for'];
    if (!trusted || !header) return peer.toString();
    const hops = String(header).split(',');
    let client = peer;
    for (let distance = 0; hops.length > 0 && trusted(client, distance); distance++) {
      const next = parse(hops.pop() as string);
      if (!next) break;
      client = next;
    }
    return client.toString();
  };
}

/** Whether the proxy at an address, so many hops away, is trusted. Throws if a network is not in CIDR form. */
function trustCheck(trust: TrustProxy): ((address: Ip, distance: number) => boolean) | null {
  if (trust === false) return null;
  if (typeof trust === 'number') return (_address, distance) => distance < trust;
  const networks = trust.flatMap((name) => ownField(NAMED_NETWORKS, name) ?? [name]).map(network);
  return (address) => networks.some(([base, bits]) => base.kind() === address.kind() && address.match(base, bits));
}

/** The names that Express accepts for `trust proxy`, with its networks. */
export const NAMED_NETWORKS: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

function network(cidr: string): [Ip, number] {
  if (cidr.includes('/')) return ipaddr.parseCIDR(cidr);
  const address = ipaddr.process(cidr);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

/** Normalizes IPv4 in IPv6 to IPv4, and removes ports and brackets. Short forms such as `127.1` are invalid. */
function parse(written: string): Ip | null {
  const text = written.trim();
  const bare = /^\[(.*)\](?::\d+)?$/.exec(text)?.[1] ?? (/^[\d.]+:\d+$/.test(text) ? text.slice(0, text.indexOf(':')) : text);
  const unscoped = bare.split('%')[0] as string;
  return ipaddr.IPv4.isValidFourPartDecimal(unscoped) || ipaddr.IPv6.isValid(unscoped) ? ipaddr.process(unscoped) : null;
}

/** The key of a rate limit by address: an IPv4 address, or the /64 network of an IPv6 address, because one subscriber holds at least a /64. */
export function addressRateKey(address: string): string {
  if (!address.includes(':')) return address;
  const parts = ipaddr.IPv6.parse(address).parts.slice(0, 4);
  return `${parts.map((p) => p.toString(16)).join(':')}::/64`;
}
