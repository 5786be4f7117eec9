import { type Command, Option } from 'commander';

/** Options that stand for a variable of the environment, in the commands that know it. */
const DATA_DIR = { flags: '--data-dir <folder>', description: 'the data folder; also HELIOGRAPH_DATA_DIR', variable: 'HELIOGRAPH_DATA_DIR' } as const;
const PORT = { flags: '--port <port>', description: 'the port to listen on, 0 for a free one; also PORT', variable: 'PORT' } as const;

/** Commands that have no data. */
const WITHOUT_DATA: ReadonlySet<string> = new Set(['listen', 'audit verify', 'carriers list', 'carriers check', 'engines copy']);
const WITH_PORT: ReadonlySet<string> = new Set(['serve']);

/** Adds them to all commands below this one. They win over the environment. */
export function addDataOptions(program: Command, env: NodeJS.ProcessEnv = process.env): void {
  for (const { command, path } of leaves(program, [])) {
    const name = path.join(' ');
    const options = [...(WITHOUT_DATA.has(name) ? [] : [DATA_DIR]), ...(WITH_PORT.has(name) ? [PORT] : [])];
    for (const { flags, description, variable } of options)
      command.addOption(new Option(flags, description)).on(`option:${flags.slice(2, flags.indexOf(' '))}`, (value: string) => {
        env[variable] = value;
      });
  }
}

function leaves(command: Command, path: readonly string[]): { readonly command: Command; readonly path: readonly string[] }[] {
  if (command.commands.length === 0) return [{ command, path }];
  return command.commands.flatMap((child) => leaves(child, [...path, child.name()]));
}
