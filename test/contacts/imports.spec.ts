import { expect } from 'chai';
import { acceptImport } from '../../commands/contacts/accept-import.js';
import { changeImport } from '../../commands/contacts/change-import.js';
import { defineCustomField } from '../../commands/contacts/define-custom-field.js';
import { dryRunImport } from '../../commands/contacts/dry-run-import.js';
import { upsertContact } from '../../commands/contacts/upsert-contact.js';
import { failJob } from '../../commands/jobs/change-job.js';
import { workOnJob } from '../../commands/jobs/work-on-job.js';
import { consentStream } from '../../domain/consent/consent.js';
import type { ImportOptions, ImportRow } from '../../domain/contacts/import.js';
import { jobInputStream, jobStream } from '../../domain/jobs/job.js';
import { findImport, revertJobId } from '../../log/aggregates/contacts/load-import.js';
import { createJobKinds } from '../../ops/app/job-kinds.js';
import { runJobs } from '../../processes/jobs/run-jobs.js';
import type { Todo } from '../../processes/runtime/process-manager.js';
import { readImport } from '../../projections/contacts/imports.js';
import { readContact } from '../../projections/contacts/read-contact.js';
import { ACCOUNT, TestApp } from '../support/test-app.js';
import { withAppend } from '../support/with-append.js';
import { listedIn } from './listed-import.js';

const options: ImportOptions = { list_ids: [], fields_mode: 'overwrite', on_conflict: 'merge', consent: null, proof: null, base_url: null };
const rowsOf = (contacts: readonly object[]): ImportRow[] =>
  contacts.map((contact, i) => ({ row: i + 1, contact: contact as Record<string, unknown> }));

describe('an import of contacts', () => {
  let app: TestApp;
  beforeEach(() => {
    app = new TestApp([runJobs({ kinds: createJobKinds(), destroyKey: (subject) => app.vault.erase(subject) })]);
  });

  const accept = async (contacts: readonly object[], more: Partial<ImportOptions> = {}) =>
    (await app.execute(acceptImport, { options: { ...options, ...more }, rows: () => rowsOf(contacts) })).output.job_id;
  /** As the log has it; the list has the same, without the problems. */
  const shown = async (id: string) => {
    const read = await readImport(app.log, await findImport(app.log, ACCOUNT, id), 100);
    expect(await listedIn(app, id)).to.deep.equal({ ...read, errors: [] });
    return read;
  };
  const made = async (contact: object) => (await app.execute(upsertContact, { contact, source: 'api' })).output.contact_id;
  const contact = async (id: string) => (await readContact(app.log, ACCOUNT, id)).resource;
  const imported = async (contacts: readonly object[], more: Partial<ImportOptions> = {}) => {
    const id = await accept(contacts, more);
    await app.run();
    return shown(id);
  };

  it('counts created, merged, unchanged and failed rows', async () => {
    await made({ email: 'ada@example.com', first_name: 'Ada' });
    const result = await imported([
      { email: 'new@example.com' },
      { email: 'ada@example.com', last_name: 'Lovelace' },
      { email: 'ADA@example.com', first_name: 'Ada' },
      { email: 'nobody' },
      { first_name: 'Nobody' },
      { email: 'new@example.com', tags: ['vip'] },
    ]);
    expect(result).to.include({ status: 'completed', total: 6, processed: 6, created: 1, merged: 2, unchanged: 1, failed: 2, error_count: 2 });
    expect(result.errors.map(({ row, field, code }) => [row, field, code])).to.deep.equal([
      [4, 'email', 'invalid_email'],
      [5, 'email', 'required'],
    ]);
  });

  it('makes its rows unreadable once it is over', async () => {
    const id = await accept([{ email: 'ada@example.com' }]);
    const [before] = (await app.log.read(jobInputStream(id))) ?? [];
    expect(JSON.stringify(before?.event)).to.include('ada@example.com');
    await app.run();
    const [after] = (await app.log.read(jobInputStream(id))) ?? [];
    expect(after?.event.data).to.deep.include({ items: [] });
    expect((await app.history(jobStream(id))).at(-1)).to.equal('JobContentForgotten');
    expect(await app.todos()).to.deep.equal([]);
  });

  it('returns the result of a dry run without writing anything', async () => {
    await made({ email: 'ada@example.com', first_name: 'Ada' });
    const head = await app.engine.events.head();
    const keys = (await app.engine.keys.page(null, 100)).length;
    const rows = rowsOf([{ email: 'x@example.com' }, { email: 'x@example.com' }, { email: 'ada@example.com', first_name: 'A' }, { phone: '1' }]);
    const { output } = await app.execute(dryRunImport, { options, rows: () => rows });
    expect(output).to.deep.include({ total: 4, counts: { created: 1, merged: 1, unchanged: 1, failed: 1, suppressed: 0, matched_by_phone: 0 } });
    expect(output.errors).to.have.length(1);
    expect([await app.engine.events.head(), (await app.engine.keys.page(null, 100)).length]).to.deep.equal([head, keys]);
  });

  it('abandons an import whose rows do not all arrive', async () => {
    const broken = async function* () {
      for (let row = 1; row <= 1_100; row++) yield { row, contact: { email: `a${row}@example.com` } };
      throw new Error('the client went away');
    };
    await app.execute(acceptImport, { options, rows: broken }).catch(() => {});
    const todo = (await app.todos())[0]?.todo as Todo;
    expect(await app.history(jobStream(todo.id))).to.deep.equal(['JobBegun']);
    await app.run(2 * 3_600_000);
    expect(await app.history(jobStream(todo.id))).to.deep.equal(['JobBegun', 'JobFinished', 'JobContentForgotten']);
    expect(await findImport(app.log, ACCOUNT, todo.id).catch(({ code }) => code)).to.equal('not_found');
  });

  it('stops between chunks when it is canceled', async () => {
    const id = await accept(Array.from({ length: 1_200 }, (_, n) => ({ email: `a${n}@example.com` })));
    await app.execute(changeImport, { import_id: id, change: 'Cancel' });
    await app.run();
    expect(await shown(id)).to.include({ status: 'canceled', processed: 0, total: 1_200 });
  });

  it('counts suppressed addresses and lifts no suppression', async () => {
    const id = await made({ email: 'ada@example.com' });
    const consent = { channel: 'email', purpose: 'marketing', status: 'granted', lawful_basis: 'consent', source: 'import' } as const;
    await imported([{ email: 'ada@example.com' }, { email: 'bob@example.com' }], { consent });
    expect((await contact(id)).consents).to.deep.equal({ email: { marketing: 'granted' } });
    expect(await app.history(consentStream(id))).to.deep.equal(['ConsentGranted']);
    await imported([{ email: 'ada@example.com' }], { consent });
    expect(await app.history(consentStream(id))).to.deep.equal(['ConsentGranted']);
  });

  describe('that is reverted', () => {
    const revert = async (id: string) => {
      await app.execute(changeImport, { import_id: id, change: 'Revert' });
      await app.run();
      return shown(id);
    };

    it('restores every contact', async () => {
      await app.execute(defineCustomField, { key: 'plan', label: 'Plan', type: 'string', options: null, unique: false, pii: false });
      const ada = await made({ email: 'ada@example.com', first_name: 'Ada', custom_fields: { plan: 'free' }, tags: ['old'] });
      await app.clock.advance(10);
      const bob = await made({ phone: '+14155550100', first_name: 'Bob' });
      await app.clock.advance(10);
      const before = [await contact(ada), await contact(bob)];
      const { id, created, merged } = await imported([
        { email: 'new@example.com', first_name: 'New' },
        { email: 'ada@example.com', first_name: 'A.', last_name: 'L.', custom_fields: { plan: 'pro' }, tags: ['vip'] },
        { email: 'ada@example.com', phone: '+14155550100', first_name: 'Ada Bob' },
      ]);
      expect({ created, merged }).to.deep.equal({ created: 1, merged: 2 });
      expect((await contact(bob)).id).to.equal(ada);
      const result = await revert(id);
      expect(result.reverted).to.deep.equal({ deleted: 1, restored: 1, unmerged: 1, kept: 0 });
      for (const [i, one] of [ada, bob].entries()) {
        const { version: _, updated_at: __, ...now } = await contact(one);
        const { version: ___, updated_at: ____, ...then } = before[i] as Awaited<ReturnType<typeof contact>>;
        expect(now).to.deep.equal(then);
      }
      const again = await imported([{ email: 'new@example.com' }]);
      expect(again.created, 'its address is free').to.equal(1);
    });

    it('can be reverted again if the job that does it was given up', async () => {
      const { id } = await imported([{ email: 'new@example.com' }]);
      await app.execute(changeImport, { import_id: id, change: 'Revert' });
      expect((await shown(id)).status).to.equal('reverting');
      await app.execute(failJob, { job_id: revertJobId(id, 0), reason: 'dropped' });
      expect(await shown(id)).to.include({ status: 'completed', reverted: null });
      expect((await revert(id)).reverted).to.include({ deleted: 1 });
    });

    it('leaves none of its contacts, whenever it was interrupted before it was canceled', async () => {
      const contacts = ['ada', 'bob', 'eve'].map((name) => ({ email: `${name}@example.com` }));
      for (let appends = 0, isWhole = false; !isWhole; appends++) {
        let left = appends;
        const node = app.nodeOver(
          withAppend(app.engine.events, async (...given) => {
            if (left-- <= 0) throw new Error('killed');
            return app.engine.events.append(...given);
          }),
        );
        const id = await accept(contacts);
        isWhole = await node.execute(workOnJob, { job_id: id }).then(
          () => true,
          () => false,
        );
        await app.execute(changeImport, { import_id: id, change: 'Cancel' });
        await app.run();
        await revert(id);
        const { id: again, created } = await imported(contacts);
        expect(created, `after ${appends} appends`).to.equal(3);
        await revert(again);
      }
    });

    it('keeps later changes', async () => {
      const { id } = await imported([{ email: 'new@example.com', first_name: 'New' }]);
      const contactId = await made({ email: 'new@example.com', last_name: 'Since' });
      expect((await revert(id)).reverted).to.deep.equal({ deleted: 0, restored: 0, unmerged: 0, kept: 1 });
      expect(await contact(contactId)).to.include({ first_name: 'New', last_name: 'Since' });
    });
  });
});
