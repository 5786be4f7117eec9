import { eventually } from '../../support/eventually.js';
import type { Recorder } from './recorder.js';

const welcome = {
  name: 'Welcome',
  nodes: [
    { id: 'signup', kind: 'trigger', on: { type: 'event', event: 'signup' }, next: 'day' },
    { id: 'day', kind: 'delay', mode: 'duration', duration: 'P1D', next: 'mail' },
    {
      ...{ id: 'mail', kind: 'send', channel: 'email', category: 'transactional' },
      ...{ subject: 'Welcome', message: 'Hi {{ contact.first_name }}, welcome.', next: null },
    },
  ],
  settings: { reentry: { mode: 'after_exit' }, exit_when: [{ type: 'event', event: 'canceled' }] },
};

/** Uses every operation on the enrollments of a journey. */
export async function enrollments(client: Recorder): Promise<void> {
  const path = { id: (await client.call('createJourney', { body: welcome })).body.id };
  const contact = { email: 'signed-up@example.com', first_name: 'Ada' };
  await client.call('testJourney', { path, body: { contact, events: [{ event: 'canceled', after: 'P2D' }] } });
  await client.call('testJourney', { path, body: { contact, mode: 'live', skip_delays: true } });
  // Answers 202 while the read models are behind, or an import of more contacts is not yet reverted.
  const atOnce = async () => (await client.call('simulateJourney', { path, body: { sample: 1 } })).status === 200;
  await eventually('a simulation has its result at once', atOnce, { every: 500 });
  await client.call('simulateJourney', { path, body: { as_job: true } });
  await client.call('publishJourney', { path });
  const { id, contact_id } = (await client.call('enrollContact', { path, body: { contact: { email: contact.email } } })).body;
  await client.call('listEnrollments', { path, query: { status: 'active' } });
  await client.call('listContactEnrollments', { path: { id: contact_id } });
  await client.call('getEnrollment', { path: { id } });
  await client.call('explainJourney', { path, query: { contact_id } });
  await client.call('getJourneyStats', { path });
  await client.call('exitEnrollment', { path: { id } });
}
