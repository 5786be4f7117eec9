import { createAccount } from '../../commands/accounts/create-account.js';
import { newId } from '../../log/runtime/ids.js';
import { createApplication } from '../../ops/app/application.js';
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

/** Does what `account create` does beside a running server with these settings, without the start of a process. */
export async function createAccountHere(settings: Readonly<Record<string, string>>, email: string): Promise<Account> {
  const config = loadConfig({ ...process.env, ...settings });
  const engine = await openEngine(config);
  try {
    const { dispatcher } = createApplication(config, loadMasterKey(config), engine);
    const cause = operatorCause(newId(systemEntropy, 'acc', Date.now()));
    const { output } = await dispatcher.execute(createAccount, { name: 'Tests', email, password: PASSWORD }, cause);
    return { accountId: output.account_id, email, key: output.api_key, secret: output.webhook_secret };
  } finally {
    await engine.close();
  }
}
