import { expect } from 'chai';
import { acceptImport } from '../../commands/contacts/accept-import.js';
import { changeImport } from '../../commands/contacts/change-import.js';
import { upsertContact } from '../../commands/contacts/upsert-contact.js';
import type { ImportOptions } from '../../domain/contacts/import.js';
import { importRowsStream, importStream } from '../../domain/contacts/legacy-import.js';
import type { AnyEvent } from '../../domain/kernel/event.js';
import { findImport } from '../../log/aggregates/contacts/load-import.js';
import { createJobKinds } from '../../ops/app/job-kinds.js';
import { runLegacyImports } from '../../processes/contacts/run-legacy-imports.js';
import { runJobs } from '../../processes/jobs/run-jobs.js';
import { readImport } from '../../projections/contacts/imports.js';
import { readJob } from '../../projections/jobs/jobs.js';
import { JOBS, type JobDoc, jobs } from '../../projections/jobs/projection.js';
import { ACCOUNT, TestApp } from '../support/test-app.js';
import { listedIn } from './listed-import.js';

const options: ImportOptions = { list_ids: [], fields_mode: 'overwrite', on_conflict: 'merge', consent: null, proof: null, base_url: null };
const ID = 'job_FORMER';
const chunks = [
  [{ email: 'ada@example.com' }, { email: 'nobody' }],
  [{ email: 'bob@example.com' }, { email: 'ada@example.com', first_name: 'Ada' }],
];

describe('imports that were accepted before imports were jobs', () => {
  let app: TestApp;
  beforeEach(() => {
    const destroyKey = (subject: string) => app.vault.erase(subject);
    app = new TestApp([runLegacyImports({ destroyKey }), runJobs({ kinds: createJobKinds(), destroyKey })]);
  });

  const append = (stream: string, expected: 'no-stream' | number, event: AnyEvent, key = {}) =>
    app.log.append(stream, expected, [event], {
      ...{ $correlationId: 'req_1', $causationId: 'req_1', account: ACCOUNT, actor: { kind: 'key', id: 'key_1' }, invocation: 'req_1' },
      occurredAt: '2026-01-15T10:00:00.000Z',
      ...key,
    });
  /** Writes what an earlier release wrote when it accepted an import. */
  async function acceptLegacy(id = ID, key = {}): Promise<void> {
    const at = new Date(app.clock.now()).toISOString();
    await append(importStream(id), 'no-stream', { type: 'ImportBegun', data: { import_id: id, ...options, at } }, key);
    let row = 0;
    for (const [chunk, contacts] of chunks.entries()) {
      const rows = contacts.map((contact) => ({ row: ++row, contact }));
      await append(importRowsStream(id), chunk === 0 ? 'no-stream' : chunk - 1, { type: 'ImportRowsStored', data: { import_id: id, chunk, rows } });
    }
    await append(importStream(id), 0, { type: 'ImportAccepted', data: { import_id: id, total: row, chunks: 2, by: 'process', at } }, key);
  }
  const shown = async () => {
    const read = await readImport(app.log, await findImport(app.log, ACCOUNT, ID), 100);
    expect(await listedIn(app, ID)).to.deep.equal({ ...read, errors: [] });
    return read;
  };

  it('go on, and their rows become unreadable at the end', async () => {
    await acceptLegacy();
    expect(await shown()).to.include({ status: 'queued', total: 4 });
    await app.run();
    expect(await shown()).to.include({ status: 'completed', processed: 4, created: 2, merged: 1, failed: 1, error_count: 1 });
    expect((await shown()).errors.map(({ row, code }) => [row, code])).to.deep.equal([[2, 'invalid_email']]);
    expect((await app.log.read(importRowsStream(ID)))?.[0]?.event.data).to.deep.include({ rows: [] });
    expect(await app.todos()).to.deep.equal([]);
  });

  it('are canceled and reverted', async () => {
    await acceptLegacy();
    await app.execute(changeImport, { import_id: ID, change: 'Cancel' });
    expect((await shown()).status).to.equal('canceling');
    await app.run();
    expect(await shown()).to.include({ status: 'canceled', processed: 0 });
    await app.execute(changeImport, { import_id: ID, change: 'Revert' });
    await app.run();
    expect((await shown()).status).to.equal('reverted');
  });

  it('are shown as jobs', async () => {
    await acceptLegacy();
    await app.run();
    const job = await readJob(app.log, ACCOUNT, ID);
    expect(job).to.deep.include({ kind: 'contact_import', status: 'completed', done: 4, total: 4, errors: 1 });
    const [{ sort: _, account, import: __, ...listed }] = (await app.documents<JobDoc>(jobs, JOBS)) as [JobDoc];
    expect([account, listed]).to.deep.equal([ACCOUNT, job]);
  });

  it('are found by a repeat of their request', async () => {
    const key = { key: 'k', fingerprint: 'f' };
    const { output } = await app.execute(acceptImport, { options, rows: () => [{ row: 1, contact: { email: 'a@example.com' } }] }, key);
    const fresh = new TestApp();
    app = fresh;
    await acceptLegacy(output.job_id, key);
    const again = await app.execute(acceptImport, { options, rows: () => [{ row: 1, contact: { email: 'a@example.com' } }] }, key);
    expect([again.output, again.replayed]).to.deep.equal([{ ...output, total: 4, by: 'process', created_at: again.output.created_at }, true]);
    expect(await app.history(`job-${output.job_id}`)).to.deep.equal([]);
  });

  it('leave contacts that new imports and calls find', async () => {
    await acceptLegacy();
    await app.run();
    const { output } = await app.execute(upsertContact, { contact: { email: 'ada@example.com', last_name: 'L' }, source: 'api' });
    expect(output.outcome).to.equal('merged');
  });
});
