import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Doc, isAfter, type Position, type ViewEngine } from '../../domain/kernel/ports.js';
import { openMemoryLog, openMemoryViews } from '../../engines/memory/index.js';
import { openSqliteViews } from '../../engines/sqlite/index.js';
import { buildUpTo } from '../../projections/runtime/build.js';
import type { Projection } from '../../projections/runtime/projection.js';
import { projectionStatuses } from '../../projections/runtime/status.js';
import { verify } from '../../projections/runtime/verify.js';
import { NotesFixture } from '../ops/cli/notes-fixture.js';
import { type NoteDoc, notesByOwner } from '../ops/cli/notes-projection.js';
import { system } from '../support/system.js';

const engines: Record<string, (dir: string) => ViewEngine> = {
  memory: () => openMemoryViews(system),
  SQLite: (dir) => openSqliteViews({ dir, instance: randomUUID() }),
};

for (const [name, openEngine] of Object.entries(engines)) {
  describe(`verifying a projection (${name})`, () => {
    let signal: AbortSignal;
    let dir: string;
    let notes: NotesFixture;
    let views: ViewEngine['views'];
    beforeEach(async () => {
      signal = new AbortController().signal;
      dir = mkdtempSync(join(tmpdir(), 'heliograph-verify-'));
      views = openEngine(dir).views;
      notes = new NotesFixture(openMemoryLog());
      for (const owner of ['cid', 'ann', 'bob', 'Zoe', 'émile']) await notes.take(owner, 'x', 'blue');
    });
    afterEach(async () => {
      await views.close();
      rmSync(dir, { recursive: true });
    });
    const parts = () => ({ log: notes.log, views });
    const catchUp = async () => {
      const writer = await views.writer(notesByOwner);
      await buildUpTo(notesByOwner, parts(), writer, signal);
      await writer.close();
    };
    /** Writes a document without the projection. */
    const tamper = async (collection: string, id: string, after: Doc | undefined) => {
      const writer = await views.writer(notesByOwner);
      const at = (await writer.checkpoint()) as Position;
      const [before] = await writer.load([{ collection, id }]);
      const op = after ? { collection, id, before, after } : { collection, id, before: before as Doc, after };
      expect(await writer.commit(at, at, [op])).to.equal('ok');
      await writer.close();
    };

    it('reports equal where the documents match the log', async () => {
      await catchUp();
      const result = await verify(notesByOwner, parts(), signal);
      expect(result).to.deep.include({ equal: true, position: '00000000000000000005', documents: 6, differing: 0, differences: [] });
      expect(result.hash).to.match(/^[0-9a-f]{64}$/);
    });

    it('compares at the checkpoint of the projection although the log has later events', async () => {
      await catchUp();
      await notes.move('ann', 0, 'red');
      expect(await verify(notesByOwner, parts(), signal)).to.deep.include({ equal: true, position: '00000000000000000005' });
    });

    it('reports no documents for an empty log', async () => {
      notes = new NotesFixture(openMemoryLog());
      expect(await verify(notesByOwner, parts(), signal)).to.deep.include({ equal: true, position: 'start', documents: 0 });
    });

    it('lists different, missing and extra documents', async () => {
      await catchUp();
      await tamper('notes', 'ann', { id: 'ann', color: 'blue', moves: 7 });
      await tamper('notes', 'émile', undefined);
      await tamper('colors', 'red', { id: 'red' });
      const result = await verify(notesByOwner, parts(), signal);
      expect(result).to.deep.include({ equal: false, differing: 3 });
      expect(result.differences).to.deep.equal([
        { collection: 'colors', id: 'red', kind: 'extra' },
        { collection: 'notes', id: 'ann', kind: 'different' },
        { collection: 'notes', id: 'émile', kind: 'missing' },
      ]);
    });

    it('ignores the order of fields', async () => {
      await catchUp();
      await tamper('notes', 'ann', { moves: 0, color: 'blue', id: 'ann' });
      expect(await verify(notesByOwner, parts(), signal)).to.include({ equal: true });
    });

    it('changes nothing and leaves the same generation in force', async () => {
      await catchUp();
      const before = await views.status(notesByOwner);
      await verify(notesByOwner, parts(), signal);
      await verify(notesByOwner, parts(), signal);
      expect(await views.status(notesByOwner)).to.deep.equal(before);
    });

    it('compares a snapshot while the projection continues', async () => {
      await catchUp();
      const snapshot = await views.snapshot(notesByOwner);
      await notes.move('ann', 0, 'red');
      await catchUp();
      expect(await snapshot.checkpoint()).to.equal('00000000000000000005');
      const seen: Doc[] = [];
      for await (const doc of snapshot.scan('notes')) seen.push(doc);
      expect(seen.find(({ id }) => id === 'ann')).to.include({ color: 'blue' });
      await snapshot.close();
      expect(await views.docs<NoteDoc>(notesByOwner, 'notes').get('ann')).to.include({ color: 'red' });
    });

    it('refuses a projection that is in force at another version, or was made from another log', async () => {
      await catchUp();
      const newer = { ...notesByOwner, version: 2 };
      const refusal = await verify(newer, parts(), signal).catch((e: Error) => e.message);
      expect(refusal).to.include('has to be rebuilt first');
      notes = new NotesFixture(openMemoryLog());
      expect(await verify(notesByOwner, parts(), signal).catch((e: Error) => e.message)).to.include('made from another log');
    });
  });
}

describe('the status of projections', () => {
  it('has position, head, lag and the reason of a halt', async () => {
    const notes = new NotesFixture(openMemoryLog());
    const { views } = openMemoryViews(system);
    const parts = { log: notes.log, views, now: () => Date.parse('2026-01-01T00:00:02.500Z') };
    const status = async (projection: Projection = notesByOwner as Projection) => (await projectionStatuses([projection], parts))[0];
    expect(await status()).to.deep.equal({ name: 'notes', version: 1, position: 'start', head: 'start', lag_ms: 0, status: 'live', reason: null });
    await notes.take('ann', 'x');
    expect(await status()).to.include({ position: 'start', head: '00000000000000000001', lag_ms: 2_500, status: 'live' });
    const writer = await views.writer(notesByOwner);
    await buildUpTo(notesByOwner, parts, writer, new AbortController().signal);
    expect(isAfter((await status())?.position ?? 'start', 'start')).to.equal(true);
    expect(await status()).to.include({ lag_ms: 0 });
    expect(await status({ ...notesByOwner, version: 2 } as Projection)).to.include({ status: 'rebuilding', version: 1 });
    await views.halt(notesByOwner, 'it met something');
    expect(await status()).to.include({ status: 'halted', reason: 'it met something' });
  });
});
