import { expect } from 'chai';
import { type Job, type JobCommand, type JobEvent, type JobTotals, job } from '../../domain/jobs/job.js';
import { specification } from '../given.js';

const { given } = specification(job);
const now = '2026-01-15T12:00:00.000Z';
const later = '2026-01-16T12:00:00.000Z';
const about = { job_id: 'job_1', at: now };
const totals: JobTotals = { chunks: 2, done: 4, counts: { created: 3 }, errors: 1 };

const begin: JobCommand = { type: 'Begin', job_id: 'job_1', kind: 'test', params: { a: 1 }, now };
const accept: JobCommand = { type: 'Accept', total: 4, chunks: 2, by: 'process', now };
const abandon: JobCommand = { type: 'Abandon', now };
const start: JobCommand = { type: 'Start', now };
const cancel: JobCommand = { type: 'Cancel', now };
const finish = (outcome: 'completed' | 'canceled'): JobCommand => ({ type: 'Finish', outcome, ...totals, keep_until: later, now });
const fail: JobCommand = { type: 'Fail', reason: 'dropped', ...totals, now };
const forget: JobCommand = { type: 'Forget', now };

const begun: JobEvent = { type: 'JobBegun', data: { ...about, kind: 'test', params: { a: 1 } } };
const accepted: JobEvent = { type: 'JobAccepted', data: { ...about, kind: 'test', total: 4, chunks: 2, by: 'process' } };
const started: JobEvent = { type: 'JobStarted', data: about };
const cancelRequested: JobEvent = { type: 'JobCancelRequested', data: about };
const finished = (status: 'completed' | 'canceled'): JobEvent => ({
  type: 'JobFinished',
  data: { ...about, kind: 'test', status, ...totals, reason: null, keep_until: later },
});
const failed: JobEvent = { type: 'JobFinished', data: { ...about, kind: 'test', status: 'failed', ...totals, reason: 'dropped', keep_until: now } };
const abandoned: JobEvent = {
  type: 'JobFinished',
  data: { ...about, kind: 'test', status: 'abandoned', chunks: 0, done: 0, counts: {}, errors: 0, reason: null, keep_until: now },
};
const forgotten: JobEvent = { type: 'JobContentForgotten', data: about };

/** The events after which a job has a status. */
const pasts: Readonly<Record<Exclude<Job['status'], 'new'>, readonly JobEvent[]>> = {
  receiving: [begun],
  abandoned: [begun, abandoned],
  accepted: [begun, accepted],
  canceling: [begun, accepted, cancelRequested],
  completed: [begun, accepted, finished('completed')],
  canceled: [begun, accepted, cancelRequested, finished('canceled')],
  failed: [begun, accepted, failed],
};
type Status = keyof typeof pasts;
const statuses = Object.keys(pasts) as Status[];
const others = (...some: Status[]): Status[] => statuses.filter((status) => !some.includes(status));
const whenIs = (status: Status) => given(...pasts[status]);

describe('Job', () => {
  for (const status of statuses)
    it(`is ${status} after its events`, () => expect(whenIs(status).state()).to.deep.include({ status, id: 'job_1', kind: 'test', created_at: now }));

  it('begins once', () => {
    given().when(begin).then(begun);
    for (const status of statuses) whenIs(status).when(begin).thenNothing();
  });
  it('changes nothing by any other command before it begins', () => {
    for (const command of [accept, abandon, start, cancel, finish('completed'), fail, forget]) given().when(command).thenNothing();
  });
  it('is accepted once its input is stored', () => {
    whenIs('receiving').when(accept).then(accepted);
    whenIs('abandoned').when(accept).thenRefused('conflict');
    for (const status of others('receiving', 'abandoned')) whenIs(status).when(accept).thenNothing();
  });
  it('is abandoned only while its input arrives', () => {
    whenIs('receiving').when(abandon).then(abandoned);
    for (const status of others('receiving')) whenIs(status).when(abandon).thenNothing();
  });
  it('starts once, while it is not over', () => {
    for (const status of ['accepted', 'canceling'] as const) {
      whenIs(status).when(start).then(started);
      given(...pasts[status], started)
        .when(start)
        .thenNothing();
    }
    for (const status of others('accepted', 'canceling')) whenIs(status).when(start).thenNothing();
  });
  it('is canceled only while it is not over', () => {
    whenIs('accepted').when(cancel).then(cancelRequested);
    for (const status of ['canceling', 'canceled'] as const) whenIs(status).when(cancel).thenNothing();
    for (const status of others('accepted', 'canceling', 'canceled')) whenIs(status).when(cancel).thenRefused('invalid_state', { current: status });
  });
  it('completes, or ends with its cancellation, once', () => {
    for (const status of ['accepted', 'canceling'] as const) {
      whenIs(status).when(finish('completed')).then(finished('completed'));
      whenIs(status).when(finish('canceled')).then(finished('canceled'));
    }
    for (const status of others('accepted', 'canceling')) whenIs(status).when(finish('completed')).thenNothing();
  });
  it('fails with a reason', () => {
    for (const status of ['accepted', 'canceling'] as const) whenIs(status).when(fail).then(failed);
    for (const status of others('accepted', 'canceling')) whenIs(status).when(fail).thenNothing();
    expect(whenIs('failed').state()).to.deep.include({ ...{ done: 4, counts: { created: 3 }, errors: 1 }, reason: 'dropped' });
  });
  it('records once that its content is destroyed, when it is over', () => {
    for (const status of ['abandoned', 'completed', 'canceled', 'failed'] as const) {
      whenIs(status).when(forget).then(forgotten);
      given(...pasts[status], forgotten)
        .when(forget)
        .thenNothing();
    }
    for (const status of ['receiving', 'accepted', 'canceling'] as const) whenIs(status).when(forget).thenNothing();
  });
});
