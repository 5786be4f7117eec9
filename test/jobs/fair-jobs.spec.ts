import { expect } from 'chai';
import type { JobKind } from '../../commands/jobs/kind.js';
import { storeJob } from '../../commands/jobs/store-job.js';
import { type Dispatcher, internalCommand } from '../../commands/runtime/command.js';
import { runJobs } from '../../processes/jobs/run-jobs.js';
import { runProcesses } from '../../processes/runtime/runner.js';
import { todoList } from '../../processes/runtime/todo-list.js';
import { runProjections } from '../../projections/runtime/runner.js';
import { system } from '../support/system.js';
import { TestApp } from '../support/test-app.js';
import { uncontendedLeases } from '../support/uncontended-leases.js';

const beginJob = internalCommand({
  name: 'BeginTestJob',
  async handle({ to }: { readonly to: number }, context) {
    return storeJob(context, { job_id: context.newId('job'), kind: 'counting', params: { to }, chunks: null });
  },
});

describe('the jobs of many accounts', () => {
  it('take turns: those of the last account end although those of more accounts than there are places never do', async () => {
    const order: string[] = [];
    let notify = () => {};
    const counting: JobKind<{ readonly to: number }> = {
      ...{ kind: 'counting', lane: 'counts', priority: 2, cancelable: true, keepMs: 0 },
      async work({ cause }, { params, from }) {
        const n = Number(from ?? 0) + 1;
        order.push(`${cause.account}/${n}`);
        notify();
        return { done: 1, counts: {}, errors: [], next: n < params.to ? String(n) : null };
      },
    };
    const app = new TestApp([], { jobs: { kinds: [counting] } });
    const process = runJobs({ kinds: [counting], destroyKey: async () => {}, tuning: { jobs: { sliceMs: 0 } } });
    const begin = (account: string, to: number) => app.execute(beginJob, { to }, { account });
    for (let n = 0; n < 12; n++) await begin(`acc_LONG${n}`, 1_000_000);
    await begin('acc_SHORT', 3);
    const ending = new AbortController();
    const { leases } = uncontendedLeases();
    const dispatcher = { execute: app.execute.bind(app) } as unknown as Dispatcher;
    const running = Promise.all([
      runProjections([todoList(process)], { log: app.log, views: app.views, ...uncontendedLeases() }, ending.signal),
      runProcesses([process], { log: app.log, views: app.views, leases, dispatcher, clock: system.clock }, ending.signal),
    ]);
    while (!order.includes('acc_SHORT/3')) {
      await new Promise<void>((resolve) => {
        notify = resolve;
      });
    }
    ending.abort();
    await running;
    const turns = (account: string) => order.filter((one) => one.startsWith(`${account}/`)).length;
    for (let n = 0; n < 12; n++) expect(turns(`acc_LONG${n}`), `acc_LONG${n}`).to.be.within(1, 30);
  });
});
