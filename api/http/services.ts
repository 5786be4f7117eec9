import type { Clock, Position, ReadModels } from '../../domain/kernel/ports.js';
import type { PasswordHasher } from '../../formats/accounts/passwords.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import type { AddressKeys } from '../../log/vault/vault.js';
import type { Caller } from './route.js';

/** The dependencies of routes. Each capability exports `(services: Services) => AnyRoute[]`. */
export interface Services {
  readonly log: EventLog;
  readonly views: ReadModels;
  readonly addresses: AddressKeys;
  readonly clock: Clock;
  readonly passwords: Pick<PasswordHasher, 'hash' | 'verify'>;
  /** A 256-bit key for one purpose of the application (cursors, sign-in tokens), derived from the master key. */
  readonly purposeKey: (purpose: string) => Buffer;
  /** The public URL of this service, without a slash at the end. */
  readonly publicUrl: string;
  /** Private networks that webhooks may reach, in CIDR form. */
  readonly allowedCidrs: readonly string[];
  /** Resolves once a projection has processed all writes of this node so far (at most 2 s). */
  readonly caughtUp: (projection: string) => Promise<boolean>;
}

/** Authenticates the caller. Throws DomainError `unauthorized` or `token_expired`. */
export interface Authenticator {
  authenticate(headers: {
    readonly apiKey: string | undefined;
    readonly authorization: string | undefined;
    /** The cookies of a browser. */
    readonly cookie?: string | undefined;
  }): Caller | Promise<Caller>;
}

/** The last write of each account on this node, for reading its own writes. */
export interface LastWrites {
  of(account: string): Position | undefined;
  note(account: string, position: Position): void;
}
