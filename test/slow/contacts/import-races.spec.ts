import { expect } from 'chai';
import fc from 'fast-check';
import { acceptImport } from '../../../commands/contacts/accept-import.js';
import { upsertContact } from '../../../commands/contacts/upsert-contact.js';
import { findImport } from '../../../log/aggregates/contacts/load-import.js';
import { completeMerge } from '../../../processes/contacts/complete-merge.js';
import { readImport } from '../../../projections/contacts/imports.js';
import { contactInput, racingLog, racingNode, rootContacts, settleAll } from '../../support/racing.js';
import { ACCOUNT, TestApp } from '../../support/test-app.js';
import { workOff } from '../../support/work-on-jobs.js';

/** A thousand take ten seconds: `PROPERTY_RUNS=1000`. */
const RUNS = Number(process.env.PROPERTY_RUNS ?? 60);

const race = fc.record({
  rows: fc.array(contactInput, { minLength: 1, maxLength: 6 }),
  workers: fc.array(racingNode, { minLength: 1, maxLength: 2 }),
  callers: fc.array(fc.record({ at: racingNode, contacts: fc.array(contactInput, { minLength: 1, maxLength: 3 }) }), { maxLength: 2 }),
  /** Whether the lookup of keys in memory is empty. */
  behind: fc.boolean(),
});
type Race = typeof race extends fc.Arbitrary<infer R> ? R : never;

const options = { list_ids: [], fields_mode: 'overwrite', on_conflict: 'merge', consent: null, proof: null, base_url: null } as const;

/** All workers and callers run concurrently, then a last worker ends the import. Each update has a tag of its own. */
async function run({ rows, workers, callers, behind }: Race) {
  const app = new TestApp([completeMerge], behind ? { lookups: { contactKeys: { mightContain: () => false } } } : {});
  const file = rows.map((contact, i) => ({ row: i + 1, contact: { ...contact, tags: [`row ${i + 1}`] } }));
  const { output } = await app.execute(acceptImport, { options: { ...options, list_ids: [] }, rows: () => file }, { key: 'k', fingerprint: 'f' });
  const { job_id: import_id } = output;
  const work = (at: Pick<TestApp, 'execute'>): Promise<void> => workOff(at, import_id);
  const tags = file.map(({ contact: { tags } }) => tags[0] as string);
  const call = async ({ at, contacts }: Race['callers'][number], caller: number): Promise<void> => {
    const own = app.nodeOver(racingLog(app.engine.events, at));
    for (const [nth, person] of contacts.entries()) {
      const tag = `call ${caller}/${nth}`;
      await own.execute(upsertContact, { contact: { ...person, tags: [tag] }, source: 'api' });
      tags.push(tag);
    }
  };
  await settleAll([...workers.map((at) => work(app.nodeOver(racingLog(app.engine.events, at)))), ...callers.map(call)]);
  await app.clock.advance(1_000);
  await work(app);
  await app.run();
  return { app, tags, job: await readImport(app.log, await findImport(app.log, ACCOUNT, import_id), 100) };
}

describe('an import among racing processes that are killed', () => {
  it('loses no answered update, and no address has two contacts', async () => {
    await fc.assert(
      fc.asyncProperty(race, async (given) => {
        const { app, tags, job } = await run(given);
        expect(job).to.include({ status: 'completed', processed: given.rows.length, failed: 0 });
        const contacts = await rootContacts(app);
        expect(contacts.flatMap(({ tags }) => tags)).to.include.members(tags);
        const addresses = contacts.flatMap(({ email, phone }) => [email, phone].filter((address) => address !== null));
        expect(addresses).to.have.length(new Set(addresses).size);
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  });
});
