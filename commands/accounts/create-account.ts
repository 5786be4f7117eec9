import type { NewKey } from '../../domain/accounts/account.js';
import { account, accountStream } from '../../domain/accounts/account.js';
import type { UserResource } from '../../domain/accounts/resources.js';
import { isTimeZone } from '../../domain/accounts/settings.js';
import { type FieldProblem, invalid } from '../../domain/kernel/errors.js';
import { optional, record, text } from '../../domain/kernel/schema.js';
import { passwordProblems } from '../../formats/accounts/passwords.js';
import { apiKeyPrefix, formatApiKey, formatWebhookSecret, hashApiKey } from '../../formats/accounts/secrets.js';
import { normalizeEmail } from '../../formats/contacts/addresses.js';
import { emailHint } from '../../formats/contacts/parse-address.js';
import { command } from '../runtime/command.js';
import { claimEmail, emailKey } from './claim-email.js';

export interface CreatedAccount {
  readonly account_id: string;
  /** In full, this once. */
  readonly api_key: string;
  readonly user: Pick<UserResource, 'id' | 'email' | 'role'>;
  readonly webhook_secret: string;
}

const MAX_NAME = 200;

/**
 * Creates the account of the cause, with its first owner and an API key without limits. Throws `validation_error` with every
 * invalid field, and `conflict` if the email already signs in to an account.
 */
export const createAccount = command({
  name: 'CreateAccount',
  input: record({ name: text, email: text, password: text, timezone: optional(text) }),

  async handle({ name, email: given, password, timezone = 'UTC' }, context): Promise<CreatedAccount> {
    const { account: account_id } = context.cause;
    const email = normalizeEmail(given);
    const problems: FieldProblem[] = passwordProblems(password, email);
    if (name.trim() === '' || name.length > MAX_NAME)
      problems.push({ field: 'name', code: 'invalid_length', message: `Use 1 to ${MAX_NAME} characters.` });
    if (email === null) problems.push({ field: 'email', code: 'invalid_email', message: emailHint(given) });
    if (!isTimeZone(timezone))
      problems.push({ field: 'timezone', code: 'unknown_timezone', message: 'Use an IANA time zone, such as Europe/Paris.' });
    if (email === null || problems.length > 0) throw invalid(problems);

    const key = emailKey(context, email);
    const password_hash = await context.ports.accounts.passwords.hash(password, context.newSecret('password-salt'));
    const owner = { id: context.newId('usr'), email_key: key, email, name: null, role: 'owner', password_hash } as const;
    const founding = { name, timezone };
    await claimEmail(context, key, { account_id, user_id: owner.id, role: 'owner', founding, email, name: null, password_hash });

    const text = formatApiKey(context.newSecret('api-key'));
    const apiKey: NewKey = { id: context.newId('key'), name: 'First key', prefix: apiKeyPrefix(text), hash: hashApiKey(text), scopes: null };
    const secret = formatWebhookSecret(context.newSecret('webhook-secret'));
    const { state } = await context.decide(
      account,
      accountStream(account_id),
      { type: 'OpenAccount', account_id, ...founding, webhook_secret: secret, owner, key: apiKey, now: context.now },
      { assumeNew: true },
    );
    const webhook_secret = state.status === 'open' ? state.webhook_secret.current : secret;
    return { account_id, api_key: text, user: { id: owner.id, email, role: 'owner' }, webhook_secret };
  },
});
