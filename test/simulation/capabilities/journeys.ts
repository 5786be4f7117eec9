import type { Capability } from '../capability.js';
import { bodyOf, hotAddress, knownContacts, pickOrNull, succeeded } from '../recipients.js';
import type { Run } from '../run.js';
import type { Exchange } from '../world/caller.js';
import type { Random } from '../world/random.js';
import { anyDefinition, LOGIN, PURCHASE, VISIT } from './journey-definitions.js';
import { journeyFacts } from './journey-facts.js';
import { pathProblems } from './journey-paths.js';
import { journeyRecordProblems } from './journey-records.js';

const CREATE = /^\/v1\/journeys$/;
const MINUTE_MS = 60_000;

/** Most often somebody whom no other command merges or erases, so that the way is known. */
const anyTraveller = (random: Random): object =>
  random.chance(0.7) ? { email: `traveller${random.integer(1, 5)}@example.com` } : hotAddress(random);

/** Journeys are published, changed, paused, resumed and stopped: each contact goes the way that a plain reading of the definition gives. */
export const journeys: Capability = {
  name: 'journeys',
  begin(run) {
    const random = run.world.random('journeys');
    const enrolled: Exchange[] = [];
    let nth = 0;
    const post = (id: string, action: string, body: object = {}) =>
      run.caller.send('POST', `/v1/journeys/${id}/${action}`, body, `journey-${action}-${++nth}`);
    const withOne = async (act: (id: string) => Promise<unknown>): Promise<void> => {
      const id = pickOrNull(random, knownJourneys(run));
      if (id) await act(id);
    };
    const publish = async (): Promise<void> => {
      const definition = { name: `Journey ${++nth}`, ...anyDefinition(random, run) };
      const exchange = await run.caller.send('POST', '/v1/journeys', definition, `journey-${nth}`);
      if (exchange.response?.status === 201) await post(bodyOf(exchange).id, 'publish');
    };
    const happens = (contact: object, event: string) => run.caller.send('POST', '/v1/events', { contact, event }, `journey-event-${++nth}`);
    void publish();
    return {
      actions: [
        { name: 'publish a journey', weight: 0.5, act: publish },
        {
          name: 'change a journey',
          weight: 0.3,
          act: () =>
            withOne(async (id) => {
              await run.caller.send('PATCH', `/v1/journeys/${id}`, anyDefinition(random, run));
              await post(id, 'publish', { in_flight: random.pick(['pinned', 'migrate']) });
            }),
        },
        { name: 'pause a journey', weight: 0.2, act: () => withOne((id) => post(id, 'pause')) },
        { name: 'resume a journey', weight: 0.4, act: () => withOne((id) => post(id, 'resume')) },
        { name: 'stop a journey', weight: 0.1, act: () => withOne((id) => post(id, 'stop')) },
        {
          name: 'enroll a contact',
          weight: 0.4,
          act: () =>
            withOne(async (id) => {
              const contact_id = random.chance(0.5) ? pickOrNull(random, knownContacts(run)) : null;
              enrolled.push(await post(id, 'enrollments', contact_id ? { contact_id } : { contact: anyTraveller(random) }));
            }),
        },
        {
          name: 'lead a contact through a journey',
          weight: 1.2,
          act: () =>
            run.caller.hold(async () => {
              const contact = anyTraveller(random);
              await happens(contact, VISIT);
              for (let i = random.integer(1, 3); i > 0; i--) {
                await run.world.sleep(random.duration(4 * MINUTE_MS), 'journeys');
                await happens(contact, random.pick([PURCHASE, PURCHASE, VISIT, LOGIN]));
              }
            }),
        },
      ],
      async settle() {
        await run.world.sleep(5 * MINUTE_MS, 'journeys');
        for (const id of knownJourneys(run)) if (!(await isStopped(run, id))) await post(id, random.chance(0.9) ? 'resume' : 'stop');
      },
      async check(final) {
        const facts = journeyFacts(final);
        const paths = facts.enrollments.flatMap((enrollment) => pathProblems(facts, enrollment));
        return [...paths, ...(await journeyRecordProblems(facts, enrolled))];
      },
    };
  },
};

const knownJourneys = (run: Run): readonly string[] => succeeded(run, 'POST', CREATE).map((exchange) => bodyOf(exchange).id as string);

/** Nobody is in it, and it need not go on. */
async function isStopped(run: Run, id: string): Promise<boolean> {
  const { response } = await run.caller.send('GET', `/v1/journeys/${id}`);
  return response?.body.status === 'stopped';
}
