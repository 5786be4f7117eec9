import {
  CONTACT_IMPORT,
  CONTACT_IMPORT_REVERT,
  type ImportCounts,
  type RevertCounts,
  zeroCounts,
  zeroReverted,
} from '../../domain/contacts/import.js';
import type { ImportEvent, ImportResultEvent } from '../../domain/contacts/legacy-import.js';
import type { JobCounts, JobEvent, JobResultEvent } from '../../domain/jobs/job.js';
import { JOURNEY_SIMULATION, simulationResult } from '../../domain/journeys/numbers.js';
import { ownField } from '../../domain/kernel/own-fields.js';
import type { Doc, DocumentRef } from '../../domain/kernel/ports.js';
import { revertJobId } from '../../log/aggregates/contacts/load-import.js';
import type { Projection, View } from '../runtime/projection.js';

export const jobStatuses = ['queued', 'running', 'canceling', 'completed', 'canceled', 'failed'] as const;
export type JobStatus = (typeof jobStatuses)[number];

/** A job as it is shown. Times are RFC 3339. */
export interface JobResource {
  readonly id: string;
  readonly kind: string;
  readonly status: JobStatus;
  /** Items that are processed. */
  readonly done: number;
  /** Null if their number is not known before the end. */
  readonly total: number | null;
  /** Number of problems. */
  readonly errors: number;
  readonly created_at: string;
  readonly finished_at: string | null;
  /** Depends on the kind; null before the end. */
  readonly result: Readonly<Record<string, unknown>> | null;
}

/** What only an import shows. */
export interface ImportState {
  readonly counts: ImportCounts;
  /** Whether it is being reverted, or is; null before. */
  readonly revert: 'reverting' | 'reverted' | null;
  readonly reverted: RevertCounts | null;
}

export interface JobDoc extends Doc, JobResource {
  /** Null until all of its input is stored: only then is it shown. */
  readonly account: string | null;
  /** Time and id: the order of creation. */
  readonly sort: string;
  /** Of imports. */
  readonly import?: ImportState;
}

/** Which import a job reverts: the parameters of the job are sealed, and its id is a hash of both. */
interface RevertDoc extends Doc {
  readonly import_id: string;
  /** How many reverts of the import have failed. */
  readonly nth: number;
}

export const JOBS = 'jobs';
const REVERTS = 'reverts';

type LegacyImportEvent = Extract<
  ImportEvent | ImportResultEvent,
  {
    type:
      | 'ImportBegun'
      | 'ImportAccepted'
      | 'ImportCancelRequested'
      | 'ImportFinished'
      | 'ImportChunkDone'
      | 'ImportRevertRequested'
      | 'ImportReverted';
  }
>;
type HandledEvent = Exclude<JobEvent, { type: 'JobStarted' | 'JobContentForgotten' }> | JobResultEvent | LegacyImportEvent;

const idOf = ({ data }: HandledEvent): string => ('job_id' in data ? data.job_id : data.import_id);

/** Jobs of all kinds, with their progress. */
export const jobs: Projection<HandledEvent> = {
  name: 'jobs',
  version: 3,
  handles: [
    'JobBegun',
    'JobAccepted',
    'JobChunkDone',
    'JobCancelRequested',
    'JobFinished',
    'ImportBegun',
    'ImportAccepted',
    'ImportChunkDone',
    'ImportCancelRequested',
    'ImportFinished',
    'ImportRevertRequested',
    'ImportReverted',
  ],
  collections: {
    [REVERTS]: { indexes: [] },
    [JOBS]: {
      indexes: [['sort'], ['kind', 'sort'], ['status', 'sort'], ['account', 'sort'], ['account', 'kind', 'sort'], ['account', 'status', 'sort']],
    },
  },
  reads: ({ event }) => {
    const job: DocumentRef = { collection: JOBS, id: idOf(event), fresh: event.type === 'JobBegun' || event.type === 'ImportBegun' };
    if (isOfRevert(event)) return [job, { collection: REVERTS, id: idOf(event) }];
    return isEndOfImport(event) ? [job, { collection: REVERTS, id: revertJobId(idOf(event), 0), fresh: true }] : [job];
  },
  readsMore: ({ event }, view) => {
    const revert = isOfRevert(event) ? view.get<RevertDoc>(REVERTS, idOf(event)) : undefined;
    if (!revert) return [];
    const { import_id, nth } = revert;
    return [
      { collection: JOBS, id: import_id },
      { collection: REVERTS, id: revertJobId(import_id, nth + 1) },
    ];
  },
  apply: (stored, view) => {
    const { event } = stored;
    const id = idOf(event);
    const known = view.get<JobDoc>(JOBS, id);
    if (event.type === 'JobBegun') view.put(JOBS, begun(id, event.data.kind, event.data.at));
    else if (event.type === 'ImportBegun') view.put(JOBS, begun(id, CONTACT_IMPORT, event.data.at));
    else if (known) {
      const after = changed(known, event, stored.meta.account);
      if (after) view.put(JOBS, after);
      else view.remove(JOBS, id);
      // The id of the job that will revert the import, if one does.
      if (isEndOfImport(event)) view.put(REVERTS, { id: revertJobId(id, 0), import_id: id, nth: 0 } satisfies RevertDoc);
    }
    if (isOfRevert(event)) showRevert(event, view);
  },
};

type OfRevert = Extract<HandledEvent, { type: 'JobBegun' | 'JobFinished' }>;
const isOfRevert = (event: HandledEvent): event is OfRevert =>
  (event.type === 'JobBegun' || event.type === 'JobFinished') && event.data.kind === CONTACT_IMPORT_REVERT;

const isEndOfImport = (event: HandledEvent): boolean => event.type === 'JobFinished' && event.data.kind === CONTACT_IMPORT;

/** What a revert changes of its import. After one that failed, the next one has another id. */
function showRevert(event: OfRevert, view: View): void {
  const revert = view.get<RevertDoc>(REVERTS, event.data.job_id);
  const reverted = revert && view.get<JobDoc>(JOBS, revert.import_id);
  if (!revert || !reverted?.import) return;
  const { import_id } = revert;
  const show = (about: Pick<ImportState, 'revert' | 'reverted'>) =>
    view.put(JOBS, { ...reverted, import: { ...reverted.import, ...about } } as JobDoc);
  if (event.type === 'JobBegun') show({ revert: 'reverting', reverted: null });
  else if (event.data.status === 'completed') show({ revert: 'reverted', reverted: { ...zeroReverted, ...event.data.counts } });
  else if (event.data.status === 'failed') {
    const nth = revert.nth + 1;
    show({ revert: null, reverted: null });
    view.put(REVERTS, { id: revertJobId(import_id, nth), import_id, nth } satisfies RevertDoc);
  }
}

const begun = (id: string, kind: string, created_at: string): JobDoc => ({
  ...{ id, kind, status: 'queued', done: 0, total: null, errors: 0, created_at, finished_at: null, result: null },
  account: null,
  sort: `${created_at}/${id}`,
  ...(kind === CONTACT_IMPORT && { import: { counts: zeroCounts, revert: null, reverted: null } }),
});

/** The document after an event; null where the job is never shown. */
function changed(doc: JobDoc, event: Exclude<HandledEvent, { type: 'JobBegun' | 'ImportBegun' }>, account: string): JobDoc | null {
  switch (event.type) {
    case 'JobAccepted':
    case 'ImportAccepted':
      return { ...doc, account, total: event.data.total };
    case 'JobChunkDone':
      return progressed(doc, { ...event.data, errors: event.data.errors_so_far });
    case 'ImportChunkDone':
      return progressed(doc, { ...event.data, done: rowsOf(event.data.counts), errors: event.data.errors_so_far });
    case 'JobCancelRequested':
    case 'ImportCancelRequested':
      return { ...doc, status: 'canceling' };
    case 'JobFinished':
      return finished(doc, { ...event.data, result: jobResult(event.data) });
    case 'ImportFinished':
      return finished(doc, { ...event.data, done: rowsOf(event.data.counts), result: event.data.counts });
    case 'ImportRevertRequested':
      return withImport(doc, { revert: 'reverting' });
    case 'ImportReverted':
      return withImport(doc, { revert: 'reverted', reverted: event.data.reverted });
    default:
      return event satisfies never;
  }
}

const withImport = (doc: JobDoc, about: Partial<ImportState>): JobDoc => (doc.import ? { ...doc, import: { ...doc.import, ...about } } : doc);

interface Totals extends Pick<JobResource, 'done' | 'errors'> {
  readonly counts: JobCounts;
}

const withCounts = (doc: JobDoc, counts: JobCounts): JobDoc => withImport(doc, { counts: { ...zeroCounts, ...counts } });

/** A chunk that another run had begun may be recorded after the end. */
const progressed = (doc: JobDoc, { done, errors, counts }: Totals): JobDoc =>
  doc.finished_at === null ? { ...withCounts(doc, counts), status: doc.status === 'queued' ? 'running' : doc.status, done, errors } : doc;

interface End extends Totals, Pick<JobResource, 'result'> {
  readonly status: 'completed' | 'canceled' | 'failed' | 'abandoned';
  readonly at: string;
}

const finished = (doc: JobDoc, { status, done, errors, counts, result, at }: End): JobDoc | null =>
  status === 'abandoned' ? null : { ...withCounts(doc, counts), status, done, total: doc.total ?? done, errors, result, finished_at: at };

/** The result of a finished job: its counts, why it failed, and until when its output can be read. */
export const jobResult = ({ kind, counts, reason, keep_until, at }: EndedJob): NonNullable<JobResource['result']> => ({
  ...(kind === JOURNEY_SIMULATION ? simulationResult(counts) : counts),
  ...(reason !== null && { reason }),
  ...(keep_until > at && { available_until: keep_until }),
});
type EndedJob = Pick<Extract<JobEvent, { type: 'JobFinished' }>['data'], 'kind' | 'counts' | 'reason' | 'keep_until' | 'at'>;

/** The processed rows of an import. */
export const rowsOf = (counts: JobCounts): number =>
  ['created', 'merged', 'unchanged', 'failed'].reduce((sum, name) => sum + (ownField(counts, name) ?? 0), 0);
