/**
 * Builds the dashboard into `dist/dashboard`, compresses its files, and holds their size to a budget. Does nothing if neither the sources nor the
 * packages have changed since.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const SOURCE = 'dashboard';
const TARGET = 'dist/dashboard';
const HASH_FILE = `${TARGET}/source-hash`;
/** Files outside the folder that the result depends on. */
const INPUTS = ['package-lock.json', 'scripts/dashboard.mjs'];
/** What `tsc -p .` compiles for the specs; no part of the application. */
const COMPILED = 'src';
const COMPRESSED = new Set(['.js', '.css', '.svg']);

/** Bytes of script, compressed by gzip: what the sign-in and the overview load together, and what any other page adds to them. */
const FIRST_LOAD = 170_000;
const PAGE = 120_000;
const FIRST_PAGES = ['src/features/sign-in/sign-in-page.tsx', 'src/features/overview/overview-page.tsx'];

const filesOf = (folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile())
    .sort();

function sourceHash() {
  const hash = createHash('sha256');
  for (const file of [...INPUTS, ...filesOf(SOURCE).filter((name) => !name.includes('node_modules'))])
    hash.update(`${file}\0`).update(readFileSync(file));
  return hash.digest('hex');
}

/** The files of the last build. */
const built = () => (existsSync(TARGET) ? readdirSync(TARGET).filter((name) => name !== COMPILED) : []);

function compress(file) {
  const content = readFileSync(file);
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
  writeFileSync(`${file}.br`, brotliCompressSync(content, { params }));
  writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
}

/** The scripts that an entry of the manifest loads at once, itself included. */
function scriptsOf(manifest, name, found = new Set()) {
  const { file, imports = [] } = manifest[name];
  if (found.has(file)) return found;
  found.add(file);
  for (const other of imports) scriptsOf(manifest, other, found);
  return found;
}

function checkSizes() {
  const manifest = JSON.parse(readFileSync(`${TARGET}/manifest.json`, 'utf8'));
  const bytes = (files) => [...files].reduce((sum, file) => sum + statSync(`${TARGET}/${file}.gz`).size, 0);
  const first = new Set(['index.html', ...FIRST_PAGES].flatMap((name) => [...scriptsOf(manifest, name)]));
  const problems = [];
  if (bytes(first) > FIRST_LOAD) problems.push(`the first load has ${bytes(first)} bytes of script, more than ${FIRST_LOAD}`);
  for (const name of Object.keys(manifest).filter((one) => manifest[one].isDynamicEntry)) {
    const more = [...scriptsOf(manifest, name)].filter((file) => !first.has(file));
    if (bytes(more) > PAGE) problems.push(`${name} adds ${bytes(more)} bytes of script, more than ${PAGE}`);
  }
  if (problems.length > 0) throw new Error(`The dashboard is too large: ${problems.join('; ')}.`);
  return bytes(first);
}

const hash = sourceHash();
if (!existsSync(HASH_FILE) || readFileSync(HASH_FILE, 'utf8') !== hash) {
  for (const name of built()) rmSync(join(TARGET, name), { recursive: true });
  // Lingui looks for its configuration in the working directory.
  execFileSync(process.execPath, ['../node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn'], { cwd: SOURCE, stdio: 'inherit' });
  for (const file of filesOf(TARGET)) if (COMPRESSED.has(extname(file)) && !file.startsWith(join(TARGET, COMPILED))) compress(file);
  console.log(`dashboard: ${Math.round(checkSizes() / 1_000)} kB of script at the first load, compressed`);
  writeFileSync(HASH_FILE, hash);
}
