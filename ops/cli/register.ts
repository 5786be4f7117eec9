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
import { suppressionCommands } from './suppressions.js';

/** What `--help` lists under which title. */
const groups: readonly (readonly [title: string, ...((program: Command) => void)[]])[] = [
  ['Running:', serveCommand, listenCommand],
  ['Accounts:', accountCommands, keyCommands],
  ['People:', eraseCommand, auditCommands, suppressionCommands],
  ['Work:', jobCommands, parkedCommands, scoreCommands, carrierCommands],
  ['Data:', operatorCommands, dataCommands, engineCommands],
];

/** Adds all commands to a program. */
export function registerCommands(program: Command): void {
  for (const [title, ...adding] of groups) {
    program.commandsGroup(title);
    for (const add of adding) add(program);
  }
  program.commandsGroup('More:');
  addDataOptions(program);
}
