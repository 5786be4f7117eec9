import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** A source file by its path from the project's root, with `/` between folders. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

export interface Import {
  /** As written: `../kernel.js`, `node:crypto`, `typebox`. */
  readonly specifier: string;
  readonly line: number;
}

/** Every folder at the root that holds TypeScript. */
export const layers = [
  'domain',
  'formats',
  'log',
  'commands',
  'projections',
  'processes',
  'api',
  'net',
  'engines',
  'carriers',
  'ops',
  'bench',
  'test',
] as const;
export type Layer = (typeof layers)[number];

/** `clients/` and `dashboard/` run in browsers, and have their own configuration of the compiler. */
const NOT_OURS = new Set(['node_modules', 'dist', 'data', 'clients', 'dashboard']);

/** All TypeScript of the project, also where it should not be. */
export function readSources(root: string): SourceFile[] {
  const entries = readdirSync(root, { withFileTypes: true }).filter(({ name }) => !name.startsWith('.') && !NOT_OURS.has(name));
  const paths = entries.flatMap((entry) => (entry.isDirectory() ? below(root, entry.name) : [entry.name])).filter((path) => path.endsWith('.ts'));
  return paths.sort().map((path) => ({ path, text: readFileSync(`${root}/${path}`, 'utf8') }));
}

/** All files of a folder, with their paths from the project's root. */
export const readFolder = (root: string, folder: string): SourceFile[] =>
  below(root, folder)
    .sort()
    .map((path) => ({ path, text: readFileSync(`${root}/${path}`, 'utf8') }));

/** Documents by their paths. */
export const readDocuments = (root: string, paths: readonly string[]): SourceFile[] =>
  paths.map((path) => ({ path, text: readFileSync(`${root}/${path}`, 'utf8') }));

const below = (root: string, folder: string): string[] =>
  readdirSync(`${root}/${folder}`, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll(sep, '/'));

const TOKENS = /(\/\/[^\n]*|\/\*[\s\S]*?\*\/)|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\[\s\S])*`/g;

/** The same text with comments blanked; lines keep their numbers. */
export const withoutComments = (text: string): string => text.replace(TOKENS, (token, comment) => (comment ? blank(token) : token));

/** Comments and the contents of quoted texts blanked. Templates stay: they hold code. */
export const codeOnly = (text: string): string =>
  text.replace(TOKENS, (token, comment) =>
    comment ? blank(token) : token.startsWith('`') ? token : `${token[0]}${blank(token.slice(1, -1))}${token[0]}`,
  );

/** The contents of quoted texts blanked, comments kept. Of a template its text is blanked, and the code within it stays. */
export const withoutStrings = (text: string): string =>
  text.replace(TOKENS, (token, comment) =>
    comment ? token : token.startsWith('`') ? templateCode(token) : `${token[0]}${blank(token.slice(1, -1))}${token[0]}`,
  );

const templateCode = (template: string): string => template.replace(/(\$\{[^}]*\})|[^\n]/g, (part, code) => (code ? part : blank(part)));

const blank = (text: string): string => text.replace(/[^\n]/g, ' ');

const IMPORTS: readonly RegExp[] = [
  /\b(?:import|export)\b[^'"`;]*?\bfrom\s*(['"])(?<specifier>[^'"\n]+)\1/g,
  /(?<!['"])\bimport\s*(['"])(?<specifier>[^'"\n]+)\1/g,
  /(?<!['"])\b(?:import|require|require\.resolve)\s*\(\s*(['"`])(?<specifier>[^'"`\n]+)\1/g,
  // How worker threads are named.
  /\bnew\s+URL\s*\(\s*(['"])(?<specifier>\.[^'"\n]+\.js)\1\s*,\s*import\.meta\.url/g,
];

/** All that a file imports: statically, dynamically, only for its types, or as a worker. */
export function importsOf({ text }: SourceFile): Import[] {
  const code = withoutComments(text);
  return IMPORTS.flatMap((form) =>
    [...code.matchAll(form)].map((found) => ({ specifier: found.groups?.specifier ?? '', line: lineAt(code, found.index) })),
  );
}

export const lineAt = (text: string, index: number): number => text.slice(0, index).split('\n').length;
