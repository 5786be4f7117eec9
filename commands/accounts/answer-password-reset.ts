import { passwordReset, passwordResetStream } from '../../domain/accounts/password-reset.js';
import { nullable, record, text } from '../../domain/kernel/schema.js';
import { command } from '../runtime/command.js';

/** Records what became of a request for a new password. */
export const answerPasswordReset = command({
  name: 'AnswerPasswordReset',
  input: record({ email_key: text, request_id: text, message_id: nullable(text) }),

  async handle({ email_key, request_id, message_id }, context): Promise<void> {
    const answer = { type: 'AnswerPasswordReset', request_id, message_id, now: context.now } as const;
    await context.decide(passwordReset, passwordResetStream(email_key), answer);
  },
});
