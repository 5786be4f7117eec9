import { expect } from 'chai';
import { codeOnly, lineAt, readSources, type SourceFile } from './source.js';

/** Where aggregates are loaded. Queries compare the accounts of documents, which belong to their read model. */
const LAYERS = /^(commands|log\/aggregates)\//;
const EXCEPT = [
  'log/aggregates/load-aggregate.ts', // the rule
  'commands/templates/render-contents.ts', // whose content a cache has kept
];
const COMPARED = /\b(?:owner|account)\s*[!=]==\s*[\w.?]*\b(?:owner|account)\b/g;

const ownersCompared = ({ path, text }: SourceFile): string[] => {
  if (!LAYERS.test(path) || EXCEPT.includes(path)) return [];
  const code = codeOnly(text);
  return [...code.matchAll(COMPARED)].map(({ index }) => `${path}:${lineAt(code, index)} compares accounts: use loadOwn, findOwn, ownOf or isOwn`);
};

describe('the rule of ownership', () => {
  it('is in one place', () => expect(readSources(process.cwd()).flatMap(ownersCompared)).to.deep.equal([]));

  const file = (text: string, path = 'commands/lists/load.ts') => ({ path, text });

  for (const text of [
    'if (owner !== account) throw missing;',
    'const mine = found?.account === cause.account;',
    'if (named.account !== context.cause.account) return null;',
  ])
    it(`refuses ${text}`, () => expect(ownersCompared(file(text))).to.have.length(1));

  for (const text of ['if (account !== null) return account;', '// account === account', 'if (!isOwn(found, account)) throw missing;'])
    it(`accepts ${text}`, () => expect(ownersCompared(file(text))).to.deep.equal([]));

  it('leaves documents to their read models', () =>
    expect(ownersCompared(file('doc?.account === account', 'projections/lists/queries.ts'))).to.deep.equal([]));
});
