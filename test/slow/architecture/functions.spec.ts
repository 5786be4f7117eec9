import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { longFunctions, tooLongFunctions } from './functions.js';

describe('the length of functions', () => {
  it('is at most 60 lines', () => expect(tooLongFunctions(process.cwd())).to.deep.equal([]));

  it('has few exceptions', () => expect(Object.keys(longFunctions)).to.have.length.of.at.most(5));

  describe('is counted from the first line to the last', () => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'functions-')));
    const lines = (count: number): string => '  x();\n'.repeat(count);
    /** Of 60 lines with their first and last one, and of 61. */
    const forms: readonly (readonly [name: string, form: (inside: string) => string])[] = [
      ['declaration', (inside) => `export function declaration() {\n${inside}}\n`],
      ['arrow', (inside) => `export const arrow = () => {\n${inside}};\n`],
      ['expression', (inside) => `export const expression = function () {\n${inside}};\n`],
      ['method', (inside) => `export class A {\nmethod() {\n${inside}}\n}\n`],
      ['field', (inside) => `export class A {\nfield = () => {\n${inside}}\n}\n`],
      ['constructor', (inside) => `export class A {\nconstructor() {\n${inside}}\n}\n`],
      ['getter', (inside) => `export class A {\nget getter() {\n${inside}return 1 }\n}\n`],
      ['property', (inside) => `export const a = {\nproperty: () => {\n${inside}} };\n`],
      ['parameters', (inside) => `export function parameters(\na = 1,\n) {\n${inside.slice(0, -2 * '  x();\n'.length)}return a }\n`],
    ];
    const write = (name: string, text: string): void => writeFileSync(join(root, name), `declare const x: () => void;\n${text}`);

    before(() => {
      writeFileSync(join(root, 'tsconfig.json'), JSON.stringify({ compilerOptions: { strict: true, types: [] }, include: ['*.ts'] }));
      for (const [name, form] of forms) {
        write(`short-${name}.ts`, form(lines(58)));
        write(`long-${name}.ts`, form(lines(59)));
      }
      write('many.ts', Array.from({ length: 9 }, (_, i) => `export function f${i}() {\n${lines(40)}}\n`).join('\n'));
    });
    after(() => rmSync(root, { recursive: true }));

    it('of every form of function', () =>
      expect(tooLongFunctions(root, {}).sort()).to.deep.equal(
        forms
          .map(
            ([name]) => `long-${name}.ts ${name} (line ${/method|field|constructor|getter|property/.test(name) ? 3 : 2}) has 61 lines, more than 60`,
          )
          .sort(),
      ));

    it('but for the exceptions, which must be needed', () => {
      const exceptions = Object.fromEntries(forms.map(([name]) => [`long-${name}.ts ${name}`, 'a table']));
      expect(tooLongFunctions(root, exceptions)).to.deep.equal([]);
      expect(tooLongFunctions(root, { ...exceptions, 'short-arrow.ts arrow': 'a table' })).to.deep.equal([
        'short-arrow.ts arrow is an exception without need',
      ]);
    });
  });
});
