import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';

/** Specs that read and change how often they were run. */
const SPECS = {
  steady: "it('passes', () => {}); it('passes, too', () => {}); it.skip('waits', () => {});",
  flaky: "it('passes', () => {}); it('passes later', () => { if (run() < 2) throw new Error('the first time'); });",
  hook: "before(() => { if (run() < 2) throw new Error('no server'); }); it('passes', () => {});",
  broken: "it('fails', () => { throw new Error('every time'); }); it('passes', () => {});",
};
const COUNTER = `const { appendFileSync, readFileSync } = require('node:fs');
const run = () => { appendFileSync(__filename + '.runs', '.'); return readFileSync(__filename + '.runs').length; };
`;

describe('.ci/suites.sh', () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'heliograph-suites-'));
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  /** Runs suites as .ci/run does. Each has the named specs. */
  function run(how: 'suite' | 'start', ...suites: readonly (readonly (keyof typeof SPECS)[])[]) {
    const lines = suites.map((names, nth) => {
      const of = join(dir, `${how}-${nth}`);
      const files = names.map((name) => `${of}-${name}.spec.cjs`);
      for (const [i, name] of names.entries()) writeFileSync(files[i] as string, `${COUNTER}describe('${name}', () => { ${SPECS[name]} });`);
      const config = `${of}.json`;
      writeFileSync(config, JSON.stringify({ spec: files, timeout: 20_000, 'node-option': ['enable-source-maps'] }));
      return `${how} 'suite ${nth}' 60 "\${mocha[@]}" --config '${config}'`;
    });
    const script = ['source .ci/suites.sh', ...lines, 'drain', 'finish'].join('\n');
    const { status, stdout, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
    const shown = stdout.trimEnd().split('\n');
    const flaky = shown.filter((line) => line.startsWith('FLAKY: ')).map((line) => line.replace(/.*-(\w+)\.spec\.cjs$/, '$1'));
    return { status, last: shown.at(-1), flaky, out: stdout + stderr };
  }

  it('repeats a file that fails once by itself, names it as flaky, and counts its tests once', () => {
    for (const how of ['suite', 'start'] as const) {
      const { status, last, flaky, out } = run(how, ['steady', 'flaky', 'hook']);
      expect({ status, last, flaky }, out).to.deep.equal({ status: 0, last: '5 passed, 0 failed', flaky: ['flaky', 'hook'] });
      expect(out).to.include('the first time').and.to.include('no server');
    }
  });

  it('fails where a file fails again', () => {
    const { status, last, flaky, out } = run('suite', ['steady', 'broken']);
    expect({ status, last, flaky }, out).to.deep.equal({ status: 1, last: '3 passed, 1 failed', flaky: [] });
    expect(out).to.match(/FAILED AGAIN: suite 0: .*broken/);
  });

  it('fails where more than two files of all suites were flaky', () => {
    const { status, last, flaky, out } = run('suite', ['flaky'], ['hook'], ['flaky', 'steady']);
    expect({ status, last, flaky }, out).to.deep.equal({ status: 1, last: '7 passed, 1 failed', flaky: ['flaky', 'hook', 'flaky'] });
  });

  it('repeats none where more files fail than may be flaky', () => {
    const { status, last, out } = run('suite', ['flaky', 'hook', 'broken']);
    expect({ status, last }, out).to.deep.equal({ status: 1, last: '2 passed, 3 failed' });
    expect(out).to.not.include('once more:');
  });

  it('fails where a suite ends without a test', () => {
    expect(run('suite', []).last).to.equal('0 passed, 1 failed');
  });
});
