import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { Writable } from 'node:stream';
import { expect } from 'chai';
import { Command, CommanderError } from 'commander';
import { openMemoryViews } from '../../../engines/memory/index.js';
import { addOperatorCommands } from '../../../ops/cli/operator-commands.js';
import { UsageError } from '../../../ops/cli/terminal/usage-error.js';
import { buildUpTo } from '../../../projections/runtime/build.js';
import { system } from '../../support/system.js';
import { type NotesFixture, useNotesFixture } from './notes-fixture.js';
import { notesByOwner } from './notes-projection.js';

class Sink extends Writable {
  text = '';
  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk;
    done();
  }
}

describe("the operator's commands", () => {
  const { dir, open } = useNotesFixture();
  const { views } = openMemoryViews(system);
  let notes: NotesFixture;
  beforeEach(async () => {
    notes = open('data');
    await notes.take('ann', 'buy milk');
    await notes.take('bob', 'sell milk');
    await notes.move('ann', 0, 'red');
  });

  async function run(...args: string[]) {
    const [out, err] = [new Sink(), new Sink()];
    const program = new Command().exitOverride().configureOutput({ writeErr: (text) => err.write(text), writeOut: (text) => out.write(text) });
    const { signal } = new AbortController();
    const tools = { log: notes.log, views, projections: [notesByOwner] };
    addOperatorCommands(program, () => ({
      out,
      err,
      dataDir: dir('data'),
      logIsLocal: true,
      now: () => 1_800_000_000_000,
      signal,
      withStores: (work) => work(tools),
    }));
    for (const command of program.commands) for (const sub of [command, ...command.commands]) sub.exitOverride().copyInheritedSettings(program);
    const error = await program.parseAsync(args, { from: 'user' }).then(
      () => null,
      (e: Error) => e,
    );
    return { out: out.text, err: err.text, error };
  }
  const succeed = async (...args: string[]) => {
    const result = await run(...args);
    if (result.error) throw result.error;
    return result;
  };

  it('count events as a table or as JSON', async () => {
    expect((await succeed('events', 'count')).out).to.equal('type       events\nNoteTaken       2\nNoteMoved       1\nall             3\n');
    expect(JSON.parse((await succeed('events', 'count', '--json', '--after', '1')).out)).to.deep.equal({
      events: 2,
      head: '00000000000000000003',
      by_type: { NoteMoved: 1, NoteTaken: 1 },
    });
  });

  it('tail events as text or as lines of JSON', async () => {
    const { out } = await succeed('events', 'tail', '--last', '2', '--no-follow');
    expect(out.split('\n')).to.have.length(3);
    expect(out).to.match(/^2 {2}2026-01-01T00:00:00\.000Z {2}NoteTaken {2}note-bob#0 {2}\{.*"sealed":/);
    const [first] = (await succeed('events', 'tail', '-n', '1', '--no-follow', '--json')).out.split('\n');
    expect(JSON.parse(first as string)).to.include({ stream: 'note-ann', revision: 1, type: 'NoteMoved' });
  });

  it('export sealed events, and open ones only with --open and a warning', async () => {
    const sealed = await succeed('events', 'export');
    expect(
      sealed.out
        .trim()
        .split('\n')
        .map((text) => JSON.parse(text).position),
    ).to.deep.equal([1, 2, 3].map((n) => String(n).padStart(20, '0')));
    expect(sealed.out).not.to.include(' milk');
    expect(sealed.err).to.equal('3 events.\n');
    const opened = await succeed('events', 'export', '--open', '--stream', 'note-bob');
    expect(opened.out).to.include('sell milk').and.not.include('buy milk');
    expect(opened.err).to.include('open personal fields');
  });

  it('export to a new file that only its owner can read, and never overwrite a file', async () => {
    await succeed('events', 'export', '--out', dir('events.ndjson'));
    expect(readFileSync(dir('events.ndjson'), 'utf8').trim().split('\n')).to.have.length(3);
    expect(statSync(dir('events.ndjson')).mode & 0o777).to.equal(0o600);
    writeFileSync(dir('mine'), 'mine');
    expect((await run('events', 'export', '--out', dir('mine'))).error).to.have.property('code', 'EEXIST');
    expect(readFileSync(dir('mine'), 'utf8')).to.equal('mine');
  });

  it('rebuild, list and verify a projection', async () => {
    expect((await succeed('projections', 'list')).out).to.match(/^name +version +position +lag ms +status\nnotes +1 +0 +\d+ +live\n$/);
    expect(JSON.parse((await succeed('projections', 'rebuild', 'notes', '--json')).out)).to.include({ name: 'notes', events: 3 });
    expect(JSON.parse((await succeed('projections', 'list', '--json')).out)[0]).to.include({
      name: 'notes',
      position: '00000000000000000003',
      lag_ms: 0,
    });
    expect((await succeed('projections', 'verify', 'notes')).out).to.equal('notes at 00000000000000000003: 4 documents, equal.\n');
  });

  it('list the documents that differ from the log, and fail', async () => {
    const writer = await views.writer(notesByOwner);
    await buildUpTo(notesByOwner, { log: notes.log }, writer, new AbortController().signal);
    const at = await writer.checkpoint();
    const [before] = await writer.load([{ collection: 'notes', id: 'ann' }]);
    expect(
      await writer.commit(at, String(at), [{ collection: 'notes', id: 'ann', before, after: { id: 'ann', color: 'mauve', moves: 1 } }]),
    ).to.equal('ok');
    const { out, error } = await run('projections', 'verify', 'notes');
    expect(error).to.have.property('message', 'notes differs from the log: rebuild it');
    expect(out).to.include('1 differ').and.include('different  notes/ann');
  });

  it('back up and restore', async () => {
    const made = await succeed('backup', dir('copy'));
    expect(made.out).to.include('Copied 3 events');
    expect(made.err).to.include('The master key is not in the backup');
    const refused = await run('restore', dir('copy'));
    expect(refused.error).to.have.property('message').that.includes('is not empty');
    expect(JSON.parse((await succeed('backup', dir('second'), '--json')).out)).to.include({ events: 3, master_key_included: false });
  });

  it('explain invalid usage', async () => {
    expect((await run('projections', 'verify', 'gadgets')).error)
      .to.be.instanceOf(UsageError)
      .with.property('message')
      .that.includes('Known: notes.');
    for (const args of [
      ['events', 'tail', '--last', 'ten'],
      ['events', 'count', '--after', 'noon'],
      ['events', 'export', '--openly'],
      ['projections', 'rebuild'],
    ]) {
      expect((await run(...args)).error, args.join(' ')).to.be.instanceOf(CommanderError);
    }
  });
});
