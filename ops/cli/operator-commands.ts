import { createWriteStream, existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Command, InvalidArgumentError } from 'commander';
import type { Checkpoint, ReadModels } from '../../domain/kernel/ports.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import { rebuild } from '../../projections/runtime/build.js';
import type { AnyProjection } from '../../projections/runtime/projection.js';
import { projectionStatuses } from '../../projections/runtime/status.js';
import { verify } from '../../projections/runtime/verify.js';
import { fractionOf } from '../engines/read-pages.js';
import { backup, restore } from './backup.js';
import { countEvents, type EventRow, exportEvents, type ReadEventsOptions, tailEvents } from './operator-events.js';
import { noEventLog } from './terminal/no-event-log.js';
import { type Output, writeJson, writeLine, writeTable } from './terminal/output.js';
import { ProgressBar } from './terminal/progress-bar.js';
import { UsageError } from './terminal/usage-error.js';

/** What the operator's commands need. */
export interface Stores {
  readonly log: EventLog;
  readonly views: ReadModels;
  /** Read models and the to-do lists of processes. */
  readonly projections: readonly AnyProjection[];
}

export interface CommandEnvironment extends Output {
  readonly dataDir: string;
  /** Whether the log is stored in the data folder. */
  readonly logIsLocal: boolean;
  readonly now: () => number;
  /** Aborts when the command is to end. */
  readonly signal: AbortSignal;
  /** Opens the engines for the duration of `work`. */
  readonly withStores: <T>(work: (tools: Stores) => Promise<T>) => Promise<T>;
}

/** Adds `events`, `projections`, `backup` and `restore`. All but `restore` work beside a running server. `surroundings` is called when a command runs. */
export function addOperatorCommands(program: Command, surroundings: () => CommandEnvironment): void {
  addEvents(program, surroundings);
  addProjections(program, surroundings);
  addBackup(program, surroundings);
}

interface EventOptions {
  readonly stream?: string;
  readonly type?: string;
  readonly after?: string;
  readonly open?: boolean;
  readonly json?: boolean;
}

function addEvents(program: Command, surroundings: () => CommandEnvironment): void {
  const events = program.command('events').description('Show the event log.');
  const reading = ({ signal }: CommandEnvironment, options: EventOptions): ReadEventsOptions => ({ ...options, signal });
  const select = (command: Command) =>
    command
      .option('--stream <name>', 'only events of this stream')
      .option('--type <name>', 'only events of this type')
      .option('--after <position>', 'only events after this position of the log', parsePosition);

  select(events.command('tail'))
    .description('Print the last events, and then new ones as they are appended.')
    .option('-n, --last <count>', 'number of events to start with', parseWholeNumber, 10)
    .option('--no-follow', 'end after these')
    .option('--open', 'open personal fields')
    .option('--json', 'one JSON document per line')
    .action(async (options: EventOptions & { last: number; follow: boolean }) => {
      const s = surroundings();
      const print = options.json ? JSON.stringify : formatEvent;
      await withLog(s, async ({ log }) => {
        for await (const event of tailEvents(log, { ...reading(s, options), last: options.last, follow: options.follow }))
          await writeLine(s.out, print(event));
      });
    });

  select(events.command('count'))
    .description('Count events by type.')
    .option('--json', 'one JSON document')
    .action(async (options: EventOptions) => {
      const s = surroundings();
      const count = await withLog(s, ({ log }) =>
        withBar(s, log, 'of the log counted', (onPage) => countEvents(log, { ...reading(s, options), onPage })),
      );
      if (options.json) return writeJson(s.out, count);
      await writeTable(s.out, ['type', 'events'], [...Object.entries(count.by_type), ['all', count.events]]);
    });

  select(events.command('export'))
    .description('Write events as NDJSON, one per line, in the order of the log. Personal fields stay sealed.')
    .option('--open', 'open personal fields: the export then contains addresses and texts')
    .option('--out <file>', 'write to a new file that only its owner can read')
    .action(async (options: EventOptions & { out?: string }) => {
      const s = surroundings();
      const events = await withLog(s, ({ log }) =>
        // The events themselves show how far it is.
        options.out === undefined
          ? writeExport(s, exportEvents(log, reading(s, options)))
          : withBar(s, log, 'of the log exported', (onPage) => writeExport(s, exportEvents(log, { ...reading(s, options), onPage }), options.out)),
      );
      await writeLine(s.err, `${events} events${options.open ? ' with open personal fields: protect the export like the data itself' : ''}.`);
    });
}

async function writeExport(s: CommandEnvironment, events: AsyncIterable<EventRow>, file?: string): Promise<number> {
  let written = 0;
  async function* lines() {
    for await (const event of events) {
      written += 1;
      yield `${JSON.stringify(event)}\n`;
    }
  }
  if (file === undefined) await pipeline(lines, s.out, { end: false });
  else await pipeline(lines, createWriteStream(file, { flags: 'wx', mode: 0o600 }));
  return written;
}

function formatEvent({ position, type, stream, revision, data, metadata }: EventRow): string {
  return `${position.replace(/^0+(?=\d)/, '')}  ${metadata.occurredAt}  ${type}  ${stream}#${revision}  ${JSON.stringify(data)}`;
}

function addProjections(program: Command, surroundings: () => CommandEnvironment): void {
  const projections = program.command('projections').description('Show, rebuild and verify the read models.');

  projections
    .command('list')
    .description('Show the position, lag and status of each projection.')
    .option('--json', 'one JSON document')
    .action(async (options: { json?: boolean }) => {
      const s = surroundings();
      const statuses = await withLog(s, (tools) => projectionStatuses(tools.projections, { ...tools, now: s.now }));
      // An array, as in GET /v1/system/projections.
      if (options.json) return writeJson(s.out, statuses);
      const numberOf = (position: string): number => Number(position) || 0;
      const rows = statuses.map(({ name, version, position, positions, lag_ms, status, reason }) => [
        name,
        version,
        positions ? `${numberOf(position)} to ${Math.max(...positions.map(numberOf))}` : numberOf(position),
        lag_ms,
        reason ? `${status}: ${reason}` : status,
      ]);
      await writeTable(s.out, ['name', 'version', 'position', 'lag ms', 'status'], rows);
    });

  projections
    .command('rebuild <name>')
    .description('Rebuild a projection from the log. The old one answers until the new one has caught up.')
    .option('--json', 'one JSON document')
    .action(async (name: string, options: { json?: boolean }) => {
      const s = surroundings();
      const began = s.now();
      const done = await withLog(s, async (tools) => {
        const projection = projectionNamed(tools, name);
        const events = await withBar(s, tools.log, 'events', (onProgress) => rebuild(projection, tools, s.signal, onProgress));
        return { name, events, position: (await tools.views.status(projection)).position, duration_ms: s.now() - began };
      });
      if (options.json) return writeJson(s.out, done);
      await writeLine(s.out, `Rebuilt ${name} from ${done.events} events in ${(done.duration_ms / 1_000).toFixed(1)} s.`);
    });

  projections
    .command('verify <name>')
    .description('Compare each document of a projection with a fresh one built from the log. Exit code 1 if any differ.')
    .option('--json', 'one JSON document')
    .action(async (name: string, options: { json?: boolean }) => {
      const s = surroundings();
      const result = await withLog(s, (tools) => {
        const projection = projectionNamed(tools, name);
        return withBar(s, tools.log, 'events', (onProgress) => verify(projection, tools, s.signal, onProgress));
      });
      if (options.json) await writeJson(s.out, result);
      else {
        const verdict = result.equal ? 'equal' : `${result.differing} differ`;
        await writeLine(s.out, `${name} at ${result.position}: ${result.documents} documents, ${verdict}.`);
        for (const { collection, id, kind } of result.differences) await writeLine(s.out, `  ${kind}  ${collection}/${id}`);
      }
      if (!result.equal) throw new Error(`${name} differs from the log: rebuild it`);
    });
}

/** Shows how far work over the log is, by position; and the number of events where the work counts them. */
async function withBar<T>(
  { err, now }: CommandEnvironment,
  log: EventLog,
  text: string,
  work: (onProgress: (position: Checkpoint, events?: number) => void) => Promise<T>,
): Promise<T> {
  const head = await log.store.head();
  const bar = new ProgressBar(err, now);
  try {
    return await work((position, done) => bar.show({ text, done, fraction: fractionOf(position, head) }));
  } finally {
    bar.end();
  }
}

function projectionNamed({ projections }: Stores, name: string): AnyProjection {
  const found = projections.find((projection) => projection.name === name);
  if (!found) throw new UsageError(`Unknown projection '${name}'. Known: ${projections.map((p) => p.name).join(', ')}.`);
  return found;
}

const NOT_LOCAL =
  'The log is in EventStoreDB: back it up with the tools of EventStoreDB, or copy it into a folder with `heliograph engines copy` and back that up.';

function addBackup(program: Command, surroundings: () => CommandEnvironment): void {
  program
    .command('backup <dir>')
    .description('Copy the log and the keys into separate folders of an empty folder. The master key is not copied.')
    .option('--json', 'one JSON document')
    .action(async (dir: string, options: { json?: boolean }) => {
      const { out, err, dataDir, logIsLocal, now } = surroundings();
      if (!logIsLocal) throw new UsageError(NOT_LOCAL);
      const manifest = await backup({ dataDir, target: resolve(dir), now });
      if (options.json) return writeJson(out, { ...manifest, master_key_included: false });
      await writeLine(out, `Copied ${manifest.events} events to ${join(dir, 'log')} and the keys of their personal fields to ${join(dir, 'keys')}.`);
      await writeLine(err, 'The master key is not in the backup. Without it no personal field can be read: store it elsewhere.');
    });

  program
    .command('restore <dir>')
    .description('Restore a backup into the data folder. The next start rebuilds the read models.')
    .option('--keys <folder>', 'folder of keys.db, if the keys were stored elsewhere')
    .option('--without-keys', 'restore the log alone: all personal fields read <key_missing>')
    .option('--force', 'replace existing data')
    .option('--json', 'one JSON document')
    .action(async (dir: string, options: { keys?: string; withoutKeys?: boolean; force?: boolean; json?: boolean }) => {
      const { out, err, dataDir, logIsLocal } = surroundings();
      if (!logIsLocal)
        throw new UsageError(
          'The log is in EventStoreDB: restore into a folder with HELIOGRAPH_LOG=sqlite, then copy that with `heliograph engines copy`.',
        );
      const { json: asJson, ...how } = options;
      const manifest = await restore({ source: resolve(dir), dataDir, ...how });
      if (asJson) return writeJson(out, { ...manifest, data_dir: dataDir });
      await writeLine(out, `Restored ${manifest.events} events of ${manifest.made_at} into ${dataDir}.`);
      await writeLine(err, 'The next start needs the master key of this backup. Repeat the erasures made since: `heliograph erase --again`.');
    });
}

/** Opens a data folder that has a log. A misspelled path must not create a new one. */
function withLog<T>({ dataDir, logIsLocal, withStores }: CommandEnvironment, work: (tools: Stores) => Promise<T>): Promise<T> {
  if (logIsLocal && !existsSync(join(dataDir, 'events.db'))) throw noEventLog(dataDir);
  return withStores(work);
}

function parseWholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('Not a whole number.');
  return Number(text);
}

/** Positions have 20 digits; shorter ones are padded, so that they can be typed. */
function parsePosition(text: string): string {
  if (!/^\d{1,20}$/.test(text)) throw new InvalidArgumentError('Not a position of the log.');
  return text.padStart(20, '0');
}
