import { eventually } from '../../support/eventually.js';
import type { Service } from '../../support/service.js';
import type { Recorder } from './recorder.js';

/** Uses every operation that is there for pages which people look at: the stream of changes, saved views, bulk actions. */
export async function dashboard(client: Recorder, service: Pick<Service, 'api'>): Promise<void> {
  await changes(client, service);
  await views(client);
  const body = { action: 'tag', tags: ['vip'], filter: { email: 'changes@example.com' } };
  await client.call('bulkChangeContacts', { body: { ...body, dry_run: true } });
  await client.call('bulkChangeContacts', { body });
}

/** Follows the changes of the account while a contact changes. */
async function changes(client: Recorder, service: Pick<Service, 'api'>): Promise<void> {
  let isFollowed = false;
  const following = client.follow('streamChanges', { query: { resources: 'contact' } }, 'change').then(() => {
    isFollowed = true;
  });
  let nth = 0;
  await eventually('a change is announced', async () => {
    nth += 1;
    await service.api('POST', '/v1/contacts', { email: 'changes@example.com', first_name: `Ada ${nth}` });
    return isFollowed;
  });
  await following;
}

async function views(client: Recorder): Promise<void> {
  const body = { name: 'Failed texts', page: 'messages', query: 'channel=sms&status=failed', shared: true };
  const { id } = (await client.call('createView', { body })).body;
  const path = { id };
  await client.call('listViews', { query: { page: 'messages' } });
  await client.call('getView', { path });
  await client.call('updateView', { path, body: { name: 'Failed' } });
  await client.call('deleteView', { path });
}
