import { expect } from 'chai';
import { codeOnly, readSources, type SourceFile } from './source.js';

/** Where a request is described. Elsewhere a pattern is no keyword of a schema. */
const LAYERS = /^(domain|commands|api)\//;
const EXCEPT = [
  'domain/kernel/text-patterns.ts', // makes them
  'api/openapi/parameters.ts', // documents headers, which their readers check
];
/** `pattern: 'x'`, `pattern: NAME`, but not a type or a table of rules; and a shorthand among the options of a text. */
const BARE = /(?<![\w.'"`])pattern\s*:(?!\s*(?:string\b|RegExp\b|\{))|(?:String|boundedText)\(\{[^}]*(?<![\w.])pattern\b/g;

const patternsWithoutHint = ({ path, text }: SourceFile): string[] => {
  if (!LAYERS.test(path) || EXCEPT.includes(path)) return [];
  const code = codeOnly(text);
  return [...code.matchAll(BARE)].map(
    ({ index }) => `${path}:${code.slice(0, index).split('\n').length} has a pattern without a hint: use textPattern`,
  );
};

describe('a pattern of a schema', () => {
  it('has a hint, which says how to correct a text', () => expect(readSources(process.cwd()).flatMap(patternsWithoutHint)).to.deep.equal([]));

  const file = (text: string, path = 'api/lists/schemas.ts') => ({ path, text });

  for (const text of [
    "Type.String({ pattern: '^a$' });",
    'boundedText({ maxLength: 3, pattern: KEY });',
    'boundedText({ pattern });',
    'Type.String({ pattern: `^a$` });',
  ])
    it(`is refused as ${text}`, () => expect(patternsWithoutHint(file(text))).to.have.length(1));

  for (const text of [
    'Type.String({ ...KEY, maxLength: 3 });',
    'boundedText(KEY);',
    "textPattern('^a$', 'Use a.');",
    'interface A { readonly pattern: string }',
  ])
    it(`is accepted as ${text}`, () => expect(patternsWithoutHint(file(text))).to.deep.equal([]));
});
