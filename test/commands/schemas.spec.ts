import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { AnyCommand } from '../../commands/runtime/command.js';

const sources = fileURLToPath(new URL('../../../commands/', import.meta.url));
const isCommand = (value: unknown): value is AnyCommand & { handle: unknown } =>
  typeof value === 'object' && value !== null && 'handle' in value && 'input' in value && 'name' in value;

/** Every command that a file of commands/ exports. */
async function loadCommands(): Promise<AnyCommand[]> {
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const built = files.map((file) => new URL(`../../commands/${file.replace(/\.ts$/, '.js')}`, import.meta.url).href);
  const modules = await Promise.all(built.map((url) => import(url) as Promise<Record<string, unknown>>));
  return modules.flatMap((module) => Object.values(module).filter(isCommand));
}

describe('commands', () => {
  let commands: AnyCommand[];
  before(async () => {
    commands = await loadCommands();
  });

  it('have names that are used once', () => {
    const names = commands.map(({ name }) => name);
    expect(names).to.have.length.above(40);
    expect(new Set(names).size).to.equal(names.length);
  });

  it('have a schema that names their fields, unless they are internal', () => {
    const open = commands.filter(({ input, internal }) => {
      const { type, properties = {}, additionalProperties } = input as { type?: string; properties?: object; additionalProperties?: boolean };
      const named = Object.keys(properties).length > 0 || additionalProperties === false;
      return !internal && !(type === 'object' && named);
    });
    expect(open.map(({ name }) => name)).to.deep.equal([]);
  });
});
