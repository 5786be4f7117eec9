import { expect } from 'chai';
import { type Decider, fold } from '../domain/kernel/decider.js';
import { isDomainError } from '../domain/kernel/errors.js';

/**
 * Specs of an aggregate over its events: `given(…past).when(command)`, then `.then(…events)`, `.thenIncludes(event)`,
 * `.thenNothing()` or `.thenRefused(code)`. `given(…past).state()` is the state after the past events.
 */
export const specification = <State, Command, Event>(decider: Decider<State, Command, Event>) => ({
  given: (...past: readonly Event[]) => {
    const state = () => fold(decider, past);
    return {
      state,
      when: (command: Command) => {
        const decided = () => decider.decide(command, state());
        return {
          // biome-ignore lint/suspicious/noThenProperty: the step of a specification, which is never awaited
          then: (...events: readonly Event[]) => {
            expect(decided()).to.deep.equal(events);
          },
          /** One event, of which only these fields matter. */
          thenIncludes: (expected: { readonly type: string; readonly data: object }) => {
            const [event, ...more] = decided() as readonly { readonly type: string; readonly data: object }[];
            expect(more).to.deep.equal([]);
            expect(event?.type).to.equal(expected.type);
            expect(event?.data).to.deep.include(expected.data);
          },
          thenNothing: () => {
            expect(decided()).to.deep.equal([]);
          },
          /** `details`: the ones that matter; the error may have more. */
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
