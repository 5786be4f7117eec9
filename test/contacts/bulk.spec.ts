import { expect } from 'chai';
import { type BulkAction, bulkActionNames } from '../../commands/contacts/bulk-actions.js';
import { bulkChangeContacts } from '../../commands/contacts/bulk-contacts.js';
import { upsertContact } from '../../commands/contacts/upsert-contact.js';
import { workOnJob } from '../../commands/jobs/work-on-job.js';
import { addToList } from '../../commands/lists/add-to-list.js';
import { createList } from '../../commands/lists/create-list.js';
import { StoreUnavailable } from '../../domain/kernel/ports.js';
import { readJob } from '../../projections/jobs/jobs.js';
import { ACCOUNT, TestApp } from '../support/test-app.js';
import { withAppend } from '../support/with-append.js';
import { workOff } from '../support/work-on-jobs.js';

const CONTACTS = 4;

/** Contacts, and a list that they are on where they are to leave it. */
async function scenario(action: BulkAction) {
  const app = new TestApp();
  const ids: string[] = [];
  for (let n = 0; n < CONTACTS; n++) {
    const contact = { email: `bulk${n}@example.com`, tags: action === 'untag' ? ['x'] : [] };
    ids.push((await app.execute(upsertContact, { contact, source: 'api' })).output.contact_id);
  }
  const list_id = (await app.execute(createList, { name: 'News', description: null, opt_in: 'single' })).output.id;
  if (action === 'remove_from_list')
    await app.execute(addToList, { list_id, contact_ids: ids, emails: [], phones: [], by: 'account', source: 'api', base_url: null });
  const input = { action, filter: null, ids, tags: ['x'], list_id, base_url: null, dry_run: false };
  const { output } = await app.execute(bulkChangeContacts, input);
  if (!('job' in output)) throw new Error('there is no job');
  return { app, job_id: output.job.job_id };
}

const lengthOf = async ({ log }: TestApp): Promise<number> => (await log.readAll('start', 10_000)).events.length;

describe('a bulk action', () => {
  for (const action of bulkActionNames)
    it(`counts each contact once, and changes it once, where '${action}' is interrupted before its record`, async () => {
      const { app, job_id } = await scenario(action);
      const dying = app.nodeOver(
        withAppend(app.engine.events, async (stream, ...rest) => {
          if (stream.startsWith('jobResults-')) throw new StoreUnavailable('the node dies');
          return app.engine.events.append(stream, ...rest);
        }),
      );
      const failure = await dying.execute(workOnJob, { job_id }).catch((error: unknown) => error);
      expect(failure).to.be.instanceOf(StoreUnavailable);
      const changed = await lengthOf(app);
      await workOff(app, job_id);
      const job = await readJob(app.log, ACCOUNT, job_id);
      expect(job).to.deep.include({ status: 'completed', done: CONTACTS, errors: 0 });
      expect(job.result).to.deep.include({ changed: CONTACTS, unchanged: 0, failed: 0 });
      const added = (await app.log.readAll('start', 10_000)).events.slice(changed).map(({ event }) => event.type);
      expect(added).to.deep.equal(['JobChunkDone', 'JobFinished']);
    });

  it('is a chunk of 500 contacts at a time', async () => {
    const app = new TestApp();
    const ids = Array.from({ length: 1_001 }, (_, n) => `con_${String(n).padStart(26, '0')}`);
    const input = { action: 'tag' as const, filter: null, ids, tags: ['x'], list_id: null, base_url: null, dry_run: false };
    const { output } = await app.execute(bulkChangeContacts, input);
    if (!('job' in output)) throw new Error('there is no job');
    await workOff(app, output.job.job_id);
    const job = await readJob(app.log, ACCOUNT, output.job.job_id);
    expect(job).to.deep.include({ done: 1_001, total: 1_001, errors: 1_001 });
    const chunks = (await app.log.readAll('start', 10_000)).events.filter(({ event }) => event.type === 'JobChunkDone');
    expect(chunks).to.have.length(3);
  });
});
