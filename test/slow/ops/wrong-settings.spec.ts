import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { allVariables, ConfigError, loadConfig } from '../../../ops/app/config/config.js';
import { PROGRAM } from '../../support/program.js';

/** Of the wrong type, out of every range, of another format, and of any length. */
const NONSENSE = ['two words', '-1', '99999999999999', '1e99', '{', '[]', '{"no such":1}', 'Ünsinn', '\u0007', 'x y'.repeat(2_000), ',', '://'];
/** A path may be any text: whether it can be used shows when it is used. */
const PATHS = ['HELIOGRAPH_DATA_DIR', 'HELIOGRAPH_SANDBOX_LOG'];

const problemsOf = (env: Record<string, string>): readonly string[] => {
  try {
    loadConfig(env);
    return [];
  } catch (e) {
    if (e instanceof ConfigError) return e.problems;
    throw e;
  }
};

describe('a wrong setting', () => {
  let root: string;
  before(() => {
    root = mkdtempSync(join(tmpdir(), 'heliograph-settings-'));
  });
  after(() => rmSync(root, { recursive: true }));

  async function start(env: Readonly<Record<string, string>>): Promise<{ code: number | null; err: string }> {
    const settings = { PATH: process.env.PATH, PORT: '0', HELIOGRAPH_DATA_DIR: join(root, 'data'), ...env };
    const child = spawn(process.execPath, [PROGRAM, 'serve'], { env: settings, stdio: ['ignore', 'ignore', 'pipe'] });
    const ended = once(child, 'exit');
    const err = await text(child.stderr);
    const [code] = await ended;
    return { code: code as number | null, err };
  }

  for (const { name, allowed } of allVariables.filter((one) => !PATHS.includes(one.name)))
    it(`of ${name} is named, with what is allowed`, () => {
      const refused = NONSENSE.flatMap((value) => problemsOf({ [name]: value }));
      expect(refused, 'some nonsense is refused').to.not.be.empty;
      for (const problem of refused)
        expect(problem)
          .to.match(new RegExp(`^${name}\\b`))
          .and.include(allowed);
      expect(problemsOf({ [name]: ' ' }), 'an empty one counts as absent').to.deep.equal([]);
    });

  it('ends the start before anything is made, and all of them are named at once', async () => {
    const env = Object.fromEntries(
      allVariables
        .filter(({ name }) => !PATHS.includes(name))
        .map(({ name }) => [name, NONSENSE.find((value) => !value.includes('\u0000') && problemsOf({ [name]: value }).length > 0) ?? '']),
    );
    const { code, err } = await start(env);
    expect(code).to.equal(2);
    const lines = err.split('\n').map((line) => line.trim());
    for (const name of Object.keys(env))
      expect(
        lines.filter((line) => new RegExp(`^${name}\\b`).test(line)),
        name,
      ).to.have.length(1);
    expect(existsSync(join(root, 'data'))).to.equal(false);
  });

  it('that can only be tried is named by the start that it ends', async () => {
    const file = join(root, 'file');
    writeFileSync(file, '');
    const tried: readonly Readonly<Record<string, string>>[] = [
      { HELIOGRAPH_DATA_DIR: file },
      { HELIOGRAPH_DATA_DIR: '/proc/heliograph' },
      { HELIOGRAPH_SANDBOX_LOG: join(root, 'none', 'sandbox.log') },
      { HOST: '192.0.2.1' },
      { HOST: 'no-such-host.invalid' },
      { MONGODB_URL: 'mongodb://127.0.0.1:1', HELIOGRAPH_VIEWS: 'mongodb' },
      { MONGODB_URL: 'mongodb://127.0.0.1:1/?nonsense=1', HELIOGRAPH_VIEWS: 'mongodb' },
      { EVENTSTOREDB_URL: 'esdb://127.0.0.1:1?tls=false', HELIOGRAPH_LOG: 'eventstoredb' },
      { EVENTSTOREDB_URL: 'esdb://127.0.0.1:1?tls=perhaps', HELIOGRAPH_LOG: 'eventstoredb' },
    ];
    for (const [nth, env] of tried.entries()) {
      const [name] = Object.keys(env) as [string];
      const { code, err } = await start({ HELIOGRAPH_DATA_DIR: join(root, `tried-${nth}`), ...env });
      expect(code, err).to.be.oneOf([1, 2]);
      expect(err.trim().split('\n').at(-1), JSON.stringify(env)).to.include(name);
    }
  }).timeout(240_000);
});
