import {
  contactImport,
  type ImportCommand,
  type ImportEvent,
  type ImportOptions,
  type ImportRow,
  importRowsStream,
  importStream,
} from '../../domain/contacts/import.js';
import { type FieldProblem, invalid, isDomainError } from '../../domain/kernel/errors.js';
import { loadImport } from '../../log/contacts/load-import.js';
import { loadList } from '../../log/lists/load-list.js';
import { findEarlierRun } from '../idempotency.js';
import { type Context, internalCommand } from '../kernel.js';

/** A chunk has at most this many rows and about this many characters: an append must stay below 512 kB. */
const CHUNK_ROWS = 1_000;
const CHUNK_CHARACTERS = 100_000;
/** Up to this many rows are processed while the caller waits. */
export const MAX_SYNCHRONOUS_ROWS = 1_000;

export interface AcceptImportInput {
  readonly options: ImportOptions;
  /** Can be iterated repeatedly, with the same rows in the same order. */
  readonly rows: () => AsyncIterable<ImportRow> | Iterable<ImportRow>;
  /** Once it is aborted nothing more is stored, and the import is abandoned. */
  readonly signal?: AbortSignal;
}

export interface AcceptedRows {
  readonly import_id: string;
  readonly total: number;
  readonly created_at: string;
  readonly by: 'request' | 'process';
}

/**
 * Stores the rows of an import in sealed chunks as they arrive. The import counts once the last one is stored; a process manager
 * abandons what a crash leaves incomplete. Under an idempotency key a repeat continues where the first try stopped. Throws
 * `validation_error` for unknown lists and if there are no rows.
 */
export const acceptImport = internalCommand({
  name: 'AcceptImport',

  async handle({ options, rows, signal }: AcceptImportInput, context): Promise<AcceptedRows> {
    const { log, cause } = context;
    const import_id = context.newId('job');
    const stream = importStream(import_id);
    const past = cause.key ? ((await log.read<ImportEvent>(stream)) ?? []) : [];
    findEarlierRun(cause, past);
    const accepted = past.find(({ event }) => event.type === 'ImportAccepted');
    if (accepted?.event.type === 'ImportAccepted') {
      context.markReplayed(accepted.position);
      const { total, by } = accepted.event.data;
      return { import_id, total, by, created_at: past[0]?.event.data.at ?? context.now };
    }
    await requireLists(context, options.list_ids);

    const decide = async (command: ImportCommand): Promise<void> => {
      const { state, revision } = await loadImport(log, import_id);
      const events = contactImport.decide(command, state);
      if (events.length > 0) await context.append(stream, revision === -1 ? 'no-stream' : revision, events);
    };
    let total = 0;
    let chunk = 0;
    let stored = past.length === 0 ? 0 : await chunksStored(context, import_id);
    for await (const part of chunksOf(rows())) {
      signal?.throwIfAborted();
      if (chunk === 0) await decide({ type: 'Begin', import_id, options, now: context.now });
      if (chunk >= stored) {
        const event = { type: 'ImportRowsStored', data: { import_id, chunk, rows: part } };
        await context.append(importRowsStream(import_id), chunk === 0 ? 'no-stream' : chunk - 1, [event]);
        stored = chunk + 1;
      }
      total += part.length;
      chunk += 1;
    }
    if (total === 0) throw invalid([{ field: 'contacts', code: 'required', message: 'Send at least one row.' }]);
    signal?.throwIfAborted();
    const by = total <= MAX_SYNCHRONOUS_ROWS ? 'request' : 'process';
    await decide({ type: 'Accept', total, chunks: chunk, by, now: context.now });
    const { state } = await loadImport(log, import_id);
    return { import_id, total, by, created_at: state.status === 'new' ? context.now : state.created_at };
  },
});

/** Throws `validation_error` that names every list that there is not. */
export async function requireLists(context: Pick<Context, 'log' | 'cause'>, ids: readonly string[]): Promise<void> {
  const problems = await unknownLists(context, ids);
  if (problems.length > 0) throw invalid(problems);
}

/** A problem for each list that there is not. Malformed ids are undefined. */
export async function unknownLists({ log, cause }: Pick<Context, 'log' | 'cause'>, ids: readonly (string | undefined)[]): Promise<FieldProblem[]> {
  const problems = await Promise.all(
    ids.map(async (id, i) => {
      try {
        if (id !== undefined) await loadList(log, cause.account, id);
        return [];
      } catch (e) {
        if (!isDomainError(e)) throw e;
        return [{ field: `list_ids[${i}]`, code: 'not_found', message: 'There is no such list.' }];
      }
    }),
  );
  return problems.flat();
}

async function chunksStored({ log }: Context, id: string): Promise<number> {
  const [last] = (await log.readSealed(importRowsStream(id), { backwards: true, limit: 1 })) ?? [];
  return (last?.revision ?? -1) + 1;
}

/** Splits rows into chunks. The same rows always fall into the same chunks. */
export async function* chunksOf(
  rows: AsyncIterable<ImportRow> | Iterable<ImportRow>,
  { most = CHUNK_ROWS, characters = CHUNK_CHARACTERS } = {},
): AsyncGenerator<ImportRow[]> {
  let chunk: ImportRow[] = [];
  let size = 0;
  for await (const row of rows) {
    const own = JSON.stringify(row).length;
    if (chunk.length === most || (chunk.length > 0 && size + own > characters)) {
      yield chunk;
      chunk = [];
      size = 0;
    }
    chunk.push(own > CHUNK_CHARACTERS ? tooLong(row) : row);
    size += Math.min(own, CHUNK_CHARACTERS);
  }
  if (chunk.length > 0) yield chunk;
}

const tooLong = ({ row }: ImportRow): ImportRow => ({
  row,
  problems: [{ field: '', code: 'too_long', message: `A row has at most ${CHUNK_CHARACTERS} characters.` }],
});
