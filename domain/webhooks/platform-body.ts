/** The body of the request for a platform event, around what the descriptor of the event says of its `data`. */
import { annotate, flag, literal, named, optional, record, type TSchema, text, time } from '../kernel/schema.js';
import { type ExampleResources, type PlatformEventName, platformEventNames, platformEvents } from './platform-events.js';

const titled = (event: string): string =>
  event
    .split('.')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

/** The schema of the body for each event. */
export const platformBodies = Object.fromEntries(
  platformEventNames.map((event) => [
    event,
    named(
      `${titled(event)}Webhook`,
      record({
        event: literal(event),
        event_id: text,
        account_id: text,
        occurred_at: time,
        test: optional(annotate(flag, { description: 'True of what a test key caused.' })),
        data: named(`${titled(event)}Data`, record(platformEvents[event].data)),
      }),
    ),
  ]),
) as unknown as Readonly<Record<PlatformEventName, TSchema>>;

/** An example of the body for an event. */
export function platformBodyExample(event: PlatformEventName, resources: ExampleResources): Readonly<Record<string, unknown>> {
  const envelope = { event, event_id: 'evt_01JHM4B3W6TQ8X2N5R7Y9Z0001', account_id: 'acc_01JHM4B3W6TQ8X2N5R7Y9Z0002' };
  return { ...envelope, occurred_at: '2026-01-15T10:30:00.000Z', data: platformEvents[event].example(resources) };
}
