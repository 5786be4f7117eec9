import { parkWork } from '../../commands/parked/park-work.js';
import { hashId } from '../../log/runtime/ids.js';
import type { Service } from './service.js';
import { inApplication } from './service-accounts.js';

/** Parks a to-do in the log of a running service, as its process would. Returns its id. */
export const parkTodoOf = (service: Service, about: string, process = 'messages/dispatch'): Promise<string> =>
  inApplication(service.settings, async ({ dispatcher }) => {
    const account = service.accountId;
    const parked_id = hashId('prk', process, about);
    const error = { class: 'TypeError', code: null };
    await dispatcher.execute(
      parkWork,
      { parked_id, process, account, about, attempts: 20, error, first_at: new Date().toISOString() },
      { account, actor: { kind: 'process', id: process }, invocation: `park/${about}`, correlation: parked_id },
    );
    return parked_id;
  });
