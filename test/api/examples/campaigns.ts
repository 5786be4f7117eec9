import type { Recorder } from './recorder.js';

/** Uses every operation on campaigns. */
export async function campaigns(client: Recorder, newContact: (email: string) => Promise<string>): Promise<void> {
  const list_id = (await client.call('createList', { body: { name: 'Spring readers' } })).body.id;
  await client.call('addMembers', { path: { id: list_id }, body: { contact_ids: [await newContact('reader@example.com')] } });
  const body = {
    name: 'Spring',
    channel: 'email',
    audience: { include: { list_ids: [list_id] } },
    content: { subject: 'Hi {{ contact.first_name }}', html: '<p>It is spring.</p>' },
    throttle: { per_minute: 5_000 },
  };
  const { id } = (await client.call('createCampaign', { body })).body;
  const path = { id };
  await client.call('listCampaigns', { query: { status: 'draft' } });
  await client.call('getCampaign', { path });
  await client.call('updateCampaign', { path, body: { name: 'Spring offers' } });
  await client.call('getCampaignAudience', { path });
  await client.call('testSendCampaign', { path, body: { to: ['me@example.com'] } });
  await client.call('scheduleCampaign', { path, body: { send_at: '2035-03-20T09:00:00Z' } });
  const copy = (await client.call('duplicateCampaign', { path, body: { name: 'Summer' } })).body.id;
  await client.call('sendCampaign', { path });
  await client.call('getCampaignStats', { path });
  await client.call('listCampaignLinks', { path });
  await client.call('listCampaignRecipients', { path, query: { status: 'skipped' } });
  await client.call('listCampaignRecipients', { path, query: { status: 'delivered' } });
  await client.call('getAnalytics', { query: { interval: 'day', group_by: 'channel' } });
  await client.call('getOverview', { query: { period: 'P7D' } });
  await client.call('listActivity', { query: { limit: 2, resource_kind: 'user' } });
  await client.call('deleteCampaign', { path: { id: copy } });
  const other = { id: (await client.call('createCampaign', { body: { ...body, throttle: { per_minute: 1 } } })).body.id };
  await client.call('sendCampaign', { path: other });
  await client.call('pauseCampaign', { path: other });
  await client.call('resumeCampaign', { path: other });
  await client.call('cancelCampaign', { path: other });
}
