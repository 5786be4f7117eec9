#!/usr/bin/env node
import { Command } from 'commander';
import { programVersion } from '../../net/user-agent.js';
import { registerCommands } from './register.js';
import { EXIT_USAGE, errorPrefix, exitWithError } from './runtime.js';
import { helpStyles } from './terminal/terminal.js';

// Before anything is written: files and folders of this process are for its owner alone.
process.umask(0o077);

/** The command line. Errors go to stderr: exit code 1, or 2 where the command was not written right. */
const program = new Command('heliograph')
  .description('Messaging and engagement: sends on six channels, records consent, reports every status.')
  .version(programVersion)
  .configureHelp(helpStyles)
  // Like all other errors.
  .configureOutput({ outputError: (text, write) => write(text.replace(/^error:/, errorPrefix())) })
  .addHelpText(
    'after',
    `
Settings are environment variables: heliograph serve --help lists them all.
Errors go to standard error, with exit code 1, or 2 for wrong usage. With --json a command prints one JSON document.`,
  )
  .exitOverride((e) => process.exit(e.exitCode === 0 ? 0 : EXIT_USAGE))
  .showHelpAfterError('(--help shows more)');

registerCommands(program);

await program.parseAsync().catch(exitWithError);
