import type { Cause } from '../../commands/runtime/command.js';
import { newId } from '../../log/runtime/ids.js';
import { systemEntropy } from '../system/entropy.js';

/**
 * The cause of a command that an operator runs on an account. An operator needs no permission: a caller who can run the command line
 * can read the data. `actorId` names the occasion.
 */
export function operatorCause(account: string, now = Date.now(), actorId = 'command-line'): Cause {
  const run = newId(systemEntropy, 'req', now);
  return { account, actor: { kind: 'operator', id: actorId }, invocation: run, correlation: run };
}
