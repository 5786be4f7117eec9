import { expect } from 'chai';
import { readDocuments, readSources } from './source.js';
import { namesWithTwoMeanings, participles, wrongWords } from './words.js';

describe('words', () => {
  const files = readSources(process.cwd());
  const documents = readDocuments(process.cwd(), ['CONTRIBUTING.md', 'docs/glossary.md', 'test/faults/README.md', 'test/simulation/README.md']);

  it('of code and comments are those of the glossary', () => expect(files.flatMap(wrongWords)).to.deep.equal([]));

  it('of internal documents are those of the glossary', () => expect(documents.flatMap(wrongWords)).to.deep.equal([]));

  it('that name types are nouns', () => expect(files.flatMap(participles)).to.deep.equal([]));

  it('that are exported have one meaning', () => expect(namesWithTwoMeanings(files)).to.deep.equal([]));

  it('of the glossary name files that exist', () => {
    const glossary = documents.find(({ path }) => path === 'docs/glossary.md')?.text ?? '';
    const named = [...glossary.matchAll(/`([\w/.-]+\.ts)`/g)].map((found) => found[1] ?? '');
    expect(named).to.have.length.above(40);
    expect(named.filter((name) => !files.some(({ path }) => path === name || path.endsWith(`/${name}`)))).to.deep.equal([]);
  });

  const file = (text: string, path = 'domain/lists/list.ts') => ({ path, text });

  for (const text of [
    '// The behaviour of a list.',
    'const catalogue = 1;',
    'const handOvers = 1;',
    '/** Is handed to the hand-over. */',
    'const uniteAll = 1;',
    'class UnitedList {}',
    'const happenings = [];',
    'const keptFolds = {};',
  ])
    it(`refuses ${text}`, () => expect(wrongWords(file(text))).to.have.length(1));

  for (const text of [
    "const at = 'hand_over';",
    "const text = 'The colour of a page.';",
    'const event = PushHandedOver;',
    '// What happens to a list.',
  ])
    it(`accepts ${text}`, () => expect(wrongWords(file(text))).to.deep.equal([]));

  it('refuses a forbidden word of a document, but not in code marks', () => {
    expect(wrongWords(file('A former import.', 'CONTRIBUTING.md'))).to.have.length(1);
    expect(wrongWords(file('`hand-over`', 'CONTRIBUTING.md'))).to.deep.equal([]);
  });

  for (const text of ['type Asked = string;', 'export interface Known {\n}', 'class Counting {\n}', 'type Found = string;'])
    it(`refuses ${JSON.stringify(text)}`, () => expect(participles(file(text))).to.have.length(1));

  for (const text of ['type AskedQuestion = string;', 'interface Setting {\n}', 'export class Feed {\n}'])
    it(`accepts ${JSON.stringify(text)}`, () => expect(participles(file(text))).to.deep.equal([]));

  it('refuses a name that two files export', () => {
    const two = [file('export const react = 1;', 'processes/a.ts'), file('export function react() {}', 'processes/b.ts')];
    expect(namesWithTwoMeanings(two)).to.deep.equal(["'react' is exported by processes/a.ts and processes/b.ts"]);
  });

  it('accepts the parts of a decider, and names within tests', () => {
    const parts = [file('export const evolve = 1;', 'domain/a.ts'), file('export const evolve = 1;', 'domain/b.ts')];
    const tests = [file('export const at = 1;', 'test/a.ts'), file('export const at = 1;', 'test/b.ts')];
    expect(namesWithTwoMeanings([...parts, ...tests])).to.deep.equal([]);
  });
});
