import type { Recorder } from './recorder.js';

/** Uses every operation of saved views. */
export async function views(client: Recorder): Promise<void> {
  const body = { name: 'Failed texts', page: 'messages', query: 'channel=sms&status=failed', shared: true };
  const { id } = (await client.call('createView', { body })).body;
  const path = { id };
  await client.call('listViews', { query: { page: 'messages' } });
  await client.call('getView', { path });
  await client.call('updateView', { path, body: { name: 'Failed' } });
  await client.call('deleteView', { path });
}
