import { customEventStream, type SealedCustomEvent } from '../../domain/events/custom-event.js';
import { ruleDurationMs } from '../../domain/segments/durations.js';
import type { LogEvent } from '../../log/runtime/log-event.js';
import type { Context } from '../runtime/command.js';

/** What lies further back starts no journey, in milliseconds; of custom events the account decides. */
export const LATE_MS = 86_400_000;

/** No account sets less, so that its settings are read only for what lies further back. */
const SHORTEST_MS = 1_000;

/** Whether a custom event is recorded to start journeys although it is late. Of other triggers nothing is recorded. */
export async function startsAnyway(
  { log }: Pick<Context, 'log'>,
  { type, event_id }: { readonly type: string; readonly event_id: string | null },
): Promise<boolean> {
  if (type !== 'event' || event_id === null) return false;
  const [stored] = ((await log.readSealed(customEventStream(event_id), { limit: 1 })) ?? []) as readonly LogEvent<SealedCustomEvent>[];
  return stored?.event.data.start_journeys === true;
}

/** Whether what happened at `occurred_at` lies too far back at `at` to start a journey. Times are RFC 3339. */
export async function isLate(
  { ports, cause }: Pick<Context, 'ports' | 'cause'>,
  { trigger, occurred_at }: { readonly trigger: { readonly type: string }; readonly occurred_at: string },
  at: string,
): Promise<boolean> {
  const age = Date.parse(at) - Date.parse(occurred_at);
  if (age <= SHORTEST_MS) return false;
  const window = trigger.type === 'event' ? await ports.events.startWindow(cause.account) : null;
  return age > (window === null ? LATE_MS : (ruleDurationMs(window) ?? LATE_MS));
}
