import { isChannel } from '../../domain/kernel/channels.js';
import type { FieldProblem } from '../../domain/kernel/errors.js';
import { senderProblems } from '../../domain/messages/senders.js';
import { loadSettings } from '../../log/aggregates/load-settings.js';
import type { Context } from '../runtime/command.js';

/**
 * What is wrong with a sender that a caller gives now; those that are stored already stop nothing. An account's own route comes before that
 * of the service. `field`: where the caller gave it.
 */
export async function givenSenderProblems(
  { channel, from }: { readonly channel?: string | undefined; readonly from?: string | undefined },
  { log, cause, ports }: Pick<Context, 'log' | 'cause' | 'ports'>,
  field = 'from',
): Promise<FieldProblem[]> {
  if (from === undefined || channel === undefined || !isChannel(channel)) return [];
  const problems = senderProblems(field, from, channel, []);
  if (problems.length === 0) return [];
  const own = (await loadSettings(log, cause.account))?.routes[channel] ?? null;
  return senderProblems(field, from, channel, ports.messages.furtherSenders(channel, own));
}
