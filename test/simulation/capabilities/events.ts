import type { Capability, Final } from '../capability.js';
import { ask, bodyOf, hotAddress, pickOrNull, succeeded } from '../recipients.js';

const SINGLE = /^\/v1\/events$/;
const BATCH = /^\/v1\/events\/batch$/;
const CHECKED = 4;

/** Records custom events, one by one and in batches, some of them twice under one key. */
export const events: Capability = {
  name: 'events',
  begin(run) {
    const random = run.world.random('events');
    let nth = 0;
    const input = () => ({
      contact: hotAddress(random),
      event: random.pick(['purchase', 'visit', 'login']),
      properties: { value: random.integer(1, 100) },
    });
    return {
      actions: [
        { name: 'record an event', weight: 1.5, act: async () => void (await run.caller.send('POST', '/v1/events', input(), `event-${++nth}`)) },
        {
          name: 'record events',
          weight: 0.5,
          act: async () => {
            const batch = Array.from({ length: random.integer(1, 5) }, () => ({
              ...input(),
              ...(random.chance(0.5) && { idempotency_key: `own-${random.integer(1, 100_000)}` }),
            }));
            await run.caller.send('POST', '/v1/events/batch', { events: batch }, `events-${++nth}`);
          },
        },
      ],
      async check(final) {
        const accepted = acceptedEvents(final);
        const problems = eventsAreOnRecord(final, accepted);
        for (let i = 0; i < Math.min(CHECKED, accepted.length); i++) {
          const one = pickOrNull(random, accepted);
          if (one) problems.push(...(await isReadable(final, one)));
        }
        return problems;
      },
    };
  },
};

interface AcceptedEvent {
  readonly id: string;
  readonly contact_id: string;
}

const acceptedEvents = ({ run }: Final): readonly AcceptedEvent[] => [
  ...succeeded(run, 'POST', SINGLE).map((exchange) => bodyOf(exchange) as AcceptedEvent),
  ...succeeded(run, 'POST', BATCH).flatMap((exchange) => bodyOf(exchange).events as AcceptedEvent[]),
];

const recordedIds = ({ events: all }: Final): readonly string[] =>
  all.flatMap(({ event }) =>
    event.type === 'CustomEventRecorded' || event.type === 'CustomEventTried' ? [(event.data as { event_id: string }).event_id] : [],
  );

function eventsAreOnRecord(final: Final, accepted: readonly AcceptedEvent[]): string[] {
  const ids = recordedIds(final);
  const known = new Set(ids);
  const problems = accepted.filter(({ id }) => !known.has(id)).map(({ id }) => `the event ${id} was accepted and is not on record`);
  if (known.size < ids.length) problems.push(`${ids.length - known.size} custom events are recorded twice`);
  return problems;
}

async function isReadable({ run, byStream }: Final, { id, contact_id }: AcceptedEvent): Promise<string[]> {
  const { status } = await ask(run, `/v1/events/${id}`);
  const isGone = (byStream.get(`contact-${contact_id}`) ?? []).some(({ event }) => event.type === 'ContactErased' || event.type === 'ContactDeleted');
  return status === 200 || isGone ? [] : [`the event ${id} was accepted, and reading it gives ${status}`];
}
