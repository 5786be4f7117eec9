// Runs one spec file as a suite runs it, by itself: .ci/one-file.cjs FILE COMMAND... with the command of the suite, which is
// `node …/mocha.js …` or `npm test -- …`, and may begin with `env`. Leaves the choice of the suite's files out.
const { spawn } = require('node:child_process');
const { readFileSync } = require('node:fs');
const { constants } = require('node:os');

const MOCHA = 'node_modules/mocha/bin/mocha.js';
/** Options of mocha that take no value, as far as suites use them. */
const FLAGS = new Set(['--no-config', '--parallel', '--bail', '--exit']);
/** Of a suite, not of one file. */
const LEFT_OUT = new Set(['spec', 'exclude', 'ignore', 'config', 'parallel', 'jobs']);

/** The options of a configuration file as arguments. */
function optionsOf(path) {
  const given = Object.entries(JSON.parse(readFileSync(path, 'utf8'))).filter(([name]) => !LEFT_OUT.has(name));
  return given.flatMap(([name, value]) =>
    value === false ? [] : value === true ? [`--${name}`] : [value].flat().flatMap((one) => [`--${name}`, String(one)]),
  );
}

/** The arguments of mocha for one file. */
function argumentsOf(args, file) {
  const kept = [];
  let config = args.includes('--no-config') ? null : '.mocharc.json';
  for (let i = 0; i < args.length; i++) {
    const arg = args[i];
    // The others are the suite's files.
    if (!arg.startsWith('--')) continue;
    const values = FLAGS.has(arg) ? [] : [args[++i]];
    if (arg === '--config') config = values[0];
    if (arg !== '--no-config' && !LEFT_OUT.has(arg.slice(2))) kept.push(arg, ...values);
  }
  return ['--no-config', ...(config === null ? [] : optionsOf(config)), ...kept, file];
}

const [file, ...command] = process.argv.slice(2);
const at = command.indexOf(MOCHA);
const npm = command.indexOf('npm');
const [before, after] =
  at >= 0 ? [command.slice(0, at + 1), command.slice(at + 1)] : [[...command.slice(0, npm), 'node', MOCHA], command.slice(npm + 3)];
const [program, ...args] = [...before, ...argumentsOf(after, file)];
const child = spawn(program, args, { stdio: 'inherit' });
for (const name of ['SIGTERM', 'SIGINT']) process.on(name, () => child.kill(name));
child.on('error', (e) => {
  console.error(`${program}: ${e.message}`);
  process.exit(1);
});
child.on('close', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
