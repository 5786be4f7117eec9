import { type Grant, roleGrants, type UserRole } from '../../domain/accounts/access.js';
import { accountIdOf } from '../../domain/accounts/account.js';
import { KEY_USE_INTERVAL_MS } from '../../domain/accounts/key-use.js';
import type { AccountSettings } from '../../domain/accounts/resources.js';
import { sessionExpiry, sessionLimits, userOfSessions } from '../../domain/accounts/sessions.js';
import { DomainError } from '../../domain/kernel/errors.js';
import { type Checkpoint, type Clock, isAfter, type Position, type ReadModels } from '../../domain/kernel/ports.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import { entryCache } from '../../log/vault/entry-cache.js';
import { accounts } from './projection.js';
import { type AccountQueries, accountQueries } from './queries.js';

/** The account and actor of a credential. */
export interface Credential {
  readonly account: string;
  readonly actor: { readonly kind: 'key' | 'user'; readonly id: string };
  /** null: everything. */
  readonly scopes: Grant;
  /** Of a test key. */
  readonly mode?: 'test';
  /** Of a key whose requests have no unknown fields. */
  readonly strict?: boolean;
  /** null for a key. */
  readonly role: UserRole | null;
  /** The id of the session of a browser. */
  readonly session?: string;
}

export interface DirectoryOptions {
  readonly log: EventLog;
  readonly views: ReadModels;
  readonly clock: Pick<Clock, 'now'>;
  /** Resolves true once the read model has seen everything that is in the log now, false where that takes too long. */
  readonly caughtUp: (projection: string) => Promise<boolean>;
  /** Records that a key is in use. Called at most once an hour for each key; not awaited. */
  readonly noteKeyUse: (account: string, keyId: string) => Promise<unknown>;
  /** Records that a session is in use. Called at most every ten minutes for each session; not awaited. */
  readonly noteSessionUse: (account: string, userId: string, sessionId: string) => Promise<unknown>;
}

const CACHED = 10_000;
const USES_KEPT = 10_000;
/** How long a look-up waits for the read model to reach an event that was seen. */
const REACH_MS = 2_000;
const NOTE_AGAIN_MS = 60_000;

interface Use {
  /** Milliseconds; of the last use on this node. */
  last: number;
  /** Milliseconds; when it was last written down. */
  noted: number;
}

/** A session of an active user. */
interface Session {
  /** Milliseconds. */
  readonly created: number;
  readonly credential: Credential;
  readonly use: Use;
}

type Entry =
  | { readonly of: string; readonly kind: 'key'; readonly credential: Credential; readonly use: Use }
  | {
      readonly of: string;
      readonly kind: 'user';
      readonly credential: Credential;
      readonly active: boolean;
      readonly tokenVersion: number;
      /** By the hash of their secret. */
      readonly sessions: ReadonlyMap<string, Session>;
    }
  | { readonly of: string; readonly kind: 'settings'; readonly settings: AccountSettings };

/**
 * LRU cache of accounts, for each request and webhook: the credential of a key, the access and sessions of a user, settings and signing
 * secrets. A hit is synchronous.
 *
 * Only what exists is cached. Every event of an account evicts its entries, and every event of a user's sessions that of the user (`noteAppended`, `evict`), and nothing is cached
 * that was read before the read model had reached that event.
 */
export class AccountDirectory {
  readonly #queries: AccountQueries;
  readonly #entries = entryCache<string, Entry>(CACHED, { dispose: ({ of }, key) => this.#unlist(of, key) });
  readonly #byAccount = new Map<string, Set<string>>();
  readonly #uses = entryCache<string, Use>(USES_KEPT);
  /** Number of evictions: a value that was loaded before one is not cached after it. */
  #drops = 0;
  #seen: Checkpoint = 'start';

  constructor(private readonly parts: DirectoryOptions) {
    this.#queries = accountQueries(parts);
  }

  /** The holder of the key with this hash, or null. */
  key(hash: string): Credential | null | Promise<Credential | null> {
    const entry = this.#entries.get(hash);
    if (entry?.kind !== 'key') return this.#loadKey(hash);
    this.#keyUsed(entry.credential, entry.use);
    return entry.credential;
  }

  /** What a user may do, or null where the user is gone or disabled, or `tokenVersion` is no longer the one in force. */
  user(id: string, tokenVersion: number): Credential | null | Promise<Credential | null> {
    const entry = this.#entries.get(id);
    return entry?.kind === 'user' ? admitted(entry, tokenVersion) : this.#loadUser(id, tokenVersion);
  }

  /** What the user of a session may do, or null where it has ended or expired, or there is none with this user and hash. */
  session(user: string, hash: string): Credential | null | Promise<Credential | null> {
    const entry = this.#entries.get(user);
    const session = entry?.kind === 'user' ? entry.sessions.get(hash) : undefined;
    return session ? this.#inUse(session) : this.#loadUserEntry(user).then((loaded) => this.#inUse(loaded?.sessions.get(hash)));
  }

  /** Settings and webhook secrets of an account, or null where there is none. `signingSecrets` selects those that sign now. */
  settings(account: string): AccountSettings | null | Promise<AccountSettings | null> {
    const entry = this.#entries.get(account);
    return entry?.kind === 'settings' ? entry.settings : this.#loadSettings(account);
  }

  /** When a key or session was last used on this node, in milliseconds, or null. */
  lastUse(id: string): number | null {
    return this.#uses.get(id)?.last || null;
  }

  /** Number of cached entries. */
  get size(): number {
    return this.#entries.size;
  }

  /** Must be called for each event of an account and of sessions. Events of other streams cost two comparisons. */
  noteAppended(stream: string, position: Position): void {
    const account = accountIdOf(stream);
    const user = account === null ? userOfSessions(stream) : null;
    if (account === null && user === null) return;
    if (isAfter(position, this.#seen)) this.#seen = position;
    if (account !== null) this.evict(account);
    if (user !== null) this.evictUser(user);
  }

  /** Evicts an account, for changes on this node. */
  evict(account: string): void {
    this.#drops += 1;
    const keys = this.#byAccount.get(account);
    this.#byAccount.delete(account);
    for (const key of keys ?? []) this.#entries.delete(key);
  }

  /** Evicts a user, for changes of sessions on this node. */
  evictUser(user: string): void {
    this.#drops += 1;
    this.#entries.delete(user);
  }

  async #loadKey(hash: string): Promise<Credential | null> {
    const entry = await this.#load(hash, async (): Promise<Extract<Entry, { kind: 'key' }> | null> => {
      const doc = await this.#queries.keyByHash(hash);
      if (!doc) return null;
      const use = this.#useOf(doc.id, doc.last_used_at);
      const credential: Credential = {
        account: doc.account,
        actor: { kind: 'key', id: doc.id },
        scopes: doc.scopes,
        ...(doc.mode && { mode: doc.mode }),
        ...(doc.strict && { strict: doc.strict }),
        role: null,
      };
      return { kind: 'key', of: doc.account, credential, use };
    });
    if (entry) this.#keyUsed(entry.credential, entry.use);
    return entry?.credential ?? null;
  }

  async #loadUser(id: string, tokenVersion: number): Promise<Credential | null> {
    const entry = await this.#loadUserEntry(id);
    return entry && admitted(entry, tokenVersion);
  }

  #loadUserEntry(id: string): Promise<UserEntry | null> {
    return this.#load(id, async (): Promise<UserEntry | null> => {
      const doc = await this.#queries.userDoc(id);
      if (!doc) return null;
      const { account, role, status, token_version } = doc;
      const credential: Credential = { account, actor: { kind: 'user', id }, scopes: roleGrants[role], role };
      const sessions = doc.sessions.map(({ hash, created_at, used_at, id: session }) => {
        const use = this.#useOf(session, used_at);
        return [hash, { created: Date.parse(created_at), credential: { ...credential, session }, use }] as const;
      });
      return { kind: 'user', of: account, credential, active: status === 'active', tokenVersion: token_version, sessions: new Map(sessions) };
    });
  }

  /** The use of a key or session: that on this node, or that on record if it is later. */
  #useOf(id: string, recorded: string | null): Use {
    const at = recorded === null ? 0 : Date.parse(recorded);
    const use = this.#uses.get(id) ?? { last: 0, noted: at };
    use.noted = Math.max(use.noted, at);
    this.#uses.set(id, use);
    return use;
  }

  async #loadSettings(account: string): Promise<AccountSettings | null> {
    const entry = await this.#load(account, async (): Promise<Extract<Entry, { kind: 'settings' }> | null> => {
      const settings = await this.#queries.settings(account);
      return settings && { kind: 'settings', of: account, settings };
    });
    return entry?.settings ?? null;
  }

  /**
   * Reads once the read model is up to date. Caches the result unless an entry was dropped meanwhile. Throws `projection_behind`
   * if nothing is found while the read model is behind, because the resource may be new.
   */
  async #load<E extends Entry>(key: string, read: () => Promise<E | null>): Promise<E | null> {
    const drops = this.#drops;
    const seen = this.#seen;
    const caughtUp = await this.parts.caughtUp(accounts.name);
    const current = seen === 'start' || (await this.parts.views.waitUntilReached(accounts, seen, REACH_MS));
    const entry = await read();
    if (entry && current && drops === this.#drops) this.#remember(key, entry);
    if (!entry && !caughtUp)
      throw new DomainError('projection_behind', 'Accounts that were changed lately are not known here yet. Try again in a second.');
    return entry;
  }

  #remember(key: string, entry: Entry): void {
    this.#entries.set(key, entry);
    const keys = this.#byAccount.get(entry.of);
    if (keys) keys.add(key);
    else this.#byAccount.set(entry.of, new Set([key]));
  }

  #unlist(account: string, key: string): void {
    const keys = this.#byAccount.get(account);
    if (keys?.delete(key) && keys.size === 0) this.#byAccount.delete(account);
  }

  #keyUsed({ account, actor }: Credential, use: Use): void {
    this.#used(use, KEY_USE_INTERVAL_MS, () => this.parts.noteKeyUse(account, actor.id));
  }

  /** Null for a session that has expired, which goes on by no use. */
  #inUse(session: Session | undefined): Credential | null {
    if (!session) return null;
    const { created, credential, use } = session;
    if (sessionExpiry(created, Math.max(use.last, use.noted)) <= this.parts.clock.now()) return null;
    const { account, actor, session: id = '' } = credential;
    this.#used(use, sessionLimits.useIntervalMs, () => this.parts.noteSessionUse(account, actor.id, id));
    return credential;
  }

  #used(use: Use, intervalMs: number, note: () => Promise<unknown>): void {
    const now = this.parts.clock.now();
    use.last = now;
    if (now - use.noted < intervalMs) return;
    use.noted = now;
    note().catch(() => {
      use.noted = now - intervalMs + NOTE_AGAIN_MS;
    });
  }
}

type UserEntry = Extract<Entry, { kind: 'user' }>;

const admitted = (entry: UserEntry, tokenVersion: number): Credential | null =>
  entry.active && entry.tokenVersion === tokenVersion ? entry.credential : null;
