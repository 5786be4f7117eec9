/**
 * Runs single specs by their source paths, after an incremental build:
 *
 *   npm run spec -- test/messages/message.spec.ts
 *   npm run spec -- test/lists test/events --grep 'merged contact'
 *
 * A path is a spec, a folder or a glob. Options are passed on to mocha.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';

/** Suites whose specs need a setup file that the configuration names. */
const SUITES = [
  ['test/service/', '.mocharc.service.json'],
  ['test/slow/', '.mocharc.slow.json'],
  ['test/cluster/', '.mocharc.cluster.json'],
  ['test/seeds/', '.mocharc.simulation.json'],
  ['test/browser/', '.mocharc.browser.json'],
  ['test/nodes/', '.mocharc.nodes.json'],
  ['test/faults/', '.mocharc.faults.json'],
  ['test/engines/', '.mocharc.engines.json'],
  ['test/servers/', '.mocharc.engines.json'],
  ['test/contract/', '.mocharc.engines.json'],
];

const args = process.argv.slice(2);
const firstOption = args.findIndex((arg) => arg.startsWith('-'));
const paths = firstOption < 0 ? args : args.slice(0, firstOption);
const options = args.slice(paths.length);
if (paths.length === 0) fail('Name a spec: npm run spec -- test/messages/message.spec.ts');

run('node_modules/typescript/bin/tsc', ['-p', '.']);
run('scripts/bundle.mjs', []);
run('scripts/dashboard.mjs', []);
const [, configuration = '.mocharc.json'] = SUITES.find(([folder]) => paths.some((path) => path.startsWith(folder))) ?? [];
const { timeout, exit = false, require: setup = [] } = JSON.parse(readFileSync(configuration, 'utf8'));
run('node_modules/mocha/bin/mocha.js', [
  '--no-config',
  '--node-option=enable-source-maps',
  `--timeout=${timeout}`,
  ...(exit ? ['--exit'] : []),
  ...setup.map((file) => `--require=${file}`),
  ...paths.map(compiled),
  ...options,
]);

/** The JavaScript that a source path is compiled to. */
function compiled(path) {
  const source = path.replace(/^\.\//, '').replace(/\/$/, '');
  if (existsSync(source) && statSync(source).isDirectory()) return `dist/${source}/**/*.spec.js`;
  if (!source.includes('*') && !existsSync(source)) fail(`There is no ${path}.`);
  return `dist/${source.replace(/\.ts$/, '.js')}`;
}

function run(program, programArgs) {
  const { status } = spawnSync(process.execPath, [program, ...programArgs], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

function fail(message) {
  console.error(message);
  process.exit(2);
}
