import type { Clock } from '../../domain/kernel/clock.js';
import { SmtpConnection } from './connection.js';
import { SmtpError, socketError } from './errors.js';
import { shakeHands } from './handshake.js';
import type { MailServer } from './mail-server.js';
import type { OpenSocket } from './open-socket.js';
import { Wire } from './wire.js';

/** Milliseconds for which no further connections are tried after the server has refused one beside others. */
const FULL_MS = 60_000;

/** Somebody who waits for a connection. */
interface Waiter {
  readonly take: (connection: SmtpConnection) => void;
  readonly fail: (error: Error) => void;
}

/**
 * Connections to a mail server, opened as there is work and closed when there is none. Where the server refuses further ones, the work
 * waits for those that are open.
 */
export class ConnectionPool {
  readonly #open = new Set<SmtpConnection>();
  readonly #idle: SmtpConnection[] = [];
  readonly #waiting = new Set<Waiter>();
  #connecting = 0;
  /** Why connections could not be opened. They are reported to the messages that wait once no attempt is running any more. */
  readonly #failures: Error[] = [];
  #full = { until: 0, connections: 0 };

  constructor(
    private readonly server: MailServer,
    private readonly openSocket: OpenSocket,
    private readonly clock: Pick<Clock, 'now' | 'timer'>,
  ) {}

  /**
   * Does work with a connection that nobody else uses meanwhile. Once more with another one, where a server has closed one that was used before and
   * nothing of a message was written. Rejects with an SmtpError where there is no connection, and when `signal` aborts.
   */
  async run<T>(signal: AbortSignal, work: (connection: SmtpConnection) => Promise<T>): Promise<T> {
    for (;;) {
      const connection = await this.#acquire(signal);
      const { isNew } = connection;
      const abort = (): void => connection.wire.lose(aborted());
      signal.addEventListener('abort', abort, { once: true });
      try {
        if (signal.aborted) throw aborted();
        return await work(connection);
      } catch (e) {
        if (isNew || !isStale(connection, e) || signal.aborted) throw e;
      } finally {
        signal.removeEventListener('abort', abort);
        this.#release(connection);
      }
    }
  }

  /** Opens a connection of its own, and closes it. Rejects with an SmtpError. */
  async verify(): Promise<void> {
    const { wire } = await this.#dial();
    wire.quit();
  }

  #acquire(signal: AbortSignal): SmtpConnection | Promise<SmtpConnection> {
    const idle = this.#idle.pop();
    if (idle) return idle;
    return new Promise((resolve, reject) => {
      const abort = (): void => waiter.fail(aborted());
      const leave = (): void => {
        this.#waiting.delete(waiter);
        signal.removeEventListener('abort', abort);
      };
      const waiter: Waiter = {
        take: (connection) => {
          leave();
          resolve(connection);
        },
        fail: (error) => {
          leave();
          reject(error);
        },
      };
      if (signal.aborted) return abort();
      this.#waiting.add(waiter);
      signal.addEventListener('abort', abort, { once: true });
      this.#fill();
    });
  }

  #release(connection: SmtpConnection): void {
    if (!connection.wire.isOpen) this.#forget(connection);
    else if (connection.messages < this.server.messages) this.#offer(connection);
    else this.#close(connection);
    this.#fill();
  }

  #offer(connection: SmtpConnection): void {
    const [first] = this.#waiting;
    if (first) first.take(connection);
    else {
      connection.isNew = false;
      this.#idle.push(connection);
      connection.wire.rest();
    }
  }

  #close(connection: SmtpConnection): void {
    this.#forget(connection);
    connection.wire.quit();
  }

  #forget(connection: SmtpConnection): void {
    this.#open.delete(connection);
    const at = this.#idle.indexOf(connection);
    if (at >= 0) this.#idle.splice(at, 1);
  }

  /** Opens connections for those who wait. */
  #fill(): void {
    const most = this.clock.now() < this.#full.until ? this.#full.connections : this.server.connections;
    while (this.#connecting < this.#waiting.size && this.#open.size + this.#connecting < most) this.#connect();
  }

  #connect(): void {
    this.#connecting += 1;
    this.#dial().then(
      (connection) => {
        this.#connecting -= 1;
        this.#open.add(connection);
        connection.wire.events = {
          lost: () => {
            this.#forget(connection);
            this.#fill();
          },
          idle: () => {
            if (this.#idle.includes(connection)) this.#close(connection);
          },
        };
        this.#offer(connection);
        this.#settleFailures();
      },
      (error: Error) => {
        this.#connecting -= 1;
        this.#failures.push(error);
        this.#settleFailures();
      },
    );
  }

  #settleFailures(): void {
    if (this.#connecting > 0) return;
    const failures = this.#failures.splice(0);
    if (failures.length > 0 && this.#open.size > 0) this.#full = { until: this.clock.now() + FULL_MS, connections: this.#open.size };
    else for (const [i, waiter] of [...this.#waiting].slice(0, failures.length).entries()) waiter.fail(failures[i] as Error);
    this.#fill();
  }

  async #dial(): Promise<SmtpConnection> {
    const { clock, server } = this;
    const startedAt = clock.now();
    const socket = await this.openSocket().catch((e: Error) => {
      throw socketError(e);
    });
    const wire = new Wire(socket, clock, server.timeouts);
    try {
      return new SmtpConnection(wire, await shakeHands(wire, server, server.timeouts.connection - (clock.now() - startedAt)));
    } catch (e) {
      wire.quit();
      throw e;
    }
  }
}

const aborted = (): SmtpError => new SmtpError('Message sending aborted', { code: 'EABORT' });

/** Whether a connection is gone, and nothing of a message was written over it. */
const isStale = ({ wire }: SmtpConnection, e: unknown): boolean =>
  e instanceof SmtpError && !wire.isOpen && e.content === null && (e.responseCode === undefined || e.responseCode === 421);
