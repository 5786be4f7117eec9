import type { SuppressionReason, SuppressionScope } from '../../domain/suppressions/reasons.js';
import {
  type Suppression,
  type SuppressionChannel,
  type SuppressionCommand,
  type SuppressionEvent,
  suppression,
  suppressionStream,
} from '../../domain/suppressions/suppression.js';
import { loadSuppression } from '../../log/aggregates/load-suppression.js';
import { type Context, internalCommand } from '../runtime/command.js';
import { mapConcurrent } from '../runtime/concurrency.js';
import { executeOnce } from '../runtime/idempotency.js';
import { suppressionId } from './suppress-address.js';

export interface ImportedSuppression {
  /** Normalized. */
  readonly address: string;
  readonly channel: SuppressionChannel;
  readonly reason: SuppressionReason;
  readonly scope: SuppressionScope;
  readonly source: string;
  /** Null for now. */
  readonly occurred_at: string | null;
}

/** One row of an import: one or two addresses. */
export type SuppressionImportRow = readonly ImportedSuppression[];

export interface SuppressionImportResult {
  /** Rows with at least one new reason, or a reason with a wider scope. */
  readonly imported: number;
  /** The other rows; some may have changed an `occurred_at`. */
  readonly already_suppressed: number;
}

const APPENDS_IN_FLIGHT = 512;
/** Addresses per `appendParts`. */
const BATCH_SIZE = 1_000;

interface ImportSuppressionsInput {
  readonly rows: readonly SuppressionImportRow[];
  readonly dry_run: boolean;
}

/**
 * Suppresses many addresses. They are durable when it returns. Repeats have no effect; of duplicates the earliest
 * `occurred_at` is kept. With `dry_run` only the counts are computed.
 */
export const importSuppressions = internalCommand({
  name: 'ImportSuppressions',

  handle({ rows, dry_run }: ImportSuppressionsInput, context): Promise<SuppressionImportResult> {
    const groups = groupByAddress(rows, context);
    const work = async (): Promise<SuppressionImportResult> => {
      const imported = new Set<number>();
      if (dry_run) await mapConcurrent(context, groups, APPENDS_IN_FLIGHT, (group) => previewGroup(group, context, imported));
      else {
        for (let from = 0; from < groups.length; from += BATCH_SIZE)
          await appendToNewStreams(groups.slice(from, from + BATCH_SIZE), context, imported);
      }
      return { imported: imported.size, already_suppressed: rows.length - imported.size };
    };
    return dry_run ? work() : executeOnce(context, work);
  },
});

type Suppress = Extract<SuppressionCommand, { type: 'Suppress' }>;

/** The commands for one address in the order of their rows. */
interface AddressGroup {
  readonly key: string;
  readonly stream: string;
  readonly commands: { readonly row: number; readonly command: Suppress }[];
}

function groupByAddress(rows: readonly SuppressionImportRow[], { now, cause, addresses }: Context): AddressGroup[] {
  const groups = new Map<string, AddressGroup>();
  rows.forEach((entries, row) => {
    for (const { address, channel, reason, scope, source, occurred_at } of entries) {
      const address_key = addresses.key(cause.account, address);
      const group = groups.get(address_key) ?? { key: address_key, stream: suppressionStream(address_key), commands: [] };
      groups.set(address_key, group);
      const suppression_id = suppressionId(cause.account, address_key, channel);
      const about = { suppression_id, address_key, address, channel, reason, scope, source, message_id: null, via: 'import' } as const;
      group.commands.push({ row, command: { type: 'Suppress', ...about, occurred_at: occurred_at ?? now, now } });
    }
  });
  return [...groups.values()];
}

/** Decides all commands of a group. `rows`: those with a new reason or a wider scope. */
function decideAll({ commands }: AddressGroup, from: Suppression): { events: SuppressionEvent[]; rows: number[] } {
  const events: SuppressionEvent[] = [];
  const rows: number[] = [];
  let state = from;
  for (const { row, command } of commands) {
    const decided = suppression.decide(command, state);
    if (decided.some(({ type }) => type === 'AddressSuppressed' || type === 'SuppressionWidened')) rows.push(row);
    state = decided.reduce(suppression.evolve, state);
    events.push(...decided);
  }
  return { events, rows };
}

/** Appends a batch as new streams in one call, since most addresses have no stream; then the others one by one. */
async function appendToNewStreams(groups: readonly AddressGroup[], context: Context, imported: Set<number>): Promise<void> {
  const attempts = groups.map((group) => ({ group, ...decideAll(group, suppression.initial) }));
  const parts = attempts.map(({ group, events }) => ({ appends: [{ stream: group.stream, expected: 'no-stream', events }] as const }));
  const appended = await context.appendParts(parts);
  for (const { rows } of attempts.filter((_, i) => appended[i])) for (const row of rows) imported.add(row);
  await mapConcurrent(
    context,
    groups.filter((_, i) => !appended[i]),
    APPENDS_IN_FLIGHT,
    (group) => appendToExistingStream(group, context, imported),
  );
}

/** Decides a whole group as one command on the existing stream. */
async function appendToExistingStream(group: AddressGroup, context: Context, imported: Set<number>): Promise<void> {
  let rows: number[] = [];
  let decidedNow = false;
  const groupDecider = {
    initial: suppression.initial,
    evolve: suppression.evolve,
    decide: (_: SuppressionCommand, state: Suppression) => {
      const decided = decideAll(group, state);
      decidedNow = true;
      rows = decided.rows;
      return decided.events;
    },
  };
  const [first] = group.commands;
  if (!first) return;
  const { position } = await context.decide(groupDecider, group.stream, first.command, { sealed: true });
  // An earlier run under the same idempotency key has appended the events: count the rows as that run did.
  if (position !== null && !decidedNow) ({ rows } = decideAll(group, suppression.initial));
  for (const row of rows) imported.add(row);
}

async function previewGroup(group: AddressGroup, { log }: Context, imported: Set<number>): Promise<void> {
  const state = await loadSuppression(log, group.key);
  for (const row of decideAll(group, state).rows) imported.add(row);
}
