/**
 * An import of contacts that was accepted before imports were jobs: it goes on by its own events. Its rows were stored in
 * chunks; each chunk is processed and counted once. The import's own stream holds its status. Rows and results have streams of
 * their own, with one event per chunk at the revision that is the chunk's number.
 */
import type { Aggregate } from '../kernel/aggregate.js';
import { DomainError } from '../kernel/errors.js';
import { type EventOf, eventType } from '../kernel/event.js';
import { count, list, oneOf, record, text, time } from '../kernel/schema.js';
import {
  legacyImportCounts as counts,
  type ImportOptions,
  importOptions,
  type LegacyImportCounts,
  importProblem as problem,
  type RevertCounts,
  revertCounts as reverted,
  importRow as row,
  zeroCounts,
} from './import.js';

// Events

/** The subject is the job itself. Its key is destroyed once the rows are no longer needed. */
const personal = { subject: 'import_id' } as const;

export const ImportBegun = eventType('ImportBegun', record({ import_id: text, ...importOptions, at: time }), {
  personal: { ...personal, fields: ['proof'] },
});
/** All rows are stored. An import without this event never creates a contact. */
export const ImportAccepted = eventType(
  'ImportAccepted',
  record({
    import_id: text,
    total: count,
    chunks: count,
    /** Who is expected to process it: the request, which waits for the result, or a process manager. */
    by: oneOf('request', 'process'),
    at: time,
  }),
);
export const ImportCancelRequested = eventType('ImportCancelRequested', record({ import_id: text, at: time }));
/** `abandoned`: not all rows arrived. */
export const ImportFinished = eventType(
  'ImportFinished',
  record({ import_id: text, status: oneOf('completed', 'canceled', 'abandoned'), chunks: count, counts, errors: count, at: time }),
);
/** The key of the rows is destroyed: they can no longer be read. */
export const ImportRowsForgotten = eventType('ImportRowsForgotten', record({ import_id: text, at: time }));
export const ImportRevertRequested = eventType('ImportRevertRequested', record({ import_id: text, at: time }));
export const ImportReverted = eventType('ImportReverted', record({ import_id: text, reverted, at: time }));

export const ImportRowsStored = eventType('ImportRowsStored', record({ import_id: text, chunk: count, rows: list(row) }), {
  personal: { ...personal, fields: ['rows'] },
});

/** A chunk is processed. `counts` and `errors_so_far` include all chunks up to this one. */
export const ImportChunkDone = eventType(
  'ImportChunkDone',
  record({
    import_id: text,
    chunk: count,
    counts,
    errors: list(problem),
    errors_so_far: count,
    /** Contacts that its rows updated, for reverting it. */
    contacts: list(text),
    at: time,
  }),
);
/** A chunk is reverted, the last one first. `reverted` includes all that is reverted so far. */
export const ImportChunkReverted = eventType('ImportChunkReverted', record({ import_id: text, chunk: count, reverted, at: time }));

export const importEvents = [
  ImportBegun,
  ImportAccepted,
  ImportCancelRequested,
  ImportFinished,
  ImportRowsForgotten,
  ImportRevertRequested,
  ImportReverted,
  ImportRowsStored,
  ImportChunkDone,
  ImportChunkReverted,
] as const;
export type ImportRowsEvent = EventOf<typeof ImportRowsStored>;
export type ImportResultEvent = EventOf<typeof ImportChunkDone> | EventOf<typeof ImportChunkReverted>;
export type ImportEvent = Exclude<EventOf<(typeof importEvents)[number]>, ImportRowsEvent | ImportResultEvent>;

// State

interface StartedBase {
  readonly id: string;
  readonly options: ImportOptions;
  readonly created_at: string;
}
interface AcceptedBase extends StartedBase {
  readonly total: number;
  readonly chunks: number;
}
interface FinishedBase extends AcceptedBase {
  /** How it ended, whatever was requested since. */
  readonly outcome: 'completed' | 'canceled';
  /** Chunks that were processed. */
  readonly done: number;
  readonly counts: LegacyImportCounts;
  /** Number of problems in its rows. */
  readonly errors: number;
  readonly finished_at: string;
  readonly forgotten: boolean;
}

export type LegacyImport =
  | { readonly status: 'new' }
  | (StartedBase & { readonly status: 'receiving' })
  | (StartedBase & { readonly status: 'abandoned'; readonly forgotten: boolean })
  | (AcceptedBase & { readonly status: 'running' })
  | (AcceptedBase & { readonly status: 'canceling' })
  | (FinishedBase & { readonly status: 'completed' | 'canceled' })
  | (FinishedBase & { readonly status: 'reverting' })
  | (FinishedBase & { readonly status: 'reverted'; readonly reverted: RevertCounts; readonly reverted_at: string });
type StartedImport = Exclude<LegacyImport, { status: 'new' }>;
/** An import whose rows are all stored. */
export type AcceptedLegacyImport = Extract<LegacyImport, AcceptedBase>;

export function evolve(job: LegacyImport, event: ImportEvent): LegacyImport {
  switch (event.type) {
    case 'ImportBegun': {
      const { import_id: id, at: created_at, ...options } = event.data;
      return { status: 'receiving', id, options, created_at };
    }
    case 'ImportAccepted':
      return job.status === 'receiving' ? { ...job, status: 'running', total: event.data.total, chunks: event.data.chunks } : job;
    case 'ImportCancelRequested':
      return job.status === 'running' ? { ...job, status: 'canceling' } : job;
    case 'ImportFinished': {
      const { status, chunks: done, counts, errors, at: finished_at } = event.data;
      if (status === 'abandoned') return job.status === 'receiving' ? { ...job, status, forgotten: false } : job;
      if (job.status !== 'running' && job.status !== 'canceling') return job;
      return { ...job, status, outcome: status, done, counts, errors, finished_at, forgotten: false };
    }
    case 'ImportRowsForgotten':
      return 'forgotten' in job ? { ...job, forgotten: true } : job;
    case 'ImportRevertRequested':
      return job.status === 'completed' || job.status === 'canceled' ? { ...job, status: 'reverting' } : job;
    case 'ImportReverted':
      return job.status === 'reverting' ? { ...job, status: 'reverted', reverted: event.data.reverted, reverted_at: event.data.at } : job;
    default:
      return event satisfies never;
  }
}

// Commands

export type LegacyImportCommand =
  | { type: 'Abandon'; now: string }
  | { type: 'Cancel'; now: string }
  /** All chunks are done, or those up to the cancellation. */
  | { type: 'Finish'; chunks: number; counts: LegacyImportCounts; errors: number; now: string }
  | { type: 'Forget'; now: string }
  | { type: 'Revert'; now: string }
  | { type: 'FinishRevert'; reverted: RevertCounts; now: string };

type Of<T extends LegacyImportCommand['type']> = Extract<LegacyImportCommand, { type: T }>;

export function decide(command: LegacyImportCommand, job: LegacyImport): readonly ImportEvent[] {
  if (job.status === 'new') return [];
  const { now: at } = command;
  const about = { import_id: job.id, at };
  switch (command.type) {
    case 'Abandon':
      return job.status === 'receiving' ? [finished(about, { status: 'abandoned', chunks: 0, counts: zeroCounts, errors: 0 })] : [];
    case 'Cancel':
      return cancel(job, at);
    case 'Finish':
      return finish(command, job);
    case 'Forget':
      return 'forgotten' in job && !job.forgotten ? [{ type: 'ImportRowsForgotten', data: about }] : [];
    case 'Revert':
      return revert(job, at);
    case 'FinishRevert':
      return job.status === 'reverting' ? [{ type: 'ImportReverted', data: { ...about, reverted: command.reverted } }] : [];
    default:
      return command satisfies never;
  }
}

const finished = (about: { import_id: string; at: string }, end: Omit<EventOf<typeof ImportFinished>['data'], 'import_id' | 'at'>): ImportEvent => ({
  type: 'ImportFinished',
  data: { ...about, ...end },
});

function cancel(job: StartedImport, at: string): readonly ImportEvent[] {
  if (job.status === 'running') return [{ type: 'ImportCancelRequested', data: { import_id: job.id, at } }];
  if (job.status === 'canceling' || ('outcome' in job && job.outcome === 'canceled')) return [];
  throw wrongState(job.status, ['running']);
}

function finish({ chunks, counts, errors, now: at }: Of<'Finish'>, job: StartedImport): readonly ImportEvent[] {
  if (job.status !== 'running' && job.status !== 'canceling') return [];
  const status = chunks === job.chunks ? 'completed' : 'canceled';
  return [finished({ import_id: job.id, at }, { status, chunks, counts, errors })];
}

function revert(job: StartedImport, at: string): readonly ImportEvent[] {
  if (job.status === 'completed' || job.status === 'canceled') return [{ type: 'ImportRevertRequested', data: { import_id: job.id, at } }];
  if (job.status === 'reverting' || job.status === 'reverted') return [];
  throw wrongState(job.status, ['completed', 'canceled']);
}

const wrongState = (current: string, allowed: readonly string[]): DomainError =>
  new DomainError('invalid_state', `The import is ${current}. That can be asked only of one that is ${allowed.join(' or ')}.`, { current, allowed });

// Streams

export const importStream = (id: string): string => `import-${id}`;

export const legacyImport: Aggregate<LegacyImport, LegacyImportCommand, ImportEvent> = {
  stream: importStream,
  events: importEvents,
  initial: { status: 'new' },
  evolve,
  decide,
};

export const importRowsStream = (id: string): string => `importRows-${id}`;
export const importResultsStream = (id: string): string => `importResults-${id}`;
