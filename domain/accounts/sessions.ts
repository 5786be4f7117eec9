/**
 * The sessions of one user: the browsers that have signed in, each by a cookie. A stream of its own, since the account's would fill with
 * them. A new password and a disabled user end sessions, too: those are events of the account, and a session belongs to one version of its
 * user's tokens.
 */
import type { SealedAggregate } from '../kernel/aggregate.js';
import { notFound } from '../kernel/errors.js';
import { type EventOf, eventType } from '../kernel/event.js';
import { count, flag, named, nullable, oneOf, record, type Static, text, time } from '../kernel/schema.js';

// Events

const ids = { user_id: text, session_id: text };

/** `hash` is the SHA-256 of the cookie's secret, which is stored nowhere. `token_version`: that of the user at the sign-in. */
export const SessionStarted = eventType(
  'SessionStarted',
  record({ ...ids, hash: text, token_version: count, ip: text, user_agent: nullable(text), at: time }),
  { personal: { subject: 'user_id', fields: ['ip', 'user_agent'] } },
);
export const SessionUsed = eventType('SessionUsed', record({ ...ids, at: time }));
/** `signed_out` by its own browser, `ended` from another place, `replaced` by a later sign-in. */
export const SessionEnded = eventType('SessionEnded', record({ ...ids, reason: oneOf('signed_out', 'ended', 'replaced'), at: time }));

export const userSessionsEvents = [SessionStarted, SessionUsed, SessionEnded] as const;
export type UserSessionsEvent = EventOf<(typeof userSessionsEvents)[number]>;
export type SessionEndReason = EventOf<typeof SessionEnded>['data']['reason'];

// State

/** When a session began and was last used. */
export interface SessionTimes {
  readonly created_at: string;
  readonly used_at: string;
}

/** `idleMs`: without any use. `ageMs`: in all. `useIntervalMs`: uses so soon after a recorded one are not recorded. */
export const sessionLimits = { idleMs: 12 * 3_600_000, ageMs: 30 * 86_400_000, useIntervalMs: 600_000, perUser: 50 } as const;

/** When a session ends unless it is used before, in milliseconds since 1970. */
export const sessionExpiry = (createdMs: number, usedMs: number): number => Math.min(usedMs + sessionLimits.idleMs, createdMs + sessionLimits.ageMs);

/** Those of a user's sessions that have not expired. */
export const unexpired = <S extends SessionTimes>(sessions: Iterable<S>, now: string): S[] =>
  [...sessions].filter(({ created_at, used_at }) => sessionExpiry(Date.parse(created_at), Date.parse(used_at)) > Date.parse(now));

interface OpenSession extends SessionTimes {
  readonly id: string;
}

/** The least recently used first. `ended`: ids of the latest ones that were ended, which may be ended once more. */
export interface UserSessions {
  readonly open: readonly OpenSession[];
  readonly ended: readonly string[];
}

const MAX_ENDED = 100;

export function evolve({ open, ended }: UserSessions, event: UserSessionsEvent): UserSessions {
  const { session_id: id, at } = event.data;
  const others = open.filter((session) => session.id !== id);
  switch (event.type) {
    case 'SessionStarted':
      return { open: [...unexpired(others, at), { id, created_at: at, used_at: at }], ended };
    case 'SessionUsed':
      return { open: [...others, ...open.filter((session) => session.id === id).map((session) => ({ ...session, used_at: at }))], ended };
    case 'SessionEnded':
      return { open: others, ended: [...ended.slice(1 - MAX_ENDED), id] };
    default:
      return event satisfies never;
  }
}

// Commands

export type NewSession = Omit<EventOf<typeof SessionStarted>['data'], 'at'>;

export type UserSessionsCommand =
  /** `replaces`: the session of the same browser, if it has one. */
  | { type: 'StartSession'; session: NewSession; replaces: string | null; now: string }
  | { type: 'NoteSessionUse'; user_id: string; session_id: string; now: string }
  | { type: 'EndSession'; user_id: string; session_id: string; reason: SessionEndReason; now: string };
type Of<T extends UserSessionsCommand['type']> = Extract<UserSessionsCommand, { type: T }>;

export function decide(command: UserSessionsCommand, sessions: UserSessions): readonly UserSessionsEvent[] {
  switch (command.type) {
    case 'StartSession':
      return start(command, sessions);
    case 'NoteSessionUse':
      return noteUse(command, sessions);
    case 'EndSession':
      return end(command, sessions);
    default:
      return command satisfies never;
  }
}

/** Above the limit the least recently used ones end. */
function start({ session, replaces, now: at }: Of<'StartSession'>, { open, ended }: UserSessions): readonly UserSessionsEvent[] {
  const { user_id, session_id } = session;
  if (open.some(({ id }) => id === session_id) || ended.includes(session_id)) return [];
  const live = unexpired(open, at);
  const others = live.filter(({ id }) => id !== replaces);
  const leaving = [...live.filter(({ id }) => id === replaces), ...others.slice(0, Math.max(0, others.length + 1 - sessionLimits.perUser))];
  return [
    ...leaving.map(({ id }) => ({ type: 'SessionEnded', data: { user_id, session_id: id, reason: 'replaced', at } }) as const),
    { type: 'SessionStarted', data: { ...session, at } },
  ];
}

function noteUse({ user_id, session_id, now: at }: Of<'NoteSessionUse'>, { open }: UserSessions): readonly UserSessionsEvent[] {
  const session = unexpired(open, at).find(({ id }) => id === session_id);
  if (!session || Date.parse(at) - Date.parse(session.used_at) < sessionLimits.useIntervalMs) return [];
  return [{ type: 'SessionUsed', data: { user_id, session_id, at } }];
}

function end({ user_id, session_id, reason, now: at }: Of<'EndSession'>, { open, ended }: UserSessions): readonly UserSessionsEvent[] {
  if (ended.includes(session_id)) return [];
  if (!open.some(({ id }) => id === session_id)) throw notFound('session', session_id);
  return [{ type: 'SessionEnded', data: { user_id, session_id, reason, at } }];
}

// Stream

/** What the names of all these streams begin with. */
export const userSessionsPrefix = 'userSessions-';
export const userSessionsStream = (userId: string) => `${userSessionsPrefix}${userId}`;
/** The user of such a stream, or null where the stream is another one. */
export const userOfSessions = (stream: string): string | null =>
  stream.startsWith(userSessionsPrefix) ? stream.slice(userSessionsPrefix.length) : null;

export const userSessions: SealedAggregate<UserSessions, UserSessionsCommand, UserSessionsEvent> = {
  stream: userSessionsStream,
  events: userSessionsEvents,
  snapshots: { name: 'userSessions', version: 1 },
  initial: { open: [], ended: [] },
  evolve,
  decide,
};

// As the API shows it

/** `last_used_at` is exact while the server runs, and exact to ten minutes after a restart. */
export const sessionResource = named(
  'Session',
  record({ id: text, current: flag, ip: text, user_agent: nullable(text), created_at: time, last_used_at: time, expires_at: time }),
);
export type SessionResource = Static<typeof sessionResource>;
