import { once, setMaxListeners } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { createAccount } from '../../commands/accounts/create-account.js';
import type { LogEngine } from '../../domain/kernel/ports.js';
import { MemoryRateLimits, openMemoryLog, openMemoryViews } from '../../engines/memory/index.js';
import { openSqliteLog } from '../../engines/sqlite/index.js';
import { eventTypes } from '../../log/event-types.js';
import { changedStreamsOf } from '../../log/feed/changed-streams.js';
import { LogFeed } from '../../log/feed/log-feed.js';
import { EventLog } from '../../log/runtime/event-log.js';
import { newId } from '../../log/runtime/ids.js';
import { Vault } from '../../log/vault/vault.js';
import { type Application, createApplication } from '../../ops/app/application.js';
import { type Config, loadConfig } from '../../ops/app/config/config.js';
import { allProjections, createProcesses } from '../../ops/app/processes.js';
import { startHttpServer } from '../../ops/app/serve/http-server.js';
import type { Engine } from '../../ops/engines/engine.js';
import { createMetrics } from '../../ops/monitoring/metrics.js';
import { loadMasterKey } from '../../ops/system/secrets.js';
import { runProcesses } from '../../processes/runtime/runner.js';
import { runProjections } from '../../projections/runtime/runner.js';
import { embedded } from '../support/engines.js';
import { eventually } from '../support/eventually.js';
import { type Reply, request } from '../support/http.js';
import { HIGH_RATE_LIMITS, PASSWORD, Service } from '../support/service.js';
import { system } from '../support/system.js';

/** Something that a store holds, as a text of bytes. */
export interface Stored {
  readonly place: string;
  readonly text: string;
}

/** A service whose stores can be searched. */
export interface Installation {
  readonly url: string;
  readonly key: string;
  api(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Reply>;
  caughtUp(): Promise<void>;
  /** Stops the service. All that is in its stores, and all events with what their keys still open. */
  stopped(): Promise<readonly Stored[]>;
  close(): Promise<void>;
}

/** The real service with its files, or with the servers under test. */
export async function serviceOverFiles(): Promise<Installation> {
  const service = await Service.start();
  return {
    url: service.url,
    key: service.key,
    api: service.api.bind(service),
    caughtUp: () => service.caughtUp(),
    async stopped() {
      await service.stop();
      const files = filesIn(service.dir).map((file) => ({ place: file.slice(service.dir.length), text: readFileSync(file, 'latin1') }));
      if (!embedded) return files;
      // A row of the log file has only the differences from an earlier one.
      const engine = openSqliteLog({ dir: service.dir });
      const events = await eventsOf(engine, loadMasterKey({ dataDir: service.dir, masterKey: null }));
      await engine.events.close();
      return [...files, ...events];
    },
    close: () => service.close(),
  };
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesIn(join(folder, entry.name)) : [join(folder, entry.name)],
  );

async function eventsOf({ events, keys }: LogEngine, master: Buffer): Promise<Stored[]> {
  const log = new EventLog(events, new Vault(master, keys, system), eventTypes);
  const recorded = (await events.readAll('start', Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)).events;
  const opened = await log.open(recorded.map((one) => log.decode(one)));
  return [
    ...recorded.map(({ type, stream, data, metadata }) => ({ place: `${type} in the log`, text: `${stream} ${data} ${metadata}` })),
    ...opened
      .filter(({ event }) => !isOfAccount(event.type))
      .map(({ event }) => ({ place: `${event.type} in the log, opened`, text: JSON.stringify(event.data) })),
  ];
}

/** What is sealed for the account itself stays when a person is erased. */
const isOfAccount = (type: string): boolean => eventTypes.get(type).personal?.subject === 'account_id';

const MASTER = Buffer.alloc(32, 5);
/** Of the operator of a service in memory. */
export const TOKEN = 'operator-token-of-the-memory-service';

/** The parts of the service in this process, over stores in memory. */
export async function serviceInMemory(rateLimits = HIGH_RATE_LIMITS): Promise<Installation> {
  const config = loadConfig({ PORT: '0', HELIOGRAPH_OPERATOR_TOKEN: TOKEN, HELIOGRAPH_RATE_LIMITS: rateLimits });
  const log = openMemoryLog();
  const engine: Engine = {
    ...log,
    ...openMemoryViews({ clock: system.clock }),
    rateLimits: async (table, clock) => new MemoryRateLimits(table, clock),
    sharedRates: null,
    tryWrite: async () => {},
    close: async () => {},
  };
  const application = createApplication(config, MASTER, engine);
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  const running = run(config, application, stop.signal);
  const key = await newAccount(application);
  const { server, listening: url } = await startHttpServer(config, application, createMetrics({ processMetrics: false }), quiet);
  const close = async (): Promise<void> => {
    stop.abort();
    await Promise.all([running, closed(server)]);
  };
  const api: Installation['api'] = (method, path, body, headers = {}) => request(method, url + path, body, { 'X-API-Key': key, ...headers });
  const projections = allProjections(createProcesses(config, application));
  return {
    url,
    key,
    api,
    async caughtUp() {
      await eventually('every projection has caught up', async () => {
        const head = await engine.events.head();
        const positions = await Promise.all(projections.map(async (projection) => (await engine.views.status(projection)).position));
        return positions.every((position) => position === head);
      });
    },
    async stopped() {
      await close();
      const stored: Stored[] = await eventsOf(log, MASTER);
      for (const projection of projections)
        for (const collection of Object.keys(projection.collections)) {
          const docs = await engine.views.docs(projection, collection).find({ where: {}, limit: Number.MAX_SAFE_INTEGER });
          stored.push({ place: `${collection} of ${projection.name}`, text: JSON.stringify(docs) });
        }
      return stored;
    },
    close,
  };
}

async function run(config: Config, application: Application, signal: AbortSignal): Promise<void> {
  const { log, engine, clock, dispatcher, subscribeCaches } = application;
  const head = await engine.events.head();
  const feed = new LogFeed(log, clock, signal);
  const parts = { log, views: engine.views, leases: engine.leases, clock, feed };
  const processes = createProcesses(config, application);
  const onError = (process: string, _: string | null, e: unknown): never => {
    throw new Error(`${process} failed`, { cause: e });
  };
  await Promise.all([
    feed.run(),
    subscribeCaches(changedStreamsOf(feed), head, signal),
    runProjections(allProjections(processes), { ...parts, onHalt: onError.bind(null, 'a projection', null) }, signal),
    runProcesses(processes, { ...parts, dispatcher, onError }, signal),
  ]);
}

async function newAccount({ dispatcher, entropy, clock }: Application): Promise<string> {
  const id = newId(entropy, 'req', clock.now());
  const cause = { account: newId(entropy, 'acc', clock.now()), actor: { kind: 'operator', id: 'test' }, invocation: id, correlation: id } as const;
  return (await dispatcher.execute(createAccount, { name: 'Tests', email: 'owner@example.com', password: PASSWORD }, cause)).output.api_key;
}

async function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  if (server.listening) await once(server.close(), 'close');
}

const nothing = (): void => {};
const quiet = { debug: nothing, info: nothing, warn: nothing, error: nothing };
