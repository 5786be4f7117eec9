import type { Command } from 'commander';
import { loadConfig } from '../app/config/config.js';
import { allProjections, createProcesses } from '../app/processes.js';
import { addOperatorCommands, type CommandEnvironment } from './operator-commands.js';
import { withApplication } from './runtime.js';

/** `events`, `projections`, `backup` and `restore`, over the configured engines. */
export const operatorCommands = (program: Command): void => addOperatorCommands(program, commandEnvironment);

function commandEnvironment(): CommandEnvironment {
  const ending = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort());
  // The reader of a pipe may close it early: `heliograph events export | head`.
  process.stdout.once('error', (e: NodeJS.ErrnoException) => {
    if (e.code === 'EPIPE') process.exit(0);
    throw e;
  });
  const { dataDir, log } = loadConfig(process.env);
  return {
    out: process.stdout,
    err: process.stderr,
    dataDir,
    logIsLocal: log === 'sqlite',
    now: Date.now,
    signal: ending.signal,
    withStores: (work) =>
      withApplication((application, config) => {
        const projections = allProjections(createProcesses(config, application));
        return work({ log: application.log, views: application.engine.views, projections });
      }),
  };
}
