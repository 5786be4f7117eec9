import { dropWork } from '../../commands/parked/drop-work.js';
import { settleReport } from '../../commands/webhooks/keep-report.js';
import { keptReports } from '../../commands/webhooks/kept-fields.js';
import { type CarrierReport, type ExecuteFor, recordReport } from '../../commands/webhooks/record-report.js';
import { isShortSender } from '../../domain/messages/senders.js';
import { parkedStream, parkedWork } from '../../domain/parked/parked-work.js';
import { KEPT_FOR_MS, keptReport, keptReportStream, type SealedKeptReportEvent } from '../../domain/webhooks/kept-report.js';
import { parseTextSender } from '../../formats/contacts/parse-address.js';
import { loadAggregate } from '../../log/aggregates/load-aggregate.js';
import { hashId } from '../../log/runtime/ids.js';
import { type Claim, reportsOnRecipients } from '../../projections/webhooks/claim-report.js';
import { type PerformContext, type ProcessManager, performEach, type Todo } from '../runtime/process-manager.js';

/** A kept report: its id is the report's. Or the end of its time: the id has `EXPIRY` behind it. */
export interface ReportTodo extends Todo {
  readonly correlation: string;
}

const EXPIRY = '/expiry';
const NAME = 'webhooks/claim-reports';

export interface ClaimReportsParts {
  /** The accounts that a report belongs to now; empty: none. */
  readonly claims: (report: CarrierReport) => Promise<readonly Claim[]>;
  readonly destroyKey: (subject: string) => Promise<void>;
}

/** After these times a report is looked at again; then it is parked, and the operator decides within its time. */
const DELAYS_MS = [1_000, 5_000, 30_000, 120_000, 600_000, 3_600_000] as const;
const FIRST_MS = 500;

/** Nobody can claim the report yet, or ever (`isFinal`). `at`: when that was found, in milliseconds since 1970. */
class UnclaimedReport extends Error {
  override readonly name = 'Unclaimed';
  readonly code = 'unclaimed';
  constructor(
    readonly at: number,
    readonly isFinal: boolean,
  ) {
    super('No account can claim this report.');
  }
}

/** What nobody can claim, now or later: the operator reads it. */
const isForOperator = (report: CarrierReport): boolean =>
  report.kind === 'email' ? report.for_operator === true : report.kind === 'text' && isShortSender(parseTextSender(report.report.from) ?? '+');

/** Records reports for their accounts that came too early: a receipt can overtake the answer of the carrier to our request. */
export const claimReports = ({ claims, destroyKey }: ClaimReportsParts): ProcessManager<SealedKeptReportEvent, ReportTodo> => {
  type Outcome = { readonly report_id: string; readonly accounts: string[] };
  const settle = async (outcome: Outcome, { account, correlation }: ReportTodo, { execute }: PerformContext) => {
    const about = `${outcome.report_id}/settle`;
    const { position } = await execute(settleReport, outcome, { account, correlation, about });
    await destroyKey(outcome.report_id);
    return position;
  };
  /** Ends a report that nobody has claimed in its time, and what an operator would decide about. */
  const expire = async (todo: ReportTodo, performing: PerformContext) => {
    const report_id = todo.id.slice(0, -EXPIRY.length);
    const position = await settle({ report_id, accounts: [] }, todo, performing);
    const parked_id = hashId('prk', NAME, report_id);
    const { state } = await loadAggregate(performing.log, parkedWork, parkedStream(parked_id));
    const { account, correlation } = todo;
    if (state.status === 'parked') await performing.execute(dropWork, { parked_id }, { account, correlation, about: `${report_id}/expired` });
    return position;
  };
  return {
    name: NAME,
    version: 2,
    handles: ['ReportKept', 'ReportSettled'],
    reads: ({ event: { type, data } }) => ({ todos: [data.report_id, data.report_id + EXPIRY], fresh: type === 'ReportKept' }),
    react: ({ event, meta }) => {
      const { report_id: id } = event.data;
      if (event.type === 'ReportSettled') return [id, id + EXPIRY].map((todo) => ({ do: 'cancel', id: todo }) as const);
      const received = Date.parse(event.data.received_at);
      const about = { account: meta.account, lane: event.data.carrier, correlation: meta.$correlationId };
      return [
        { do: 'schedule', todo: { id, due_at: received + FIRST_MS, priority: 1, ...about } },
        { do: 'schedule', todo: { id: id + EXPIRY, due_at: received + KEPT_FOR_MS, priority: 2, ...about } },
      ];
    },
    concurrency: { lane: 16, total: 16 },
    onError: (todo, attempts, error) => {
      if (error instanceof UnclaimedReport && error.isFinal) return 'park';
      const delay = DELAYS_MS[attempts - 1] ?? (todo.id.endsWith(EXPIRY) ? DELAYS_MS.at(-1) : undefined);
      return delay === undefined ? 'park' : { retry_at: (error instanceof UnclaimedReport ? error.at : todo.due_at) + delay };
    },

    perform: performEach(async (todo, performing) => {
      if (todo.id.endsWith(EXPIRY)) return expire(todo, performing);
      const { id, correlation } = todo;
      const { state } = await loadAggregate(performing.log, keptReport, keptReportStream(id));
      if (state.status !== 'kept') return 'start';
      const reports = await reportsOnRecipients(claims, keptReports(state.kept));
      const execute = (nth: number): ExecuteFor => {
        const suffix = nth === 0 ? '' : `/${nth}`;
        return (command, input, account) =>
          performing.execute(command, input, { account, correlation, about: `${id}/${account}/${command.name}${suffix}` });
      };
      const { accounts, unclaimed } = await recordForOwners(reports, Date.parse(state.kept.received_at), claims, execute);
      // Those that are recorded now change nothing when they are recorded again.
      if (unclaimed > 0) throw new UnclaimedReport(performing.clock.now(), reports.every(isForOperator));
      return settle({ report_id: id, accounts: [...accounts] }, todo, performing);
    }),

    drop: (todo, performing) => settle({ report_id: todo.id, accounts: [] }, todo, performing),
  };
};

/** Records each of the reports for the accounts that claim it. `receivedAt`: milliseconds since 1970. `unclaimed`: how many nobody claims. */
async function recordForOwners(
  reports: readonly CarrierReport[],
  receivedAt: number,
  claims: ClaimReportsParts['claims'],
  execute: (nth: number) => ExecuteFor,
) {
  const accounts = new Set<string>();
  let unclaimed = 0;
  for (const [nth, report] of reports.entries()) {
    const owners = await claims(report);
    if (owners.length === 0) unclaimed++;
    for (const owner of owners) {
      await recordReport(report, owner, execute(nth), receivedAt);
      accounts.add(owner.account);
    }
  }
  return { accounts, unclaimed };
}
