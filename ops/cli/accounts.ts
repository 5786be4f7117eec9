import { type Command, InvalidArgumentError } from 'commander';
import { createAccount } from '../../commands/accounts/create-account.js';
import { issueKey } from '../../commands/accounts/issue-key.js';
import { newId } from '../../log/ids.js';
import { systemEntropy } from '../entropy.js';
import { operatorCause } from '../operator-cause.js';
import { print, withApplication } from './runtime.js';

interface NewAccount {
  readonly name: string;
  readonly email: string;
  readonly password: string;
  readonly json?: boolean;
}

interface NewApiKey {
  readonly account: string;
  readonly name: string;
  readonly scopes?: string[] | null;
  readonly test?: boolean;
  readonly json?: boolean;
}

export function accountCommands(program: Command): void {
  program
    .command('account')
    .description('Accounts of this installation.')
    .command('create')
    .description('Create an account with its first owner and an unrestricted key. Works beside a running server.')
    .requiredOption('--name <name>', 'name of the account')
    .requiredOption('--email <email>', 'email of its first owner, for signing in')
    .requiredOption('--password <password>', 'password of that owner, at least 10 characters')
    .option('--json', 'one JSON document')
    .action(({ json, ...input }: NewAccount) =>
      withApplication(async ({ dispatcher }) => {
        const { output } = await dispatcher.execute(createAccount, input, operatorCause(newId(systemEntropy, 'acc', Date.now())));
        print(output, json, () => [
          `account         ${output.account_id}`,
          `owner           ${output.user.email}`,
          `API key         ${output.api_key}   (shown this once)`,
          `webhook secret  ${output.webhook_secret}`,
        ]);
      }),
    );

  program
    .command('key')
    .description('API keys.')
    .command('create')
    .description('Issue a key for an account.')
    .requiredOption('--account <id>', 'the account, acc_…')
    .option('--name <name>', 'what the key is for', 'From the command line')
    .option('--scopes <list>', 'read, write, or both separated by a comma; default: unrestricted', parseScopes)
    .option('--test', 'a key whose messages go to the sandbox only')
    .option('--json', 'one JSON document')
    .action(({ account, name, scopes = null, test = false, json }: NewApiKey) =>
      withApplication(async ({ dispatcher }) => {
        const { output } = await dispatcher.execute(
          issueKey,
          { name, scopes, mode: test ? 'test' : 'live', granted_by: null },
          operatorCause(account),
        );
        print(output, json, () => [JSON.stringify(output, null, 2)]);
      }),
    );
}

function parseScopes(text: string): string[] {
  const scopes = text.split(',').map((scope) => scope.trim());
  if (scopes.some((scope) => scope !== 'read' && scope !== 'write')) throw new InvalidArgumentError('Use read, write, or both separated by a comma.');
  return scopes;
}
