import { eventually } from '../../support/eventually.js';
import type { Service } from '../../support/service.js';
import type { Recorder } from './recorder.js';

/** Follows the changes of the account while a contact changes. */
export async function changes(client: Recorder, service: Pick<Service, 'api'>): Promise<void> {
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
