import { randomUUID } from 'node:crypto';
import type { MessagePort } from 'node:worker_threads';
import type { LogEngine, ViewEngine } from '../domain/kernel/ports.js';
import { openSqliteLog, openSqliteViews, startWriter, type WriterThread } from '../engines/sqlite/index.js';
import type { Config } from './config.js';

/** Log, keys, read models and leases, from whichever engines the configuration names. */
export interface Engine extends LogEngine, ViewEngine {
  close(): Promise<void>;
}

export interface EngineOptions {
  /** A port to the thread that writes the log; without one this thread writes it. */
  readonly writer?: MessagePort;
  /** Names this process among all that ever had its process id. */
  readonly instance?: string;
}

export function openEngine({ dataDir }: Pick<Config, 'dataDir'>, { writer, instance = randomUUID() }: EngineOptions = {}): Engine {
  const log = openSqliteLog({ dir: dataDir, ...(writer && { writer }) });
  const views = openSqliteViews({ dir: dataDir, instance });
  return {
    ...log,
    ...views,
    async close() {
      await views.views.close();
      await log.events.close();
    },
  };
}

/** The thread that owns the log, where the engine has one. */
export const startLogWriter = ({ dataDir }: Pick<Config, 'dataDir'>): Promise<WriterThread> => startWriter(dataDir);
