import type { Decider } from './decider.js';
import type { AnyEventType } from './event.js';
import type { SealedDecider } from './sealed-state.js';

/** What an aggregate is beside what it decides. `Key`: what its streams are named by. */
interface Definition<Key extends readonly string[]> {
  /** The name of the stream of one of them. */
  readonly stream: (...key: Key) => string;
  /** All event types of these streams. */
  readonly events: readonly AnyEventType[];
}

/** An aggregate: what it decides, its event types and its streams; and `snapshots` where its states are kept. */
export interface Aggregate<State, Command, Event, Key extends readonly string[] = readonly [id: string]>
  extends Decider<State, Command, Event>,
    Definition<Key> {}

/** An aggregate that decides without its personal fields. */
export interface SealedAggregate<State, Command, Event, Key extends readonly string[] = readonly [id: string]>
  extends SealedDecider<State, Command, Event>,
    Definition<Key> {}

/** An aggregate that belongs to an account, and that callers name by an id. */
export interface OwnedAggregate<State, Command, Event> extends Aggregate<State, Command, Event> {
  /** How errors name it. */
  readonly resource: string;
}

/** Any aggregate, as lists hold it. */
export interface AnyAggregate {
  readonly events: readonly AnyEventType[];
  readonly snapshots?: { readonly name: string; readonly version: number };
}
