import { type SessionEndReason, userSessions, userSessionsStream } from '../../domain/accounts/sessions.js';
import { oneOf, record, text } from '../../domain/kernel/schema.js';
import { command } from '../runtime/command.js';

/** Ends a session of a user. Repeating it is no error. Throws `not_found` for one that the user does not have. */
export const endSession = command({
  name: 'EndSession',
  input: record({ user_id: text, session_id: text, reason: oneOf<SessionEndReason>('signed_out', 'ended', 'replaced') }),

  async handle({ user_id, session_id, reason }, context): Promise<void> {
    const end = { type: 'EndSession', user_id, session_id, reason, now: context.now } as const;
    await context.decide(userSessions, userSessionsStream(user_id), end, { sealed: true });
  },
});
