import type { Clock, Entropy } from '../../domain/kernel/ports.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import type { AddressKeys } from '../../log/vault/vault.js';
import type { InputValidator } from './input-validator.js';
import type { CommandPorts } from './ports.js';

export interface StateCache {
  get(stream: string): { readonly state: unknown; readonly revision: number } | undefined;
  set(stream: string, recent: { readonly state: unknown; readonly revision: number }): void;
}

export interface DispatcherOptions {
  readonly log: EventLog;
  readonly addresses: AddressKeys;
  readonly ports: CommandPorts;
  /** For tests: throws where the input of a command does not match its schema (see input-validator.ts). */
  readonly validateInput?: InputValidator;
  readonly clock: Clock;
  readonly entropy: Entropy;
  /** Derives secrets of commands that carry an idempotency key. */
  readonly secretKey: Buffer;
  /** States that this process wrote lately, by stream (see DecideOptions.cached). */
  readonly stateCache?: StateCache;
  /** Called after each append, for caches in memory. */
  readonly onAppend?: (stream: string, events: number) => void;
}
