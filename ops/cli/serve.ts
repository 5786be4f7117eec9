import type { Command } from 'commander';
import { configHelp, loadConfig } from '../config.js';
import { EXIT_FAILURE, exitWithError } from './runtime.js';

/** How long everything may take to end once the process was told to; then it ends all the same. */
const STOP_MS = 10_000;

export function serveCommand(program: Command): void {
  program
    .command('serve')
    .description('Run the service. Prints {"listening": …} once it answers.')
    .addHelpText('after', () => `\n${configHelp()}`)
    .action(async () => {
      // Before anything else: whoever starts a program may also stop it at once.
      const told = new Promise<void>((resolve) => {
        for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
      });
      void told.then(() => setTimeout(() => process.exit(EXIT_FAILURE), STOP_MS).unref());
      // Only here: no other command has to wait until the server is loaded.
      const { serve } = await import('../serve/serve.js');
      const running = await serve(loadConfig(process.env), exitWithError);
      process.stdout.write(`${JSON.stringify({ listening: running.url, instance: running.instance })}\n`);
      await told;
      await running.stop();
      process.exit(0);
    });
}
