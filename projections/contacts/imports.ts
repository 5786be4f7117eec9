import { identityMessages } from '../../domain/contacts/identity.js';
import {
  type ImportCounts,
  type ImportProblem,
  type ImportWarning,
  type RevertCounts,
  zeroCounts,
  zeroReverted,
} from '../../domain/contacts/import.js';
import type { AcceptedLegacyImport } from '../../domain/contacts/legacy-import.js';
import { type AcceptedJob, type JobResultEvent, jobResultsStream } from '../../domain/jobs/job.js';
import { ownField } from '../../domain/kernel/own-fields.js';
import { loadContact, loadRoot, unifyContact } from '../../log/aggregates/contacts/load-contact.js';
import { type FoundImport, loadRevert } from '../../log/aggregates/contacts/load-import.js';
import { countsOf, loadImportProgress } from '../../log/aggregates/contacts/load-legacy-import.js';
import { loadJobProgress, totalsOf } from '../../log/aggregates/jobs/load-job.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import { loadImportProblems, loadJobProblems, type ProblemWithCursor } from '../jobs/problems.js';
import type { ListedImport } from '../jobs/queries.js';

/** The problems of an import's rows, in order, after a cursor or from the first. */
export const loadProblems = (
  log: EventLog,
  { is, job }: FoundImport,
  after: Pick<ProblemWithCursor, 'chunk' | 'nth'> | null,
  limit: number,
): Promise<ProblemWithCursor[]> => (is === 'job' ? loadJobProblems(log, job.id, after, limit) : loadImportProblems(log, job.id, after, limit));

/** An import in the API. */
export interface ImportView extends ImportCounts {
  readonly id: string;
  readonly status: 'queued' | 'running' | 'canceling' | 'completed' | 'canceled' | 'failed' | 'reverting' | 'reverted';
  readonly total: number;
  /** Rows that are processed. */
  readonly processed: number;
  readonly error_count: number;
  readonly errors: readonly ImportProblem[];
  /** Where there are any: the first of its rows. */
  readonly warnings?: readonly ShownWarning[];
  readonly reverted: RevertCounts | null;
  readonly created_at: string;
  readonly finished_at: string | null;
}

/** A warning of a row in the API. */
export interface ShownWarning {
  readonly row: number;
  readonly code: string;
  readonly message: string;
  readonly field: string;
  readonly contact_id: string;
  /** The row's own email, where that is what it is about; null once it cannot be read any more. */
  readonly email?: string | null;
  readonly not_applied?: readonly string[];
}

/** Warnings that an import shows itself. */
export const MAX_SHOWN_WARNINGS = 1_000;

/** Chunks per read. */
const CHUNKS_PER_READ = 20;

type Status = ImportView['status'];

/** What the log has about an import. */
interface State extends Pick<ImportView, 'reverted'> {
  readonly status: Exclude<Status, 'queued'>;
  readonly counts: ImportCounts;
  readonly errors: number;
  readonly finished_at: string | null;
}

/**
 * An import as it is now. `errors`: how many of its problems are included. With `ignoreRevert` it is shown as it was when it
 * ended.
 */
export async function readImport(log: EventLog, found: FoundImport, errors: number, { ignoreRevert = false } = {}): Promise<ImportView> {
  const { id, total, created_at } = found.job;
  const state = found.is === 'job' ? await stateOfJob(log, found.job, ignoreRevert) : await stateOfLegacy(log, found.job, ignoreRevert);
  const { status, counts, finished_at, reverted } = state;
  const problems = counts.failed > 0 && errors > 0 ? await loadProblems(log, found, null, errors) : [];
  const warnings = errors > 0 && found.is === 'job' ? await loadWarnings(log, id) : [];
  const { created, merged, unchanged, failed } = counts;
  const processed = created + merged + unchanged + failed;
  return {
    id,
    status: status === 'running' && processed === 0 ? 'queued' : status,
    total: total ?? processed,
    processed,
    ...counts,
    error_count: state.errors,
    errors: problems.map(({ problem }) => problem),
    ...(warnings.length > 0 && { warnings }),
    reverted,
    created_at,
    finished_at,
  };
}

/** A warning as callers see it. */
export const shownWarning = ({
  not_applied,
  email,
  code,
  ...about
}: Omit<ImportWarning, 'email_key' | 'not_applied'> & {
  readonly not_applied: readonly string[];
  readonly email?: string | null;
}): ShownWarning => ({
  ...about,
  code,
  message: ownField(identityMessages, code) ?? code,
  ...(code === 'matched_by_phone' && { email: email ?? null, not_applied }),
});

/** The first warnings of the rows of an import or of its dry run, in order. */
export async function loadWarnings(log: EventLog, id: string): Promise<ShownWarning[]> {
  const found: ImportWarning[] = [];
  for (let from = 0; found.length < MAX_SHOWN_WARNINGS; from += CHUNKS_PER_READ) {
    const page = (await log.read<JobResultEvent>(jobResultsStream(id), { from, limit: CHUNKS_PER_READ })) ?? [];
    found.push(...page.flatMap(({ event }) => (event.data.warnings ?? []) as unknown as ImportWarning[]));
    if (page.length < CHUNKS_PER_READ) break;
  }
  return Promise.all(
    found.slice(0, MAX_SHOWN_WARNINGS).map(async ({ email_key, ...warning }) => {
      const email = email_key === null ? null : await addressOfKey(log, warning.contact_id, email_key);
      return shownWarning({ ...warning, email });
    }),
  );
}

/** An address that a contact has, or one that is merged into it; null if it has it no more, or is gone. */
async function addressOfKey(log: EventLog, contactId: string, key: string): Promise<string | null> {
  const root = await loadRoot(log, await loadContact(log, contactId));
  if (root.state.status !== 'active') return null;
  const { members } = await unifyContact(log, root);
  for (const { facts } of members) {
    const name = Object.keys(facts.keys).find((one) => ownField(facts.keys, one)?.value === key);
    const value = name === undefined ? null : ownField(facts.values, name)?.value;
    if (typeof value === 'string') return value;
  }
  return null;
}

/** An import as the read model has it, without its problems. */
export function listedImport({ job, state }: ListedImport): ImportView {
  const { id, done: processed, total, errors: error_count, created_at, finished_at } = job;
  const { counts, revert, reverted } = state;
  const status = job.status === 'running' && processed === 0 ? 'queued' : job.status;
  return {
    ...{ id, status: revert ?? status, total: total ?? processed, processed, ...counts },
    ...{ error_count, errors: [], reverted, created_at, finished_at },
  };
}

async function stateOfJob(log: EventLog, job: AcceptedJob, ignoreRevert: boolean): Promise<State> {
  if (!('finished_at' in job)) {
    const { counts, errors } = totalsOf(await loadJobProgress(log, job.id));
    return {
      status: job.status === 'accepted' ? 'running' : 'canceling',
      counts: { ...zeroCounts, ...counts },
      errors,
      finished_at: null,
      reverted: null,
    };
  }
  const { status, errors, finished_at } = job;
  const revert = ignoreRevert ? null : (await loadRevert(log, job.id)).state;
  const about = { counts: { ...zeroCounts, ...job.counts }, errors, finished_at };
  if (!revert || revert.status === 'new') return { ...about, status, reverted: null };
  if (revert.status !== 'completed') return { ...about, status: 'reverting', reverted: null };
  return { ...about, status: 'reverted', reverted: { ...zeroReverted, ...revert.counts } };
}

async function stateOfLegacy(log: EventLog, job: AcceptedLegacyImport, ignoreRevert: boolean): Promise<State> {
  if (!('outcome' in job)) {
    const { counts, errors } = countsOf(await loadImportProgress(log, job.id));
    return { counts: { ...zeroCounts, ...counts }, errors, status: job.status, finished_at: null, reverted: null };
  }
  const { errors, finished_at, outcome } = job;
  const counts = { ...zeroCounts, ...job.counts };
  const reverted = job.status === 'reverted' && !ignoreRevert ? job.reverted : null;
  return { counts, errors, finished_at, status: ignoreRevert ? outcome : job.status, reverted };
}
