import { expect } from 'chai';
import { type NewSession, sessionLimits, type UserSessionsEvent, userSessions } from '../../domain/accounts/sessions.js';
import { specification } from '../given.js';

const { given } = specification(userSessions);
const BEGIN = Date.parse('2026-01-15T10:30:00.000Z');
const HOUR = 3_600_000;
const user_id = 'usr_1';
/** So long after the beginning, in milliseconds. */
const after = (ms: number): string => new Date(BEGIN + ms).toISOString();
const session = (id: string): NewSession => ({
  ...{ user_id, session_id: id, hash: `hash of ${id}`, token_version: 1 },
  ...{ ip: '192.0.2.1', user_agent: 'Firefox' },
});
const started = (id: string, ms = 0): UserSessionsEvent => ({ type: 'SessionStarted', data: { ...session(id), at: after(ms) } });
const used = (id: string, ms: number): UserSessionsEvent => ({ type: 'SessionUsed', data: { user_id, session_id: id, at: after(ms) } });
const ended = (id: string, reason: 'signed_out' | 'ended' | 'replaced', ms: number): UserSessionsEvent => ({
  type: 'SessionEnded',
  data: { user_id, session_id: id, reason, at: after(ms) },
});
const start = (id: string, ms: number, replaces: string | null = null) =>
  ({ type: 'StartSession', session: session(id), replaces, now: after(ms) }) as const;
const note = (id: string, ms: number) => ({ type: 'NoteSessionUse', user_id, session_id: id, now: after(ms) }) as const;
const end = (id: string, ms: number) => ({ type: 'EndSession', user_id, session_id: id, reason: 'ended', now: after(ms) }) as const;

describe('the sessions of a user', () => {
  it('start once', () => {
    given().when(start('a', 0)).then(started('a'));
    given(started('a')).when(start('a', 1)).thenNothing();
    given(started('a'), ended('a', 'ended', 1))
      .when(start('a', 2))
      .thenNothing();
  });

  it('end where the same browser signs in again', () => {
    given(started('a'), started('b'))
      .when(start('c', 5, 'a'))
      .then(ended('a', 'replaced', 5), started('c', 5));
    given(started('b'))
      .when(start('c', 5, 'gone'))
      .then(started('c', 5));
  });

  it('are limited in number: the least recently used one ends', () => {
    const { perUser } = sessionLimits;
    const many = Array.from({ length: perUser }, (_, i) => started(`s${i}`, i));
    given(...many.slice(1))
      .when(start('new', HOUR))
      .then(started('new', HOUR));
    given(...many)
      .when(start('new', HOUR))
      .then(ended('s0', 'replaced', HOUR), started('new', HOUR));
    given(...many, used('s0', HOUR))
      .when(start('new', HOUR))
      .then(ended('s1', 'replaced', HOUR), started('new', HOUR));
    given(...many)
      .when(start('new', HOUR, 's7'))
      .then(ended('s7', 'replaced', HOUR), started('new', HOUR));
  });

  it('do not count once they have expired', () => {
    const many = Array.from({ length: sessionLimits.perUser }, (_, i) => started(`s${i}`));
    given(...many)
      .when(start('new', sessionLimits.idleMs))
      .then(started('new', sessionLimits.idleMs));
    expect(
      given(...many, started('new', sessionLimits.idleMs))
        .state()
        .open.map(({ id }) => id),
    ).to.deep.equal(['new']);
  });

  it('are noted as used at most every ten minutes', () => {
    given(started('a')).when(note('a', 599_999)).thenNothing();
    given(started('a')).when(note('a', 600_000)).then(used('a', 600_000));
    given(started('a'), used('a', 600_000)).when(note('a', 1_199_999)).thenNothing();
    given().when(note('a', 0)).thenNothing();
  });

  it('expire after 12 hours without use, and after 30 days in any case', () => {
    given(started('a'))
      .when(note('a', 12 * HOUR - 1))
      .then(used('a', 12 * HOUR - 1));
    given(started('a'))
      .when(note('a', 12 * HOUR))
      .thenNothing();
    const busy = Array.from({ length: 71 }, (_, i) => used('a', (i + 1) * 10 * HOUR));
    given(started('a'), ...busy)
      .when(note('a', 720 * HOUR - 1))
      .then(used('a', 720 * HOUR - 1));
    given(started('a'), ...busy)
      .when(note('a', 720 * HOUR))
      .thenNothing();
  });

  it('end once', () => {
    given(started('a'), started('b'))
      .when(end('a', 1))
      .then(ended('a', 'ended', 1));
    given(started('a'), ended('a', 'signed_out', 1))
      .when(end('a', 2))
      .thenNothing();
    given(started('a')).when(end('b', 1)).thenRefused('not_found', { resource: 'session', id: 'b' });
  });
});
