/**
 * An account: its settings, the users who sign in to it, the keys that programs use, and the secret that its webhooks
 * are signed with. It is created with its first owner, and the last active owner cannot be removed.
 */
import type { Aggregate } from '../kernel/aggregate.js';
import { DomainError, invalid, notFound } from '../kernel/errors.js';
import { type EventOf, eventType } from '../kernel/event.js';
import { GrowingMap } from '../kernel/growing-map.js';
import { list, nullable, optional, record, text, time } from '../kernel/schema.js';
import { type Grant, includesGrant, keyMarks, scopeSchema } from './access.js';
import type { ApiKey, User } from './holders.js';
import { changedIdentitySecret, IdentitySecretChanged, withIdentitySecret } from './identity-secret.js';
import {
  CarrierConfigured,
  CarrierRemoved,
  type CarriersPatch,
  type CheckOwnCarriers,
  changedCarriers,
  mergeCarriers,
  type OwnCarriers,
  withCarrier,
} from './own-carriers.js';
import {
  changedSettings,
  defaultSettings,
  IDENTITY_VERIFICATION_OF_NEW_ACCOUNTS,
  identityVerificationSchema,
  mergeSettings,
  type Settings,
  type SettingsPatch,
  settingsPatch,
  settingsProblems,
} from './settings.js';
import { userEvents } from './user-events.js';
import { changedWebhookSecret, sealedWebhookSecret, type WebhookSecret, WebhookSecretRotated, withWebhookSecret } from './webhook-secret.js';

// Events

const key_id = text;
const at = time;

/** `identity_verification`: absent in accounts of earlier releases, where it was off. */
export const AccountCreated = eventType(
  'AccountCreated',
  record({ account_id: text, name: text, timezone: text, webhook_secret: text, identity_verification: optional(identityVerificationSchema), at }),
  { ...sealedWebhookSecret, version: 2 },
);
export const SettingsChanged = eventType('SettingsChanged', record({ changes: settingsPatch, at }), { version: 11 });
/** `hash` is the SHA-256 of the key's text; the text itself is stored nowhere. */
export const ApiKeyIssued = eventType(
  'ApiKeyIssued',
  record({ key_id, name: text, prefix: text, hash: text, scopes: nullable(list(scopeSchema)), ...keyMarks, at }),
  { version: 3 },
);
export const ApiKeyRevoked = eventType('ApiKeyRevoked', record({ key_id, at }));

export const accountEvents = [
  AccountCreated,
  SettingsChanged,
  CarrierConfigured,
  CarrierRemoved,
  WebhookSecretRotated,
  IdentitySecretChanged,
  ...userEvents,
  ApiKeyIssued,
  ApiKeyRevoked,
] as const;
export type AccountEvent = EventOf<(typeof accountEvents)[number]>;
export type SettingsChangedEvent = EventOf<typeof SettingsChanged>;

// State

export type { ApiKey, User } from './holders.js';

export interface OpenAccount {
  readonly status: 'open';
  readonly id: string;
  readonly settings: Settings;
  readonly webhook_secret: WebhookSecret;
  readonly identity_secret: string | null;
  readonly carriers: OwnCarriers;
  /** Of the settings, the secret and the carriers included. */
  readonly version: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly users: ReadonlyMap<string, User>;
  /** Removed users: id to the email key that each had claimed. */
  readonly removed: GrowingMap<string>;
  readonly keys: ReadonlyMap<string, ApiKey>;
  readonly revoked: GrowingMap<true>;
}
export type Account = { readonly status: 'none' } | OpenAccount;

export function evolve(account: Account, event: AccountEvent): Account {
  if (event.type === 'AccountCreated') return created(event.data);
  if (account.status === 'none') throw new Error(`${event.type} before AccountCreated`);
  switch (event.type) {
    case 'SettingsChanged':
      return { ...account, settings: mergeSettings(account.settings, event.data.changes), version: account.version + 1, updated_at: event.data.at };
    case 'CarrierConfigured':
    case 'CarrierRemoved':
      return { ...account, ...withCarrier(account, event) };
    case 'WebhookSecretRotated':
      return { ...account, ...withWebhookSecret(account, event) };
    case 'IdentitySecretChanged':
      return { ...account, ...withIdentitySecret(account, event) };
    case 'UserAdded': {
      const { user_id: id, at, ...rest } = event.data;
      const user: User = { ...rest, id, status: 'active', token_version: 1, version: 1, created_at: at, updated_at: at };
      return { ...account, users: new Map(account.users).set(id, user) };
    }
    case 'UserRenamed':
      return changed(account, event.data, () => ({ name: event.data.name }));
    case 'UserRoleChanged':
      return changed(account, event.data, () => ({ role: event.data.role }));
    case 'UserPasswordChanged':
      return changed(account, event.data, (user) => ({ password_hash: event.data.password_hash, token_version: user.token_version + 1 }));
    case 'UserDisabled':
      return changed(account, event.data, (user) => ({ status: 'disabled', token_version: user.token_version + 1 }));
    case 'UserEnabled':
      return changed(account, event.data, () => ({ status: 'active' }));
    case 'UserRemoved': {
      const { user_id: id } = event.data;
      const removed = account.removed.with(id, account.users.get(id)?.email_key ?? '');
      return { ...account, users: without(account.users, id), removed };
    }
    case 'ApiKeyIssued': {
      const { key_id: id, at: created_at, ...rest } = event.data;
      return { ...account, keys: new Map(account.keys).set(id, { ...rest, id, created_at }) };
    }
    case 'ApiKeyRevoked':
      return { ...account, keys: without(account.keys, event.data.key_id), revoked: account.revoked.with(event.data.key_id, true) };
    default:
      return event satisfies never;
  }
}

function created({ account_id: id, name, timezone, webhook_secret, identity_verification, at }: EventOf<typeof AccountCreated>['data']): OpenAccount {
  return {
    status: 'open',
    id,
    settings: defaultSettings(name, timezone, identity_verification),
    webhook_secret: { current: webhook_secret, previous: null },
    identity_secret: null,
    carriers: new Map(),
    version: 1,
    created_at: at,
    updated_at: at,
    users: new Map(),
    removed: GrowingMap.empty,
    keys: new Map(),
    revoked: GrowingMap.empty,
  };
}

function changed(account: OpenAccount, { user_id: id, at }: { user_id: string; at: string }, change: (user: User) => Partial<User>): OpenAccount {
  const user = account.users.get(id);
  if (!user) return account;
  const after = { ...user, ...change(user), version: user.version + 1, updated_at: at };
  return { ...account, users: new Map(account.users).set(id, after) };
}

const without = <V>(map: ReadonlyMap<string, V>, id: string): ReadonlyMap<string, V> => new Map([...map].filter(([key]) => key !== id));

// Commands

/** Limits that keep the stream short. */
export const accountLimits = { users: 200, keys: 100 } as const;

export type NewUser = Pick<User, 'id' | 'email_key' | 'email' | 'name' | 'role' | 'password_hash'>;
export type NewKey = Omit<ApiKey, 'created_at'>;
export type UserChange = Partial<Pick<User, 'name' | 'role' | 'status' | 'password_hash'>> & { readonly kept_session?: string };

export type AccountCommand =
  | {
      type: 'OpenAccount';
      account_id: string;
      name: string;
      timezone: string;
      webhook_secret: string;
      owner: NewUser;
      key: NewKey | null;
      now: string;
    }
  /** Checked before an email is claimed: `AddUser` itself is never refused, so that no claim stays without its user. */
  | { type: 'CheckRoomForUser' }
  | { type: 'AddUser'; user: NewUser; now: string }
  | { type: 'ChangeUser'; user_id: string; change: UserChange; expected: number | null; now: string }
  | { type: 'RemoveUser'; user_id: string; now: string }
  /** `granted_by`: the scopes of the caller. */
  | { type: 'IssueKey'; key: NewKey; granted_by: Grant; now: string }
  | { type: 'RevokeKey'; key_id: string; now: string }
  | {
      type: 'ChangeSettings';
      patch: SettingsPatch;
      carriers?: CarriersPatch;
      /** Of a patch that changes carriers or routes. */
      checkCarriers?: CheckOwnCarriers;
      secret: { value: string; previous_until: string | null } | null;
      identity_secret?: string;
      expected: number | null;
      now: string;
    };
type Of<T extends AccountCommand['type']> = Extract<AccountCommand, { type: T }>;

export function decide(command: AccountCommand, account: Account): readonly AccountEvent[] {
  if (command.type === 'OpenAccount') return open(command, account);
  if (account.status === 'none') throw new DomainError('not_found', 'There is no such account.', { resource: 'account' });
  switch (command.type) {
    case 'CheckRoomForUser':
      return account.users.size < accountLimits.users ? [] : throwLimitReached('users');
    case 'AddUser':
      return account.users.has(command.user.id) || account.removed.has(command.user.id) ? [] : [userAdded(command.user, command.now)];
    case 'ChangeUser':
      return changeUser(command, account);
    case 'RemoveUser':
      return removeUser(command, account);
    case 'IssueKey':
      return issueKey(command, account);
    case 'RevokeKey':
      return revokeKey(command, account);
    case 'ChangeSettings':
      return changeSettings(command, account);
    default:
      return command satisfies never;
  }
}

/** Completing an interrupted creation may have opened the account already: then only the key is missing. */
function open({ account_id, name, timezone, webhook_secret, owner, key, now: at }: Of<'OpenAccount'>, account: Account): readonly AccountEvent[] {
  const issued: AccountEvent[] = key && !(account.status === 'open' && account.keys.has(key.id)) ? [keyIssued(key, at)] : [];
  if (account.status === 'none') {
    const identity_verification = IDENTITY_VERIFICATION_OF_NEW_ACCOUNTS;
    const data = { account_id, name, timezone, webhook_secret, identity_verification, at };
    return [{ type: 'AccountCreated', data }, userAdded(owner, at), ...issued];
  }
  if (!account.users.has(owner.id)) throw new DomainError('conflict', `The account '${account_id}' exists already.`);
  return issued;
}

const userAdded = ({ id, ...user }: NewUser, at: string): AccountEvent => ({ type: 'UserAdded', data: { ...user, user_id: id, at } });

const keyIssued = ({ id, scopes, ...key }: NewKey, at: string): AccountEvent => ({
  type: 'ApiKeyIssued',
  data: { ...key, key_id: id, scopes: scopes && [...scopes], at },
});

function changeUser({ user_id, change, expected, now: at }: Of<'ChangeUser'>, account: OpenAccount): readonly AccountEvent[] {
  const user = account.users.get(user_id);
  if (!user) throw notFound('user', user_id);
  expectVersion(expected, user.version);
  const { name = user.name, role = user.role, status = user.status, password_hash, kept_session } = change;
  if (role !== 'owner' || status !== 'active') ensureActiveOwner(account, user);
  const events: AccountEvent[] = [];
  if (name !== user.name) events.push({ type: 'UserRenamed', data: { user_id, name, at } });
  if (role !== user.role) events.push({ type: 'UserRoleChanged', data: { user_id, role, at } });
  if (password_hash !== undefined)
    events.push({ type: 'UserPasswordChanged', data: { user_id, password_hash, ...(kept_session && { kept_session }), at } });
  if (status !== user.status) events.push({ type: status === 'active' ? 'UserEnabled' : 'UserDisabled', data: { user_id, at } });
  return events;
}

function removeUser({ user_id, now: at }: Of<'RemoveUser'>, account: OpenAccount): readonly AccountEvent[] {
  if (account.removed.has(user_id)) return [];
  const user = account.users.get(user_id);
  if (!user) throw notFound('user', user_id);
  ensureActiveOwner(account, user);
  return [{ type: 'UserRemoved', data: { user_id, at } }];
}

/** Without an active owner no user could be added any more. */
function ensureActiveOwner(account: OpenAccount, leaving: User): void {
  const isOwner = (user: User) => user.role === 'owner' && user.status === 'active';
  if (!isOwner(leaving) || [...account.users.values()].some((user) => user.id !== leaving.id && isOwner(user))) return;
  throw new DomainError('invalid_state', 'The last active owner of an account must stay one.', { current: 'last_owner', allowed: [] });
}

function issueKey({ key, granted_by, now }: Of<'IssueKey'>, account: OpenAccount): readonly AccountEvent[] {
  if (account.keys.has(key.id) || account.revoked.has(key.id)) return [];
  if (!includesGrant(granted_by, key.scopes)) throw new DomainError('forbidden', 'A key cannot have scopes that its creator lacks.');
  if (account.keys.size >= accountLimits.keys) return throwLimitReached('keys');
  return [keyIssued(key, now)];
}

function revokeKey({ key_id, now: at }: Of<'RevokeKey'>, account: OpenAccount): readonly AccountEvent[] {
  if (account.revoked.has(key_id)) return [];
  if (!account.keys.has(key_id)) throw notFound('api_key', key_id);
  return [{ type: 'ApiKeyRevoked', data: { key_id, at } }];
}

function changeSettings(
  { patch, carriers = {}, checkCarriers, secret, identity_secret, expected, now: at }: Of<'ChangeSettings'>,
  account: OpenAccount,
): readonly AccountEvent[] {
  expectVersion(expected, account.version);
  const after = mergeSettings(account.settings, patch);
  const wrongCarriers = checkCarriers?.({ carriers: mergeCarriers(account.carriers, carriers), routes: after.routes }) ?? [];
  const problems = [...settingsProblems(after), ...wrongCarriers];
  if (problems.length > 0) throw invalid(problems);
  const events: AccountEvent[] = [];
  const changes = changedSettings(account.settings, patch);
  if (Object.keys(changes).length > 0) events.push({ type: 'SettingsChanged', data: { changes, at } });
  events.push(...changedCarriers(account.id, account.carriers, carriers, at), ...changedIdentitySecret(account, identity_secret, at));
  events.push(...changedWebhookSecret(account, secret, at));
  return events;
}

function throwLimitReached(what: keyof typeof accountLimits): never {
  throw new DomainError('conflict', `An account holds at most ${accountLimits[what]} ${what}.`, { limit: accountLimits[what] });
}

function expectVersion(expected: number | null, actual: number): void {
  if (expected !== null && expected !== actual)
    throw new DomainError('version_conflict', `The version is ${actual} by now, not ${expected}.`, { expected, actual });
}

// Stream

/** What the names of all account streams begin with. */
export const accountStreamPrefix = 'account-';
export const accountStream = (accountId: string) => `${accountStreamPrefix}${accountId}`;
/** The account of such a stream, or null where the stream is another one. */
export const accountIdOf = (stream: string): string | null =>
  stream.startsWith(accountStreamPrefix) ? stream.slice(accountStreamPrefix.length) : null;

export const account: Aggregate<Account, AccountCommand, AccountEvent> = {
  stream: accountStream,
  events: accountEvents,
  snapshots: { name: 'account', version: 6 },
  initial: { status: 'none' },
  evolve,
  decide,
};
