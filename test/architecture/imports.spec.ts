import { expect } from 'chai';
import { brokenRules } from './rules.js';
import { importsOf, layers, readSources } from './source.js';

const broken = (path: string, text: string): string[] => brokenRules([{ path, text }]);

describe('the source tree', () => {
  const files = readSources(process.cwd());

  it('is read whole', () => {
    expect(files.map(({ path }) => path)).to.include.members([
      'domain/kernel/ports.ts',
      'log/runtime/event-log.ts',
      'ops/app/config/config.ts',
      'test/architecture/imports.spec.ts',
    ]);
    expect(layers.filter((layer) => !files.some(({ path }) => path.startsWith(`${layer}/`)))).to.deep.equal([]);
  });

  it('follows the dependency rules', () => expect(brokenRules(files)).to.deep.equal([]));
});

describe('the dependency rules', () => {
  const refused: Record<string, { path: string; text: string; says: string }> = {
    'a package in the domain': { path: 'domain/lists/list.ts', text: "import { v4 } from 'uuid';", says: "imports 'uuid'" },
    'a part of Node in the domain': { path: 'domain/lists/list.ts', text: "import { hash } from 'node:crypto';", says: "imports 'node:crypto'" },
    'typebox in the domain but for its one place': {
      path: 'domain/lists/list.ts',
      text: "import type { Static } from 'typebox';",
      says: "imports 'typebox'",
    },
    'another layer in the domain': {
      path: 'domain/lists/list.ts',
      text: "import { newId } from '../../log/runtime/ids.js';",
      says: 'imports log/runtime/ids.ts',
    },
    'an import for types alone': {
      path: 'domain/lists/list.ts',
      text: "import type { X } from '../../api/http/errors.js';",
      says: 'imports api/http/errors.ts',
    },
    'an import over several lines': {
      path: 'domain/lists/list.ts',
      text: "import {\n  a,\n  b,\n} from '../../api/http/errors.js';",
      says: 'domain/lists/list.ts:1 imports api/http/errors.ts',
    },
    'an export of something imported': {
      path: 'domain/lists/list.ts',
      text: "export * from '../../api/http/errors.js';",
      says: 'imports api/http/errors.ts',
    },
    'an import for its effects': { path: 'domain/lists/list.ts', text: "import '../../api/http/errors.js';", says: 'imports api/http/errors.ts' },
    'a dynamic import': {
      path: 'domain/lists/list.ts',
      text: "const x = await import('../../api/http/errors.js');",
      says: 'imports api/http/errors.ts',
    },
    'a dynamic import by a computed name': { path: 'domain/lists/list.ts', text: 'const x = await import(name);', says: 'a computed name' },
    'a command that knows the API': {
      path: 'commands/lists/add.ts',
      text: "import { e } from '../../api/http/errors.js';",
      says: 'imports api/http/errors.ts',
    },
    'a projection that knows a command': {
      path: 'projections/lists/queries.ts',
      text: "import { e } from '../../commands/runtime/command.js';",
      says: 'imports commands/runtime/command.ts',
    },
    'an engine picked outside the composition root': {
      path: 'api/lists/routes.ts',
      text: "import { e } from '../../engines/sqlite/index.js';",
      says: 'imports engines/sqlite/index.ts',
    },
    'a carrier picked by a process': {
      path: 'processes/messages/dispatch.ts',
      text: "import { c } from '../../carriers/sandbox/carrier.js';",
      says: 'imports carriers/sandbox/carrier.ts',
    },
    'an engine that knows more than the ports': {
      path: 'engines/memory/docs.ts',
      text: "import { m } from '../../domain/messages/message.js';",
      says: 'imports domain/messages/message.ts',
    },
    'an engine that leans on another': {
      path: 'engines/mongodb/docs.ts',
      text: "import { m } from '../sqlite/docs.js';",
      says: 'imports another engine',
    },
    'a worker of another layer': {
      path: 'api/http/server.ts',
      text: "new Worker(new URL('../../engines/sqlite/writer-thread.js', import.meta.url))",
      says: 'imports engines/sqlite/writer-thread.ts',
    },
    'a database outside the engines': {
      path: 'projections/runtime/runner.ts',
      text: "import { DatabaseSync } from 'node:sqlite';",
      says: "imports 'node:sqlite'",
    },
    'the command line from anywhere': {
      path: 'processes/webhooks/deliver.ts',
      text: "import { Command } from 'commander';",
      says: "imports 'commander'",
    },
    'a benchmark in the product': { path: 'ops/app/serve.ts', text: "import { x } from '../../bench/load.js';", says: 'imports bench/load.ts' },
    'a test in the product': { path: 'ops/app/serve.ts', text: "import { x } from '../../test/given.js';", says: 'imports test/given.ts' },
    'the clock in the domain': { path: 'domain/lists/list.ts', text: 'const at = Date.now();', says: 'the clock' },
    'the present moment in the domain': { path: 'domain/lists/list.ts', text: 'const at = new Date().toISOString();', says: 'the clock' },
    'chance in the domain': { path: 'domain/lists/list.ts', text: 'const x = Math.random();', says: 'randomness' },
    'ids made in the domain': { path: 'domain/lists/list.ts', text: 'const x = crypto.getRandomValues(y);', says: 'randomness' },
    'chance in a format': { path: 'formats/lists/token.ts', text: 'const salt = randomBytes(16);', says: 'randomness' },
    'the environment in the domain': { path: 'domain/lists/list.ts', text: 'const x = process.env.X;', says: 'the process' },
    'printing in the domain': { path: 'domain/lists/list.ts', text: 'console.log(1);', says: 'the console' },
    'waiting in the domain': { path: 'domain/lists/list.ts', text: 'setTimeout(f, 5);', says: 'timers' },
    'a folder that is no capability': { path: 'domain/gadgets/gadget.ts', text: '', says: "folder 'gadgets'" },
    'a file outside the layers': { path: 'lib/things.ts', text: '', says: 'is in no layer' },
    'a name in another case': { path: 'domain/lists/mailingList.ts', text: '', says: 'kebab-case' },
    'a file that is too long': { path: 'domain/lists/list.ts', text: '\n'.repeat(351), says: '351 lines' },
    'a silenced compiler': { path: 'ops/x.ts', text: '// @ts-expect-error\nf(1);', says: 'ops/x.ts:1 silences' },
    'any as a type': { path: 'ops/x.ts', text: '\nconst f = (x: any) => x;', says: "ops/x.ts:2 uses 'any'" },
    'any as a cast': { path: 'ops/x.ts', text: 'const f = x as any;', says: "uses 'any'" },
    'any inside a type': { path: 'ops/x.ts', text: 'type T = Map<string, any>;', says: "uses 'any'" },
  };
  for (const [what, { path, text, says }] of Object.entries(refused)) {
    it(`refuse ${what}`, () => {
      const found = broken(path, text);
      expect(found).to.have.length(1);
      expect(found[0]).to.include(says);
    });
  }

  const accepted: Record<string, { path: string; text: string }> = {
    'schemas of typebox at their one place': { path: 'domain/kernel/schema.ts', text: "import Type from 'typebox';" },
    'a given time': { path: 'domain/lists/list.ts', text: 'const at = new Date(Date.parse(now) + 1).toISOString();' },
    'words in comments and texts': {
      path: 'domain/lists/list.ts',
      text: "// import x from 'uuid'; Date.now()\n/* Math.random() */ const said = 'console.log(any)'; // https://a.b/c",
    },
    'the composition root picking an engine': { path: 'ops/app/serve.ts', text: "import { e } from '../../engines/sqlite/index.js';" },
    'any with its reason': {
      path: 'ops/x.ts',
      text: '// biome-ignore lint/suspicious/noExplicitAny: a list of every kind\ntype T = Map<string, any>;',
    },
    'any as a word or a name': { path: 'ops/x.ts', text: 'const o = { any: 1 }; // any\nPromise.any([]); f(any.thing);' },
  };
  for (const [what, { path, text }] of Object.entries(accepted)) it(`accept ${what}`, () => expect(broken(path, text)).to.deep.equal([]));
});

describe('finding imports', () => {
  it('sees past strings, templates and comments', () => {
    const text = [
      "const a = 'it is // no comment'; import b from 'b';",
      'const c = `/* a //`;',
      "import d from 'd'; /* import e from 'e' */",
      "import 'f';",
    ].join('\n');
    expect(
      importsOf({ path: 'x.ts', text })
        .map(({ specifier, line }) => `${specifier}:${line}`)
        .sort(),
    ).to.deep.equal(['b:1', 'd:3', 'f:4']);
  });
});
