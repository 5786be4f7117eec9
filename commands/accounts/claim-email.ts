import { account, accountStream } from '../../domain/accounts/account.js';
import { type UserKeyClaim, userKey, userKeyStream } from '../../domain/accounts/user-key.js';
import { DomainError } from '../../domain/kernel/errors.js';
import { formatWebhookSecret } from '../../formats/accounts/secrets.js';
import { loadAggregate } from '../../log/aggregates/load-aggregate.js';
import type { Context } from '../runtime/command.js';

/** The key of a sign-in email. It uses no account's pepper, because the email is unique over all accounts. */
export const emailKey = (context: Context, email: string): string => context.addresses.key('', email);

/**
 * Claims an email for one user, over all accounts. Throws `conflict` if it belongs to another user. A claim whose user is
 * missing is completed first; a claim whose user was removed is taken over.
 */
export async function claimEmail(context: Context, key: string, claim: UserKeyClaim): Promise<void> {
  const attempt = async (stale: string | null): Promise<UserKeyClaim> => {
    const { state } = await context.decide(userKey, userKeyStream(key), { type: 'ClaimUserKey', claim, stale, now: context.now });
    return state.status === 'claimed' ? state.claim : claim;
  };
  const isOurs = (holder: UserKeyClaim) => holder.user_id === claim.user_id && holder.account_id === claim.account_id;

  const holder = await attempt(null);
  if (isOurs(holder)) return;
  if (!(await signsIn(context, key, holder)) && isOurs(await attempt(holder.user_id))) return;
  throw emailInUse(context, holder);
}

/** Throws `conflict` where an email signs in to an account already, but for this user. */
export async function requireFreeEmail(context: Context, email: string, userId: string): Promise<void> {
  const key = emailKey(context, email);
  const { state } = await loadAggregate(context.log, userKey, userKeyStream(key));
  if (state.status === 'claimed' && state.claim.user_id !== userId && (await signsIn(context, key, state.claim)))
    throw emailInUse(context, state.claim);
}

/** Only the operator may learn which account it is. */
function emailInUse({ cause }: Context, { account_id, user_id }: UserKeyClaim): DomainError {
  const whose = cause.actor.kind === 'operator' ? { account_id, user_id } : {};
  return new DomainError('conflict', 'This email signs in to an account already.', { field: 'email', ...whose });
}

/** Completes a claim that was interrupted. Returns whether its user exists and has this email. */
async function signsIn(context: Context, key: string, claim: UserKeyClaim): Promise<boolean> {
  const { account_id, user_id: id, founding, email, name, role, password_hash } = claim;
  const user = { id, email_key: key, email, name, role, password_hash };
  const webhook_secret = formatWebhookSecret(context.newSecret('webhook-secret-of-unfinished-account'));
  const { state } = await context.decide(
    account,
    accountStream(account_id),
    founding
      ? { type: 'OpenAccount', account_id, ...founding, webhook_secret, owner: user, key: null, now: context.now }
      : { type: 'AddUser', user, now: context.now },
  );
  return state.status === 'open' && state.users.get(id)?.email_key === key;
}
