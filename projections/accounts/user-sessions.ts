import { type SessionStarted, type SessionTimes, type UserSessionsEvent, unexpired } from '../../domain/accounts/sessions.js';
import type { SealedEventOf } from '../../domain/kernel/event.js';

/** A session in the document of its user. `box`: the sealed box with its address and user agent. */
export interface SessionEntry extends SessionTimes {
  readonly id: string;
  readonly hash: string;
  readonly box: string;
}

type SessionEvent = SealedEventOf<typeof SessionStarted> | Exclude<UserSessionsEvent, { type: 'SessionStarted' }>;

/** The sessions of a user after one more event, without those that have expired by then. One of an earlier version of the tokens never begins. */
export function sessionsAfter({ type, data }: SessionEvent, sessions: readonly SessionEntry[], tokenVersion: number): readonly SessionEntry[] {
  const { session_id: id, at } = data;
  if (type === 'SessionEnded') return sessions.filter((session) => session.id !== id);
  if (type === 'SessionUsed') return sessions.map((session) => (session.id === id ? { ...session, used_at: at } : session));
  const live = unexpired(sessions, at);
  return data.token_version === tokenVersion ? [...live, { id, hash: data.hash, box: data.sealed, created_at: at, used_at: at }] : live;
}
