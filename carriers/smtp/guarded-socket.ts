import { connect, type Socket } from 'node:net';
import type { Clock } from '../../domain/kernel/clock.js';
import { parseUrl } from '../../domain/kernel/parse-url.js';
import { ForbiddenAddress, guardedLookup, isAllowedHost } from '../../net/guard.js';

/** In milliseconds. */
const CONNECT_MS = 15_000;

interface Target {
  readonly host?: string | undefined;
  readonly port?: number | string | undefined;
  readonly secure?: boolean | undefined;
}
type ConnectCallback = (error: Error | null, socketOptions?: { connection: Socket }) => void;

/**
 * Connects to a mail server that somebody else has named: only at an address that the guard allows. The address is checked
 * when it is dialed. TLS, if any, begins over this connection.
 */
export function guardedSocket(allowedCidrs: readonly string[], clock: Pick<Clock, 'timer'>): (target: Target, done: ConnectCallback) => void {
  const lookup = guardedLookup(allowedCidrs);
  return ({ host = '', port, secure = false }, done) => {
    if (!parseUrl(`http://${host}`)) return done(new ForbiddenAddress(host));
    const { hostname } = new URL(`http://${host}`);
    if (!isAllowedHost(hostname, allowedCidrs)) return done(new ForbiddenAddress(host));
    const socket = connect({ host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port) || (secure ? 465 : 587), lookup });
    const fail = (error: Error): void => {
      timer.cancel();
      socket.destroy();
      done(error);
    };
    const timer = clock.timer(CONNECT_MS, () => fail(Object.assign(new Error('There was no connection in time.'), { code: 'ETIMEDOUT' })));
    socket.once('error', fail);
    socket.once('connect', () => {
      socket.off('error', fail);
      timer.cancel();
      done(null, { connection: socket });
    });
  };
}
