import { posix } from 'node:path';
import { importsOf, type SourceFile } from './source.js';

/** Layers whose root holds folders, and what may stand beside these: the registry. */
const roots: ReadonlyMap<string, readonly string[]> = new Map([
  ['domain', []],
  ['formats', []],
  ['log', ['event-types.ts']],
  ['commands', ['registry.ts']],
  ['projections', ['registry.ts']],
  ['processes', ['registry.ts']],
  ['api', ['registry.ts']],
  ['engines', []],
  ['carriers', ['registry.ts']],
  ['ops', []],
]);

/** A file of so many lines needs no folder of its own. */
const SMALL_FILE_LINES = 40;

/** Every file of the product that stands in the wrong room, as sentences. */
export const brokenRooms = (files: readonly SourceFile[]): string[] => {
  const own = files.filter(({ path }) => !path.startsWith('test/'));
  return [...looseFiles(own), ...foldersOfOneSmallFile(own), ...formatsOfOneLayer(own), ...namelessCarriers(own)];
};

/** The machinery of a layer is in `<layer>/runtime/` (of `api/` in `http/`), not loose in its root. */
const looseFiles = (files: readonly SourceFile[]): string[] =>
  files.flatMap(({ path }) => {
    const [layer = '', name = '', ...below] = path.split('/');
    const allowed = roots.get(layer);
    return !allowed || below.length > 0 || allowed.includes(name)
      ? []
      : [`${path} lies in the root of its layer, which holds folders and the registry`];
  });

/** Folders of `carriers/` beside those of the carriers: what several of them share. */
const SHARED_BY_CARRIERS: readonly string[] = ['runtime', 'push'];

/** A carrier is a folder with a file of the same name, which exports what it is. */
function namelessCarriers(files: readonly SourceFile[]): string[] {
  const paths = new Set(files.map(({ path }) => path));
  const folders = new Set([...paths].flatMap((path) => /^carriers\/([^/]+)\//.exec(path)?.[1] ?? []));
  return [...folders]
    .filter((folder) => !SHARED_BY_CARRIERS.includes(folder) && !paths.has(`carriers/${folder}/${folder}.ts`))
    .map((folder) => `carriers/${folder}/ has no file ${folder}.ts that says what the carrier is`);
}

/** Carriers are left out: each provider has its folder, however small. */
function foldersOfOneSmallFile(files: readonly SourceFile[]): string[] {
  const folders = new Map<string, SourceFile[]>();
  for (const file of files) {
    const folder = posix.dirname(file.path);
    folders.set(folder, [...(folders.get(folder) ?? []), file]);
  }
  const parents = new Set([...folders.keys()].map((folder) => posix.dirname(folder)));
  return [...folders].flatMap(([folder, [only, ...others]]) => {
    if (!only || others.length > 0 || parents.has(folder) || folder.startsWith('carriers/')) return [];
    const lines = only.text.split('\n').length - 1;
    return lines > SMALL_FILE_LINES ? [] : [`${folder}/ holds one file of ${lines} lines: ${only.path}`];
  });
}

/**
 * What serves one layer is in that layer; `formats/` has what several layers or other formats use. What only the composition root imports
 * is the implementation of a port, so another layer uses it, too.
 */
function formatsOfOneLayer(files: readonly SourceFile[]): string[] {
  const users = new Map<string, Set<string>>();
  for (const file of files) {
    for (const { specifier } of importsOf(file)) {
      const target = posix.join(posix.dirname(file.path), specifier).replace(/\.js$/, '.ts');
      if (target.startsWith('formats/')) users.set(target, (users.get(target) ?? new Set()).add(file.path.split('/')[0] as string));
    }
  }
  return files.flatMap(({ path }) => {
    const layers = users.get(path) ?? new Set();
    if (!path.startsWith('formats/') || layers.size > 1 || layers.has('formats') || layers.has('ops')) return [];
    return [`${path} serves ${layers.size === 0 ? 'no layer' : `only ${[...layers].join()}`}: it belongs there`];
  });
}
