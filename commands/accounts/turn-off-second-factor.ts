import { secondFactor, secondFactorStream } from '../../domain/accounts/second-factor.js';
import { nullable, record, text } from '../../domain/kernel/schema.js';
import { typedCode } from '../../formats/accounts/one-time-codes.js';
import { command } from '../runtime/command.js';

/** Turns the second factor off. `code`: null where the user has shown the password instead. Throws `invalid_credentials`. */
export const turnOffSecondFactor = command({
  name: 'TurnOffSecondFactor',
  input: record({ user_id: text, code: nullable(text) }),

  async handle({ user_id, code }, context): Promise<void> {
    const typed = code === null ? null : typedCode(code, Date.parse(context.now));
    const turnOff = { type: 'TurnOffSecondFactor', user_id, code: typed, now: context.now } as const;
    await context.decide(secondFactor, secondFactorStream(user_id), turnOff);
  },
});
