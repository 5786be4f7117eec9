/** The copies of an email that it did not go to, and why, as steps of its explanation. */
import { ERASED } from '../../domain/kernel/erased.js';
import type { Copy } from '../../domain/messages/accepted-fields.js';
import type { Refusal } from '../../domain/messages/gate-decision.js';
import type { MessageEvent } from '../../domain/messages/message.js';
import { openRecipients } from '../../log/aggregates/messages/open-copies.js';
import type { EventLog } from '../../log/runtime/event-log.js';

/** A copy with its address; `<erased>` where that is erased. */
export interface NamedCopy {
  readonly kind: Copy['kind'];
  readonly key: string;
  readonly address: string;
}

export async function nameCopies(copies: readonly Copy[], log: EventLog): Promise<NamedCopy[]> {
  const opened = await openRecipients(log, copies);
  return copies.map(({ kind, key }, i) => ({ kind, key, address: opened[i]?.address ?? ERASED }));
}

/** What an event says of copies: they were refused at acceptance, or at a dispatch. */
export function copySteps(event: MessageEvent, revision: number, names: readonly NamedCopy[]) {
  const refused = (key: string, { reason, decision }: Refusal) =>
    names
      .filter((name) => name.key === key)
      .map(({ kind, address }) => ({
        step: 'gate',
        result: 'left_out',
        details: { copy: kind, address, gate: decision?.gate ?? 'suppression', at: decision?.at, reason, refused_by: decision?.refused_by },
      }));
  switch (event.type) {
    case 'MessageQueued':
    case 'MessageScheduled':
      return revision > 0 ? [] : (event.data.copies ?? []).flatMap(({ key, refused: refusal }) => (refusal ? refused(key, refusal) : []));
    case 'MessageDispatchStarted':
      return (event.data.left_out ?? []).flatMap(({ key, refused: refusal }) => refused(key, refusal));
    default:
      return [];
  }
}
