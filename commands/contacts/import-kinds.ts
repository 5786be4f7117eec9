import { LRUCache } from 'lru-cache';
import {
  CONTACT_IMPORT,
  CONTACT_IMPORT_DRY_RUN,
  CONTACT_IMPORT_REVERT,
  type ImportOptions,
  type ImportProblem,
  type ImportRow,
  type ImportWarning,
  zeroCounts,
  zeroReverted,
} from '../../domain/contacts/import.js';
import { type JobResultEvent, jobResultsStream } from '../../domain/jobs/job.js';
import { loadJobProgress } from '../../log/aggregates/jobs/load-job.js';
import { readOutput } from '../../log/aggregates/jobs/read-output.js';
import type { JobKind } from '../jobs/kind.js';
import type { Context } from '../runtime/command.js';
import { importRows, type RowWarning } from './import-rows.js';
import { revertContacts } from './revert-contacts.js';

const reasonsOf = (items: readonly ImportRow[]): ImportProblem[] =>
  items.flatMap(({ row, problems = [] }) => problems.map((problem) => ({ row, ...problem })));

/** Without the email, which is personal. */
const storedWarning = ({ email: _, ...warning }: RowWarning): ImportWarning => ({ ...warning, not_applied: [...warning.not_applied] });

/** An import of contacts: each chunk is some of its rows. */
export const contactImport: JobKind<ImportOptions, ImportRow> = {
  kind: CONTACT_IMPORT,
  lane: CONTACT_IMPORT,
  priority: 1,
  cancelable: true,
  revertible: true,
  keepMs: 0,
  failure: ({ stopped }) => (stopped ? 'unmapped_opt_out' : null),

  async work(context, { job_id, params: options, items }) {
    const { stopped } = options;
    if (stopped) return { done: stopped.total, counts: { ...zeroCounts, failed: stopped.total }, errors: reasonsOf(items) };
    const { counts, errors, warnings, contacts } = await importRows(context, { id: job_id, options }, items);
    return { done: items.length, counts: { ...counts }, errors, warnings: warnings.map(storedWarning), resources: contacts };
  },
};

/** Reverts an import that is over: its chunks from the last to the first. An item is a contact. */
export const contactImportRevert: JobKind<{ readonly import_id: string }> = {
  kind: CONTACT_IMPORT_REVERT,
  lane: CONTACT_IMPORT,
  priority: 1,
  cancelable: false,
  keepMs: 0,

  async work(context, { params: { import_id }, from }) {
    const chunk = from === null ? (await loadJobProgress(context.log, import_id)).revision : Number(from);
    if (chunk < 0) return { done: 0, counts: zeroReverted, errors: [], next: null };
    const [done] = (await context.log.read<JobResultEvent>(jobResultsStream(import_id), { from: chunk, limit: 1 })) ?? [];
    if (!done) throw new Error(`import ${import_id} has no result of chunk ${chunk}`);
    const { resources } = done.event.data;
    const counts = await revertContacts(context, import_id, resources);
    return { done: resources.length, counts, errors: [], next: chunk > 0 ? String(chunk - 1) : null };
  },
};

/** Keys of all jobs together that a node holds in memory. */
const MAX_KEYS = 2_000_000;
/** Characters of a key: two of a million keys are alike once in a billion files. */
const KEY_LENGTH = 12;

interface SeenKeys {
  /** The chunk before which the keys were seen. */
  readonly chunk: number;
  readonly keys: Set<string>;
}

/**
 * What an import would do, by the same work over an overlay of the log. Nothing but the job is written. A row about a contact of
 * an earlier chunk counts as merged even if it changes nothing. The keys of earlier rows, by which that is known, are output of
 * their chunks, and are read again after a restart.
 */
export function contactImportDryRun(): JobKind<ImportOptions, ImportRow> {
  const known = new LRUCache<string, SeenKeys>({ maxSize: MAX_KEYS, sizeCalculation: ({ keys }) => keys.size + 1 });

  async function seenBefore(context: Context, job_id: string, chunk: number): Promise<Set<string>> {
    const found = known.get(job_id);
    if (found?.chunk === chunk) return found.keys;
    const keys = new Set<string>();
    if (chunk > 0) for await (const text of readOutput(context.log, job_id)) for (const key of text.split('\n')) keys.add(key);
    return keys;
  }

  return {
    kind: CONTACT_IMPORT_DRY_RUN,
    lane: CONTACT_IMPORT_DRY_RUN,
    priority: 1,
    cancelable: true,
    keepMs: 0,

    async work(context, { job_id, params: options, chunk, items }) {
      const keys = await seenBefore(context, job_id, chunk);
      const seen = { has: (key: string) => keys.has(key.slice(0, KEY_LENGTH)) };
      const { counts, errors, warnings, keys: own } = await importRows(context, { id: job_id, options, trial: context.log.overlay(), seen }, items);
      const added = [...own].map((key) => key.slice(0, KEY_LENGTH)).filter((key) => !keys.has(key));
      for (const key of added) keys.add(key);
      known.set(job_id, { chunk: chunk + 1, keys });
      return {
        done: items.length,
        counts: { ...counts },
        errors,
        warnings: warnings.map(storedWarning),
        output: [{ subject: job_id, text: added.map((key) => `${key}\n`).join('') }],
      };
    },
  };
}
