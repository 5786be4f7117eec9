import type { BatchItem } from '../../domain/messages/batch.js';
import type { Acceptance } from '../../domain/messages/message.js';

/** How a message of a batch begins its own stream. */
export function acceptanceOfItem({ id: _, send_at, because, refused, ...accepted }: BatchItem): Acceptance {
  return { accepted, send_at: send_at ?? null, ...(because && { because }), refused: refused ?? null };
}
