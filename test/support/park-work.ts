import { parkWork } from '../../commands/parked/park-work.js';
import { hashId } from '../../log/runtime/ids.js';
import { createApplication } from '../../ops/app/application.js';
import { loadConfig } from '../../ops/app/config/config.js';
import { openEngine } from '../../ops/engines/engine.js';
import { loadMasterKey } from '../../ops/system/secrets.js';
import type { Service } from './service.js';

/** Parks a to-do in the log of a running service, as its process would. Returns its id. */
export async function parkTodoOf(service: Service, about: string, process = 'messages/dispatch'): Promise<string> {
  const config = loadConfig(service.settings);
  const engine = await openEngine(config);
  try {
    const { dispatcher } = createApplication(config, loadMasterKey(config), engine);
    const account = service.accountId;
    const parked_id = hashId('prk', process, about);
    const error = { class: 'TypeError', code: null };
    await dispatcher.execute(
      parkWork,
      { parked_id, process, account, about, attempts: 20, error, first_at: new Date().toISOString() },
      { account, actor: { kind: 'process', id: process }, invocation: `park/${about}`, correlation: parked_id },
    );
    return parked_id;
  } finally {
    await engine.close();
  }
}
