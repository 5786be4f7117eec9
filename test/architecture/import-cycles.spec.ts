import { expect } from 'chai';
import { importCircles } from './import-cycles.js';
import { readSources } from './source.js';

describe('imports', () => {
  it('do not go in circles', () => expect(importCircles(readSources(process.cwd()))).to.deep.equal([]));

  const circles = (files: Record<string, string>) => importCircles(Object.entries(files).map(([path, text]) => ({ path, text })));

  it('are refused where two files import each other, also for types only', () => {
    const files = { 'log/a.ts': "import type { B } from './b.js';", 'log/b.ts': "import { a } from './a.js';" };
    expect(circles(files)).to.deep.equal(['imports go in a circle: log/a.ts → log/b.ts → log/a.ts']);
  });

  it('are refused where two folders import each other', () => {
    const files = {
      'commands/lists/add.ts': "import { x } from '../contacts/load.js';",
      'commands/lists/load.ts': '',
      'commands/contacts/load.ts': '',
      'commands/contacts/import.ts': "import { x } from '../lists/load.js';",
    };
    expect(circles(files)).to.deep.equal(['imports between folders go in a circle: commands/contacts → commands/lists → commands/contacts']);
  });

  it('are refused where a command uses ports of a capability that imports its own', () => {
    const files = {
      'commands/lists/add.ts': 'const add = ({ ports }) => ports.contacts.exportPage;',
      'commands/lists/load.ts': '',
      'commands/contacts/ports.ts': '',
      'commands/contacts/import.ts': "import { x } from '../lists/load.js';",
    };
    expect(circles(files)).to.deep.equal(['imports between folders go in a circle: commands/contacts → commands/lists → commands/contacts']);
  });

  it('may go from a folder to a file above it, and from a file above to the folder', () => {
    const files = {
      'projections/runtime/projection.ts': '',
      'projections/lists/projection.ts': "import { x } from '../runtime/projection.js';",
      'projections/registry.ts': "import { x } from './lists/projection.js';",
    };
    expect(circles(files)).to.deep.equal([]);
  });
});
