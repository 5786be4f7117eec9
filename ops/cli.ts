#!/usr/bin/env node
import { Command } from 'commander';
import { version } from '../net/user-agent.js';
import { accountCommands } from './commands/accounts.js';
import { auditCommands } from './commands/audit.js';
import { engineCommands } from './commands/engines.js';
import { eraseCommand } from './commands/erase.js';
import { fail, USAGE } from './commands/kernel.js';
import { listenCommand } from './commands/listen.js';
import { operatorCommands } from './commands/operator.js';
import { serveCommand } from './commands/serve.js';

/** The command line. Errors go to stderr: exit code 1, or 2 where the command was not written right. */
const program = new Command('heliograph')
  .description('Messaging and engagement: sends on six channels, remembers who agreed to what, tells every status.')
  .version(version)
  .exitOverride((e) => process.exit(e.exitCode === 0 ? 0 : USAGE))
  .showHelpAfterError('(--help tells more)');

for (const add of [serveCommand, accountCommands, listenCommand, operatorCommands, engineCommands, auditCommands, eraseCommand]) add(program);

await program.parseAsync().catch(fail);
