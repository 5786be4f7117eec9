import { account, accountStream } from '../../domain/accounts/account.js';
import { record, text } from '../../domain/kernel/schema.js';
import { command } from '../runtime/command.js';

/** Revokes a key for good. Repeating it is no error. */
export const revokeKey = command({
  name: 'RevokeKey',
  input: record({ key_id: text }),

  async handle({ key_id }, context): Promise<void> {
    await context.decide(account, accountStream(context.cause.account), { type: 'RevokeKey', key_id, now: context.now });
  },
});
