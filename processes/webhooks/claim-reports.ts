import { OPERATOR, settleReport } from '../../commands/webhooks/keep-report.js';
import { type ExecuteFor, type Owner, type Report, recordReport } from '../../commands/webhooks/record-report.js';
import { keptReport, keptReportStream, type SealedKeptReportEvent } from '../../domain/webhooks/kept-report.js';
import { loadAggregate } from '../../log/load-aggregate.js';
import { type PerformContext, type ProcessManager, performEach, type Todo } from '../kernel.js';

/** A kept report. The id is the report's. */
export interface ReportTodo extends Todo {
  readonly correlation: string;
}

export interface ClaimReportsParts {
  /** The accounts that a report belongs to now; empty: none. */
  readonly claims: (report: Report) => Promise<readonly Owner[]>;
  readonly destroyKey: (subject: string) => Promise<void>;
}

/** After these times a report is looked at again; then it is parked, and the operator decides. */
const DELAYS_MS = [1_000, 5_000, 30_000, 120_000, 600_000, 3_600_000] as const;
const FIRST_MS = 500;

/** Nobody can claim the report yet. `at`: when that was found, in milliseconds since 1970. */
class Unclaimed extends Error {
  override readonly name = 'Unclaimed';
  readonly code = 'unclaimed';
  constructor(readonly at: number) {
    super('No account can claim this report.');
  }
}

/** Records reports for their accounts that came too early: a receipt can overtake the answer of the carrier to our request. */
export const claimReports = ({ claims, destroyKey }: ClaimReportsParts): ProcessManager<SealedKeptReportEvent, ReportTodo> => {
  const settle = async (outcome: { report_id: string; accounts: string[] }, correlation: string, { execute }: PerformContext) => {
    const about = `${outcome.report_id}/settle`;
    const { position } = await execute(settleReport, outcome, { account: OPERATOR, correlation, about });
    await destroyKey(outcome.report_id);
    return position;
  };
  return {
    name: 'webhooks/claim-reports',
    version: 1,
    handles: ['ReportKept', 'ReportSettled'],
    reads: ({ event }) => ({ todos: [event.data.report_id], fresh: event.type === 'ReportKept' }),
    react: ({ event, meta }) => {
      const { report_id: id } = event.data;
      if (event.type === 'ReportSettled') return [{ do: 'cancel', id }];
      const due_at = Date.parse(event.data.received_at) + FIRST_MS;
      return [
        { do: 'schedule', todo: { id, due_at, account: meta.account, priority: 1, lane: event.data.carrier, correlation: meta.$correlationId } },
      ];
    },
    concurrency: { lane: 16, total: 16 },
    onError: (todo, attempts, error) => {
      const delay = DELAYS_MS[attempts - 1];
      return delay === undefined ? 'park' : { retry_at: (error instanceof Unclaimed ? error.at : todo.due_at) + delay };
    },

    perform: performEach(async ({ id, correlation }, performing) => {
      const { state } = await loadAggregate(performing.log, keptReport, keptReportStream(id));
      if (state.status !== 'kept') return 'start';
      const report = JSON.parse(state.kept.report) as Report;
      const owners = await claims(report);
      const now = performing.clock.now();
      if (owners.length === 0) throw new Unclaimed(now);
      for (const owner of owners) {
        const execute: ExecuteFor = (command, input, account) =>
          performing.execute(command, input, { account, correlation, about: `${id}/${account}/${command.name}` });
        await recordReport(report, owner, execute, Date.parse(state.kept.received_at));
      }
      const accounts = owners.map(({ account }) => account);
      return settle({ report_id: id, accounts }, correlation, performing);
    }),

    drop: ({ id, correlation }, performing) => settle({ report_id: id, accounts: [] }, correlation, performing),
  };
};
