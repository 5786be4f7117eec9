import { expect } from 'chai';
import fc from 'fast-check';
import { acceptImport } from '../../../commands/contacts/accept-import.js';
import { changeImport } from '../../../commands/contacts/change-import.js';
import { deleteContact } from '../../../commands/contacts/delete-contact.js';
import { eraseContact } from '../../../commands/contacts/erase-contact.js';
import { upsertContact } from '../../../commands/contacts/upsert-contact.js';
import { type ContactEvent, contactStream } from '../../../domain/contacts/contact.js';
import { findImport } from '../../../log/aggregates/contacts/load-import.js';
import { completeMerge } from '../../../processes/contacts/complete-merge.js';
import { eraseContacts } from '../../../processes/contacts/erase-contacts.js';
import { readImport } from '../../../projections/contacts/imports.js';
import { contactInput, createdContactIds, racingLog, racingNode, rethrowUnless, rootContacts, settleAll } from '../../support/racing.js';
import { ACCOUNT, TestApp } from '../../support/test-app.js';
import { workOff, workOffRevert } from '../../support/work-on-jobs.js';

/** A thousand take a minute: `PROPERTY_RUNS=1000`. */
const RUNS = Number(process.env.PROPERTY_RUNS ?? 50);

const caller = fc.record({ at: racingNode, contacts: fc.array(contactInput, { minLength: 1, maxLength: 3 }) });
type Caller = typeof caller extends fc.Arbitrary<infer C> ? C : never;
const contactInputs = fc.array(contactInput, { minLength: 1, maxLength: 4 });

const options = { list_ids: [], fields_mode: 'overwrite', on_conflict: 'merge', consent: null, proof: null, base_url: null } as const;

/** Upserts that were answered, by their tags. */
class AnsweredUpserts {
  readonly tags: string[] = [];

  constructor(private readonly app: TestApp) {}

  async upsertAll(by: string, at: Pick<TestApp, 'execute'>, inputs: readonly Record<string, unknown>[]): Promise<void> {
    for (const [nth, contact] of inputs.entries()) {
      const tag = `${by}/${nth}`;
      await at
        .execute(upsertContact, { contact: { ...contact, tags: [tag] }, source: 'api' })
        .then(() => this.tags.push(tag), rethrowUnless('contact_erased'));
    }
  }

  call = ({ at, contacts }: Caller, nth: number): Promise<void> =>
    this.upsertAll(`call ${nth}`, this.app.nodeOver(racingLog(this.app.engine.events, at)), contacts);
}

/** Every address can still be upserted, and no two contacts have the same one. */
async function expectUniqueKeys(app: TestApp, inputs: readonly Record<string, unknown>[]): Promise<void> {
  const addresses = new Set(inputs.flatMap(({ email, phone }) => [email && { email }, phone && { phone }].filter(Boolean)) as object[]);
  for (const contact of addresses) await app.execute(upsertContact, { contact: { ...contact, tags: ['after'] }, source: 'api' });
  await app.run();
  const had = (await rootContacts(app)).flatMap(({ email, phone }) => [email, phone].filter((address) => address !== null));
  expect(had).to.have.length(new Set(had).size);
}

describe('contacts that are reverted, deleted or erased among racing processes that are killed', () => {
  it('keep every answered update when an import is reverted', async () => {
    const taking = fc.record({
      before: contactInputs,
      rows: contactInputs,
      reverters: fc.array(racingNode, { minLength: 1, maxLength: 2 }),
      callers: fc.array(caller, { maxLength: 2 }),
    });
    await fc.assert(
      fc.asyncProperty(taking, async ({ before, rows, reverters, callers }) => {
        const app = new TestApp([completeMerge]);
        const upserts = new AnsweredUpserts(app);
        await upserts.upsertAll('before', app, before);
        const file = rows.map((contact, i) => ({ row: i + 1, contact: { ...contact, tags: [`row ${i + 1}`] } }));
        const accepted = await app.execute(acceptImport, { options: { ...options, list_ids: [] }, rows: () => file });
        const { job_id: import_id } = accepted.output;
        await workOff(app, import_id);
        await app.execute(changeImport, { import_id, change: 'Revert' });
        const revert = (at: Pick<TestApp, 'execute'>): Promise<void> => workOffRevert(at, app, import_id);
        await settleAll([...reverters.map((at) => revert(app.nodeOver(racingLog(app.engine.events, at)))), ...callers.map(upserts.call)]);
        await app.clock.advance(1_000);
        await revert(app);
        await app.run();
        expect((await readImport(app.log, await findImport(app.log, ACCOUNT, import_id), 100)).status).to.equal('reverted');
        expect((await rootContacts(app)).flatMap(({ tags }) => tags)).to.include.members(upserts.tags);
        await expectUniqueKeys(app, [...before, ...rows, ...callers.flatMap(({ contacts }) => contacts)]);
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  });

  const ended = fc.record({
    before: contactInputs,
    enders: fc.array(fc.record({ at: racingNode, picks: fc.array(fc.nat(5), { minLength: 1, maxLength: 3 }) }), { minLength: 1, maxLength: 2 }),
    callers: fc.array(caller, { maxLength: 2 }),
  });

  it('free their addresses when they are deleted', async () => {
    await fc.assert(
      fc.asyncProperty(ended, async ({ before, enders, callers }) => {
        const app = new TestApp([completeMerge]);
        const upserts = new AnsweredUpserts(app);
        await upserts.upsertAll('before', app, before);
        const ids = await createdContactIds(app);
        const remove = async ({ at, picks }: (typeof enders)[number]): Promise<void> => {
          const own = app.nodeOver(racingLog(app.engine.events, at));
          for (const nth of picks) await own.execute(deleteContact, { contact_id: ids[nth % ids.length] as string });
        };
        await settleAll([...enders.map(remove), ...callers.map(upserts.call)]);
        await app.clock.advance(1_000);
        await app.run();
        await expectUniqueKeys(app, [...before, ...callers.flatMap(({ contacts }) => contacts)]);
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  });

  it('have no readable personal data once erased, or erased and deleted', async () => {
    await fc.assert(
      fc.asyncProperty(ended, async ({ before, enders, callers }) => {
        const app: TestApp = new TestApp([completeMerge, eraseContacts({ erase: (subject) => app.vault.erase(subject) })]);
        const upserts = new AnsweredUpserts(app);
        await upserts.upsertAll('before', app, before);
        const ids = await createdContactIds(app);
        const erased = new Set<string>();
        const end = async ({ at, picks }: (typeof enders)[number]): Promise<void> => {
          const own = app.nodeOver(racingLog(app.engine.events, at));
          for (const nth of picks) {
            const contact_id = ids[nth % ids.length] as string;
            if (nth % 2 === 1) await own.execute(deleteContact, { contact_id }).catch(rethrowUnless('contact_erased'));
            else await own.execute(eraseContact, { contact_id }).then(() => erased.add(contact_id));
          }
        };
        await settleAll([...enders.map(end), ...callers.map(upserts.call)]);
        await app.clock.advance(1_000);
        await app.run();
        await expectUniqueKeys(app, [...before, ...callers.flatMap(({ contacts }) => contacts)]);
        for (const id of erased) {
          const changes = ((await app.log.read<ContactEvent>(contactStream(id))) ?? []).flatMap(({ event }) =>
            'said' in event.data ? [event.data] : [],
          );
          for (const { personal } of changes) expect(personal).to.satisfy(nothingReadable);
        }
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  });
});

const nothingReadable = (personal: unknown): boolean => !JSON.stringify(personal ?? null).match(/@|\+1/);
