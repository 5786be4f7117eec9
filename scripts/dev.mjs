/**
 * `npm run dev`: builds on every change of a source file, and restarts the service on every build. The dashboard is served from its
 * sources at http://127.0.0.1:5173/dashboard/, where a change shows without loading the page again; it passes requests of the API on to
 * the service. Settings come from the environment, as for `npm start`.
 */
import { spawn, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';

const TSC = ['node_modules/typescript/bin/tsc', '-p', '.'];
const node = (args, options = {}) => spawn(process.execPath, args, { stdio: 'inherit', ...options });

// Errors are printed; the service starts with what was built.
for (const args of [TSC, ['scripts/dashboard.mjs']]) spawnSync(process.execPath, args, { stdio: 'inherit' });

const folders = readdirSync('dist', { withFileTypes: true }).filter((entry) => entry.isDirectory() && !['test', 'dashboard'].includes(entry.name));
const watched = folders.map(({ name }) => `--watch-path=dist/${name}`);
const children = [
  node([...TSC, '--watch', '--preserveWatchOutput']),
  node(['--watch', '--watch-preserve-output', '--enable-source-maps', ...watched, 'dist/ops/cli/main.js', 'serve']),
  node(['../node_modules/vite/bin/vite.js', '--host', '127.0.0.1', '--clearScreen', 'false'], {
    cwd: 'dashboard',
    env: { HELIOGRAPH_URL: `http://127.0.0.1:${process.env.PORT ?? 3000}`, ...process.env },
  }),
];
const stop = () => {
  for (const child of children) child.kill('SIGTERM');
};
for (const child of children) child.once('exit', stop);
process.once('SIGINT', stop).once('SIGTERM', stop);
