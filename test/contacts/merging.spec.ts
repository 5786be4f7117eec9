import { expect } from 'chai';
import fc from 'fast-check';
import { unmergeContact } from '../../commands/contacts/unmerge-contact.js';
import type { ContactResource } from '../../domain/contacts/resource.js';
import { loadContact } from '../../log/aggregates/contacts/load-contact.js';
import { readContact } from '../../projections/contacts/read-contact.js';
import { ACCOUNT, TestApp } from '../support/test-app.js';
import { anyStep, runScenario, runStep, type ScenarioState } from './scenarios.js';

const RUNS = Number(process.env.PROPERTY_RUNS ?? 60);

/** The values of a contact, without what depends on its history. */
const valuesOf = ({ version: _v, updated_at: _u, merged_ids: _m, ...rest }: ContactResource) => rest;

describe('contacts that are merged', () => {
  const steps = fc.array(anyStep, { minLength: 1, maxLength: 25 });

  it('are as if never merged once every merge is undone', () =>
    fc.assert(
      fc.asyncProperty(steps, async (scenario) => {
        const app = new TestApp();
        const { contacts, merges } = await runScenario(app, scenario);
        for (const merge of [...merges, ...merges]) {
          await app.clock.advance(1_000);
          await app.execute(unmergeContact, merge).catch(() => {});
        }
        for (const id of contacts) {
          const { resource, merged_into } = await readContact(app.log, ACCOUNT, id);
          expect(merged_into, id).to.equal(null);
          expect(resource.merged_ids, id).to.deep.equal([]);
          // Its own stream without the links has all of its values.
          const { state } = await loadContact(app.log, id);
          if (state.status === 'new') throw new Error(`${id} was not created`);
          const values = state.facts.values;
          const own = (name: string) => values[name]?.value ?? null;
          expect(valuesOf(resource)).to.deep.include({
            id,
            email: own('email'),
            phone: own('phone'),
            first_name: own('first_name'),
            last_name: own('last_name'),
            locale: own('locale'),
          });
        }
      }),
      { numRuns: RUNS },
    ));

  it('unify the values of all members, the latest where they differ', () =>
    fc.assert(
      fc.asyncProperty(steps, async (scenario) => {
        const app = new TestApp();
        const { contacts } = await runScenario(app, scenario);
        for (const id of contacts) {
          const { resource } = await readContact(app.log, ACCOUNT, id);
          const members = await Promise.all([resource.id, ...resource.merged_ids].map((member) => loadContact(app.log, member)));
          const facts = members.flatMap(({ state }) => (state.status === 'new' ? [] : [state.facts]));
          for (const name of ['email', 'phone', 'first_name', 'last_name', 'locale'] as const) {
            const statements = facts.flatMap(({ values }) => values[name] ?? []);
            const last = statements.reduce<(typeof statements)[number] | null>((a, b) => (a && a.at >= b.at ? a : b), null);
            expect(resource[name], `${name} of ${id}`).to.equal(last?.value ?? null);
          }
        }
      }),
      { numRuns: RUNS },
    ));

  it('grow in version with every change, also when they are unmerged', () =>
    fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const app = new TestApp();
        const state: ScenarioState = { contacts: [], merges: [] };
        const seen = new Map<string, ContactResource>();
        for (const step of all) {
          await runStep(app, state, step);
          for (const id of state.contacts) {
            const { resource } = await readContact(app.log, ACCOUNT, id);
            const before = seen.get(resource.id);
            seen.set(resource.id, resource);
            if (before) expectGrown(before, resource);
          }
        }
      }),
      { numRuns: RUNS },
    ));
});

function expectGrown(before: ContactResource, now: ContactResource): void {
  expect(now.version).to.be.at.least(before.version);
  if (now.version === before.version) expect(now).to.deep.equal(before);
}
