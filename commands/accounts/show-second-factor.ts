import { secondFactor, secondFactorStream } from '../../domain/accounts/second-factor.js';
import { nullable, record, text } from '../../domain/kernel/schema.js';
import { typedCode } from '../../formats/accounts/one-time-codes.js';
import { command } from '../runtime/command.js';

/**
 * Uses up a code at a sign-in. Does nothing for a user without a second factor. Throws `second_factor_required` without a code, and
 * `invalid_credentials` for one that is wrong or was used before.
 */
export const showSecondFactor = command({
  name: 'ShowSecondFactor',
  input: record({ user_id: text, code: nullable(text) }),

  async handle({ user_id, code }, context): Promise<void> {
    const typed = code === null ? null : typedCode(code, Date.parse(context.now));
    const show = { type: 'ShowSecondFactor', user_id, code: typed, now: context.now } as const;
    await context.decide(secondFactor, secondFactorStream(user_id), show);
  },
});
