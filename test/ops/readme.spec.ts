import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { configTable } from '../../ops/config.js';

describe('the README', () => {
  const readme = readFileSync('README.md', 'utf8');
  const between = (start: RegExp, end: string) => readme.slice(readme.search(start)).split('\n').slice(1).join('\n').split(end)[0]?.trim();

  it('contains the table of settings that the configuration prints', () => {
    expect(between(/<!-- configuration: /, '<!-- end of configuration -->')).to.equal(configTable());
  });

  it('names only existing scripts, and so does CONTRIBUTING', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
    const named = [...`${readme}${readFileSync('CONTRIBUTING.md', 'utf8')}`.matchAll(/npm (?:run )?(start|test|[a-z]+)\b/g)]
      .map(([, name]) => name as string)
      .filter((name) => name !== 'ci' && name !== 'run');
    expect(named.filter((name) => !(name in scripts))).to.deep.equal([]);
  });
});
