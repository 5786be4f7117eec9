import { secondFactor, secondFactorStream } from '../../domain/accounts/second-factor.js';
import { record, text } from '../../domain/kernel/schema.js';
import { typedCode } from '../../formats/accounts/one-time-codes.js';
import { command } from '../runtime/command.js';

/** Puts the second factor in force by its first code. Throws `invalid_credentials`, and `invalid_state` where there is none. */
export const turnOnSecondFactor = command({
  name: 'TurnOnSecondFactor',
  input: record({ user_id: text, code: text }),

  async handle({ user_id, code }, context): Promise<void> {
    const typed = typedCode(code, Date.parse(context.now));
    const turnOn = { type: 'TurnOnSecondFactor', user_id, code: typed, now: context.now } as const;
    await context.decide(secondFactor, secondFactorStream(user_id), turnOn);
  },
});
