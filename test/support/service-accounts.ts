import { createAccount } from '../../commands/accounts/create-account.js';
import { newId } from '../../log/ids.js';
import { createApplication } from '../../ops/application.js';
import { loadConfig } from '../../ops/config.js';
import { openEngine } from '../../ops/engine.js';
import { systemEntropy } from '../../ops/entropy.js';
import { operatorCause } from '../../ops/operator-cause.js';
import { loadMasterKey } from '../../ops/secrets.js';

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
