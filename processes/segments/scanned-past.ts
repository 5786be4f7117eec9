/** What a build reads of the log that was there before it. */
import type { EventOf } from '../../domain/kernel/event.js';
import { type Checkpoint, isAfter } from '../../domain/kernel/ports.js';
import type { ScanNeeds, SegmentHistoryScanned } from '../../domain/segments/live/recorded.js';
import { reportingEvents } from '../../domain/segments/message-reports.js';
import { readPage } from '../../log/feed/pages.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import type { LogEvent } from '../../log/runtime/log-event.js';
import type { ContactInputEvent } from './contact-reactions.js';

/** Events of the log that one step of a build reads. */
export const SCAN_EVENTS = 4_000;
export const messageTypes = ['MessageQueued', 'MessageScheduled', ...reportingEvents] as const;
const ofMessages: ReadonlySet<string> = new Set(messageTypes);

const everything: ScanNeeds = { events: null, messages: true, fields: true };

/** The events of the account that a step of a build reads, as far as it needs them. Others are not opened, and need no document. */
export async function pastOf(stored: LogEvent, log: EventLog): Promise<readonly LogEvent[]> {
  if (stored.event.type !== 'SegmentHistoryScanned') return [];
  const { from, to, needs = everything } = stored.event.data as EventOf<typeof SegmentHistoryScanned>['data'] & { readonly from: Checkpoint };
  const past: LogEvent[] = [];
  for (let at = from; isAfter(to, at); ) {
    // A step may have more bytes than a page: what is read beyond it is less than one of these smaller pages.
    const page = await readPage(log, at);
    for (const one of page.events) {
      if (isAfter(one.position, to) || !isOfType(one.type, needs)) continue;
      const event = one.decode();
      if (event.meta.account === stored.meta.account && isNeeded(event as LogEvent<ContactInputEvent>, needs)) past.push({ ...event, again: stored });
    }
    if (page.events.length === 0) break;
    at = page.upTo;
  }
  return past;
}

function isOfType(type: string, { events, messages, fields }: ScanNeeds): boolean {
  if (type === 'CustomEventRecorded') return events === null || events.length > 0;
  if (type === 'ContactCreated' || type === 'ContactUpdated') return fields;
  return messages && ofMessages.has(type);
}

function isNeeded({ event }: LogEvent<ContactInputEvent>, { events }: ScanNeeds): boolean {
  if (event.type === 'CustomEventRecorded') return events === null || events.includes(event.data.name);
  // Open values are kept as they are.
  return (event.type !== 'ContactCreated' && event.type !== 'ContactUpdated') || event.data.said.length > 0;
}
