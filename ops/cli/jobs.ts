import type { Command } from 'commander';
import { changeImport } from '../../commands/contacts/change-import.js';
import { cancelJob } from '../../commands/jobs/change-job.js';
import { loadJobAccount } from '../../log/aggregates/jobs/load-job-account.js';
import { findAnyJob, readJob } from '../../projections/jobs/jobs.js';
import { type JobResource, type JobStatus, jobStatuses } from '../../projections/jobs/projection.js';
import { jobQueries } from '../../projections/jobs/queries.js';
import { operatorCause } from '../app/operator-cause.js';
import { print, printTable, withApplication } from './runtime.js';
import { UsageError } from './terminal/usage-error.js';

const MOST_LISTED = 1_000;

interface ListOptions {
  readonly account?: string;
  readonly kind?: string;
  readonly status?: string;
  readonly json?: boolean;
}

/** `jobs list|show|cancel`: imports, exports and other work on many items, as under `/v1/jobs`. */
export function jobCommands(program: Command): void {
  const jobs = program.command('jobs').description('Show or cancel imports, exports and other work on many items.');

  jobs
    .command('list')
    .description(`Show jobs, the newest first, at most ${MOST_LISTED}.`)
    .option('--account <id>', 'only of this account')
    .option('--kind <kind>', 'only of this kind, for example contact_import')
    .option('--status <status>', `only with this status: ${jobStatuses.join(', ')}`)
    .option('--json', 'one JSON document')
    .action(({ json, status, ...where }: ListOptions) => {
      if (status !== undefined && !isStatus(status)) throw new UsageError(`--status: use one of ${jobStatuses.join(', ')}`);
      return withApplication(async ({ engine }) => {
        const found = await jobQueries(engine.views).newest({ ...where, ...(status !== undefined && { status }) }, MOST_LISTED);
        await printTable({ jobs: found }, json, ['id', 'created at', 'account', 'kind', 'status', 'done', 'errors'], () => found.map(rowOf));
      });
    });

  jobs
    .command('show <id>')
    .description('Show one job with its progress, from the log.')
    .option('--json', 'one JSON document')
    .action((id: string, { json }: { json?: boolean }) =>
      withApplication(async ({ log }) => {
        const account = await loadJobAccount(log, id);
        const found = { account, ...(await readJob(log, account, id)) };
        print(found, json, () =>
          Object.entries(found).map(([name, value]) => `${name}: ${typeof value === 'object' ? JSON.stringify(value) : value}`),
        );
      }),
    );

  jobs
    .command('cancel <id>')
    .description('Cancel a job after its current chunk. What is done stays.')
    .option('--json', 'one JSON document')
    .action((id: string, { json }: { json?: boolean }) =>
      withApplication(async ({ log, dispatcher }) => {
        const account = await loadJobAccount(log, id);
        const { kind } = await findAnyJob(log, account, id);
        const cause = operatorCause(account);
        if (kind === 'job') await dispatcher.execute(cancelJob, { job_id: id }, cause);
        else await dispatcher.execute(changeImport, { import_id: id, change: 'Cancel' }, cause);
        const { status } = await readJob(log, account, id);
        print({ id, status }, json, () => [`${id}  ${status}`]);
      }),
    );
}

const isStatus = (text: string): text is JobStatus => (jobStatuses as readonly string[]).includes(text);

const rowOf = ({ id, created_at, account, kind, status, done, total, errors }: JobResource & { readonly account: string }): (string | number)[] => [
  id,
  created_at,
  account,
  kind,
  status,
  `${done}/${total ?? '?'}`,
  errors,
];
