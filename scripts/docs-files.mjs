/**
 * Puts what `/docs` serves into `dist/docs/`: the guides as Markdown with the files that they name, and the script of the API reference, compressed.
 *
 * The script is the browser build of `@scalar/api-reference`. It is taken from the plugin for Fastify, which carries it whole:
 * the package itself would bring 270 others of 290 MB.
 */
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const PACKAGE = '@scalar/fastify-api-reference';
const FOLDER = 'dist/docs';

export async function writeDocsFiles() {
  mkdirSync(FOLDER, { recursive: true });
  for (const name of readdirSync(FOLDER)) if (name.endsWith('.md')) rmSync(`${FOLDER}/${name}`);
  for (const name of readdirSync('docs/guides')) copyFileSync(`docs/guides/${name}`, `${FOLDER}/${name}`);
  copyFileSync('docs/webhooks.md', `${FOLDER}/verifying-webhooks.md`);
  mkdirSync(`${FOLDER}/files`, { recursive: true });
  for (const name of readdirSync('docs/files')) copyFileSync(`docs/files/${name}`, `${FOLDER}/files/${name}`);
  await writeReference();
}

/** Compressing takes seconds, so it is done once for a version of the package. */
async function writeReference() {
  const { version } = JSON.parse(
    readFileSync(
      createRequire(import.meta.url)
        .resolve(PACKAGE)
        .replace(/dist\/index\.js$/, 'package.json'),
      'utf8',
    ),
  );
  const file = `${FOLDER}/reference.json`;
  if (existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).version === version) return;
  const script = await scriptOfPackage();
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT, BROTLI_PARAM_LGWIN } = constants;
  const params = { [BROTLI_PARAM_QUALITY]: 9, [BROTLI_PARAM_SIZE_HINT]: script.length, [BROTLI_PARAM_LGWIN]: 24 };
  writeFileSync(`${FOLDER}/reference.js.br`, brotliCompressSync(script, { params }));
  writeFileSync(`${FOLDER}/reference.js.gz`, gzipSync(script, { level: 9 }));
  writeFileSync(file, JSON.stringify({ version, hash: createHash('sha256').update(script).digest('hex').slice(0, 16) }));
}

/** What the plugin registers for the path of its script. */
async function scriptOfPackage() {
  const { default: plugin } = await import(PACKAGE);
  const routes = [];
  const server = { route: (route) => routes.push(route), hasPlugin: () => false, log: console };
  plugin(server, { configuration: { url: '/' } }, () => {});
  let script = '';
  const reply = {
    header: () => reply,
    send(text) {
      script = text;
    },
  };
  routes.find(({ url }) => url.endsWith('.js')).handler({}, reply);
  if (!script.includes('createApiReference')) throw new Error(`${PACKAGE} has another layout: its script was not found`);
  return Buffer.from(script);
}
