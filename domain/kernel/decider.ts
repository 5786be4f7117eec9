/**
 * How an aggregate decides. All three are pure: what time it is and which ids are new come in with the command.
 * `decide` returns the events that follow, none when the command's wish is already so, or throws a DomainError.
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
