import { type Command, InvalidArgumentError } from 'commander';
import { issueKey } from '../../commands/accounts/issue-key.js';
import { revokeKey } from '../../commands/accounts/revoke-key.js';
import { type KeyResource, toKeyResource } from '../../domain/accounts/resources.js';
import { operatorCause } from '../app/operator-cause.js';
import { requireAccount } from './listed-accounts.js';
import { print, printTable, withApplication } from './runtime.js';

interface NewApiKey {
  readonly account: string;
  readonly name: string;
  readonly scopes?: string[] | null;
  readonly test?: boolean;
  readonly json?: boolean;
}

interface OfAccount {
  readonly account: string;
  readonly json?: boolean;
}

/** `key create|list|revoke`. */
export function keyCommands(program: Command): void {
  const keys = program.command('key').description('API keys.');

  keys
    .command('create')
    .description('Issue a key for an account.')
    .requiredOption('--account <id>', 'the account, acc_…')
    .option('--name <name>', 'what the key is for', 'From the command line')
    .option('--scopes <list>', 'read, write, or both separated by a comma; default: unrestricted', parseScopes)
    .option('--test', 'a key whose messages go to the sandbox only')
    .option('--json', 'one JSON document')
    .action(({ account, name, scopes = null, test = false, json }: NewApiKey) =>
      withApplication(async ({ dispatcher }) => {
        const input = { name, scopes, mode: test ? 'test' : 'live', granted_by: null } as const;
        const { output } = await dispatcher.execute(issueKey, input, operatorCause(account));
        print(output, json, () => [
          `key      ${output.id}`,
          `API key  ${output.key}   (shown this once)`,
          `mode     ${output.mode}`,
          `scopes   ${output.scopes?.join(', ') ?? 'unrestricted'}`,
        ]);
      }),
    );

  keys
    .command('list')
    .description('Show the keys of an account. Their texts are stored nowhere.')
    .requiredOption('--account <id>', 'the account, acc_…')
    .option('--json', 'one JSON document')
    .action(({ account, json }: OfAccount) =>
      withApplication(async ({ log }) => {
        const found = [...(await requireAccount(log, account)).keys.values()].map((key) => toKeyResource(key, null));
        const shown = found.map(({ last_used_at: _, ...key }) => key);
        await printTable({ keys: shown }, json, ['id', 'created at', 'begins with', 'mode', 'scopes', 'name'], () => shown.map(rowOf));
      }),
    );

  keys
    .command('revoke <id>')
    .description('Revoke a key for good. Requests with it are refused at once.')
    .requiredOption('--account <id>', 'the account, acc_…')
    .option('--json', 'one JSON document')
    .action((id: string, { account, json }: OfAccount) =>
      withApplication(async ({ dispatcher }) => {
        await dispatcher.execute(revokeKey, { key_id: id }, operatorCause(account));
        print({ id, status: 'revoked' }, json, () => [`${id}  revoked`]);
      }),
    );
}

const rowOf = ({ id, created_at, prefix, mode, scopes, name }: Omit<KeyResource, 'last_used_at'>): string[] => [
  id,
  created_at,
  prefix,
  mode,
  scopes?.join(',') ?? 'unrestricted',
  name,
];

function parseScopes(text: string): string[] {
  const scopes = text.split(',').map((scope) => scope.trim());
  if (scopes.some((scope) => scope !== 'read' && scope !== 'write')) throw new InvalidArgumentError('Use read, write, or both separated by a comma.');
  return scopes;
}
