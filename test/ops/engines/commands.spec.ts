import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { openSqliteLog } from '../../../engines/sqlite/index.js';
import { EnginesCommand } from './engines-command.js';
import { contents, keysIn, newKey, planOf, write } from './fixtures.js';

describe('the command engines copy', () => {
  let root: string;
  before(async () => {
    root = mkdtempSync(join(tmpdir(), 'heliograph-engines-'));
    const { events, keys } = openSqliteLog({ dir: join(root, 'old') });
    await keys.put([newKey('ann'), newKey('bob')]);
    await write(events, planOf(40));
    await events.close();
  });
  after(() => rmSync(root, { recursive: true }));
  const folder = (name: string) => `sqlite:${join(root, name)}`;
  const copy = (...args: string[]) => new EnginesCommand(['copy', ...args]).ended;
  const held = async (name: string) => {
    const { events, keys } = openSqliteLog({ dir: join(root, name) });
    const all = { events: await contents(events), keys: await keysIn(keys) };
    await events.close();
    return all;
  };

  it('prints the copied counts, the verification and the next steps, and copies nothing when repeated', async () => {
    const first = await copy('--from', folder('old'), '--to', folder('new'));
    const second = await copy('--from', folder('old'), '--to', folder('new'), '--json');
    const { events, keys } = await held('old');
    expect(await held('new')).to.deep.equal({ events, keys });

    expect(first.code, first.err).to.equal(0);
    expect(first.out)
      .to.include(`Copied ${events.length} events to ${folder('new')} in `)
      .and.include('Copied 2 keys');
    expect(first.out).to.include(`verified: ${events.length} events, SHA-256 `).and.include('verified: 2 keys');
    expect(first.err).to.include('HELIOGRAPH_MASTER_KEY').and.include('Read models are not copied');

    expect(second.code, second.err).to.equal(0);
    const document = JSON.parse(second.out);
    expect(document).to.deep.include({ verified: true, from: folder('old'), keys_to: folder('new') });
    expect(document.events).to.include({ found: events.length, copied: 0, parting: null });
  });

  it('exits with 2 for invalid options, and names all of them', async () => {
    const { code, err } = await copy('--from', 'sqlite:', '--keys-to', 'somewhere');
    expect(code).to.equal(2);
    for (const problem of ["--from 'sqlite:' is not allowed", '--to is missing', "--keys-to 'somewhere' is not allowed"])
      expect(err).to.include(problem);
    const setup = await new EnginesCommand(['setup']).ended;
    expect(setup.code).to.equal(2);
    expect(setup.err).to.include('--user is missing').and.include('EVENTSTOREDB_URL is not set');
  });

  it('exits with 1 if there is no source, and creates none', async () => {
    const { code, err } = await copy('--from', folder('misspelled'), '--to', folder('new'));
    expect(code).to.equal(1);
    expect(err).to.include(`There is no event log in ${join(root, 'misspelled')}.`);
    expect(existsSync(join(root, 'misspelled'))).to.equal(false);
  });

  it('rejects a folder that a running server has open', async () => {
    const running = openSqliteLog({ dir: join(root, 'running') });
    const { code, err } = await copy('--from', folder('old'), '--to', folder('running'));
    expect(code).to.equal(1);
    expect(err).to.include('is in use. Stop the server first.');
    expect(await contents(running.events)).to.deep.equal([]);
    await running.events.close();
  });
});
