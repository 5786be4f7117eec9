import { expect } from 'chai';
import { type Decider, fold } from '../domain/kernel/decider.js';
import { isDomainError } from '../domain/kernel/errors.js';

/**
 * Specs of an aggregate, as sentences over events: `given(past).when(command).then(events)`, or `.thenNothing()`, or
 * `.thenRefused(code)`. `given(past).state()` is what the past amounts to.
 */
export const specification = <State, Command, Event>(decider: Decider<State, Command, Event>) => ({
  given: (...past: readonly Event[]) => {
    const state = () => fold(decider, past);
    return {
      state,
      when: (command: Command) => {
        const decided = () => decider.decide(command, state());
        return {
          // biome-ignore lint/suspicious/noThenProperty: a specification is read aloud, and never awaited
          then: (...events: readonly Event[]) => {
            expect(decided()).to.deep.equal(events);
          },
          thenNothing: () => {
            expect(decided()).to.deep.equal([]);
          },
          /** `details` are those that matter to the sentence; there may be others. */
          thenRefused: (code: string, details: Readonly<Record<string, unknown>> = {}) => {
            const error = refusal(decided);
            expect(error.code).to.equal(code);
            expect(error.details).to.deep.include(details);
          },
        };
      },
    };
  },
});

function refusal(decide: () => unknown): { code: string; details: Readonly<Record<string, unknown>> } {
  let decided: unknown;
  try {
    decided = decide();
  } catch (e) {
    if (isDomainError(e)) return e;
    throw e;
  }
  throw new Error(`expected a refusal, got ${JSON.stringify(decided)}`);
}
