import { answerPasswordReset } from '../../commands/accounts/answer-password-reset.js';
import { sendResetLink } from '../../commands/accounts/send-reset-link.js';
import type { PasswordResetEvent } from '../../domain/accounts/password-reset.js';
import { userKey, userKeyStream } from '../../domain/accounts/user-key.js';
import { loadAggregate } from '../../log/aggregates/load-aggregate.js';
import { type ProcessManager, performEach, type Todo } from '../runtime/process-manager.js';

/** A request for a new password. Its id is that of the request; its account is empty, because nobody knows yet whose email it is. */
export interface PasswordResetTodo extends Todo {
  readonly correlation: string;
  readonly email_key: string;
  readonly base_url: string;
  readonly requested_at: string;
}

/** Sends the links to choose a new password to those who sign in with the email. A repeat after a crash sends no second mail. */
export const resetPasswords: ProcessManager<PasswordResetEvent, PasswordResetTodo> = {
  name: 'accounts/reset-passwords',
  version: 1,
  handles: ['PasswordResetRequested', 'PasswordResetAnswered'],
  reads: ({ event }) => ({ todos: [event.data.request_id] }),
  react: ({ event, meta: { account, $correlationId: correlation } }) => {
    if (event.type === 'PasswordResetAnswered') return [{ do: 'cancel', id: event.data.request_id }];
    const { request_id: id, email_key, base_url, at: requested_at } = event.data;
    const about = { account, correlation, email_key, base_url, requested_at };
    return [{ do: 'schedule', todo: { id, due_at: Date.parse(requested_at), priority: 0, lane: 'password-resets', ...about } }];
  },
  concurrency: { lane: 4, total: 4 },

  perform: performEach(async ({ id: request_id, account, correlation, email_key, base_url, requested_at }, { log, execute }) => {
    const { state } = await loadAggregate(log, userKey, userKeyStream(email_key));
    let message_id: string | null = null;
    if (state.status === 'claimed') {
      const { account_id, user_id } = state.claim;
      const input = { user_id, email_key, request_id, requested_at, base_url };
      message_id = (await execute(sendResetLink, input, { account: account_id, correlation, about: request_id })).output.message_id;
    }
    const { position } = await execute(answerPasswordReset, { email_key, request_id, message_id }, { account, correlation, about: request_id });
    return position;
  }),
};
