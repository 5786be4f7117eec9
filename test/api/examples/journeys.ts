import type { Recorder } from './recorder.js';

const journey = (template_id: string) => ({
  name: 'Abandoned cart',
  nodes: [
    { id: 'cart', kind: 'trigger', on: { type: 'event', event: 'cart_abandoned' }, next: 'hour' },
    { id: 'hour', kind: 'delay', mode: 'duration', duration: 'PT1H', next: 'vip' },
    {
      id: 'vip',
      kind: 'branch',
      mode: 'rule',
      branches: [{ id: 'yes', rule: { type: 'attribute', field: 'tags', op: 'contains', value: 'vip' }, next: 'text' }],
      else: 'mail',
    },
    { id: 'mail', kind: 'send', channel: 'email', template_id, next: null },
    { id: 'text', kind: 'send', channel: 'sms', message: 'Hi {{ contact.first_name }}, your cart waits.', next: null },
  ],
  settings: {
    reentry: { mode: 'after_exit', cooldown: 'P7D', key: 'properties.cart_id' },
    exit_when: [{ type: 'event', event: 'purchase' }],
    max_duration: 'P30D',
  },
});

/** Uses every operation on the definitions of journeys. */
export async function journeys(client: Recorder): Promise<void> {
  await client.call('listJourneyTemplates', {});
  await client.call('getJourneyTemplate', { path: { key: 'birthday' } });
  const template = { name: 'Your cart', channel: 'email', subject: 'Your cart', html: '<p>It waits for you.</p>' };
  const template_id = (await client.call('createTemplate', { body: template })).body.id;
  const body = journey(template_id);
  const path = { id: (await client.call('createJourney', { body })).body.id };
  await client.call('listJourneys', { query: { status: 'draft' } });
  await client.call('getJourney', { path });
  await client.call('publishJourney', { path, body: { in_flight: 'pinned' } });
  const [cart, , ...others] = body.nodes;
  const longer = { id: 'hour', kind: 'delay', mode: 'duration', duration: 'PT3H', next: 'vip' };
  await client.call('updateJourney', { path, body: { nodes: [cart, longer, ...others] } });
  await client.call('listJourneyVersions', { path });
  await client.call('getJourneyVersion', { path: { ...path, version: 'draft' } });
  await client.call('compareJourneyVersions', { path: { ...path, version: '2' }, query: { from: '1' } });
  await client.call('drawJourney', { path, query: { format: 'mermaid' } });
  await client.call('pauseJourney', { path });
  await client.call('resumeJourney', { path });
  await client.call('stopJourney', { path });
  await client.call('archiveJourney', { path });
  await client.call('deleteJourney', { path });
}
