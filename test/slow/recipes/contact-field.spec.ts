import { expect } from 'chai';
import { recipeOf, type TemporaryCopy, temporaryCopy } from './temporary-copy.js';

/** Copying and compiling take half a minute on a machine with nothing else to do. */
const LIMIT_MS = 300_000;

describe('the recipe "Adding a contact field"', function () {
  this.timeout(LIMIT_MS);
  let copy: TemporaryCopy | undefined;
  after(() => copy?.remove());

  it('makes a field that is created, imported, exported, asked for by forms, compared, rendered and published', async () => {
    const [table, list, ...more] = await recipeOf('Adding a contact field');
    if (!table || !list) throw new Error('the recipe has two blocks of code');
    expect([table.file, list.file, more.length]).to.deep.equal(['domain/contacts/contact-fields.ts', 'test/contacts/contact-fields.spec.ts', 0]);
    expect(table.code).to.match(/^ {2}nickname: \{$/m);
    copy = await temporaryCopy([
      { file: table.file, before: '} as const satisfies Readonly<Record<string, ContactField>>;', insert: table.code },
      { file: list.file, after: "  timezone: 'open',\n", insert: list.code },
    ]);
    await copy.compile();
    await copy.run('scripts/bundle.mjs');
    // These specs walk the table, so in the copy they are about the new field, too: without the edits of the list they fail.
    expect(await copy.specs(list.file)).to.match(/\b8 passing\b/);
    expect(await copy.run('test/slow/recipes/contact-field.check.mjs')).to.equal('ok\n');
  });
});
