import { expect } from 'chai';
import fc from 'fast-check';
import { acceptImport } from '../../commands/contacts/accept-import.js';
import { findImport, showImport } from '../../commands/contacts/import-job.js';
import { upsertContact } from '../../commands/contacts/upsert-contact.js';
import { workOnImport } from '../../commands/contacts/work-on-import.js';
import { completeMerge } from '../../processes/contacts/complete-merge.js';
import { ACCOUNT, Play } from '../standins/play.js';
import { allOf, contactsOf, node, person, unruly } from '../standins/unruly.js';

/** A thousand take ten seconds: `PROPERTY_RUNS=1000`. */
const RUNS = Number(process.env.PROPERTY_RUNS ?? 150);

const race = fc.record({
  rows: fc.array(person, { minLength: 1, maxLength: 6 }),
  workers: fc.array(node, { minLength: 1, maxLength: 2 }),
  callers: fc.array(fc.record({ at: node, says: fc.array(person, { minLength: 1, maxLength: 3 }) }), { maxLength: 2 }),
  /** Whether what a process keeps in memory of contacts lacks everything. */
  behind: fc.boolean(),
});
type Race = typeof race extends fc.Arbitrary<infer R> ? R : never;

const options = { list_ids: [], fields_mode: 'overwrite', on_conflict: 'merge', consent: null, proof: null, base_url: null } as const;

/** Everybody speaks at once, then a last worker ends the import. Each thing said carries a tag of its own. */
async function run({ rows, workers, callers, behind }: Race) {
  const play = new Play([completeMerge], () => (behind ? { mayHaveContact: () => false } : {}));
  const file = rows.map((contact, i) => ({ row: i + 1, contact: { ...contact, tags: [`row ${i + 1}`] } }));
  const { output } = await play.execute(acceptImport, { options: { ...options, list_ids: [] }, rows: () => file }, { key: 'k', fingerprint: 'f' });
  const { import_id } = output;
  const work = async (at: Pick<Play, 'execute'>): Promise<void> => {
    while (!(await at.execute(workOnImport, { import_id })).output.over);
  };
  const said = file.map(({ contact: { tags } }) => tags[0] as string);
  const call = async ({ at, says }: Race['callers'][number], caller: number): Promise<void> => {
    const own = play.over(unruly(play.engine.events, at));
    for (const [nth, person] of says.entries()) {
      const tag = `call ${caller}/${nth}`;
      await own.execute(upsertContact, { contact: { ...person, tags: [tag] }, source: 'api' });
      said.push(tag);
    }
  };
  await allOf([...workers.map((at) => work(play.over(unruly(play.engine.events, at)))), ...callers.map(call)]);
  await play.clock.advance(1_000);
  await work(play);
  await play.go();
  return { play, said, job: await showImport(play.log, await findImport(play.log, ACCOUNT, import_id), 100) };
}

describe('an import among processes that speak of the same people and are killed', () => {
  it('loses nothing that anybody said, and no address has two contacts', async () => {
    await fc.assert(
      fc.asyncProperty(race, async (given) => {
        const { play, said, job } = await run(given);
        expect(job).to.include({ status: 'completed', processed: given.rows.length, failed: 0 });
        const contacts = await contactsOf(play);
        expect(contacts.flatMap(({ tags }) => tags)).to.include.members(said);
        const addresses = contacts.flatMap(({ email, phone }) => [email, phone].filter((address) => address !== null));
        expect(addresses).to.have.length(new Set(addresses).size);
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  });
});
