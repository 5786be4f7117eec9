import { confirmationToken, confirmationUrl } from '../../formats/lists/confirmation-link.js';
import { Vault } from '../../log/vault/vault.js';
import { loadMasterKey } from '../../ops/system/secrets.js';
import type { Service } from '../support/service.js';

/**
 * The path of the link in the last confirmation mail to a contact. Only the mail itself has it: the API masks it. So it is made
 * here as the service makes it, from the request in the log and the master key.
 */
export async function confirmationPath(service: Service, contactId: string): Promise<string> {
  const { stdout } = await service.cli('events', 'tail', '--stream', `membership-${contactId}`, '--no-follow', '--json');
  const requests = stdout
    .split('\n')
    .filter((line) => line.includes('SubscriptionRequested'))
    .map((line) => JSON.parse(line));
  const { list_id, request_id } = requests.at(-1).data;
  const given = service.settings.HELIOGRAPH_MASTER_KEY;
  const master = loadMasterKey({ dataDir: service.dir, masterKey: given === undefined ? null : Buffer.from(given, 'base64') });
  const key = Vault.purposeKey(master, 'list-confirmation');
  return confirmationUrl('', confirmationToken({ contact_id: contactId, list_id, request_id }, key));
}
