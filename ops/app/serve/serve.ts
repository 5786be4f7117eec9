import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { stop as stopServer } from '../../../api/http/server/server.js';
import { type Engine, openEngine, startLogWriter } from '../../engines/engine.js';
import { narrowDataFolder } from '../../engines/narrow-folder.js';
import { createLogger } from '../../monitoring/logging.js';
import { createMetrics, type Metrics } from '../../monitoring/metrics.js';
import { checkStores, identifyStores } from '../../store-consistency/check.js';
import { requireWritable } from '../../store-consistency/data-folder.js';
import { loadMasterKey, verifySharedMasterKey } from '../../system/secrets.js';
import { createApplication } from '../application.js';
import { type Config, unknownVariables } from '../config/config.js';
import { invalidationPorts, threadInvalidation } from './cache-invalidation.js';
import { createDemoAccount, showsDemo, welcomeText } from './demo-account.js';
import { startHttpServer } from './http-server.js';
import { releaseMemoryWhenIdle } from './idle-memory.js';
import { requireFreeAddress } from './listening.js';
import { requireOpenFiles } from './open-files.js';
import { applyMetricCall, type ThreadData, type ThreadMessage } from './thread-messages.js';

/** How long requests in flight may take after a stop was requested. */
const STOP_GRACE_MS = 5_000;
/** How long the threads may take to stop after one of them has failed. */
const FAILED_STOP_MS = 2_000;

/** Objects of these threads live for a page of events. With room for a page, the garbage collector copies little. */
const YOUNG_GENERATION_MB = 64;

/**
 * Helper threads that share the collection of a young generation cost more CPU time than they save: little survives there, and
 * four threads of ours collect by turns anyway. Read by V8 at each collection, so it applies to threads that run already.
 */
const COLLECT_ALONE = '--no-parallel-scavenge';

export interface RunningService {
  /** Base URL at which this process answers, whatever its public URL is; without the role `api` only health, metrics and `/v1/system` answer there. */
  readonly url: string;
  /** The holder's name in leases. */
  readonly instance: string;
  stop(): Promise<void>;
}

/**
 * Runs the configured roles in this process: HTTP in this thread, the writer of the log, the projections and the processes
 * each in a thread of their own. Resolves once it listens and its threads run. The stores must be available at the start; later
 * outages are tolerated. `onFailure` is called when a thread dies: then the process must exit.
 */
export async function serve(config: Config, onFailure: (error: Error) => void): Promise<RunningService> {
  const opened = new CloseStack();
  // A process that exits while its threads use their stores is aborted, and its exit code is lost.
  const fail = (error: Error) => void closeSoon(opened).then(() => onFailure(error));
  try {
    return await start(config, fail, opened);
  } catch (e) {
    await closeSoon(opened);
    throw e;
  }
}

/** What went wrong first counts, so problems of the closing do not. */
const closeSoon = (opened: CloseStack) => Promise.race([opened.close().catch(() => {}), sleep(FAILED_STOP_MS, undefined, { ref: false })]);

/** What a start has opened so far. It is closed once, in reverse order. */
class CloseStack {
  readonly #closings: (() => Promise<void>)[] = [];
  #closed: Promise<void> | null = null;

  add(close: () => Promise<void>): void {
    this.#closings.push(close);
  }

  close(): Promise<void> {
    this.#closed ??= this.#closeAll();
    return this.#closed;
  }

  async #closeAll(): Promise<void> {
    for (const close of this.#closings.reverse()) await close();
  }
}

async function start(config: Config, onFailure: (error: Error) => void, opened: CloseStack): Promise<RunningService> {
  setFlagsFromString(COLLECT_ALONE);
  const logger = createLogger({ level: config.logLevel });
  const metrics = createMetrics();
  requireOpenFiles();
  requireWritable(config.dataDir);
  for (const notice of [...narrowDataFolder(config.dataDir), ...(await checkStores(config))]) logger.warn(notice, { data_dir: config.dataDir });
  const master = loadMasterKey(config);
  const instance = randomUUID();
  const writer = await startLogWriter(config);
  writer?.onFailure(onFailure);
  opened.add(async () => writer?.close());
  const connect = () => writer?.connect() ?? null;
  const engine = await openEngine(config, { writer: connect(), instance });
  opened.add(() => engine.close());
  await verifySharedMasterKey(engine.keys, master);
  const application = createApplication(config, master, engine, { metrics });

  const head = await engine.events.head();
  const isFirst = await isFirstStart(config, engine);
  // The credentials of the demo account are printed once it listens: nobody would see those of a start that fails.
  if (isFirst) await requireFreeAddress(config);
  const demo = isFirst ? await createDemoAccount(application) : null;
  if (demo) await identifyStores(config);
  const ports = invalidationPorts(config.roles);
  const threads = config.roles
    .filter((role) => role !== 'api')
    .map((role) => new WorkerThread({ role, config, master, instance, writer: connect(), ...ports[role] }, metrics, onFailure));
  const stopping = new AbortController();
  const { changedStreams, run, close } = threadInvalidation(ports.main, application.log, application.clock, stopping.signal);
  const watching = Promise.all([run(), application.subscribeCaches(changedStreams, head, stopping.signal)]);
  watching.catch(onFailure);
  const resting = releaseMemoryWhenIdle({ clock: application.clock }, stopping.signal);
  opened.add(async () => {
    await Promise.all(threads.map((thread) => thread.stop()));
    stopping.abort();
    await Promise.all([watching, resting]);
    close();
  });
  const demoAccount = demo && showsDemo(config) ? demo.account_id : null;
  const { server, url, listening } = await startHttpServer(config, application, metrics, logger, demoAccount);
  await Promise.all(threads.map(({ ready }) => ready));
  if (demo) process.stderr.write(welcomeText(demo, url, demoAccount !== null));
  logger.info('started', { roles: config.roles, log: config.log, views: config.views, data_dir: config.dataDir });
  for (const variable of unknownVariables(process.env)) logger.warn('unknown setting, probably misspelt', { variable });

  return {
    url: listening,
    instance,
    async stop() {
      application.inboxChanges.end();
      application.liveChanges.end();
      await stopServer(server, STOP_GRACE_MS, application.clock);
      await opened.close();
      logger.info('stopped');
    },
  };
}

/** Whether to create a demo account: only for an empty embedded log. Where nodes share a log, an operator creates accounts. */
const isFirstStart = async ({ log, roles }: Config, { events }: Engine): Promise<boolean> =>
  log === 'sqlite' && roles.includes('api') && (await events.head()) === 'start';

/** A thread that runs until it is stopped. */
class WorkerThread {
  /** Resolves once it runs. */
  readonly ready: Promise<void>;
  readonly #worker: Worker;
  readonly #exited: Promise<unknown>;
  #stopping = false;

  constructor(data: ThreadData, metrics: Metrics, onFailure: (error: Error) => void) {
    this.#worker = new Worker(new URL('./thread.js', import.meta.url), {
      workerData: data,
      transferList: [data.writer, data.changedStreamsFrom, ...data.changedStreamsTo].filter((port) => port !== null),
      name: data.role,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    });
    this.ready = new Promise((resolve) => {
      this.#worker.on('message', (message: ThreadMessage) => {
        if (message === 'ready') resolve();
        else if (message !== 'stopped') for (const call of message.metrics) applyMetricCall(metrics, call);
      });
    });
    this.#exited = new Promise((resolve) => this.#worker.once('exit', resolve));
    this.#worker.on('error', onFailure);
    this.#worker.on('exit', (code) => {
      if (!this.#stopping) onFailure(new Error(`the thread of ${data.role} exited with code ${code}`));
    });
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    this.#worker.postMessage('stop');
    await this.#exited;
  }
}
