import Type from 'typebox';
import {
  type Suppression,
  type SuppressionChannel,
  type SuppressionCommand,
  type SuppressionEvent,
  type SuppressionReason,
  suppression,
  suppressionStream,
} from '../../domain/suppressions/suppression.js';
import { mapConcurrent } from '../concurrency.js';
import { executeOnce } from '../idempotency.js';
import { type Context, command } from '../kernel.js';
import { loadSuppression } from './load-suppression.js';
import { suppressionId } from './suppress-address.js';

export interface ImportedSuppression {
  /** In its one spelling. */
  readonly address: string;
  readonly channel: SuppressionChannel;
  readonly reason: SuppressionReason;
  readonly source: string;
  /** Null: now. */
  readonly occurred_at: string | null;
}

/** One row of an import: the addresses that it names. */
export type SuppressionImportRow = readonly ImportedSuppression[];

export interface SuppressionImportResult {
  /** Rows that put something on the list which was not there. */
  readonly imported: number;
  /** Rows that said nothing new, but perhaps that it is older. */
  readonly already_suppressed: number;
}

/** As many appends are under way together; the log writes those of one moment with one call to the disk. */
const APPENDS_IN_FLIGHT = 512;
/** So many addresses are decided on before they are put on record. */
const BATCH_SIZE = 1_000;

/**
 * Puts many addresses on the do-not-contact list. Each is safe on disk before the answer, repeats change nothing, and of
 * what is said twice the earliest time stays. With `dry_run` nothing is written and the counts are those it would have.
 */
export const importSuppressions = command({
  name: 'ImportSuppressions',
  input: Type.Unsafe<{ readonly rows: readonly SuppressionImportRow[]; readonly dry_run: boolean }>(Type.Object({})),

  handle({ rows, dry_run }, context): Promise<SuppressionImportResult> {
    const groups = groupByAddress(rows, context);
    const work = async (): Promise<SuppressionImportResult> => {
      const news = new Set<number>();
      if (dry_run) await mapConcurrent(context, groups, APPENDS_IN_FLIGHT, (group) => previewGroup(group, context, news));
      else {
        for (let from = 0; from < groups.length; from += BATCH_SIZE) await appendToNewStreams(groups.slice(from, from + BATCH_SIZE), context, news);
      }
      return { imported: news.size, already_suppressed: rows.length - news.size };
    };
    return dry_run ? work() : executeOnce(context, work);
  },
});

type Suppress = Extract<SuppressionCommand, { type: 'Suppress' }>;

/** All that is said of one address, in order, with the row that says it. */
interface AddressGroup {
  readonly key: string;
  readonly stream: string;
  readonly commands: { readonly row: number; readonly command: Suppress }[];
}

function groupByAddress(rows: readonly SuppressionImportRow[], { now, cause, addresses }: Context): AddressGroup[] {
  const groups = new Map<string, AddressGroup>();
  rows.forEach((said, row) => {
    for (const { address, channel, reason, source, occurred_at } of said) {
      const address_key = addresses.key(cause.account, address);
      const group = groups.get(address_key) ?? { key: address_key, stream: suppressionStream(address_key), commands: [] };
      groups.set(address_key, group);
      const suppression_id = suppressionId(cause.account, address_key, channel);
      const about = { suppression_id, address_key, address, channel, reason, source, message_id: null, via: 'import' } as const;
      group.commands.push({ row, command: { type: 'Suppress', ...about, occurred_at: occurred_at ?? now, now } });
    }
  });
  return [...groups.values()];
}

/** What follows from a group on a state, and which rows said something that did not stand. */
function decideAll({ commands }: AddressGroup, from: Suppression): { events: SuppressionEvent[]; rows: number[] } {
  const events: SuppressionEvent[] = [];
  const rows: number[] = [];
  let state = from;
  for (const { row, command } of commands) {
    const decided = suppression.decide(command, state);
    if (decided.some(({ type }) => type === 'AddressSuppressed')) rows.push(row);
    state = decided.reduce(suppression.evolve, state);
    events.push(...decided);
  }
  return { events, rows };
}

/** Most addresses of an import have nothing on record: that is tried first, for many with one call. */
async function appendToNewStreams(groups: readonly AddressGroup[], context: Context, news: Set<number>): Promise<void> {
  const tries = groups.map((group) => ({ group, ...decideAll(group, suppression.initial) }));
  const parts = tries.map(({ group, events }) => ({ appends: [{ stream: group.stream, expected: 'no-stream', events }] as const }));
  const done = await context.appendParts(parts);
  for (const { rows } of tries.filter((_, i) => done[i])) for (const row of rows) news.add(row);
  await mapConcurrent(
    context,
    groups.filter((_, i) => !done[i]),
    APPENDS_IN_FLIGHT,
    (group) => appendToExistingStream(group, context, news),
  );
}

/** The way for an address that has a stream already. */
async function appendToExistingStream(group: AddressGroup, context: Context, news: Set<number>): Promise<void> {
  let rows: number[] = [];
  let asked = false;
  const whole = {
    initial: suppression.initial,
    evolve: suppression.evolve,
    decide: (_: SuppressionCommand, state: Suppression) => {
      const decided = decideAll(group, state);
      asked = true;
      rows = decided.rows;
      return decided.events;
    },
  };
  const [first] = group.commands;
  if (!first) return;
  const { position } = await context.decide(whole, group.stream, first.command, { sealed: true });
  // Not asked, and yet there is an event: this very import put it there before it broke off.
  if (position !== null && !asked) ({ rows } = decideAll(group, suppression.initial));
  for (const row of rows) news.add(row);
}

async function previewGroup(group: AddressGroup, { log }: Context, news: Set<number>): Promise<void> {
  const state = await loadSuppression(log, group.key);
  for (const row of decideAll(group, state).rows) news.add(row);
}
