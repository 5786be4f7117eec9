import type { Copy, CopyRecipient } from '../../../domain/messages/accepted-fields.js';
import type { EventLog } from '../../runtime/event-log.js';

/** The recipients of copies, in their order; null where the address is erased. */
export const openRecipients = (log: Pick<EventLog, 'openBoxes'>, copies: readonly Copy[]): Promise<(CopyRecipient | null)[]> =>
  log.openBoxes(copies.map(({ sealed }) => sealed)) as Promise<unknown> as Promise<(CopyRecipient | null)[]>;

/** Lists by kind; a kind without any is absent. */
export function byKind<T>(copies: readonly Pick<Copy, 'kind'>[], shown: readonly (T | null)[]): { readonly [Kind in Copy['kind']]?: readonly T[] } {
  const of = (kind: Copy['kind']): T[] => shown.filter((one, i): one is T => one !== null && copies[i]?.kind === kind);
  const [cc, bcc] = [of('cc'), of('bcc')];
  return { ...(cc.length > 0 && { cc }), ...(bcc.length > 0 && { bcc }) };
}

/** Opens the copies that a dispatch reaches: without those that a gate has refused, now or at acceptance, and those that are erased. */
export async function openCopies(
  log: Pick<EventLog, 'openBoxes'>,
  copies: readonly Copy[],
  leftOut: readonly { readonly key: string }[] = [],
): Promise<{ readonly [Kind in Copy['kind']]?: readonly CopyRecipient[] }> {
  const reached = copies.filter(({ key, refused }) => refused === undefined && !leftOut.some((one) => one.key === key));
  return byKind(reached, await openRecipients(log, reached));
}
