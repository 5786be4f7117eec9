import { expect } from 'chai';
import { acceptImport } from '../../commands/contacts/accept-import.js';
import { contactImportDryRun } from '../../commands/contacts/import-kinds.js';
import { upsertContact } from '../../commands/contacts/upsert-contact.js';
import { workOnJob } from '../../commands/jobs/work-on-job.js';
import type { ImportCounts, ImportOptions } from '../../domain/contacts/import.js';
import { createJobKinds } from '../../ops/app/job-kinds.js';
import { runJobs } from '../../processes/jobs/run-jobs.js';
import { readJob, readJobProblems } from '../../projections/jobs/jobs.js';
import { ACCOUNT, TestApp } from '../support/test-app.js';

const options: ImportOptions = { list_ids: [], fields_mode: 'overwrite', on_conflict: 'merge', consent: null, proof: null, base_url: null };
/** Each tenth is about the contact of the first row, each hundredth is invalid. */
const rows = Array.from({ length: 2_500 }, (_, n) => ({
  row: n + 1,
  contact: { email: n % 100 === 99 ? `bad-${n}` : n % 10 === 9 ? 'p0@example.com' : `p${n}@example.com` },
}));

describe('a dry run of many rows', () => {
  let app: TestApp;
  beforeEach(() => {
    app = new TestApp([runJobs({ kinds: createJobKinds(), destroyKey: (subject) => app.vault.erase(subject) })]);
  });
  const accept = async () => (await app.execute(acceptImport, { options, rows: () => rows, dryRun: true })).output.job_id;
  const shown = (id: string) => readJob(app.log, ACCOUNT, id);
  const contactStreams = async () => {
    const { events } = await app.engine.events.readAll('start', 10_000);
    return events.map(({ stream }) => stream).filter((stream) => !stream.startsWith('job'));
  };

  it('is a job that counts what an import would do, and writes nothing else', async () => {
    await app.execute(upsertContact, { contact: { email: 'p1@example.com', first_name: 'Known' }, source: 'api' });
    const before = await contactStreams();
    const id = await accept();
    await app.run();
    const job = await shown(id);
    expect(job).to.deep.include({ kind: 'contact_import_dry_run', status: 'completed', done: 2_500, total: 2_500, errors: 25 });
    const { created, merged, unchanged, failed } = job.result as unknown as ImportCounts;
    // Rows of the first chunk that repeat a contact change nothing.
    expect({ created, others: merged + unchanged, failed }).to.deep.equal({ created: 2_249, others: 226, failed: 25 });
    const problems = await readJobProblems(app.log, ACCOUNT, id, null, 1_000);
    expect(problems.map(({ problem: { row, code } }) => [row, code])).to.deep.equal(
      Array.from({ length: 25 }, (_, n) => [100 * (n + 1), 'invalid_email']),
    );
    expect(await contactStreams()).to.deep.equal(before);
  });

  it('has the same result when each chunk is worked on by another process, after a crash', async () => {
    const whole = await accept();
    await app.run();
    const kinds = () => app.nodeOver(app.engine.events, { jobs: { kinds: [contactImportDryRun()] } });
    const divided = await accept();
    for (let work = ''; work !== 'over'; ) work = (await kinds().execute(workOnJob, { job_id: divided })).output.work;
    expect((await shown(divided)).result).to.deep.equal((await shown(whole)).result);
  });
});
