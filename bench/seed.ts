import type { Checkpoint, Position, ViewWriter } from '../domain/kernel/ports.js';
import { message, messageStream } from '../domain/messages/message.js';
import { readPage } from '../log/feed/pages.js';
import { type Application, createApplication } from '../ops/app/application.js';
import { loadConfig } from '../ops/app/config/config.js';
import { allProjections, createProcesses } from '../ops/app/processes.js';
import { openEngine, startLogWriter } from '../ops/engines/engine.js';
import { loadMasterKey } from '../ops/system/secrets.js';
import { buildUpTo } from '../projections/runtime/build.js';
import { foldPage } from '../projections/runtime/fold-page.js';
import type { AnyProjection } from '../projections/runtime/projection.js';
import { answerJob } from './job-entry.js';
import { messageHistory, steps } from './message-history.js';

/**
 * Fills a data folder like months of use: the events come from the aggregate and are appended through the event
 * log, sealed, but without delays. Projections then fold them into the read models.
 */
export interface SeedJob {
  readonly dir: string;
  readonly account: string;
  /** Messages `from` (included) to `to` (not included); each number always gives the same message. */
  readonly from: number;
  readonly to: number;
  readonly views: boolean;
}

/** Messages whose events are interleaved in the log, and the number of concurrent groups. */
const INTERLEAVED = 1_000;
const GROUPS = 3;

async function seed({ dir, account, from, to, views }: SeedJob): Promise<null> {
  const config = loadConfig({ HELIOGRAPH_DATA_DIR: dir });
  const writer = await startLogWriter(config);
  const engine = await openEngine(config, { writer: writer?.connect() ?? null });
  const application = createApplication(config, loadMasterKey(config), engine);
  let next = from;
  const group = async () => {
    while (next < to) {
      const begin = next;
      next = Math.min(to, begin + INTERLEAVED);
      await appendHistories(application, account, begin, next);
    }
  };
  await Promise.all(Array.from({ length: GROUPS }, group));
  if (views) await foldAll(allProjections(createProcesses(config, application)), application);
  await engine.close();
  await writer?.close();
  return null;
}

/** Appends the first event of each message, then the second of each, and so on, as with many concurrent messages. */
async function appendHistories({ log, vault }: Application, account: string, from: number, to: number): Promise<void> {
  const histories = Array.from({ length: to - from }, (_, i) => messageHistory(from + i));
  for (const step of steps) {
    await Promise.all(
      histories.map(async (history) => {
        const { id, createdMs, state, revision } = history;
        const events = message.decide(
          step(history, (to) => vault.key(account, to)),
          state,
        );
        const occurredAt = new Date(createdMs).toISOString();
        const cause = { $correlationId: id, $causationId: id, account, actor: { kind: 'key', id: 'seed' }, occurredAt, invocation: `seed/${id}` };
        const appended = await log.append(messageStream(id), revision === -1 ? 'no-stream' : revision, events, cause);
        history.state = events.reduce(message.evolve, state);
        history.revision = appended.revision;
      }),
    );
  }
}

const PAGE = 2_000;

/** Folds the log into all read models in step, so that each event is read and parsed once. */
async function foldAll(projections: readonly AnyProjection[], { log, engine }: Application): Promise<void> {
  const { signal } = new AbortController();
  const folded: { projection: AnyProjection; writer: ViewWriter }[] = [];
  const start = await highestCheckpoint(projections, engine.views);
  for (const projection of projections) {
    const writer = await engine.views.writer(projection);
    await buildUpTo(projection, { log }, writer, signal, undefined, start);
    folded.push({ projection, writer });
  }
  for (let after = start; ; ) {
    const page = await readPage(log, after, PAGE);
    if (page.events.length === 0) break;
    for (const { projection, writer } of folded) {
      const done = await writer.commit(after, page.upTo as Position, await foldPage(projection, writer, page, log));
      if (done !== 'ok') throw new Error(`another process writes ${projection.name}`);
    }
    after = page.upTo;
  }
  for (const { writer } of folded) await writer?.close();
}

/** The highest checkpoint. Projections behind it are built up to it first. */
async function highestCheckpoint(projections: readonly AnyProjection[], views: Application['engine']['views']): Promise<Checkpoint> {
  const positions = await Promise.all(projections.map(async (projection) => (await views.status(projection)).position));
  return (
    positions
      .filter((position) => position !== 'start')
      .sort()
      .at(-1) ?? 'start'
  );
}

answerJob(seed);
