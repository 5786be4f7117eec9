import type { AccountCommand, AccountEvent, NewKey, NewUser } from '../../domain/accounts/account.js';

/** Example data for the specs of accounts. */
export const now = '2026-01-15T10:30:00.000Z';
export const later = '2026-01-15T11:30:00.000Z';

export const ada: NewUser = { id: 'usr_ada', email_key: 'key-of-ada', email: 'ada@example.com', name: null, role: 'owner', password_hash: 'hash-1' };
export const bob: NewUser = {
  id: 'usr_bob',
  email_key: 'key-of-bob',
  email: 'bob@example.com',
  name: 'Bob',
  role: 'member',
  password_hash: 'hash-2',
};
export const firstKey: NewKey = { id: 'key_1', name: 'First', prefix: 'hk_live_abcd', hash: 'sha-1', scopes: null };

export const added = ({ id, ...user }: NewUser, at = now): AccountEvent => ({ type: 'UserAdded', data: { ...user, user_id: id, at } });
export const issued = ({ id, scopes, ...key }: NewKey, at = now): AccountEvent => ({
  type: 'ApiKeyIssued',
  data: { ...key, key_id: id, scopes: scopes && [...scopes], at },
});
export const created: AccountEvent = {
  type: 'AccountCreated',
  data: { account_id: 'acc_1', name: 'Acme', timezone: 'UTC', webhook_secret: 'whsec_one', identity_verification: 'existing', at: now },
};
export const openedAccount = [created, added(ada)] as const;

export const open = {
  type: 'OpenAccount',
  account_id: 'acc_1',
  name: 'Acme',
  timezone: 'UTC',
  webhook_secret: 'whsec_one',
  owner: ada,
  key: firstKey,
  now,
} as const satisfies AccountCommand;
