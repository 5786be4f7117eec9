import { userSessions, userSessionsStream } from '../../domain/accounts/sessions.js';
import { record, text } from '../../domain/kernel/schema.js';
import { command } from '../runtime/command.js';

/** Records that a session is in use, at most every ten minutes. */
export const noteSessionUse = command({
  name: 'NoteSessionUse',
  input: record({ user_id: text, session_id: text }),

  async handle({ user_id, session_id }, context): Promise<void> {
    const use = { type: 'NoteSessionUse', user_id, session_id, now: context.now } as const;
    await context.decide(userSessions, userSessionsStream(user_id), use, { sealed: true });
  },
});
