import { type AccountSettings, type KeyResource, toKeyResource, type UserResource } from '../../domain/accounts/resources.js';
import { unexpired } from '../../domain/accounts/sessions.js';
import type { Find, ReadModels } from '../../domain/kernel/ports.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import type { PageRange, WithCursor } from '../runtime/paging.js';
import { type AccountDoc, accounts, type KeyDoc, type UserDoc } from './projection.js';
import type { SessionEntry } from './user-sessions.js';

/** A session with its address and user agent. */
export interface OpenedSession extends Omit<SessionEntry, 'box' | 'hash'> {
  readonly ip: string;
  readonly user_agent: string | null;
}

/** A user as needed for signing in. `password_hash` is null if it can no longer be unsealed. */
export interface SignIn {
  readonly user: UserDoc;
  readonly email: string;
  readonly password_hash: string | null;
}

export type AccountQueries = ReturnType<typeof accountQueries>;

interface QueryParts {
  readonly log: EventLog;
  readonly views: ReadModels;
}

/** Queries over accounts, users and keys. Unseals personal fields. */
export function accountQueries({ log, views }: QueryParts) {
  const docs = views.docs<AccountDoc>(accounts, 'accounts');
  return {
    /** Null where there is no such account. `webhook_secret` is null once its key is destroyed: then nothing can be signed. */
    async settings(account: string): Promise<AccountSettings | null> {
      const doc = await docs.get(account);
      return doc ? openSettings(log, doc) : null;
    },
    ...userQueries({ log, views }),
    ...keyQueries({ views }),
  };
}

function userQueries({ log, views }: QueryParts) {
  const users = views.docs<UserDoc>(accounts, 'users');
  const opened = (found: readonly UserDoc[]) => openUsers(log, found);
  return {
    async user(account: string, id: string): Promise<UserResource | null> {
      const doc = await users.get(id);
      return doc?.account === account ? ((await opened([doc]))[0] ?? null) : null;
    },

    async users(account: string, range: PageRange): Promise<WithCursor<UserResource>[]> {
      const found = await users.find(findInAccount(account, range));
      const items = await opened(found);
      return items.map((item, i) => ({ item, cursor: (found[i] as UserDoc).sort }));
    },

    /** The same with what only the user learns. */
    async signedInUser(account: string, id: string): Promise<(UserResource & Pick<UserDoc, 'two_factor'>) | null> {
      const doc = await users.get(id);
      if (doc?.account !== account) return null;
      const [user] = await opened([doc]);
      return user ? { ...user, two_factor: doc.two_factor } : null;
    },

    /** The user as in the read model, without name and email. */
    userDoc: (id: string): Promise<UserDoc | undefined> => users.get(id),

    async signIn(emailKey: string): Promise<SignIn | null> {
      const [user] = await users.find({ where: { email_key: emailKey }, limit: 1 });
      return user ? openSignIn(log, user) : null;
    },

    /** The same by the id of the user. */
    async signInOf(id: string): Promise<SignIn | null> {
      const user = await users.get(id);
      return user ? openSignIn(log, user) : null;
    },

    /** The sessions of a user that have not expired at this time. */
    async sessions(user: string, now: string): Promise<OpenedSession[]> {
      return openSessions(log, unexpired((await users.get(user))?.sessions ?? [], now));
    },
  };
}

function keyQueries({ views }: Pick<QueryParts, 'views'>) {
  const keys = views.docs<KeyDoc>(accounts, 'keys');
  return {
    async keyByHash(hash: string): Promise<KeyDoc | null> {
      return (await keys.find({ where: { hash }, limit: 1 }))[0] ?? null;
    },

    async key(account: string, id: string): Promise<KeyResource | null> {
      const doc = await keys.get(id);
      return doc?.account === account ? toKeyResource(doc, doc.last_used_at) : null;
    },

    async keys(account: string, range: PageRange): Promise<WithCursor<KeyResource>[]> {
      const found = await keys.find(findInAccount(account, range));
      return found.map((doc) => ({ item: toKeyResource(doc, doc.last_used_at), cursor: doc.sort }));
    },
  };
}

function findInAccount(account: string, { after, descending, limit }: PageRange): Find {
  const find = { where: { account }, order: { field: 'sort', descending }, limit };
  return after === null ? find : { ...find, range: { field: 'sort', [descending ? 'lt' : 'gt']: after } };
}

async function openSignIn(log: EventLog, user: UserDoc): Promise<SignIn> {
  const [email, password] = await log.openBoxes([user.email_box, user.password_box]);
  return { user, email: String(email?.email ?? ''), password_hash: password ? String(password.password_hash) : null };
}

async function openSessions(log: EventLog, sessions: readonly SessionEntry[]): Promise<OpenedSession[]> {
  const boxes = await log.openBoxes(
    sessions.map(({ box }) => box),
    'SessionStarted',
  );
  return sessions.map(({ box: _, hash: __, ...session }, i) => {
    const { ip, user_agent } = boxes[i] ?? log.erased('SessionStarted');
    return { ...session, ip: String(ip), user_agent: (user_agent ?? null) as string | null };
  });
}

async function openUsers(log: EventLog, docs: readonly UserDoc[]): Promise<UserResource[]> {
  const boxes = await log.openBoxes(
    docs.flatMap((doc) => [doc.email_box, doc.name_box]),
    'UserAdded',
  );
  const gone = log.erased('UserAdded');
  return docs.map(({ id, role, status, version, created_at, updated_at }, i) => {
    const email = String((boxes[2 * i] ?? gone).email);
    const name = ((boxes[2 * i + 1] ?? gone).name ?? null) as string | null;
    return { id, email, name, role, status, version, created_at, updated_at };
  });
}

async function openSettings(log: EventLog, doc: AccountDoc): Promise<AccountSettings> {
  const { id, settings, version, created_at, updated_at, previous_secret_until: until } = doc;
  const boxes = doc.previous_secret_box === null ? [doc.secret_box] : [doc.secret_box, doc.previous_secret_box];
  const [current, previous] = (await log.openBoxes(boxes)).map((box) => (box ? String(box.webhook_secret) : null));
  const identity = doc.identity_secret_box === null ? null : (await log.openBoxes([doc.identity_secret_box]))[0];
  const before = previous != null && until !== null ? { secret: previous, until } : null;
  const own = Object.entries(doc.carriers);
  const opened = await log.openBoxes(own.map(([, { box }]) => box));
  // Without its key nothing of a carrier is left: it takes no messages.
  const carriers = new Map(own.map(([name, { box: _, ...about }], i) => [name, { ...about, settings: String(opened[i]?.settings ?? '{}') }]));
  const webhook_secret = current == null ? null : { current, previous: before };
  const identity_secret = identity ? String(identity.identity_secret) : null;
  return { id, settings, webhook_secret, identity_secret, carriers, version, created_at, updated_at };
}
