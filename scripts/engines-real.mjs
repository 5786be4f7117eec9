// `npm run engines:real`: the suites of the log over a real EventStoreDB.
//
// EVENTSTOREDB_URL names a server for the contract suite. It may have other events, and keeps those of the tests. The other suites
// need an empty log for each installation: EVENTSTOREDB_FRESH is a shell command that starts an empty server and prints its address;
// see test/support/eventstoredb/real.ts. TEST_VIEWS and MONGODB_URL choose the read models, FAULTS_ROUNDS the rounds of faults.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const { EVENTSTOREDB_URL: url, EVENTSTOREDB_FRESH: fresh } = process.env;
if (!url && !fresh) {
  console.error(
    "EVENTSTOREDB_URL is not set. It names the EventStoreDB to test, for example EVENTSTOREDB_URL='esdb://127.0.0.1:2113?tls=false'; or EVENTSTOREDB_FRESH is a command that starts an empty one and prints its address.",
  );
  process.exit(1);
}

const MOCHA = ['node_modules/mocha/bin/mocha.js'];
const failed = [];

function suite(name, args, env) {
  console.log(`\n== ${name}`);
  const { status } = spawnSync(process.execPath, [...MOCHA, ...args], { stdio: 'inherit', env: { ...process.env, ...env } });
  if (status !== 0) failed.push(name);
}

/** The server of EVENTSTOREDB_URL, or an empty one that is ended afterward. */
function withServer(work) {
  if (url) return work(url);
  const dir = mkdtempSync(join(tmpdir(), 'heliograph-eventstoredb-'));
  const env = { ...process.env, TMPDIR: dir };
  try {
    const { status, stdout } = spawnSync('bash', ['-c', fresh], { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
    const [address = ''] = stdout.trim().split('\n').slice(-1);
    if (status !== 0 || !address.startsWith('esdb')) throw new Error(`EVENTSTOREDB_FRESH ended with ${status} and printed no address: '${stdout}'`);
    work(address);
  } finally {
    spawnSync('bash', ['-c', `${fresh} stop`], { env, stdio: 'ignore' });
    rmSync(dir, { recursive: true, force: true });
  }
}

const contract = [
  '--config',
  '.mocharc.engines.json',
  '--ignore',
  'dist/test/engines/**',
  '--ignore',
  'dist/test/support/**',
  '--grep',
  'EventStoreDB, real server',
];
withServer((address) => suite('the contract of the log', contract, { EVENTSTOREDB_URL: address }));
if (fresh) {
  const factor = process.env.TEST_TIMEOUT_FACTOR || '20';
  suite('the service', ['--config', '.mocharc.service.json'], { TEST_LOG: 'eventstoredb', TEST_TIMEOUT_FACTOR: factor });
  suite('faults of many nodes', ['--config', '.mocharc.faults-nodes.json'], { FAULTS_ROUNDS: process.env.FAULTS_ROUNDS || '6' });
} else {
  console.log('\nThe service and the faults of many nodes are left out: each installation needs an empty log. Set EVENTSTOREDB_FRESH.');
}
console.log(failed.length === 0 ? '\nAll suites passed.' : `\nFailed: ${failed.join(', ')}.`);
process.exit(failed.length === 0 ? 0 : 1);
