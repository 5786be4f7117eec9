import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { configTable } from '../../ops/app/config/config.js';

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

  it('has commands that a test pastes, or that cannot be pasted for a reason', () => {
    const chapters = readme.split(/^(?=\*\*\d+\. |## |# )/m).filter((chapter) => /^```sh$/m.test(chapter));
    const titles = chapters.map((chapter) => /^(?:# |## |\*\*\d+\. )([^*\n]+?)\.?(?:\*\*.*)?$/m.exec(chapter)?.[1] ?? '');
    const pasted = readFileSync('test/slow/service/readme.spec.ts', 'utf8');
    const isPasted = (chapter: string): boolean => {
      const nth = /^\*\*(\d+)\. /.exec(chapter)?.[1];
      return nth === undefined ? pasted.includes(`/^${chapter.split('\n')[0]}/`) : new RegExp(`\\b${nth}[,\\]]|\\*${nth}\\\\\\. `).test(pasted);
    };
    const left = titles.filter((_, i) => !isPasted(chapters[i] as string));
    expect(left).to.have.members(Object.keys(NOT_PASTED));
  });
});

/** Why the commands of a chapter are not pasted by a test. */
const NOT_PASTED: Readonly<Record<string, string>> = {
  Heliograph: 'It installs the packages again, and runs the tests that this one is part of.',
  'Five minutes': 'It installs and starts the service that the test has already, and names its address and its key.',
  Carriers: 'It starts a second service on a fixed port.',
  'More than one machine': 'It names servers on other machines.',
  'Testing and measuring': 'It runs the tests that this one is part of.',
};
