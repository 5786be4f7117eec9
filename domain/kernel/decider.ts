import type { Position } from './event-store.js';

/**
 * An aggregate. All three are pure: the time and new ids come in with the command. `decide` returns new events, none if
 * the state already is as requested, or throws a DomainError.
 */
export interface Decider<State, Command, Event> {
  readonly initial: State;
  readonly evolve: (state: State, event: Event) => State;
  readonly decide: (command: Command, state: State) => readonly Event[];
  /** Only where streams grow for as long as the aggregate lives: its states are cached and stored, so that a load reads what came after. */
  readonly snapshots?: SnapshotFold<State, Event>;
}

/** An event as it is in the log. */
export interface EventInLog<Event> {
  readonly event: Event;
  readonly id: string;
  readonly position: Position;
}

/**
 * How the states of an aggregate are kept. They are folded from events whose personal fields are sealed: `evolve` passes these on without
 * looking into them. Each is a `SealedField` in place of its value, or the value itself where the event is not sealed.
 */
export interface SnapshotFold<State, Event> {
  /** A stored name. No two aggregates have the same. */
  readonly name: string;
  /** Raised when the fold or the state changes: stored states of another version are not used. */
  readonly version: number;
  /** Kept from the first event on: few streams that much work reads, with large events. */
  readonly keepsShort?: true;
  /** Folds an event, where `evolve` knows less than a kept state has. */
  readonly apply?: (state: State, stored: EventInLog<Event>) => State;
}

export const fold = <S, E>(decider: Pick<Decider<S, never, E>, 'initial' | 'evolve'>, events: Iterable<E>, from: S = decider.initial): S => {
  let state = from;
  for (const event of events) state = decider.evolve(state, event);
  return state;
};
