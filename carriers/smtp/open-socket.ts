import { connect, type LookupFunction, type Socket } from 'node:net';
import proxied from 'nodemailer/lib/smtp-connection/http-proxy-client';
import type { Clock } from '../../domain/kernel/clock.js';
import { parseUrl } from '../../domain/kernel/urls.js';
import { ForbiddenAddress, guardedLookup, isAllowedHost } from '../../net/guard.js';
import { SmtpError } from './errors.js';
import type { MailServer } from './mail-server.js';

/** Connects to a mail server, without TLS. */
export type OpenSocket = () => Promise<Socket>;

/** Milliseconds for one address of several. */
const ATTEMPT_MS = 1_000;
/** Milliseconds without traffic, after which the network is asked whether the server is still there. */
const KEEP_ALIVE_MS = 30_000;

/** Connects to the mail server of the operator. */
export function openSocket(server: MailServer, clock: Pick<Clock, 'timer'>): OpenSocket {
  const { proxy } = server;
  return proxy === null ? () => dial(server, clock) : () => throughProxy(server, proxy);
}

/**
 * Connects to a mail server that somebody else has named: only at an address that the guard allows. The address is checked
 * when it is dialed.
 */
export function openGuardedSocket(server: MailServer, allowedCidrs: readonly string[], clock: Pick<Clock, 'timer'>): OpenSocket {
  const lookup = guardedLookup(allowedCidrs);
  const host = parseUrl(`http://${server.host.includes(':') ? `[${server.host}]` : server.host}`)?.hostname;
  return async () => {
    if (host === undefined || !isAllowedHost(host, allowedCidrs)) throw new ForbiddenAddress(server.host);
    return dial({ ...server, host: host.replace(/^\[(.*)\]$/, '$1') }, clock, lookup);
  };
}

function dial({ host, port, localAddress, timeouts }: MailServer, clock: Pick<Clock, 'timer'>, lookup?: LookupFunction): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({
      ...{ host, port, autoSelectFamilyAttemptTimeout: ATTEMPT_MS, noDelay: true, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_MS },
      ...(localAddress !== null && { localAddress }),
      ...(lookup && { lookup }),
    });
    const fail = (error: Error): void => {
      timer.cancel();
      socket.destroy();
      reject(error);
    };
    const timer = clock.timer(timeouts.connection, () => fail(new SmtpError('Connection timeout', { code: 'ETIMEDOUT', command: 'CONN' })));
    socket.once('error', fail);
    socket.once('connect', () => {
      socket.off('error', fail);
      timer.cancel();
      resolve(socket);
    });
  });
}

const throughProxy = ({ host, port, tls, timeouts }: MailServer, proxy: string): Promise<Socket> =>
  new Promise((resolve, reject) => {
    proxied(proxy, port, host, { ...tls, timeout: timeouts.connection }, (error, socket) => {
      if (error || !socket) reject(error ?? new Error('The proxy gave no connection.'));
      else resolve(socket.setNoDelay(true));
    });
  });
