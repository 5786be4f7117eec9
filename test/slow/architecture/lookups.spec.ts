import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { ownField, setOwnField } from '../../../domain/kernel/own-fields.js';
import { foreignLookups } from './lookups.js';

describe('a lookup by a text', () => {
  it('never meets Object.prototype', () => expect(foreignLookups(process.cwd())).to.deep.equal([]));

  describe('in a plain object', () => {
    const refused = [
      'export const a = table[name];',
      'export const a = table[name + 1];',
      'export const a = maybe?.[name];',
      'export const a = name in table;',
      'export const a = closed[name as keyof typeof closed];',
      'export const a = loose[name];',
      'export const a = table[loose];',
      'table[name] = 1;',
      'table[name] = (table[name] ?? 0) + 1;',
      'export const { [name]: a } = table;',
      'Object.assign(table, other);',
      'Object.assign(table, { [name]: 1 });',
      'export const a = Reflect.get(table, name);',
      'export const f = <K extends string>(key: K) => table[key];',
      'export const f = <T extends object>(of: T, key: keyof T) => of[key];',
    ];
    const accepted = [
      'export const a = closed.b;',
      "export const a = closed['b'];",
      "export const f = (key: 'a' | 'b') => closed[key];",
      'export const a = list[0];',
      'export const f = (i: number) => list[i];',
      'export const f = (i: number) => name[i];',
      'export const a = map.get(name);',
      'export const a = { ...table, [name]: 1 };',
      'delete table[name];',
      'export const a = Object.hasOwn(table, name);',
      'Object.assign(closed, { b: 2 });',
      'export const { [name]: _, ...a } = table;',
    ];
    const given = [
      'declare const name: string, other: Record<string, number>, maybe: Record<string, number> | undefined, map: Map<string, number>, loose: any;',
      'const table: Record<string, number> = {}, closed = { a: 1, b: 2 }, list = [1, 2];',
    ];
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'lookups-')));
    const named = (kind: string, i: number): string => `${kind}${i}.ts`;
    let sentences: string[];

    before(() => {
      writeFileSync(
        join(root, 'tsconfig.json'),
        JSON.stringify({ compilerOptions: { strict: true, types: [], lib: ['es2023'] }, include: ['*.ts'] }),
      );
      const write = (name: string, line: string): void =>
        writeFileSync(join(root, name), `${given.join('\n')}\n${line}\nexport const used = [table, closed, list, name, other, maybe, map, loose];\n`);
      for (const [i, line] of refused.entries()) write(named('refused', i), line);
      for (const [i, line] of accepted.entries()) write(named('accepted', i), line);
      sentences = foreignLookups(root);
    });
    after(() => rmSync(root, { recursive: true }));

    for (const [i, line] of refused.entries())
      it(`is refused: ${line}`, () => expect(sentences.filter((one) => one.startsWith(`${named('refused', i)}:3 `))).not.to.deep.equal([]));
    for (const [i, line] of accepted.entries())
      it(`is another thing: ${line}`, () => expect(sentences.filter((one) => one.startsWith(named('accepted', i)))).to.deep.equal([]));
  });
});

describe('own fields', () => {
  const inherited = [...Object.getOwnPropertyNames(Object.prototype)];

  it('are found, and nothing that is inherited', () => {
    expect(inherited).to.include.members(['constructor', '__proto__', 'toString', '__defineGetter__']);
    for (const name of inherited) expect(ownField({ a: 1 } as Record<string, number>, name)).to.equal(undefined);
    expect(ownField({ a: 1 }, 'a')).to.equal(1);
    expect(ownField(undefined as Record<string, number> | undefined, 'a')).to.equal(undefined);
  });

  it('are set under every name', () => {
    const counts: Record<string, number> = {};
    for (const name of [...inherited, ...inherited]) setOwnField(counts, name, (ownField(counts, name) ?? 0) + 1);
    expect(Object.entries(counts)).to.deep.equal(inherited.map((name) => [name, 2]));
    expect(Object.getPrototypeOf(counts)).to.equal(Object.prototype);
    expect(JSON.parse(JSON.stringify(counts))).to.deep.equal(counts);
  });
});
