#!/usr/bin/env node
import { Command } from 'commander';
import { version } from '../net/user-agent.js';
import { addCommands } from './commands/all.js';
import { fail, USAGE } from './commands/kernel.js';

/** The command line. Errors go to stderr: exit code 1, or 2 where the command was not written right. */
const program = new Command('heliograph')
  .description('Messaging and engagement: sends on six channels, remembers who agreed to what, tells every status.')
  .version(version)
  .exitOverride((e) => process.exit(e.exitCode === 0 ? 0 : USAGE))
  .showHelpAfterError('(--help tells more)');

addCommands(program);

await program.parseAsync().catch(fail);
