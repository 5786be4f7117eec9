import type { Command } from 'commander';
import { accountCommands } from './accounts.js';
import { auditCommands } from './audit.js';
import { carrierCommands } from './carriers.js';
import { dataCommands } from './data.js';
import { addDataOptions } from './data-options.js';
import { engineCommands } from './engines.js';
import { eraseCommand } from './erase.js';
import { jobCommands } from './jobs.js';
import { keyCommands } from './keys.js';
import { listenCommand } from './listen.js';
import { operatorCommands } from './operator.js';
import { parkedCommands } from './parked.js';
import { scoreCommands } from './scores.js';
import { serveCommand } from './serve.js';

const groups = [
  serveCommand,
  accountCommands,
  keyCommands,
  listenCommand,
  operatorCommands,
  dataCommands,
  parkedCommands,
  scoreCommands,
  jobCommands,
  carrierCommands,
  engineCommands,
  auditCommands,
  eraseCommand,
];

/** Adds all commands to a program. */
export function registerCommands(program: Command): void {
  for (const add of groups) add(program);
  addDataOptions(program);
}
