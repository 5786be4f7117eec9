/**
 * An aggregate. All three are pure: the time and new ids come in with the command. `decide` returns new events, none if
 * the state already is as requested, or throws a DomainError.
 */
export interface Decider<State, Command, Event> {
  readonly initial: State;
  readonly evolve: (state: State, event: Event) => State;
  readonly decide: (command: Command, state: State) => readonly Event[];
}

export const fold = <S, E>(decider: Decider<S, never, E>, events: Iterable<E>, from: S = decider.initial): S => {
  let state = from;
  for (const event of events) state = decider.evolve(state, event);
  return state;
};
