import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { configTable } from '../../ops/config.js';

describe('docs/configuration.md', () => {
  it('contains the table of settings that the configuration prints', () => {
    const text = readFileSync('docs/configuration.md', 'utf8');
    const table = text
      .slice(text.search(/<!-- configuration: /))
      .split('\n')
      .slice(1)
      .join('\n')
      .split('<!-- end of configuration -->')[0];
    expect(table?.trim()).to.equal(configTable());
  });
});

describe('the README', () => {
  const readme = readFileSync('README.md', 'utf8');

  it('names settings that exist', () => {
    const own = readme.match(/\b(?:HELIOGRAPH|TWILIO|SMTP)_[A-Z_]+\b/g) ?? [];
    expect(own.filter((name) => !configTable().includes(`\`${name}\``))).to.deep.equal([]);
  });

  it('names only existing scripts, and so does CONTRIBUTING', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
    const named = [...`${readme}${readFileSync('CONTRIBUTING.md', 'utf8')}`.matchAll(/npm (?:run )?(start|test|[a-z]+)\b/g)]
      .map(([, name]) => name as string)
      .filter((name) => name !== 'ci' && name !== 'run');
    expect(named.filter((name) => !(name in scripts))).to.deep.equal([]);
  });
});
