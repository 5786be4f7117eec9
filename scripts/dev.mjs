/**
 * `npm run dev`: builds on every change of a source file, and restarts the service on every build. Settings come from
 * the environment, as for `npm start`.
 */
import { spawn, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';

const TSC = ['node_modules/typescript/bin/tsc', '-p', '.'];
const node = (args) => spawn(process.execPath, args, { stdio: 'inherit' });

// Errors are printed; the service starts with what was built.
spawnSync(process.execPath, TSC, { stdio: 'inherit' });

const folders = readdirSync('dist', { withFileTypes: true }).filter((entry) => entry.isDirectory() && entry.name !== 'test');
const watched = folders.map(({ name }) => `--watch-path=dist/${name}`);
const children = [
  node([...TSC, '--watch', '--preserveWatchOutput']),
  node(['--watch', '--watch-preserve-output', '--enable-source-maps', ...watched, 'dist/ops/cli/main.js', 'serve']),
];
const stop = () => {
  for (const child of children) child.kill('SIGTERM');
};
for (const child of children) child.once('exit', stop);
process.once('SIGINT', stop).once('SIGTERM', stop);
