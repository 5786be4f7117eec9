import type { Clock, Position, ReadModels } from '../../domain/kernel/ports.js';
import type { PasswordHasher } from '../../formats/accounts/passwords.js';
import type { EventLog } from '../../log/event-log.js';
import type { AddressKeys } from '../../log/vault.js';
import type { Caller } from './route.js';

/** What routes are made with. Each capability exports `(services: Services) => AnyRoute[]`. */
export interface Services {
  readonly log: EventLog;
  readonly views: ReadModels;
  readonly addresses: AddressKeys;
  readonly clock: Clock;
  readonly passwords: PasswordHasher;
  /** A 256-bit key for one purpose of the application (cursors, sign-in tokens), derived from the master key. */
  readonly purposeKey: (purpose: string) => Buffer;
  /** Where the outside reaches this service, without a slash at the end. */
  readonly publicUrl: string;
  /** Networks that webhooks may reach although they are private, in CIDR form. */
  readonly allowedCidrs: readonly string[];
  /** Resolves once a projection has seen everything this node has written so far (at most 2 s). */
  readonly caughtUp: (projection: string) => Promise<boolean>;
}

/** Finds out who calls. Throws DomainError `unauthorized` or `token_expired`. */
export interface Authenticator {
  authenticate(headers: { readonly apiKey: string | undefined; readonly authorization: string | undefined }): Caller | Promise<Caller>;
}

/** The last write of each account on this node, for reading one's own writes. */
export interface LastWrites {
  of(account: string): Position | undefined;
  note(account: string, position: Position): void;
}
