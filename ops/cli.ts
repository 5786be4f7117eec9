#!/usr/bin/env node
import { Command } from 'commander';
import { version } from '../net/user-agent.js';
import { registerCommands } from './cli/register.js';
import { EXIT_USAGE, exitWithError } from './cli/runtime.js';

/** The command line. Errors go to stderr: exit code 1, or 2 where the command was not written right. */
const program = new Command('heliograph')
  .description('Messaging and engagement: sends on six channels, records consent, reports every status.')
  .version(version)
  .exitOverride((e) => process.exit(e.exitCode === 0 ? 0 : EXIT_USAGE))
  .showHelpAfterError('(--help shows more)');

registerCommands(program);

await program.parseAsync().catch(exitWithError);
