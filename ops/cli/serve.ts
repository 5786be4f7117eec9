import type { Command } from 'commander';
import { configHelp, loadConfig } from '../app/config/config.js';
import { EXIT_FAILURE, exitWithError } from './runtime.js';

/** Time limit for a graceful stop. After it the process exits anyway. */
const STOP_MS = 10_000;

export function serveCommand(program: Command): void {
  program
    .command('serve')
    .description('Run the service. Prints {"listening": …} once it answers.')
    .addHelpText('after', () => `\n${configHelp()}`)
    .action(async () => {
      // First of all: a signal may arrive while the service starts.
      const stopRequested = new Promise<void>((resolve) => {
        for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
      });
      void stopRequested.then(() => setTimeout(() => process.exit(EXIT_FAILURE), STOP_MS).unref());
      // Loaded here, so that other commands start faster.
      const { serve } = await import('../app/serve/serve.js');
      const running = await serve(loadConfig(process.env), exitWithError);
      process.stdout.write(`${JSON.stringify({ listening: running.url, instance: running.instance })}\n`);
      await stopRequested;
      await running.stop();
      process.exit(0);
    });
}
