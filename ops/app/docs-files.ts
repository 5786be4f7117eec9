import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { DocsFiles } from '../../api/docs/files.js';

/** `dist/docs`, for the built file as well as for the bundle; `scripts/docs-files.mjs` has written it. */
const FOLDER = new URL('./', import.meta.resolve('#dist/docs/reference.json'));

/** The files behind `/docs`. They are part of the program: one that is missing stops the start. */
export function loadDocsFiles(): DocsFiles {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.md'));
  const { hash } = JSON.parse(readFileSync(new URL('reference.json', FOLDER), 'utf8')) as { readonly hash: string };
  return {
    guides: new Map(names.map((name) => [name.slice(0, -'.md'.length), readFileSync(new URL(name, FOLDER), 'utf8')])),
    downloads: new Map(readdirSync(new URL('files/', FOLDER)).map((name) => [name, readFileSync(new URL(`files/${name}`, FOLDER), 'utf8')])),
    scriptHash: hash,
    script: (encoding) => readFile(new URL(encoding === 'br' ? 'reference.js.br' : 'reference.js.gz', FOLDER)),
  };
}
