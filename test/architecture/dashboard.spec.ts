import { posix } from 'node:path';
import { expect } from 'chai';
import { importsOf, readFolder, type SourceFile } from './source.js';
import { wrongWords } from './words.js';

const ROOT = 'dashboard/src/';
/** What the specs import, and so the compiler of the service takes as well: it knows no browser, and other endings of imports. */
const PURE = `${ROOT}ui/pure/`;
const MAX_LINES = 300;
/** What reads or runs texts as code or markup. */
const DANGEROUS = /dangerouslySetInnerHTML|\binnerHTML\b|\bouterHTML\b|\binsertAdjacentHTML\b|\beval\(|new Function\(|document\.write/;

/** What each part may import of the dashboard; a feature also itself. */
const mayImport: ReadonlyMap<string, readonly string[]> = new Map([
  ['ui', ['ui', 'i18n']],
  ['api', ['api']],
  ['i18n', ['i18n']],
  ['features', ['ui', 'api', 'i18n']],
  ['app', ['ui', 'api', 'i18n', 'app', 'features']],
]);

/** The part of a file, `ui` or `features`, and its folder, which is a feature there. */
function placeOf(path: string): readonly [part: string, folder: string] {
  const [part = '', feature = ''] = path.slice(ROOT.length).split('/');
  return [part, part === 'features' ? `${part}/${feature}` : part];
}

function brokenRules(source: SourceFile): string[] {
  const { path, text } = source;
  const [part, folder] = placeOf(path);
  const allowed = mayImport.get(part);
  if (!allowed) return path.slice(ROOT.length).includes('/') ? [`${path} is in no part of the dashboard`] : [];
  const refused = importsOf(source).flatMap(({ specifier, line }) => {
    if (!specifier.startsWith('.')) return [];
    const target = posix.join(posix.dirname(path), specifier);
    if (target === 'clients/node/src/api.ts' && part === 'api') return [];
    const [targetPart, targetFolder] = placeOf(target);
    return targetFolder === folder || (target.startsWith(ROOT) && allowed.includes(targetPart)) ? [] : [`${path}:${line} imports ${target}`];
  });
  const isImpure = path.startsWith(PURE) && (importsOf(source).length > 0 || /\bDate\.now\b|\bnew Date\(\s*\)/.test(text));
  const lines = text.split('\n').length - 1;
  return [
    ...refused,
    ...(isImpure ? [`${path} imports something, or asks for the time`] : []),
    ...(lines > MAX_LINES ? [`${path} has ${lines} lines`] : []),
    ...(DANGEROUS.test(text) ? [`${path} reads a text as code or markup`] : []),
  ];
}

/** Texts that import are put together here, so that they are not taken for imports of this file. */
const importing = (path: string): string => `import { x } ${'from'} '${path}';`;
const file = (path: string, text: string): SourceFile => ({ path: `${ROOT}${path}`, text });

describe('the dashboard', () => {
  const files = readFolder(process.cwd(), 'dashboard/src').filter(({ path }) => /\.tsx?$/.test(path));

  it('is read whole', () => expect(files.length).to.be.greaterThan(20));
  it('follows its rules', () => expect(files.flatMap(brokenRules)).to.deep.equal([]));
  it('uses the words of the glossary', () => expect(files.flatMap(wrongWords)).to.deep.equal([]));

  const refused: readonly SourceFile[] = [
    file('ui/table.tsx', importing('../api/client.ts')),
    file('api/client.ts', importing('../ui/button.tsx')),
    file('features/people/list.tsx', importing('../messages/x.ts')),
    file('features/people/list.tsx', importing('../../app/x.ts')),
    file('features/people/list.tsx', importing('../../../../domain/kernel/ids.js')),
    file('features/people/list.tsx', importing('../../../../clients/node/src/api.ts')),
    file('features/people/list.tsx', 'x\n'.repeat(MAX_LINES + 1)),
    file('features/people/list.tsx', '<p dangerouslySetInnerHTML={{ __html: name }} />'),
    file('helpers/x.ts', ''),
    file('ui/pure/time.ts', importing('../now.ts')),
    file('ui/pure/time.ts', 'const now = Date.now();'),
  ];
  for (const one of refused) it(`may not have ${one.path}: ${one.text.slice(0, 60).trim()}`, () => expect(brokenRules(one)).to.have.length(1));

  it('may use in a feature its own files, the parts and the API', () => {
    const text = ['./a.ts', '../../ui/b.tsx', '../../api/c.ts', 'react'].map(importing).join('\n');
    expect(brokenRules(file('features/people/list.tsx', text))).to.deep.equal([]);
  });
});
