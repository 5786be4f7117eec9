import type { Decider } from './decider.js';
import type { PersonalFieldOf } from './event.js';
import type { StoredText } from './stored-text.js';

/**
 * A state whose personal fields may be sealed, as caches and snapshots hold it: what has the name of a personal field of its events
 * is absent from the type, so code that reads it does not compile. A `StoredText` stays: its type says that it may be sealed. An
 * opened state is one, too.
 */
export type SealedState<S, E> = [PersonalFieldOf<E>] extends [never] ? S : Without<S, PersonalFieldOf<E>>;

type Without<T, Field extends string> = unknown extends T
  ? T
  : T extends string | number | boolean | bigint | symbol | null | undefined | ((...args: never) => unknown)
    ? T
    : T extends ReadonlyMap<infer Key, infer Value>
      ? ReadonlyMap<Key, Without<Value, Field>>
      : T extends ReadonlySet<infer Item>
        ? ReadonlySet<Without<Item, Field>>
        : T extends readonly unknown[]
          ? { [Index in keyof T]: Without<T[Index], Field> }
          : { [Key in keyof T as Key extends Field ? (StoredText extends T[Key] ? Key : never) : Key]: Without<T[Key], Field> };

/** A decider that reads no personal field of its state, and only passes them on. It decides on opened states, too. */
export interface SealedDecider<State, Command, Event> extends Pick<Decider<State, Command, Event>, 'initial' | 'evolve' | 'snapshots'> {
  readonly decide: (command: Command, state: SealedState<State, Event>) => readonly Event[];
}
