import type { AnyEvent } from '../../domain/kernel/event.js';
import type { Checkpoint, Position, Revision } from '../../domain/kernel/event-store.js';
import type { OpenedFields } from '../vault/personal-fields.js';

/** The metadata of every event. */
export interface Metadata {
  readonly $correlationId: string;
  readonly $causationId: string;
  readonly account: string;
  readonly actor: { readonly kind: string; readonly id: string };
  readonly schemaVersion: number;
  /** RFC 3339. */
  readonly occurredAt: string;
  /** Hash of account, route and idempotency key, where the caller gave one. */
  readonly key?: string;
  /** Hash of the request with that key. */
  readonly fingerprint?: string;
  /** Of a command of a user: the box of the address and the program that it came from, sealed under the key of the user. */
  readonly origin?: string;
  /** A test key caused it, itself or by what followed: nothing of it may reach people. */
  readonly test?: true;
}

/** An event of the log, upcast to its present version. Personal fields are sealed unless it was read opened. */
export interface LogEvent<E = AnyEvent> {
  readonly event: E;
  readonly stream: string;
  readonly revision: Revision;
  readonly position: Position;
  readonly id: string;
  readonly meta: Metadata;
  /** Only where a projection or process has declared that it decides by them. */
  readonly opened?: OpenedFields;
  /** Of an event that a projection applies once more: the event that asked for it. */
  readonly again?: LogEvent;
}

/** A range of the log with personal fields still sealed. */
export interface LogPage {
  readonly events: readonly LogEvent[];
  readonly upTo: Checkpoint;
  readonly caughtUp: boolean;
}
