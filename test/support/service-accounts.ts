import { createAccount } from '../../commands/accounts/create-account.js';
import { newId } from '../../log/runtime/ids.js';
import { type Application, createApplication } from '../../ops/app/application.js';
import { loadConfig } from '../../ops/app/config/config.js';
import { operatorCause } from '../../ops/app/operator-cause.js';
import { openEngine } from '../../ops/engines/engine.js';
import { systemEntropy } from '../../ops/system/entropy.js';
import { loadMasterKey } from '../../ops/system/secrets.js';

export const PASSWORD = 'correct horse battery';

export interface Account {
  readonly accountId: string;
  readonly email: string;
  readonly key: string;
  readonly secret: string;
}

/** Works with the application over the stores of a server with these settings, beside that server. */
export async function inApplication<T>(settings: Readonly<Record<string, string>>, work: (application: Application) => Promise<T>): Promise<T> {
  const config = loadConfig({ ...process.env, ...settings });
  const engine = await openEngine(config);
  try {
    return await work(createApplication(config, loadMasterKey(config), engine));
  } finally {
    await engine.close();
  }
}

/** Does what `account create` does beside a running server with these settings, without the start of a process. */
export const createAccountHere = (settings: Readonly<Record<string, string>>, email: string): Promise<Account> =>
  inApplication(settings, async ({ dispatcher }) => {
    const cause = operatorCause(newId(systemEntropy, 'acc', Date.now()));
    const { output } = await dispatcher.execute(createAccount, { name: 'Tests', email, password: PASSWORD }, cause);
    return { accountId: output.account_id, email, key: output.api_key, secret: output.webhook_secret };
  });
