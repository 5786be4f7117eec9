import { type Command, Option } from 'commander';
import { changeUser } from '../../commands/accounts/change-user.js';
import { createAccount } from '../../commands/accounts/create-account.js';
import { inviteUser } from '../../commands/accounts/invite-user.js';
import { turnOffSecondFactor } from '../../commands/accounts/turn-off-second-factor.js';
import { roles, type UserRole } from '../../domain/accounts/access.js';
import type { OpenAccount } from '../../domain/accounts/account.js';
import { notFound } from '../../domain/kernel/errors.js';
import { ACCOUNT_LINKS_PURPOSE, LINK_LIFETIME_MS, linkUrl } from '../../formats/accounts/account-links.js';
import { normalizeEmail } from '../../formats/contacts/addresses.js';
import { newId } from '../../log/runtime/ids.js';
import type { Config } from '../app/config/config.js';
import { linkBaseUrl } from '../app/config/link-base-url.js';
import { operatorCause } from '../app/operator-cause.js';
import { systemEntropy } from '../system/entropy.js';
import { listAccounts, requireAccount } from './listed-accounts.js';
import { print, printTable, withApplication } from './runtime.js';

interface NewAccount {
  readonly name: string;
  readonly email: string;
  readonly password: string;
  readonly json?: boolean;
}

interface OfUser {
  readonly email: string;
  readonly json?: boolean;
}

interface NewInvitation extends OfUser {
  readonly account: string;
  readonly role: UserRole;
}

interface NewPassword {
  readonly email: string;
  readonly password: string;
  readonly json?: boolean;
}

/** `account create|list` and `user password|reset-link|second-factor-off|invite`. */
export function accountCommands(program: Command): void {
  const accounts = program.command('account').description('Accounts of this installation.');

  accounts
    .command('create')
    .description('Create an account with its first owner and an unrestricted key. Works beside a running server.')
    .requiredOption('--name <name>', 'name of the account')
    .requiredOption('--email <email>', 'email of its first owner, for signing in')
    .requiredOption('--password <password>', 'password of that owner, at least 10 characters')
    .option('--json', 'one JSON document')
    .action(({ json, ...input }: NewAccount) =>
      withApplication(
        async ({ dispatcher }) => {
          const cause = operatorCause(newId(systemEntropy, 'acc', Date.now()));
          const { output } = await dispatcher.execute(createAccount, { name: input.name, email: input.email, password: input.password }, cause);
          print(output, json, () => [
            `account         ${output.account_id}`,
            `owner           ${output.user.email}`,
            `API key         ${output.api_key}   (shown this once)`,
            `webhook secret  ${output.webhook_secret}`,
          ]);
        },
        { createsData: true },
      ),
    );

  accounts
    .command('list')
    .description('Show all accounts, the oldest first.')
    .option('--json', 'one JSON document')
    .action(({ json }: { json?: boolean }) =>
      withApplication(async ({ log }) => {
        const found = (await listAccounts(log)).map(shownAccount);
        await printTable({ accounts: found }, json, ['id', 'created at', 'users', 'keys', 'name'], () =>
          found.map(({ id, created_at, name, users, keys }) => [id, created_at, users, keys, name]),
        );
      }),
    );

  const users = program.command('user').description('Users who sign in.');

  users
    .command('password')
    .description('Set the password of a user, for example of an owner who has lost it. Their sign-ins end.')
    .requiredOption('--email <email>', 'the email with which the user signs in')
    .requiredOption('--password <password>', 'the new password, at least 10 characters')
    .option('--json', 'one JSON document')
    .action(({ email, password, json }: NewPassword) =>
      withApplication(async ({ log, dispatcher }) => {
        const { account, user } = findUser(await listAccounts(log), email);
        const { output } = await dispatcher.execute(changeUser, { user_id: user, password, expected_version: null }, operatorCause(account));
        print(output, json, () => [`${output.id}  ${output.email}  has the new password; all its sign-ins have ended`]);
      }),
    );
  linkCommands(users);
}

function linkCommands(users: Command): void {
  users
    .command('reset-link')
    .description('Print a link by which a user chooses a new password, once within an hour.')
    .requiredOption('--email <email>', 'the email with which the user signs in')
    .option('--json', 'one JSON document')
    .action(({ email, json }: OfUser) =>
      withApplication(async ({ log, purposeKey, clock }, config) => {
        const { account: account_id, user: user_id, token_version: version } = findUser(await listAccounts(log), email);
        const expires_at = clock.now() + LINK_LIFETIME_MS.reset;
        const url = linkUrl(baseUrl(config), { kind: 'reset', account_id, user_id, version, expires_at }, purposeKey(ACCOUNT_LINKS_PURPOSE));
        print({ user_id, url, expires_at: new Date(expires_at).toISOString() }, json, () => [url]);
      }),
    );

  users
    .command('second-factor-off')
    .description('Turn off the second factor of a user who has lost the app and the recovery codes.')
    .requiredOption('--email <email>', 'the email with which the user signs in')
    .option('--json', 'one JSON document')
    .action(({ email, json }: OfUser) =>
      withApplication(async ({ log, dispatcher }) => {
        const { account, user: user_id } = findUser(await listAccounts(log), email);
        await dispatcher.execute(turnOffSecondFactor, { user_id, code: null }, operatorCause(account));
        print({ id: user_id, two_factor: false }, json, () => [`${user_id}  has no second factor`]);
      }),
    );

  users
    .command('invite')
    .description('Invite somebody to an account, and print the link by which that person chooses a password, once within seven days.')
    .requiredOption('--account <id>', 'the account, acc_…')
    .requiredOption('--email <email>', 'the email with which the user will sign in')
    .addOption(new Option('--role <role>', 'what the user may do').choices(roles).default('member'))
    .option('--json', 'one JSON document')
    .action(({ account, json, ...input }: NewInvitation) =>
      withApplication(async ({ log, dispatcher }, config) => {
        await requireAccount(log, account);
        const { output } = await dispatcher.execute(inviteUser, { ...input, base_url: baseUrl(config), mail: false }, operatorCause(account));
        print(output, json, () => [output.url]);
      }),
    );
}

const baseUrl = (config: Config): string => linkBaseUrl(config) ?? 'http://localhost';

const shownAccount = ({ id, created_at, settings, users, keys }: OpenAccount) => ({
  id,
  name: settings.name,
  created_at,
  users: users.size,
  keys: keys.size,
});

/** An email belongs to one user of the whole installation. Throws `not_found`. */
function findUser(accounts: readonly OpenAccount[], email: string) {
  const wanted = normalizeEmail(email);
  for (const { id, users } of accounts)
    for (const user of users.values())
      if (wanted !== null && normalizeEmail(user.email) === wanted) return { account: id, user: user.id, token_version: user.token_version };
  throw notFound('user', email);
}
