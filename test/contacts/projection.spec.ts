import { expect } from 'chai';
import fc from 'fast-check';
import { type ContactResource, toContactResource } from '../../domain/contacts/resource.js';
import { isDomainError } from '../../domain/kernel/errors.js';
import { type ContactDoc, contacts } from '../../projections/contacts/projection.js';
import { contactQueries } from '../../projections/contacts/queries.js';
import { readContact } from '../../projections/contacts/read-contact.js';
import { loadRelations } from '../../projections/contacts/relations.js';
import { contactSearch } from '../../projections/contacts/search.js';
import { hasTerms } from '../../projections/contacts/search-entries.js';
import { buildUpTo } from '../../projections/runtime/build.js';
import { ACCOUNT, TestApp } from '../support/test-app.js';
import { anyStep, deleting, runScenario, runStep, type Step } from './scenarios.js';

const RUNS = Number(process.env.PROPERTY_RUNS ?? 60);

describe('the read model of contacts', () => {
  const steps = fc.array(fc.oneof({ weight: 9, arbitrary: anyStep }, { weight: 1, arbitrary: deleting }), { minLength: 1, maxLength: 25 });

  it('equals the log for every contact after any merges and unmerges, whatever the page size', () =>
    fc.assert(
      fc.asyncProperty(steps, fc.nat(3), async (scenario, every) => {
        const app = new TestApp();
        const state = { contacts: [] as string[], merges: [] as { merge_id: string; contact_id: string }[] };
        for (const [i, step] of scenario.entries()) {
          await runStep(app, state, step as Step);
          // Pages of different lengths: documents that a page has already changed and those that it loads take different paths.
          if (every > 0 && i % every === 0) await app.documents(contacts, 'contacts');
        }
        await expectEqual(app, state.contacts);
      }),
      { numRuns: RUNS },
    ));

  it('is the same after a rebuild', () =>
    fc.assert(
      fc.asyncProperty(steps, async (scenario) => {
        const app = new TestApp();
        await runScenario(app, scenario.slice(0, scenario.length / 2));
        await app.documents(contacts, 'contacts');
        await runScenario(app, scenario);
        const inForce = await app.documents(contacts, 'contacts');
        const shadow = await app.views.shadow(contacts);
        await buildUpTo(contacts, app, shadow, new AbortController().signal);
        const rebuilt: unknown[] = [];
        for await (const doc of shadow.scan('contacts')) rebuilt.push(doc);
        expect(rebuilt).to.deep.equal(inForce);
      }),
      { numRuns: RUNS },
    ));

  it('finds by a search whoever has its terms, after any merges and unmerges', () =>
    fc.assert(
      fc.asyncProperty(steps, async (scenario) => {
        const app = new TestApp();
        await runScenario(app, scenario);
        await app.documents(contacts, 'contacts');
        const all = { account: ACCOUNT, keys: [], fields: [], after: null, descending: false, limit: 1_000 };
        const listed = await contactQueries(app).page(all);
        for (const text of ['one', 'thr', 'unicode', 'TWO three', 'constructor', 'ada', 'eve@exam', '(415) 555-0102', '0103', 'one ada', 'nobody']) {
          const search = contactSearch(text, (one) => app.vault.key(ACCOUNT, one)) ?? undefined;
          const having = listed.filter(({ item }) =>
            hasTerms(
              Object.entries(item.facts.values).map(([name, { value }]) => [name, value]),
              search?.terms ?? [],
            ),
          );
          const { found } = await contactQueries(app).search({ ...all, search });
          expect(found, text).to.deep.equal(having);
        }
      }),
      { numRuns: RUNS },
    ));

  it('holds no readable personal data', async () => {
    const app = new TestApp();
    await runScenario(app, [
      { do: 'upsert', contact: { email: 'ada@example.com', phone: '+14155550100', first_name: 'Augusta', last_name: 'Byron' } },
    ]);
    const text = JSON.stringify(await app.documents<ContactDoc>(contacts, 'contacts'));
    for (const personal of ['ada@example.com', '4155550100', 'Augusta', 'Byron']) expect(text).to.not.include(personal);
  });
});

async function expectEqual(app: TestApp, ids: readonly string[]): Promise<void> {
  await app.documents(contacts, 'contacts');
  const found = await contactQueries(app).page({ account: ACCOUNT, keys: [], fields: [], after: null, descending: false, limit: 1_000 });
  const listed = await Promise.all(
    found.map(async ({ item: { unified, facts, version } }) =>
      toContactResource({
        members: unified.members,
        facts,
        relations: await loadRelations(app.log, { ...unified, account: ACCOUNT, facts }),
        fields: new Map(),
        version,
      }),
    ),
  );
  const read = new Map<string, ContactResource>();
  for (const id of ids) {
    const resource = await readContact(app.log, ACCOUNT, id).then(
      (shown) => shown.resource,
      (e: unknown) => {
        if (!isDomainError(e)) throw e;
        return null;
      },
    );
    if (resource) read.set(resource.id, resource);
  }
  const byId = (a: ContactResource, b: ContactResource) => (a.id < b.id ? -1 : 1);
  expect([...listed].sort(byId)).to.deep.equal([...read.values()].sort(byId));
}
