import { passwordReset, passwordResetStream } from '../../domain/accounts/password-reset.js';
import { record, text } from '../../domain/kernel/schema.js';
import { command } from '../runtime/command.js';

/** Records that somebody has forgotten the password of a sign-in email. It asks for no account, so that it takes the same time for every email. */
export const requestPasswordReset = command({
  name: 'RequestPasswordReset',
  input: record({ email_key: text, base_url: text }),

  async handle({ email_key, base_url }, context): Promise<void> {
    const request = { type: 'RequestPasswordReset', request_id: context.newId('req'), email_key, base_url, now: context.now } as const;
    await context.decide(passwordReset, passwordResetStream(email_key), request);
  },
});
