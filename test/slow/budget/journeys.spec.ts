import { COUNT, emailOf, importContacts } from './contacts.js';
import { holdsBudget } from './holds-budget.js';

const journey = {
  name: 'Welcome',
  nodes: [
    { id: 't', kind: 'trigger', on: { type: 'event', event: 'signed_up' }, next: 'd' },
    { id: 'd', kind: 'delay', mode: 'duration', duration: 'PT1M', next: 'u' },
    { id: 'u', kind: 'update_contact', add_tags: ['welcomed'], next: 'end' },
    { id: 'end', kind: 'exit', reason: 'welcomed' },
  ],
  settings: { reentry: { mode: 'once' } },
};

describe('the work of journeys', () => {
  holdsBudget('a step of a journey of 1,000 contacts: a delay ends, and a tag is added', async (installation) => {
    await importContacts(installation);
    const { id } = await installation.ask('POST', '/v1/journeys', journey);
    await installation.ask('POST', `/v1/journeys/${id}/publish`, {});
    const events = Array.from({ length: COUNT }, (_, nth) => ({ contact: { email: emailOf(nth) }, event: 'signed_up' }));
    await installation.ask('POST', '/v1/events/batch', { events });
    await installation.untilRecorded('EnrollmentTimerSet', COUNT);
    // Until shortly before the first of them is due.
    await installation.world.run(50_000);
    return () => installation.untilRecorded('EnrollmentExited', COUNT);
  });
});
