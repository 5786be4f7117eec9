import { expect } from 'chai';
import fc from 'fast-check';
import { acceptImport } from '../../commands/contacts/accept-import.js';
import { changeContact } from '../../commands/contacts/change-contact.js';
import { defineCustomField } from '../../commands/contacts/define-custom-field.js';
import { deleteContact } from '../../commands/contacts/delete-contact.js';
import { eraseContact } from '../../commands/contacts/erase-contact.js';
import { mergeContact } from '../../commands/contacts/merge-contact.js';
import { unmergeContact } from '../../commands/contacts/unmerge-contact.js';
import { upsertContact } from '../../commands/contacts/upsert-contact.js';
import { recordEvent } from '../../commands/events/record-event.js';
import { createForm } from '../../commands/forms/create-form.js';
import { submitForm } from '../../commands/forms/submit-form.js';
import { workOnJob } from '../../commands/jobs/work-on-job.js';
import type { ImportOptions } from '../../domain/contacts/import.js';
import type { ContactResource } from '../../domain/contacts/resource.js';
import { isDomainError } from '../../domain/kernel/errors.js';
import { loadClaims } from '../../log/aggregates/contacts/load-claims.js';
import { loadContact, loadRoot } from '../../log/aggregates/contacts/load-contact.js';
import { findImport } from '../../log/aggregates/contacts/load-import.js';
import { readImport } from '../../projections/contacts/imports.js';
import { readContact } from '../../projections/contacts/read-contact.js';
import { ACCOUNT, TestApp } from '../support/test-app.js';

/** A thousand take minutes: `PROPERTY_RUNS=1000`. */
const RUNS = Number(process.env.PROPERTY_RUNS ?? 40);

const EMAILS = ['ada@fam.test', 'bob@fam.test', 'eve@fam.test', 'zoe@fam.test'];
const PHONES = ['+14155550100', '+14155550101', '+14155550102'];

interface Row {
  readonly email?: string;
  readonly phone?: string;
  readonly first_name?: string;
  readonly custom_fields?: Readonly<Record<string, string>>;
  readonly other_emails?: readonly string[];
}

type OnConflict = ImportOptions['on_conflict'];

type Step =
  | { readonly does: 'upsert'; readonly row: Row; readonly on_conflict: OnConflict | undefined }
  | { readonly does: 'import'; readonly rows: readonly Row[]; readonly on_conflict: OnConflict; readonly fields_mode: ImportOptions['fields_mode'] }
  | { readonly does: 'event'; readonly row: Row }
  | { readonly does: 'submit'; readonly row: Row }
  | { readonly does: 'change'; readonly nth: number; readonly change: Row; readonly forget: boolean; readonly without: 'email' | 'phone' | null }
  | { readonly does: 'merge' | 'unmerge' | 'erase' | 'delete'; readonly nth: number; readonly other: number };

const onConflict = fc.constantFrom('merge', 'merge', 'keep_separate', 'reject') as fc.Arbitrary<OnConflict>;
const rowArbitrary: fc.Arbitrary<Row> = fc
  .record({
    email: fc.option(fc.constantFrom(...EMAILS), { freq: 4 }),
    phone: fc.option(fc.constantFrom(...PHONES), { freq: 3 }),
    first_name: fc.option(fc.constantFrom('Ada', 'Bob', 'Eve')),
    ext: fc.option(fc.constantFrom('1', '2'), { freq: 1 }),
    plan: fc.option(fc.constantFrom('pro', 'free')),
    other: fc.option(fc.constantFrom(...EMAILS), { freq: 1 }),
  })
  .filter(({ email, phone, ext }) => email !== null || phone !== null || ext !== null)
  .map(({ email, phone, first_name, ext, plan, other }) => {
    const custom_fields = { ...(ext !== null && { ext }), ...(plan !== null && { plan }) };
    return {
      ...(email !== null && { email }),
      ...(phone !== null && { phone }),
      ...(first_name !== null && { first_name }),
      ...(Object.keys(custom_fields).length > 0 && { custom_fields }),
      ...(other !== null && { other_emails: [other] }),
    };
  });
const addressRow = rowArbitrary.map(({ email, phone, first_name }) => ({
  ...(email && { email }),
  ...(phone && { phone }),
  ...(first_name && { first_name }),
}));
const named = addressRow.filter(({ email, phone }) => email !== undefined || phone !== undefined);

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ does: fc.constant('upsert' as const), row: rowArbitrary, on_conflict: fc.option(onConflict, { nil: undefined }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant('import' as const),
      rows: fc.array(rowArbitrary, { minLength: 1, maxLength: 3 }),
      on_conflict: onConflict,
      fields_mode: fc.constantFrom('overwrite' as const, 'fill_empty' as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('event' as const), row: named }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('submit' as const), row: named }) },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('change' as const),
      nth: fc.nat(9),
      change: addressRow,
      forget: fc.boolean(),
      without: fc.constantFrom(null, null, 'email' as const, 'phone' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constantFrom('merge' as const, 'merge' as const, 'unmerge' as const, 'erase' as const, 'delete' as const),
      nth: fc.nat(9),
      other: fc.nat(9),
    }),
  },
);

/** Whether the work was done; false where the service refused it. */
const isDone = async (work: Promise<unknown>): Promise<boolean> => {
  try {
    await work;
    return true;
  } catch (e) {
    if (isDomainError(e)) return false;
    throw e;
  }
};

type Snapshot = ReadonlyMap<string, ContactResource>;
const addressesOf = ({ email, phone, other_emails, other_phones }: ContactResource): string[] =>
  [email, phone, ...other_emails, ...other_phones].filter((one) => one !== null);
const holderOf = (contacts: Snapshot, address: string | undefined): ContactResource | undefined =>
  address === undefined ? undefined : [...contacts.values()].find((one) => addressesOf(one).includes(address));

/** A service with people, and what it has promised to find. */
class World {
  readonly app = new TestApp();
  readonly accepted = new Set<string>();
  #form = '';
  #nth = 0;

  async open(): Promise<this> {
    for (const [key, unique] of [
      ['ext', true],
      ['plan', false],
    ] as const)
      await this.app.execute(defineCustomField, { key, label: key, type: 'string', unique, pii: false, options: null });
    const fields = [
      { key: 'email', type: 'email' as const, label: 'Email', maps_to: 'email', required: true },
      { key: 'phone', type: 'phone' as const, label: 'Phone', maps_to: 'phone' },
      { key: 'first', type: 'text' as const, label: 'Name', maps_to: 'first_name' },
    ];
    const { output } = await this.app.execute(createForm, { name: 'Stand', slug: 'stand', fields, status: 'live' });
    this.#form = output.id;
    return this;
  }

  async snapshot(): Promise<Snapshot> {
    const { events } = await this.app.log.readAll('start', 10_000);
    const ids = [...new Set(events.filter(({ event }) => event.type === 'ContactCreated').map(({ stream }) => stream.replace('contact-', '')))];
    const found = new Map<string, ContactResource>();
    for (const id of ids) {
      const { state } = await loadRoot(this.app.log, await loadContact(this.app.log, id));
      if (state.status === 'active' && state.id === id) found.set(id, (await readContact(this.app.log, ACCOUNT, id)).resource);
    }
    return found;
  }

  /** The contact that an id leads to now, or null. */
  async survivorOf(id: string): Promise<string | null> {
    const { state } = await loadRoot(this.app.log, await loadContact(this.app.log, id));
    return state.status === 'active' ? state.id : null;
  }

  /** Does one step; true if it was not refused. */
  async take(step: Step, before: Snapshot): Promise<boolean> {
    await this.app.clock.advance(1_000);
    const { app } = this;
    const pick = (nth: number): string => [...before.keys()][nth % Math.max(1, before.size)] ?? 'con_NONE';
    switch (step.does) {
      case 'upsert': {
        const how = step.on_conflict && { on_conflict: step.on_conflict };
        return this.#accept([step.row], await isDone(app.execute(upsertContact, { contact: { ...step.row } as object, source: 'api', ...how })));
      }
      case 'import':
        return this.#import(step);
      case 'event': {
        const { email, phone } = step.row;
        const contact = { ...(email && { email }), ...(phone && { phone }) };
        return this.#accept([contact], await isDone(app.execute(recordEvent, { contact, event: 'visit' })));
      }
      case 'submit': {
        const { email = `stranger${++this.#nth}@fam.test`, phone, first_name } = step.row;
        const given = { email, ...(phone && { phone }), ...(first_name && { first: first_name }) };
        const about = {
          form_version: null,
          consented: false,
          language: 'en',
          written: null,
          answer_in: 'en',
          ip: null,
          user_agent: null,
          page: null,
          base_url: null,
        } as const;
        return this.#accept([{ email }], await isDone(app.execute(submitForm, { ...about, form_id: this.#form, given })));
      }
      case 'change':
        return this.#change(step, before.get(pick(step.nth)));
      case 'merge':
        return isDone(app.execute(mergeContact, { contact_id: pick(step.nth), source_contact_id: pick(step.other) }));
      case 'unmerge':
        return this.#unmerge(step.nth);
      case 'erase':
      case 'delete': {
        const of = before.get(pick(step.nth));
        for (const address of of ? addressesOf(of) : []) this.accepted.delete(address);
        const contact_id = of?.id ?? 'con_NONE';
        return isDone(step.does === 'erase' ? app.execute(eraseContact, { contact_id }) : app.execute(deleteContact, { contact_id }));
      }
      default:
        return step satisfies never;
    }
  }

  /** What a request takes away is no longer promised: what it forgets, and what it sets to null. */
  async #change({ change: given, forget, without }: Extract<Step, { does: 'change' }>, of: ContactResource | undefined): Promise<boolean> {
    const { email, phone, first_name } = given;
    const set = { ...(email && { email }), ...(phone && { phone }), ...(first_name && { first_name }) };
    const change = { ...set, ...(without && { [without]: null }), forget_previous: forget };
    const done = await isDone(this.app.execute(changeContact, { contact_id: of?.id ?? 'con_NONE', change, expected_version: null }));
    if (!done || !of) return false;
    const lost = (['email', 'phone'] as const).filter((kind) => without === kind || (forget && set[kind]));
    for (const kind of lost) if (of[kind]) this.accepted.delete(of[kind]);
    return this.#accept([Object.fromEntries(Object.entries(set).filter(([kind]) => kind !== without))], true);
  }

  async #unmerge(nth: number): Promise<boolean> {
    const merged = (await this.app.log.readAll('start', 10_000)).events.flatMap(({ event }) =>
      event.type === 'ContactAbsorbed' ? [event.data] : [],
    );
    const link = merged[nth % Math.max(1, merged.length)] as { contact_id: string; merge_id: string } | undefined;
    if (!link) return false;
    return isDone(this.app.execute(unmergeContact, { contact_id: link.contact_id, merge_id: link.merge_id }));
  }

  #accept(rows: readonly Row[], done: boolean): boolean {
    if (done) for (const { email, phone } of rows) for (const address of [email, phone]) if (address !== undefined) this.accepted.add(address);
    return done;
  }

  async #import({ rows, on_conflict, fields_mode }: Extract<Step, { does: 'import' }>): Promise<boolean> {
    const { app } = this;
    const options = { list_ids: [], fields_mode, on_conflict, consent: null, proof: null, base_url: null };
    const given = rows.map((contact, i) => ({ row: i + 1, contact: { ...contact } }));
    const { job_id } = (await app.execute(acceptImport, { options, rows: () => given })).output;
    while ((await app.execute(workOnJob, { job_id })).output.work === 'going_on');
    const { errors } = await readImport(app.log, await findImport(app.log, ACCOUNT, job_id), 100);
    const failed = new Set(errors.map(({ row }) => row));
    return this.#accept(
      rows.filter((_, i) => !failed.has(i + 1)),
      true,
    );
  }

  /** Every address that was accepted finds exactly one contact, by its claim and in what the contacts show. */
  async expectAllFound(now: Snapshot): Promise<void> {
    for (const address of this.accepted) {
      const showing = [...now.values()].filter((one) => addressesOf(one).includes(address)).map(({ id }) => id);
      expect(showing, `contacts that show ${address}`).to.have.length(1);
      const name = address.includes('@') ? 'email' : 'phone';
      const [claim] = await loadClaims(this.app, [{ name, key: this.app.vault.key(ACCOUNT, address) }]);
      expect(claim?.holder && (await this.survivorOf(claim.holder.id)), `the contact that ${address} finds`).to.equal(showing[0]);
    }
    const all = [...now.values()].flatMap(addressesOf);
    expect(all.length, 'addresses of several contacts').to.equal(new Set(all).size);
  }

  /** Nobody has lost an address: each is that of the same contact, or of the one that it is merged into. */
  async expectNoneTaken(before: Snapshot, now: Snapshot): Promise<void> {
    for (const [id, contact] of before) {
      const survivor = await this.survivorOf(id);
      for (const address of addressesOf(contact)) expect(holderOf(now, address)?.id, `who has ${address} of ${id}`).to.equal(survivor);
    }
  }
}

const FIELDS = ['email', 'phone', 'first_name', 'last_name'] as const;

/** What has a value in a contact has the same value still. */
function expectUnchanged(before: ContactResource, after: ContactResource | undefined): void {
  for (const field of FIELDS) if (before[field] !== null) expect(after?.[field], `${field} of ${before.id}`).to.equal(before[field]);
  for (const [key, value] of Object.entries(before.custom_fields)) expect(after?.custom_fields, before.id).to.include({ [key]: value });
}

/** The contact that a row finds by its phone alone although it has another email. */
function weaklyMatched(row: Row, before: Snapshot): ContactResource | undefined {
  if (row.email === undefined || holderOf(before, row.email)) return undefined;
  const isKnown = [...before.values()].some(
    ({ custom_fields }) => row.custom_fields?.ext !== undefined && custom_fields.ext === row.custom_fields.ext,
  );
  const byPhone = holderOf(before, row.phone);
  return !isKnown && byPhone?.email ? byPhone : undefined;
}

/** The contacts for which a step has proven nothing: all of a submission, and that of a row that finds it by its phone alone. */
function unproven(step: Step, before: Snapshot): readonly ContactResource[] {
  if (step.does === 'submit') return [...before.values()];
  const [row, ...more] = rowsOf(step);
  const weak = row && more.length === 0 ? weaklyMatched(row, before) : undefined;
  return weak ? [weak] : [];
}

const rowsOf = (step: Step): readonly Row[] => ('rows' in step ? step.rows : 'row' in step ? [step.row] : []);

describe('any sequence of imports, calls, events and submissions', () => {
  it('takes no address from a contact that it does not name, changes nothing of one that it has not proven, and loses no address', () =>
    fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
        const world = await new World().open();
        for (const one of steps) {
          const before = await world.snapshot();
          await world.take(one, before);
          const now = await world.snapshot();
          if (rowsOf(one).length > 0) await world.expectNoneTaken(before, now);
          for (const contact of unproven(one, before)) expectUnchanged(contact, now.get(contact.id));
          await world.expectAllFound(now);
        }
      }),
      { numRuns: RUNS, endOnFailure: true },
    )).timeout(600_000);
});
