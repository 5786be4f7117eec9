import { parkWork } from '../../commands/parked/park-work.js';
import { hashId } from '../../log/ids.js';
import { createApplication } from '../../ops/application.js';
import { loadConfig } from '../../ops/config.js';
import { openEngine } from '../../ops/engine.js';
import { loadMasterKey } from '../../ops/secrets.js';
import type { Service } from './service.js';

/** Parks a to-do in the log of a running service, as the dispatch of messages would. Returns its id. */
export async function parkMessage(service: Service, about: string): Promise<string> {
  const config = loadConfig(service.settings);
  const engine = await openEngine(config);
  try {
    const { dispatcher } = createApplication(config, loadMasterKey(config), engine);
    const account = service.accountId;
    const parked_id = hashId('prk', 'messages/dispatch', about);
    const error = { class: 'TypeError', code: null };
    await dispatcher.execute(
      parkWork,
      { parked_id, process: 'messages/dispatch', account, about, attempts: 20, error, first_at: new Date().toISOString() },
      { account, actor: { kind: 'process', id: 'messages/dispatch' }, invocation: `park/${about}`, correlation: parked_id },
    );
    return parked_id;
  } finally {
    await engine.close();
  }
}
