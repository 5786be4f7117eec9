import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { brokenRooms } from './rooms.js';
import { readSources } from './source.js';

describe('the rooms', () => {
  const sources = readSources(process.cwd());
  it('are kept', () => expect(brokenRooms(sources)).to.deep.equal([]));

  const broken = (files: Record<string, string>) => brokenRooms(Object.entries(files).map(([path, text]) => ({ path, text })));
  const long = '\n'.repeat(41);

  it('refuse a file in the root of a layer', () => {
    for (const path of ['commands/dispatcher.ts', 'ops/clock.ts', 'log/vault.ts', 'api/errors.ts']) {
      const found = broken({ [path]: long });
      expect(found).to.have.length(1);
      expect(found[0]).to.include(`${path} lies in the root`);
    }
  });

  it('accept registries in roots, and the flat layers', () =>
    expect(broken({ 'projections/registry.ts': long, 'log/event-types.ts': long, 'net/client.ts': long, 'bench/main.ts': long })).to.deep.equal([]));

  it('refuse a folder of one small file, but not of a large one, of two, or of a carrier', () => {
    expect(broken({ 'projections/lists/at.ts': '\n' })).to.deep.equal(['projections/lists/ holds one file of 1 lines: projections/lists/at.ts']);
    expect(broken({ 'projections/lists/at.ts': long })).to.deep.equal([]);
    expect(broken({ 'projections/lists/at.ts': '\n', 'projections/lists/queries.ts': '\n' })).to.deep.equal([]);
    expect(broken({ 'carriers/smtp/smtp.ts': '\n' })).to.deep.equal([]);
  });

  it('refuse a carrier without the file that says what it is, but not what carriers share', () => {
    expect(broken({ 'carriers/smtp/send.ts': long })).to.deep.equal(['carriers/smtp/ has no file smtp.ts that says what the carrier is']);
    expect(broken({ 'carriers/smtp/send.ts': long, 'carriers/smtp/smtp.ts': long, 'carriers/runtime/http.ts': long })).to.deep.equal([]);
  });

  it('refuse a format that one layer uses', () => {
    const uses = "import { x } from '../../formats/lists/token.js';";
    const format = { 'formats/lists/token.ts': long };
    expect(broken({ ...format, 'api/lists/routes.ts': `${uses}${long}` })).to.deep.equal([
      'formats/lists/token.ts serves only api: it belongs there',
    ]);
    expect(broken({ ...format, 'api/lists/routes.ts': `${uses}${long}`, 'commands/lists/add.ts': `${uses}${long}` })).to.deep.equal([]);
  });
});

describe('the suites of tests', () => {
  const configurations = readdirSync('.').filter((name) => /^\.mocharc(?:\.[a-z]+)?\.json$/.test(name));
  const specOf = (name: string): readonly string[] => (JSON.parse(readFileSync(name, 'utf8')) as { readonly spec: readonly string[] }).spec;

  it('are folders, without lists of exceptions', () => {
    for (const name of configurations) {
      const { exclude, ignore } = JSON.parse(readFileSync(name, 'utf8')) as { readonly exclude?: unknown; readonly ignore?: unknown };
      expect({ name, exclude, ignore }).to.deep.equal({ name, exclude: undefined, ignore: undefined });
      if (name === '.mocharc.json') continue;
      for (const glob of specOf(name)) expect(glob, name).to.match(/^dist\/test\/[a-z-]+(?:\/[a-z-]+)*\/\*\*\/\*\.spec\.js$/);
    }
  });

  it('are all run: what `npm test` leaves out is a suite of its own', () => {
    // The folders of the longest specs are named first, and so the rest leaves them out, too.
    const rest = specOf('.mocharc.json').at(-1) ?? '';
    const first = specOf('.mocharc.json').flatMap((glob) => /^dist\/test\/\{([a-z,]+)\}\/\*\*\/\*\.spec\.js$/.exec(glob)?.[1]?.split(',') ?? []);
    const [, others = ''] = /^dist\/test\/!\(([a-z|]+)\)\/\*\*\/\*\.spec\.js$/.exec(rest) ?? [];
    const outside = others.split('|').filter((folder) => !first.includes(folder));
    const suites = configurations.filter((name) => name !== '.mocharc.json').flatMap(specOf);
    const folders = readdirSync('test', { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
    const specs = folders.filter((folder) => readdirSync(`test/${folder}`, { recursive: true }).some((file) => String(file).endsWith('.spec.ts')));
    expect(outside.filter((folder) => !suites.includes(`dist/test/${folder}/**/*.spec.js`))).to.deep.equal([]);
    expect(specs).to.include.members(outside);
    expect(readdirSync('test').filter((file) => file.endsWith('.spec.ts'))).to.deep.equal([]);
  });
});
