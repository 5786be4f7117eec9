import { expect } from 'chai';
import { moduleState, timeOrChance } from './purity.js';
import { readSources } from './source.js';

describe('time, chance and state', () => {
  const files = readSources(process.cwd());

  it('come in through the ports Clock and Entropy', () => expect(files.flatMap(timeOrChance)).to.deep.equal([]));

  it('are not stored in modules', () => expect(files.flatMap(moduleState)).to.deep.equal([]));

  const file = (text: string, path = 'commands/lists/add.ts') => ({ path, text });

  for (const text of [
    'const at = Date.now();',
    'const at = new Date();',
    'const at = performance.now();',
    'setTimeout(f, 5);',
    'const { setImmediate: later } = globalThis; setImmediate(f);',
    "import { setTimeout as sleep } from 'node:timers/promises';",
    'AbortSignal.timeout(5);',
    'const x = Math.random();',
    "import { randomBytes } from 'node:crypto';",
    'const id = crypto.randomUUID();',
  ]) {
    it(`refuses ${text}`, () => expect(timeOrChance(file(text))).not.to.deep.equal([]));
    it(`accepts it in ops: ${text}`, () => expect(timeOrChance(file(text, 'ops/clock.ts'))).to.deep.equal([]));
  }

  for (const text of ['const at = new Date(ms).toISOString();', 'const at = Date.parse(text);', '// Date.now()', "const t = 'Math.random()';"])
    it(`accepts ${text}`, () => expect(timeOrChance(file(text))).to.deep.equal([]));

  for (const text of [
    'let count = 0;',
    'export let count = 0;',
    'const seen = new Set<string>();\nexport const note = (x: string) => seen.add(x);',
    'const queue: string[] = [];\nexport const note = (x: string) => queue.push(x);',
    'const last: Record<string, string> = {};\nexport function note() {\n  last[name] = at;\n}',
    'const last = { at: 0 };\nexport function note() {\n  last.at += 1;\n}',
    'export const pool = new Pool();',
    'export const post = createPost();',
  ])
    it(`refuses ${JSON.stringify(text)}`, () => expect(moduleState(file(text))).to.have.length(1));

  for (const text of [
    "const names = new Set(['a']);\nexport const known = (x: string) => names.has(x);",
    'const table = { a: 1 };\nexport const of = (x: string) => table[x] === 1;',
    'function f() {\n  let x = 0;\n  const seen = new Set();\n  seen.add(x++);\n}',
    'const pattern = /a/;',
  ])
    it(`accepts ${JSON.stringify(text)}`, () => expect(moduleState(file(text))).to.deep.equal([]));
});
