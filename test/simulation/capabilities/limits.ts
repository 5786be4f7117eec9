import type { FrequencyEvent } from '../../../domain/messages/frequency.js';
import type { LogEvent } from '../../../log/runtime/log-event.js';
import type { Capability, Final } from '../capability.js';
import { streamsOf } from '../history.js';
import { isSuccess } from '../recipients.js';

const MINUTE_MS = 60_000;
/** For all channels together, so that the slots of a recipient are counted without looking at their channel. */
const CAP = { channel: 'any', max: 2, per: 'PT20M' } as const;
const WINDOW_MS = 20 * MINUTE_MS;
/** Until every node knows the setting, whatever is away meanwhile. */
const KNOWN_AFTER_MS = 10 * MINUTE_MS;

/** In every other run, a cap on marketing messages to one recipient: it holds over every rolling window, whatever nodes do. */
export const limits: Capability = {
  name: 'limits',
  begin(run) {
    const random = run.world.random('limits');
    const isCapped = random.chance(0.5);
    let from = Number.POSITIVE_INFINITY;
    if (isCapped)
      run.caller.send('PATCH', '/v1/account/settings', { frequency_caps: [CAP] }).then((exchange) => {
        if (isSuccess(exchange)) from = exchange.answeredAt + KNOWN_AFTER_MS;
      });
    return { actions: [], check: (final) => [...windowsHold(final, from), ...marketingHasSlots(final, from)] };
  },
};

function windowsHold(final: Final, from: number): string[] {
  const problems: string[] = [];
  for (const [subject, events] of streamsOf(final, 'frequency-')) {
    let slots: { message_id: string; at: number }[] = [];
    for (const { event } of events as readonly LogEvent<FrequencyEvent>[]) {
      const { message_id } = event.data;
      const at = Date.parse(event.data.at);
      slots = slots.filter((slot) => slot.message_id !== message_id);
      // Confirmations have a limit of their own.
      if (!isMarketing(final, message_id)) continue;
      if (event.type === 'FrequencyPlaceReleased') continue;
      slots.push({ message_id, at });
      const counted = slots.filter((slot) => slot.at > at - WINDOW_MS).length;
      if (at > from && counted > CAP.max) problems.push(`${subject} got ${counted} marketing messages within ${CAP.per}`);
    }
  }
  return problems;
}

const categoryOf = (events: readonly LogEvent[] = []): unknown => (events[0]?.event.data as { category?: string } | undefined)?.category;
const isMarketing = ({ byStream }: Final, id: string): boolean => categoryOf(byStream.get(`message-${id}`)) === 'marketing';

/** Of a test key: it reaches nobody, and takes no slot. */
const isTest = (events: readonly LogEvent[]): boolean => (events[0]?.event.data as { test?: boolean } | undefined)?.test === true;

/** No dispatch of marketing begins without a slot of its recipient. */
function marketingHasSlots(final: Final, from: number): string[] {
  const taken = new Map<string, string>();
  for (const [, events] of streamsOf(final, 'frequency-'))
    for (const { event, position } of events as readonly LogEvent<FrequencyEvent>[])
      if (!taken.has(event.data.message_id)) taken.set(event.data.message_id, position);
  return [...streamsOf(final, 'message-')].flatMap(([id, events]) => {
    const start = events.find(({ event }) => event.type === 'MessageDispatchStarted');
    if (categoryOf(events) !== 'marketing' || isTest(events) || !start || Date.parse((start.event.data as { at: string }).at) < from) return [];
    const slot = taken.get(id);
    return slot !== undefined && slot < start.position ? [] : [`${id} was handed over without a slot of its recipient`];
  });
}
