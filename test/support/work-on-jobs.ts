import { workOnJob } from '../../commands/jobs/work-on-job.js';
import { loadRevert } from '../../log/aggregates/contacts/load-import.js';
import type { TestApp } from './test-app.js';

type Node = Pick<TestApp, 'execute'>;

/** Works on a job until it is over. */
export async function workOff(node: Node, job_id: string): Promise<void> {
  while ((await node.execute(workOnJob, { job_id })).output.work === 'going_on');
}

/** Works on the job that reverts an import. */
export const workOffRevert = async (node: Node, app: TestApp, import_id: string): Promise<void> =>
  workOff(node, (await loadRevert(app.log, import_id)).job_id);
