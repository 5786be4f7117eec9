/**
 * Runs Schemathesis over the OpenAPI document of the built service, with all its checks:
 *
 *   npm run schemathesis                       some 60,000 cases, a quarter of an hour on two cores
 *   npm run schemathesis -- --phases fuzzing   further options go to Schemathesis
 *
 * The service runs over a data folder of its own, which is deleted at the end. Schemathesis is a Python package: it is installed once,
 * into a cache folder. Needs Python 3.10 or later. SCHEMATHESIS names another program to run instead. Exit code 1 if there are findings.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const VERSION = '4.32.5';
const OPERATOR_TOKEN = 'operator-token-of-schemathesis';
const GROUPS = ['send', 'bulk', 'general', 'login', 'login_user', 'public', 'inbox'];
const here = (name) => fileURLToPath(new URL(name, import.meta.url));

const folder = mkdtempSync(join(tmpdir(), 'heliograph-schemathesis-'));
const program = process.env.SCHEMATHESIS ?? install();
const server = spawn(process.execPath, [here('../../dist/bin/cli.js'), 'serve'], {
  stdio: ['ignore', 'pipe', 'pipe'],
  env: {
    ...process.env,
    PORT: '0',
    LOG_LEVEL: 'error',
    HELIOGRAPH_DATA_DIR: join(folder, 'data'),
    HELIOGRAPH_OPERATOR_TOKEN: OPERATOR_TOKEN,
    HELIOGRAPH_RATE_LIMITS: JSON.stringify(Object.fromEntries(GROUPS.map((group) => [group, 10_000_000]))),
  },
});
const stopServer = () => server.kill('SIGTERM');
process.once('SIGTERM', stopServer).once('SIGINT', stopServer);
try {
  process.exitCode = await run(await started());
} finally {
  stopServer();
  if (server.exitCode === null) await once(server, 'exit');
  rmSync(folder, { recursive: true, force: true });
}

/** The path of the program, in an environment of its own. */
function install() {
  const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'heliograph-test', `schemathesis-${VERSION}`);
  const installed = join(cache, 'bin', 'schemathesis');
  if (existsSync(installed)) return installed;
  command('python3', ['-m', 'venv', '--clear', cache]);
  command(join(cache, 'bin', 'pip'), ['install', '--quiet', '--disable-pip-version-check', `schemathesis==${VERSION}`]);
  return installed;
}

function command(name, args) {
  const { status, error } = spawnSync(name, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) throw new Error(`${name} ${args.join(' ')} failed${error ? `: ${error.message}` : ''}`);
}

/** The URL of the server and the key of its demo account. */
async function started() {
  let welcome = '';
  server.stderr.on('data', (text) => {
    welcome += text;
  });
  const [line] = await Promise.race([
    once(createInterface({ input: server.stdout }), 'line'),
    once(server, 'exit').then(() => {
      throw new Error(`the service did not start: ${welcome}`);
    }),
  ]);
  for (let waits = 0; waits < 600; waits++) {
    const [, key] = /^ *API key +(\S+)$/m.exec(welcome) ?? [];
    if (key) return { url: JSON.parse(line).listening, key };
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`there is no key in: ${welcome}`);
}

async function run({ url, key }) {
  const config = join(folder, 'schemathesis.toml');
  writeFileSync(config, configuration(url, key));
  const args = [
    '--config-file',
    config,
    'run',
    `${url}/v1/openapi.json`,
    '--checks',
    'all',
    '--exclude-checks',
    'positive_data_acceptance,negative_data_rejection',
  ];
  const defaults = [
    '--seed',
    '1',
    '--generation-database',
    'none',
    '--continue-on-failure',
    '--max-examples',
    '10',
    '--suppress-health-check',
    'filter_too_much',
  ];
  const { data: keys } = await (await fetch(`${url}/v1/api-keys`, { headers: { 'X-API-Key': key } })).json();
  const env = { ...process.env, PYTHONPATH: here('.'), OWN_KEY_ID: keys[0].id };
  const tester = spawn(program, [...args, ...defaults, ...process.argv.slice(2)], { cwd: folder, env, stdio: ['ignore', 'inherit', 'inherit'] });
  const [code] = await once(tester, 'exit');
  if (server.exitCode !== null) throw new Error('the service has ended');
  return code ?? 1;
}

/** 413 and 431 refuse invalid data, too: what is too long is refused before it is validated. */
function configuration(url, key) {
  return `
base-url = "${url}"
hooks = "checks"
headers = { "X-API-Key" = "${key}" }

[auth]
auto-signup = false

[checks.negative_data_rejection]
expected-statuses = ["400", "401", "403", "404", "405", "406", "409", "410", "412", "413", "415", "422", "428", "431"]

[[operations]]
include-path-regex = "^/v1/system"
headers = { "Authorization" = "Bearer ${OPERATOR_TOKEN}" }
`;
}
