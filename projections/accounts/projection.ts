import type { Grant, UserRole } from '../../domain/accounts/access.js';
import { type accountEvents, accountIdOf } from '../../domain/accounts/account.js';
import type { KeyUseEvent } from '../../domain/accounts/key-use.js';
import type { SecondFactorTurnedOff, SecondFactorTurnedOn } from '../../domain/accounts/second-factor.js';
import type { userSessionsEvents } from '../../domain/accounts/sessions.js';
import { defaultSettings, mergeSettings, type Settings } from '../../domain/accounts/settings.js';
import type { SealedEventOf } from '../../domain/kernel/event.js';
import type { Doc, DocumentRef } from '../../domain/kernel/ports.js';
import type { Projection, View } from '../runtime/projection.js';
import { type SessionEntry, sessionsAfter } from './user-sessions.js';

/** Fields that end in `_box` hold the sealed box of the event that set them last. */
export interface AccountDoc extends Doc {
  readonly settings: Settings;
  /** The account's own carriers by name: the box of their settings, and the version of the account with it. */
  readonly carriers: Readonly<Record<string, { readonly box: string; readonly version: number; readonly updated_at: string }>>;
  readonly secret_box: string;
  readonly identity_secret_box: string | null;
  readonly previous_secret_box: string | null;
  readonly previous_secret_until: string | null;
  readonly version: number;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface UserDoc extends Doc {
  readonly account: string;
  readonly email_key: string;
  readonly email_box: string;
  readonly name_box: string;
  readonly password_box: string;
  readonly role: UserRole;
  readonly status: 'active' | 'disabled';
  readonly token_version: number;
  readonly version: number;
  readonly created_at: string;
  readonly updated_at: string;
  /** Those of the present version of the tokens. Some may have expired. */
  readonly sessions: readonly SessionEntry[];
  /** A sign-in needs a code, too. */
  readonly two_factor: boolean;
  /** Sort key: time and id. */
  readonly sort: string;
}

export interface KeyDoc extends Doc {
  readonly account: string;
  readonly hash: string;
  readonly name: string;
  readonly prefix: string;
  readonly scopes: Grant;
  readonly mode?: 'test';
  readonly strict?: boolean;
  readonly created_at: string;
  readonly last_used_at: string | null;
  readonly sort: string;
}

type AccountEvent = SealedEventOf<(typeof accountEvents)[number]>;
type SessionEvent = SealedEventOf<(typeof userSessionsEvents)[number]>;
type FactorEvent = SealedEventOf<typeof SecondFactorTurnedOn | typeof SecondFactorTurnedOff>;
type HandledEvent = AccountEvent | KeyUseEvent | SessionEvent | FactorEvent;
type UserEvent = Extract<HandledEvent, { data: { user_id: string } }>;
type KeyEvent = Extract<HandledEvent, { data: { key_id: string } }>;

const ofUser = (event: HandledEvent): event is UserEvent => 'user_id' in event.data;
const ofSession = (event: UserEvent): event is SessionEvent => 'session_id' in event.data;
const ofFactor = (event: UserEvent): event is FactorEvent => event.type === 'SecondFactorTurnedOn' || event.type === 'SecondFactorTurnedOff';
const ofKey = (event: HandledEvent): event is KeyEvent => 'key_id' in event.data;

/** Accounts, users with their sessions, and keys as they are now, for signing in, for every request's credential, and for the pages that list them. */
export const accounts: Projection<HandledEvent> = {
  name: 'accounts',
  version: 11,
  handles: [
    'AccountCreated',
    'SettingsChanged',
    'CarrierConfigured',
    'CarrierRemoved',
    'WebhookSecretRotated',
    'IdentitySecretChanged',
    'UserAdded',
    'UserRenamed',
    'UserRoleChanged',
    'UserPasswordChanged',
    'UserDisabled',
    'UserEnabled',
    'UserRemoved',
    'ApiKeyIssued',
    'ApiKeyRevoked',
    'ApiKeyUsed',
    'SessionStarted',
    'SessionUsed',
    'SessionEnded',
    'SecondFactorTurnedOn',
    'SecondFactorTurnedOff',
  ],
  collections: {
    accounts: { indexes: [] },
    users: { indexes: [['email_key'], ['account', 'sort']] },
    keys: { indexes: [['hash'], ['account', 'sort']] },
  },
  reads: ({ event, stream }): readonly DocumentRef[] => {
    if (ofUser(event)) return [{ collection: 'users', id: event.data.user_id }];
    if (ofKey(event)) return [{ collection: 'keys', id: event.data.key_id }];
    return [{ collection: 'accounts', id: accountIdOf(stream) ?? '' }];
  },
  apply: ({ event, stream }, view) => {
    const account = accountIdOf(stream) ?? '';
    if (ofUser(event)) applyToUser(event, account, view);
    else if (ofKey(event)) applyToKey(event, account, view);
    else applyToAccount(event, account, view);
  },
};

function applyToAccount({ type, data }: Exclude<HandledEvent, UserEvent | KeyEvent>, id: string, view: View): void {
  const { at } = data;
  if (type === 'AccountCreated') {
    const settings = defaultSettings(data.name, data.timezone, data.identity_verification);
    const secret = { secret_box: data.sealed, identity_secret_box: null, previous_secret_box: null, previous_secret_until: null };
    view.put('accounts', { id, settings, carriers: {}, ...secret, version: 1, created_at: at, updated_at: at } satisfies AccountDoc);
    return;
  }
  const doc = view.get<AccountDoc>('accounts', id);
  if (!doc) return;
  const next = { ...doc, version: doc.version + 1, updated_at: at };
  if (type === 'SettingsChanged') {
    view.put('accounts', { ...next, settings: mergeSettings(doc.settings, data.changes) });
  } else if (type === 'CarrierConfigured') {
    const carrier = { box: data.sealed, version: next.version, updated_at: at };
    view.put('accounts', { ...next, carriers: { ...doc.carriers, [data.carrier]: carrier } });
  } else if (type === 'CarrierRemoved') {
    const { [data.carrier]: _, ...carriers } = doc.carriers;
    view.put('accounts', { ...next, carriers });
  } else if (type === 'IdentitySecretChanged') {
    view.put('accounts', { ...next, identity_secret_box: data.sealed });
  } else {
    const { previous_until: until } = data;
    const previous = { previous_secret_box: until === null ? null : doc.secret_box, previous_secret_until: until };
    view.put('accounts', { ...next, secret_box: data.sealed, ...previous });
  }
}

function applyToUser(event: UserEvent, account: string, view: View): void {
  const { user_id: id, at } = event.data;
  if (event.type === 'UserAdded') {
    const { sealed, email_key, role } = event.data;
    const boxes = { email_box: sealed, name_box: sealed, password_box: sealed };
    const versions = { status: 'active', token_version: 1, version: 1, created_at: at, updated_at: at } as const;
    view.put('users', {
      id,
      account,
      email_key,
      role,
      ...boxes,
      ...versions,
      sessions: [],
      two_factor: false,
      sort: `${at}/${id}`,
    } satisfies UserDoc);
    return;
  }
  const doc = view.get<UserDoc>('users', id);
  if (!doc) return;
  if (ofSession(event)) view.put('users', { ...doc, sessions: sessionsAfter(event, doc.sessions, doc.token_version) });
  else if (ofFactor(event)) view.put('users', { ...doc, two_factor: event.type === 'SecondFactorTurnedOn' });
  else if (event.type === 'UserRemoved') view.remove('users', id);
  else view.put('users', { ...doc, ...userChange(event, doc), version: doc.version + 1, updated_at: at });
}

function userChange(event: Exclude<UserEvent, SessionEvent | FactorEvent | { type: 'UserAdded' | 'UserRemoved' }>, doc: UserDoc): Partial<UserDoc> {
  const voided = { token_version: doc.token_version + 1 };
  switch (event.type) {
    case 'UserRenamed':
      return { name_box: event.data.sealed };
    case 'UserRoleChanged':
      return { role: event.data.role };
    case 'UserPasswordChanged':
      return { password_box: event.data.sealed, sessions: doc.sessions.filter(({ id }) => id === event.data.kept_session), ...voided };
    case 'UserDisabled':
      return { status: 'disabled', sessions: [], ...voided };
    case 'UserEnabled':
      return { status: 'active' };
    default:
      return event satisfies never;
  }
}

function applyToKey(event: KeyEvent, account: string, view: View): void {
  const { key_id: id, at } = event.data;
  if (event.type === 'ApiKeyIssued') {
    const { hash, name, prefix, scopes, mode, strict } = event.data;
    view.put('keys', {
      id,
      account,
      hash,
      name,
      prefix,
      scopes,
      ...(mode && { mode }),
      ...(strict && { strict }),
      created_at: at,
      last_used_at: null,
      sort: `${at}/${id}`,
    } satisfies KeyDoc);
    return;
  }
  const doc = view.get<KeyDoc>('keys', id);
  if (!doc) return;
  if (event.type === 'ApiKeyRevoked') view.remove('keys', id);
  else view.put('keys', { ...doc, last_used_at: at });
}
