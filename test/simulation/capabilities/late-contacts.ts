import type { Capability, Final } from '../capability.js';
import { isPlain } from '../history.js';
import { isSuccess, nameOf } from '../recipients.js';
import type { Run } from '../run.js';
import { type JourneyFacts, journeyFacts } from './journey-facts.js';
import { triggerAt } from './journey-records.js';

const DAY_MS = 86_400_000;
const PURCHASE_OF_THE_PAST = 'past_purchase';

/** An address that only one request has named, and whether journeys were to start for it. */
interface LateContact {
  readonly email: string;
  readonly starts: boolean;
}

/** Imports contacts, and records what happened days ago: contacts that come to be so start no journey unless the caller says so. */
export const lateContacts: Capability = {
  name: 'late contacts',
  begin(run) {
    const random = run.world.random('late contacts');
    const made: LateContact[] = [];
    let nth = 0;
    const addresses = (most: number): string[] => Array.from({ length: random.integer(1, most) }, () => `late${++nth}@example.com`);
    const note = (emails: readonly string[], starts: boolean) => made.push(...emails.map((email) => ({ email, starts })));
    if (random.chance(0.5)) void welcomeEverybody(run);
    return {
      actions: [
        {
          name: 'record events of the past',
          weight: 0.4,
          act: async () => {
            const [emails, start_journeys] = [addresses(3), random.chance(0.4)];
            const events = emails.map((email) => ({
              ...{ contact: { email }, event: PURCHASE_OF_THE_PAST },
              occurred_at: new Date(run.world.now - random.integer(2, 400) * DAY_MS).toISOString(),
            }));
            const exchange = await run.caller.send('POST', '/v1/events/batch', { events, ...(start_journeys && { start_journeys }) }, `late-${nth}`);
            if (isSuccess(exchange)) note(emails, start_journeys);
          },
        },
        {
          name: 'import new contacts',
          weight: 0.4,
          act: async () => {
            const [emails, start_journeys] = [addresses(4), random.chance(0.4)];
            const contacts = emails.map((email) => ({ email, first_name: nameOf(run) }));
            const exchange = await run.caller.send(
              'POST',
              '/v1/contacts/import',
              { contacts, ...(start_journeys && { start_journeys }) },
              `late-${nth}`,
            );
            if (isSuccess(exchange)) note(emails, start_journeys);
          },
        },
      ],
      check(final) {
        const facts = journeyFacts(final);
        return made.flatMap((contact) => problemsOf(contact, facts, final));
      },
    };
  },
};

async function welcomeEverybody({ caller }: Run): Promise<void> {
  const nodes = [
    { id: 't', kind: 'trigger', on: { type: 'contact_created' }, next: 'n' },
    { id: 'n', kind: 'update_contact', add_tags: ['welcome'], next: null },
  ];
  const { response } = await caller.send('POST', '/v1/journeys', { name: 'Welcome', nodes }, 'late-journey');
  if (response?.status === 201) await caller.send('POST', `/v1/journeys/${response.body.id}/publish`, {}, 'late-journey-publish');
}

/** By its creation it is in no journey; or, if journeys were to start, has an answer of each whose trigger that is. */
function problemsOf({ email, starts }: LateContact, facts: JourneyFacts, final: Final): string[] {
  const { log, accountId } = final.run;
  const claim = final.byStream.get(`contactKey-${log.addressKey(accountId, email)}`)?.[0]?.event;
  const id = (claim?.data as { contact_id?: string } | undefined)?.contact_id;
  if (id === undefined) return [`${email} was taken and is no contact`];
  const created = final.byStream.get(`contact-${id}`)?.[0];
  if (!created || !isPlain(final, id)) return [];
  return [...facts.journeys].flatMap(([journey, records]) => {
    const entries = facts.entries.get(`${journey}/${id}`) ?? [];
    const count = entries.filter(({ event }) => event.data.trigger.type === 'contact_created').length;
    const expected = starts && triggerAt(records, created.position)?.type === 'contact_created' ? 1 : 0;
    const why = starts ? 'whose creation starts journeys' : 'which is late';
    return count === expected ? [] : [`${email} (${id}), ${why}, has ${count} answers of ${journey} to its creation, not ${expected}`];
  });
}
