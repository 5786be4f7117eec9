import { fold } from '../../domain/kernel/decider.js';
import { evolve, type SealedSuppressionEvent, type Suppression, suppression, suppressionStream } from '../../domain/suppressions/suppression.js';
import type { EventLog } from '../../log/event-log.js';

/** What stands against an address now, read from the log itself. */
export async function loadSuppression(log: EventLog, addressKey: string): Promise<Suppression> {
  const events = (await log.readSealed(suppressionStream(addressKey))) ?? [];
  return fold(
    { ...suppression, evolve },
    events.map(({ event }) => event as SealedSuppressionEvent),
  );
}
