import type { Command } from 'commander';
import { configHelp, loadConfig } from '../config.js';
import { serve } from '../serve/serve.js';
import { FAILED, fail } from './kernel.js';

/** How long everything may take to end once the process was told to; then it ends all the same. */
const STOP_MS = 10_000;

export function serveCommand(program: Command): void {
  program
    .command('serve')
    .description('Run the service. Prints {"listening": …} once it answers.')
    .addHelpText('after', () => `\n${configHelp()}`)
    .action(async () => {
      const running = await serve(loadConfig(process.env), fail);
      if (running.url) process.stdout.write(`${JSON.stringify({ listening: running.url })}\n`);
      await new Promise<void>((resolve) => {
        for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
      });
      setTimeout(() => process.exit(FAILED), STOP_MS).unref();
      await running.stop();
      process.exit(0);
    });
}
