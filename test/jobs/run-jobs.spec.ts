import { expect } from 'chai';
import { cancelJob } from '../../commands/jobs/change-job.js';
import type { JobKind } from '../../commands/jobs/kind.js';
import { type NewJob, storeJob } from '../../commands/jobs/store-job.js';
import { workOnJob } from '../../commands/jobs/work-on-job.js';
import { internalCommand } from '../../commands/runtime/command.js';
import { jobInputStream, jobOutputStream, jobResultsStream, jobStream } from '../../domain/jobs/job.js';
import { findJob, loadJobProgress, totalsOf } from '../../log/aggregates/jobs/load-job.js';
import { readOutput } from '../../log/aggregates/jobs/read-output.js';
import { type JobTodo, runJobs } from '../../processes/jobs/run-jobs.js';
import { ACCOUNT, TestApp } from '../support/test-app.js';
import { withAppend } from '../support/with-append.js';

type Item = { readonly n: number };
const DAY = 86_400_000;

/** Adds numbers of its input; a negative one is a problem. */
const adding: JobKind<object, Item> = {
  kind: 'adding',
  lane: 'sums',
  priority: 1,
  cancelable: true,
  keepMs: 0,
  work: async (_, { items }) => {
    const wrong = items.filter(({ n }) => n < 0);
    return {
      done: items.length,
      counts: { sum: items.reduce((sum, { n }) => sum + Math.max(0, n), 0) },
      errors: wrong.map(({ n }) => ({ row: -n, field: 'n', code: 'negative', message: 'This number is negative.' })),
    };
  },
};
/** Counts up to a number, without input, and outputs what it has counted. */
const counting: JobKind<{ readonly to: number }> = {
  kind: 'counting',
  lane: 'counts',
  priority: 2,
  cancelable: false,
  keepMs: DAY,
  work: async (_, { params, from }) => {
    const n = Number(from ?? 0) + 1;
    const output = [{ subject: `subject-${n}`, text: `${n}\n` }];
    return { done: 1, counts: {}, errors: [], output, next: n < params.to ? String(n) : null };
  },
};
const failing: JobKind = { ...counting, kind: 'failing', lane: 'failures', work: () => Promise.reject(new Error('always')) };
/** Outputs one long text. */
const LONG = `"${'€😀\n'.repeat(60_000)}`;
const writing: JobKind = {
  ...counting,
  kind: 'writing',
  work: async () => ({
    done: 1,
    counts: {},
    errors: [],
    output: [
      { subject: 'a', text: LONG },
      { subject: 'b', text: 'end' },
    ],
  }),
};
/** Adds like the other one. A later job could revert it. */
const revertible: JobKind<object, Item> = { ...adding, kind: 'revertible', revertible: true };
/** Does one chunk every 700 ms. */
const PAUSE = 700;
const pausing: JobKind = {
  ...counting,
  kind: 'pausing',
  work: async ({ now }, { from }) => {
    const not_before = Number(from ?? 0);
    return not_before > Date.parse(now) ? { not_before } : { done: 1, counts: {}, errors: [], next: String(Date.parse(now) + PAUSE) };
  },
};
const kinds = [adding, revertible, counting, failing, writing, pausing];

const beginJob = internalCommand({
  name: 'BeginTestJob',
  async handle(given: Omit<NewJob, 'job_id'>, context) {
    return storeJob(context, { ...given, job_id: context.newId('job') });
  },
});
async function* chunked(...chunks: readonly (readonly number[])[]): AsyncGenerator<Record<string, unknown>[]> {
  for (const chunk of chunks) yield chunk.map((n) => ({ n }));
}

describe('a job', () => {
  let app: TestApp;
  const process = runJobs({ kinds, destroyKey: (subject) => app.vault.erase(subject), tuning: { jobs: { sliceMs: 0 } } });
  beforeEach(() => {
    app = new TestApp([process], { jobs: { kinds } });
  });

  const begin = async (kind: string, params: Record<string, unknown>, chunks: NewJob['chunks'] = null): Promise<string> => {
    const { output } = await app.execute(beginJob, { kind, params, chunks });
    if (!output) throw new Error('the input is empty');
    return output.job_id;
  };
  const shown = (id: string) => findJob(app.log, ACCOUNT, id);
  const outputOf = async (id: string) => {
    const texts: string[] = [];
    for await (const text of readOutput(app.log, id)) texts.push(text);
    return texts.join('');
  };
  /** Works on the next chunk, with an interruption before its result is recorded. */
  const beforeResults = (id: string, interrupt: () => Promise<unknown>) =>
    app
      .nodeOver(
        withAppend(app.engine.events, async (...given) => {
          if (given[0] === jobResultsStream(id)) await interrupt();
          return app.engine.events.append(...given);
        }),
      )
      .execute(workOnJob, { job_id: id });
  const todoOf = async (id: string) => (await app.todos()).map(({ todo }) => todo as JobTodo).find((todo) => todo.id === id);

  it('works on its chunks and adds their results', async () => {
    const id = await begin('adding', {}, chunked([1, 2], [3, -4]));
    await app.run();
    expect(await shown(id)).to.deep.include({ status: 'completed', total: 4, done: 4, counts: { sum: 6 }, errors: 1 });
  });

  it('makes its input unreadable once it is over', async () => {
    const id = await begin('adding', {}, chunked([1]));
    expect((await app.log.read(jobInputStream(id)))?.[0]?.event.data).to.deep.include({ items: [{ n: 1 }] });
    await app.run();
    expect((await app.log.read(jobInputStream(id)))?.[0]?.event.data).to.deep.include({ items: [] });
    expect(await app.history(jobStream(id))).to.deep.equal(['JobBegun', 'JobAccepted', 'JobFinished', 'JobContentForgotten']);
    expect(await app.todos()).to.deep.equal([]);
  });

  it('goes on without input until nothing is left, and keeps its output for its time', async () => {
    const id = await begin('counting', { to: 3 });
    await app.run(DAY - 1_000);
    expect(await shown(id)).to.deep.include({ status: 'completed', total: null, done: 3, forgotten: false });
    expect(await outputOf(id)).to.equal('1\n2\n3\n');
    await app.run(2_000);
    expect(await shown(id)).to.deep.include({ forgotten: true });
    expect(await outputOf(id)).to.equal('');
  });

  it('is tried again at the time before which nothing is to be done', async () => {
    const id = await begin('pausing', {});
    const perform = async () => {
      const [outcome] = await process.perform([(await todoOf(id)) as JobTodo], {
        ...{
          log: app.log,
          clock: app.clock,
          epoch: 1,
          tenure: { since: 1, ended: new AbortController().signal },
          signal: new AbortController().signal,
          caughtUp: async () => true,
        },
        execute: (command, input, { about, ...cause }) =>
          app.execute(command, input, { ...cause, actor: { kind: 'process', id: process.name }, invocation: about }),
      });
      return outcome;
    };
    for (const done of [1, 2, 3]) {
      expect(await perform())
        .to.be.a('string')
        .and.not.equal('start');
      const until = app.clock.now() + PAUSE;
      await app.clock.advance(PAUSE / 2);
      expect(await perform()).to.deep.equal({ retry_at: until });
      expect(totalsOf(await loadJobProgress(app.log, id)).done).to.equal(done);
      await app.clock.advance(PAUSE / 2);
    }
  });

  it('divides long output into events that every store takes', async () => {
    const id = await begin('writing', {});
    await app.run(1_000);
    expect(await outputOf(id)).to.equal(`${LONG}end`);
    const stored = await app.engine.events.read(jobOutputStream(id));
    const sizes = (stored === 'not-found' ? [] : stored).map(({ data }) => data.length);
    expect(sizes.length).to.be.greaterThan(2);
    expect(Math.max(...sizes)).to.be.lessThan(500_000);
    await app.vault.erase('a');
    expect(await outputOf(id)).to.equal('end');
  });

  it('leaves out of its output whoever was erased', async () => {
    const id = await begin('counting', { to: 3 });
    await app.run(1_000);
    await app.vault.erase('subject-2');
    expect(await outputOf(id)).to.equal('1\n3\n');
  });

  it('stops between chunks when it is canceled', async () => {
    const id = await begin('adding', {}, chunked([1], [2], [3]));
    await app.execute(workOnJob, { job_id: id });
    await app.execute(cancelJob, { job_id: id });
    await app.run();
    expect(await shown(id)).to.deep.include({ status: 'canceled', done: 1, counts: { sum: 1 } });
  });

  it('does the chunk in which it was interrupted before it is canceled, where it can be reverted', async () => {
    const id = await begin('revertible', {}, chunked([1], [2], [3]));
    await app.execute(workOnJob, { job_id: id });
    const killed = beforeResults(id, () => Promise.reject(new Error('killed')));
    expect(await killed.catch(({ message }) => message)).to.equal('killed');
    await app.execute(cancelJob, { job_id: id });
    await app.run();
    expect(await shown(id)).to.deep.include({ status: 'canceled', done: 2, counts: { sum: 3 } });
  });

  it('does none of its chunks when it is canceled before it has started', async () => {
    const id = await begin('revertible', {}, chunked([1], [2]));
    await app.execute(cancelJob, { job_id: id });
    await app.run();
    expect(await shown(id)).to.deep.include({ status: 'canceled', done: 0, started: false });
  });

  it('does no further chunk when it is canceled in one that is recorded', async () => {
    const id = await begin('revertible', {}, chunked([1], [2], [3]));
    await beforeResults(id, () => app.execute(cancelJob, { job_id: id }));
    await app.run();
    expect(await shown(id)).to.deep.include({ status: 'canceled', done: 1, counts: { sum: 1 } });
  });

  it('is not canceled where its kind does not allow it', async () => {
    const id = await begin('counting', { to: 3 });
    const refusal = await app.execute(cancelJob, { job_id: id }).catch((e) => e);
    expect(refusal.code).to.equal('invalid_state');
  });

  it('is abandoned if its input does not all arrive', async () => {
    const broken = async function* () {
      yield [{ n: 1 }];
      throw new Error('the client went away');
    };
    await begin('adding', {}, broken()).catch(() => {});
    const id = (await app.todos())[0]?.todo.id as string;
    await app.run(2 * 3_600_000);
    expect(await app.history(jobStream(id))).to.deep.equal(['JobBegun', 'JobFinished', 'JobContentForgotten']);
    expect(await shown(id).catch(({ code }) => code)).to.equal('not_found');
  });

  it('fails when an operator drops its parked work', async () => {
    const id = await begin('failing', {});
    const todo = (await todoOf(id)) as JobTodo;
    const execute = (command: never, input: never) => app.execute(command, input);
    await process.drop?.(todo, { execute } as unknown as Parameters<typeof process.perform>[1]);
    expect(await shown(id)).to.deep.include({ status: 'failed', reason: 'dropped' });
  });

  it('is done before the next one of its lane, whichever has its turn', async () => {
    const first = await begin('adding', {}, chunked([1], [2], [3]));
    const second = await begin('adding', {}, chunked([4], [5]));
    const order: string[] = [];
    const noted = app.nodeOver(
      withAppend(app.engine.events, async (...given) => {
        const [stream] = given;
        if (stream.startsWith('jobResults-')) order.push(stream);
        return app.engine.events.append(...given);
      }),
    );
    const performing = { clock: app.clock, epoch: 1, signal: new AbortController().signal };
    const execute = (command: never, input: never, { about, ...from }: { about: string; account: string; correlation: string }) =>
      noted.execute(command, input, { ...from, invocation: about });
    for (let turn = 0; turn < 20 && order.length < 5; turn++) {
      for (const id of [first, second]) {
        const todo = (await todoOf(id)) as JobTodo;
        if (todo.step === 'work') await process.perform([todo], { ...performing, execute } as unknown as Parameters<typeof process.perform>[1]);
      }
    }
    expect(order).to.deep.equal([...Array(3).fill(`jobResults-${first}`), ...Array(2).fill(`jobResults-${second}`)]);
  });

  it('counts each chunk once when several nodes work on it, killed after any append', async () => {
    for (let appends = 0; appends < 9; appends++) {
      app = new TestApp([process], { jobs: { kinds } });
      const sums = await begin('adding', {}, chunked([1, 2], [3], [4]));
      const counts = await begin('counting', { to: 3 });
      let left = appends;
      const killed = app.nodeOver(
        withAppend(app.engine.events, async (...given) => {
          if (left-- <= 0) throw new Error('killed');
          return app.engine.events.append(...given);
        }),
      );
      const work = async (node: Pick<TestApp, 'execute'>, job_id: string) => {
        while ((await node.execute(workOnJob, { job_id })).output.work === 'going_on');
      };
      await Promise.allSettled([work(killed, sums), work(killed, counts), work(app, sums), work(app, counts)]);
      await app.run(1_000);
      expect(await shown(sums), `after ${appends} appends`).to.deep.include({ status: 'completed', done: 4, counts: { sum: 10 } });
      expect(await shown(counts)).to.deep.include({ status: 'completed', done: 3 });
      expect(await outputOf(counts)).to.equal('1\n2\n3\n');
    }
  });
});
