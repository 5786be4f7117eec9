import { expect } from 'chai';
import type { EnrollmentFacts, JourneyFacts } from './capabilities/journey-facts.js';
import { pathProblems } from './capabilities/journey-paths.js';

const TRIGGER = { id: 't', kind: 'trigger', on: { type: 'event', event: 'visit' }, next: 'n0' };
const WAIT = {
  id: 'n0',
  kind: 'wait',
  for: [{ id: 'met', on: { type: 'event', event: 'purchase' }, next: 'n1' }],
  timeout: 'PT9H',
  on_timeout: null,
};
const DELAY = { id: 'n1', kind: 'delay', mode: 'duration', duration: 'PT1H', next: null };
const definition = { start: 't', nodes: [TRIGGER, WAIT, DELAY], settings: { exit_when: [{ type: 'event', event: 'login' }], goal: null } };
/** The next version, which is left by another event. */
const changed = { ...definition, settings: { exit_when: [{ type: 'event', event: 'logout' }], goal: null } };

/** Recorded at this minute, at this place of the log. */
const recorded = (position: number, minute: number, type: string, data: object) => ({
  position: String(position).padStart(20, '0'),
  event: { type, data: { at: new Date(minute * 60_000).toISOString(), ...data } },
  meta: {},
});
const custom = (position: number, minute: number, name: string) =>
  recorded(position, minute, 'CustomEventRecorded', { name, event_id: `evt_${position}` });

const START = { journey_id: 'jrn_1', version: 1, next: 'n0', contact_id: 'con_1', expires_at: null, trigger: { type: 'event', event_id: null } };
const waiting = [
  recorded(1, 0, 'EnrollmentStarted', START),
  recorded(2, 0, 'EnrollmentNodeEntered', { node_id: 'n0', visit: 1 }),
  recorded(3, 0, 'EnrollmentTimerSet', { node_id: 'n0', due_at: new Date(9 * 3_600_000).toISOString() }),
];
const metBy = (position: number, minute: number, by: number) =>
  recorded(position, minute, 'EnrollmentBranchTaken', { node_id: 'n0', branch: 'branch:met', event_id: `evt_${by}`, next: 'n1' });
const entered = (position: number, minute: number) => recorded(position, minute, 'EnrollmentNodeEntered', { node_id: 'n1', visit: 1 });
const migrated = (position: number, minute: number) =>
  recorded(position, minute, 'EnrollmentMigrated', { version: 2, node_id: 'n0', next: null, due_at: new Date(9 * 3_600_000).toISOString() });
const left = (position: number, minute: number, by: number) =>
  recorded(position, minute, 'EnrollmentExited', { reason: 'exit_rule', event_id: `evt_${by}` });

function problemsOf(happened: readonly object[], steps: readonly object[]): readonly string[] {
  const published = [definition, changed].map((one, i) => recorded(0, 0, 'JourneyPublished', { version: i + 1, definition: one }));
  const enrollment = { id: 'enr_1', start: START, plain: true, since: '', records: [...waiting, ...steps] } as unknown as EnrollmentFacts;
  const facts = { enrollments: [enrollment], journeys: new Map([['jrn_1', published]]), custom: new Map([['con_1', happened]]), slackMs: 120_000 };
  return pathProblems(facts as unknown as JourneyFacts, enrollment);
}

describe('the way of an enrollment', () => {
  it('may go on late by what happened before its end, where no node had the lease meanwhile', () => {
    const happened = [custom(4, 1, 'purchase'), custom(5, 2, 'login')];
    expect(problemsOf(happened, [metBy(6, 8, 4), entered(7, 8), left(8, 8, 5)])).to.deep.equal([]);
  });

  it('does not end by what a test key says', () => {
    const tried = { ...custom(4, 1, 'login'), meta: { test: true } };
    const happened = [tried, custom(5, 60, 'purchase'), custom(8, 61, 'login')];
    expect(problemsOf(happened, [metBy(6, 60, 5), entered(7, 60), left(9, 61, 8)])).to.deep.equal([]);
  });

  it('must not go on long after what ended it', () => {
    const happened = [custom(4, 1, 'purchase'), custom(6, 2, 'login')];
    const [problem] = problemsOf(happened, [metBy(5, 1, 4), entered(7, 8), left(8, 8, 6)]);
    expect(problem).to.contain('goes on by EnrollmentNodeEntered after login (evt_6)');
  });

  it('must not go on long after it has caught up', () => {
    const happened = [custom(4, 1, 'purchase'), custom(5, 2, 'login')];
    const [problem] = problemsOf(happened, [metBy(6, 8, 4), entered(7, 14), left(8, 14, 5)]);
    expect(problem).to.contain('goes on by EnrollmentNodeEntered after login (evt_5)');
  });

  it('ends by what its version says, and not by what happened before that version', () => {
    const happened = [custom(4, 1, 'logout'), custom(6, 20, 'logout')];
    expect(problemsOf(happened, [migrated(5, 10), left(7, 20, 6)])).to.deep.equal([]);
    const [problem] = problemsOf(happened, [migrated(5, 10), left(7, 20, 4)]);
    expect(problem).to.contain('leaves by evt_4, not by evt_6');
  });

  it('ends by what its version says when that happens, although the next version does not say so', () => {
    const happened = [custom(4, 9, 'login')];
    expect(problemsOf(happened, [migrated(5, 10), left(6, 10, 4)])).to.deep.equal([]);
  });
});
