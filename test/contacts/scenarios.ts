import fc from 'fast-check';
import { changeContact } from '../../commands/contacts/change-contact.js';
import { deleteContact } from '../../commands/contacts/delete-contact.js';
import { mergeContact } from '../../commands/contacts/merge-contact.js';
import { unmergeContact } from '../../commands/contacts/unmerge-contact.js';
import { upsertContact } from '../../commands/contacts/upsert-contact.js';
import { isDomainError } from '../../domain/kernel/errors.js';
import type { TestApp } from '../support/test-app.js';

/** One command of a scenario. Numbers pick among the contacts and merges that exist. */
export type Step =
  | { readonly do: 'upsert'; readonly contact: Record<string, unknown> }
  | { readonly do: 'patch'; readonly which: number; readonly change: Record<string, unknown> }
  | { readonly do: 'merge'; readonly which: number; readonly other: number }
  | { readonly do: 'unmerge'; readonly which: number }
  | { readonly do: 'delete'; readonly which: number };

const EMAILS = ['ada@example.com', 'eve@example.com', 'bob@example.com', 'cy@example.com'];
const PHONES = ['+14155550100', '+14155550101', '+14155550102', '+14155550103'];

const email = fc.constantFrom(...EMAILS);
const phone = fc.constantFrom(...PHONES);
const word = fc.constantFrom('one', 'two', 'three', 'constructor', '__proto__', 'ünïcödé 💩');
const tags = fc.uniqueArray(word, { maxLength: 2 });
const values = fc.record({ first_name: word, last_name: word, locale: fc.constantFrom('en', 'de'), tags }, { requiredKeys: [] });
const contact = fc.oneof(
  fc.tuple(email, values).map(([given, rest]) => ({ ...rest, email: given })),
  fc.tuple(phone, values).map(([given, rest]) => ({ ...rest, phone: given })),
  fc.tuple(email, phone, values).map(([one, other, rest]) => ({ ...rest, email: one, phone: other })),
);
const change = fc.record(
  { first_name: fc.option(word), last_name: fc.option(word), email: fc.option(email), phone: fc.option(phone), tags },
  { requiredKeys: [] },
);
const which = fc.nat(20);

export const upserts: fc.Arbitrary<Step> = contact.map((given) => ({ do: 'upsert', contact: given }) as const);
export const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: upserts },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('patch' as const), which, change }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('merge' as const), which, other: which }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('unmerge' as const), which }) },
);
export const deleting: fc.Arbitrary<Step> = fc.record({ do: fc.constant('delete' as const), which });

/** Contacts and merges that a scenario has created so far, in order. */
export interface ScenarioState {
  readonly contacts: string[];
  readonly merges: { readonly merge_id: string; readonly contact_id: string }[];
}

/** Runs a step, one second after the one before. Ignores domain errors. */
export async function runStep(app: TestApp, state: ScenarioState, step: Step): Promise<void> {
  await app.clock.advance(1_000);
  const pick = <T>(of: readonly T[], nth: number): T | undefined => of[nth % Math.max(1, of.length)];
  try {
    if (step.do === 'upsert') {
      const { output } = await app.execute(upsertContact, { contact: step.contact, source: 'api' });
      for (const id of [output.contact_id, output.about]) if (!state.contacts.includes(id)) state.contacts.push(id);
      for (const merge_id of output.merge_ids) state.merges.push({ merge_id, contact_id: output.contact_id });
      return;
    }
    if (step.do === 'unmerge') {
      const merge = pick(state.merges, step.which);
      if (merge) await app.execute(unmergeContact, merge);
      return;
    }
    const contact_id = pick(state.contacts, step.which);
    if (contact_id === undefined) return;
    if (step.do === 'patch') await app.execute(changeContact, { contact_id, change: step.change, expected_version: null });
    if (step.do === 'delete') await app.execute(deleteContact, { contact_id });
    if (step.do === 'merge') {
      const source_contact_id = pick(state.contacts, step.other) as string;
      const { output } = await app.execute(mergeContact, { contact_id, source_contact_id });
      if (!state.merges.some(({ merge_id }) => merge_id === output.merge_id)) state.merges.push(output);
    }
  } catch (e) {
    if (!isDomainError(e)) throw e;
  }
}

export async function runScenario(app: TestApp, steps: readonly Step[]): Promise<ScenarioState> {
  const state: ScenarioState = { contacts: [], merges: [] };
  for (const step of steps) await runStep(app, state, step);
  return state;
}
