import { createInterface } from 'node:readline/promises';
import { UsageError } from './usage-error.js';

/** Asks on a terminal, and wants `--yes` elsewhere. Throws UsageError where it is not confirmed. */
export async function confirm(question: string, yes: boolean, otherwise: string): Promise<void> {
  if (yes) return;
  if (!process.stdin.isTTY) throw new UsageError(`${question} Confirm it with --yes.`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(`${question} Type 'yes': `).finally(() => terminal.close());
  if (answer.trim() !== 'yes') throw new UsageError(otherwise);
}
