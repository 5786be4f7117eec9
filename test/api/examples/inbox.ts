import { eventually } from '../../support/eventually.js';
import type { Recorder } from './recorder.js';

/** Uses every operation of inboxes. */
export async function inbox(client: Recorder, contact_id: string): Promise<void> {
  const message = {
    to: contact_id,
    channel: 'in_app',
    title: 'Your order',
    message: 'It is on its way.',
    action_url: 'https://example.com/orders/1',
  };
  await client.call('sendMessage', { body: { ...message, data: { order: 'A1' } } });
  await client.call('createInboxToken', { body: { contact_id, ttl_seconds: 3_600 } });
  const query = { contact_id };
  const stored = async () => (await client.call('listInboxMessages', { query })).body.data[0];
  const { id } = await eventually('the message is in the inbox', async () => {
    delete client.operations.listInboxMessages;
    return stored();
  });
  await client.call('getInboxCounts', { query });
  await client.call('getInboxScript', {}, { headers: { 'X-API-Key': '' } });
  await client.follow('streamInbox', { query }, 'counts');
  for (const action of ['see', 'read', 'unread', 'click', 'archive', 'unarchive']) await client.call(`${action}InboxMessage`, { path: { id } });
  for (const all of ['markInboxSeen', 'markInboxRead', 'archiveInbox']) await client.call(all, { query });
}
