import { spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project whose built specs run: `dist/test/slow/recipes` is four folders below it. */
const PROJECT = fileURLToPath(new URL('../../../../', import.meta.url));

/** Not copied: history, packages (linked instead), and what runs leave behind. */
const LEFT_OUT = new Set(['.git', 'node_modules', 'coverage', 'data']);

/** A new file with this content; or `insert` put directly before or after the one place where the file has the text `before` or `after`. */
export type Edit =
  | { readonly file: string; readonly content: string }
  | { readonly file: string; readonly before: string; readonly insert: string }
  | { readonly file: string; readonly after: string; readonly insert: string };

/** A copy of the project, in a folder of its own, with edits. Paths are relative to the root of the project. */
export interface TemporaryCopy {
  readonly folder: string;
  /** Compiles the copy as the project is compiled. Throws with the errors of the compiler. */
  compile(): Promise<void>;
  /** Runs a JavaScript file of the copy with Node in its folder, and returns what it printed. Throws with all output if it fails. */
  run(file: string, ...args: string[]): Promise<string>;
  /** Runs compiled specs of the copy, named by their sources. Throws with the report if one fails. */
  specs(...files: string[]): Promise<string>;
  remove(): Promise<void>;
}

/**
 * Copies the sources and the build of the project to a temporary folder, links its packages and applies the edits. Since the
 * build is copied, too, `compile` checks only what the edits concern. Throws if an edit does not fit the file exactly once.
 */
export async function temporaryCopy(edits: readonly Edit[]): Promise<TemporaryCopy> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'recipe-')));
  const run = (file: string, ...args: string[]) => node(folder, [file, ...args]);
  const copy: TemporaryCopy = {
    folder,
    run,
    compile: async () => void (await run('node_modules/typescript/bin/tsc', '-p', '.')),
    specs: (...files) => run('node_modules/mocha/bin/mocha.js', '--no-config', '--timeout=60000', '--exit', ...files.map(compiled)),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
  try {
    await copyProject(folder);
    for (const edit of edits) await apply(folder, edit);
    return copy;
  } catch (error) {
    await copy.remove();
    throw error;
  }
}

/**
 * The blocks of code under a heading of CONTRIBUTING.md, in their order, so that a spec does exactly what the recipe says. A block
 * names its file behind the language: ```` ```ts domain/contacts/contact-fields.ts ````. Throws if there is no such heading.
 */
export async function recipeOf(heading: string): Promise<{ readonly file: string; readonly code: string }[]> {
  const guide = await readFile(join(PROJECT, 'CONTRIBUTING.md'), 'utf8');
  const section = guide.split(/^(?=#{2,} )/m).find((part) => part.split('\n', 1)[0]?.replace(/^#+ /, '') === heading);
  if (section === undefined) throw new Error(`CONTRIBUTING.md has no heading "${heading}".`);
  return [...section.matchAll(/^```\w+ (\S+)\n(.*?)^```$/gms)].map(([, file = '', code = '']) => ({ file, code }));
}

async function copyProject(folder: string): Promise<void> {
  const isKept = (path: string) =>
    !path
      .slice(PROJECT.length)
      .split(sep)
      .some((name) => LEFT_OUT.has(name));
  await cp(PROJECT, folder, { recursive: true, preserveTimestamps: true, filter: isKept });
  await symlink(await realpath(join(PROJECT, 'node_modules')), join(folder, 'node_modules'));
}

async function apply(folder: string, edit: Edit): Promise<void> {
  const path = join(folder, edit.file);
  if ('content' in edit) {
    await mkdir(dirname(path), { recursive: true });
    return writeFile(path, edit.content);
  }
  const place = 'before' in edit ? edit.before : edit.after;
  const parts = (await readFile(path, 'utf8')).split(place);
  if (parts.length !== 2) throw new Error(`${edit.file} has ${parts.length - 1} places with "${place}" instead of one.`);
  return writeFile(path, parts.join('before' in edit ? `${edit.insert}${place}` : `${place}${edit.insert}`));
}

const compiled = (source: string): string => `dist/${source.replace(/\.ts$/, '.js')}`;

async function node(folder: string, args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, ['--enable-source-maps', ...args], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const status = await new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve));
  if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}:\n${output}`);
  return output;
}
