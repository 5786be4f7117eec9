import type { ErasureEvent } from '../../domain/contacts/erasure.js';
import type { AnyEvent } from '../../domain/kernel/event.js';

/** Events after which the data keys of contacts and addresses no longer exist. */
export const keyDestructions = ['ErasureCompleted', 'ErasureSwept'] as const satisfies readonly ErasureEvent['type'][];

const isKeyDestruction = (event: AnyEvent): event is Extract<ErasureEvent, { type: (typeof keyDestructions)[number] }> =>
  (keyDestructions as readonly string[]).includes(event.type);

/** The subjects whose data keys were destroyed before this event: contacts and keys of addresses. */
export function erasedSubjects(event: AnyEvent): readonly string[] {
  if (!isKeyDestruction(event)) return [];
  return event.type === 'ErasureCompleted' ? [...event.data.contact_ids, ...event.data.address_keys] : event.data.contact_ids;
}
