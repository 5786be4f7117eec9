import { expect } from 'chai';
import { acceptImport } from '../../../commands/contacts/accept-import.js';
import { changeImport } from '../../../commands/contacts/change-import.js';
import { upsertContact } from '../../../commands/contacts/upsert-contact.js';
import { createList } from '../../../commands/lists/create-list.js';
import type { ImportOptions } from '../../../domain/contacts/import.js';
import type { ContactResource } from '../../../domain/contacts/resource.js';
import type { EventStore } from '../../../domain/kernel/ports.js';
import { findImport } from '../../../log/aggregates/contacts/load-import.js';
import { readImport } from '../../../projections/contacts/imports.js';
import { readContact } from '../../../projections/contacts/read-contact.js';
import { ACCOUNT, TestApp } from '../../support/test-app.js';
import { withAppend } from '../../support/with-append.js';
import { workOff, workOffRevert } from '../../support/work-on-jobs.js';

/** A log that accepts this many appends and throws on all later ones. */
function killedAfter(events: EventStore, appends: number): { readonly store: EventStore; readonly taken: () => number } {
  let taken = 0;
  const store = withAppend(events, async (...given) => {
    if (taken >= appends) throw new Error('killed');
    taken += 1;
    return events.append(...given);
  });
  return { store, taken: () => taken };
}

const KEY = { key: 'k', fingerprint: 'f' };
/** Rows that create, update, repeat, merge and contradict, and invalid ones; the same contacts under several names. */
const FILE = [
  { email: 'ada@example.com', first_name: 'Ada' },
  { email: 'ada@example.com', phone: '+14155550101', first_name: 'A.' },
  { phone: '+14155550101', first_name: 'Ada', tags: ['vip'] },
  { email: 'old@example.com', first_name: 'Old' },
  { email: 'old@example.com', first_name: 'New' },
  { email: 'nobody' },
  { email: 'old@example.com', phone: '+14155550102', last_name: 'Merged' },
  { email: 'new@example.com', phone: '+14155550103' },
  { email: 'new@example.com', phone: '+14155550104' },
  { last_name: 'Nobody' },
];

interface Scenario {
  readonly app: TestApp;
  readonly options: ImportOptions;
}

/** Two contacts that exist before the import and are merged by one of its rows. */
async function createScenario(): Promise<Scenario> {
  const app = new TestApp();
  const { output: list } = await app.execute(createList, { name: 'News', description: null, opt_in: 'single' });
  await app.execute(upsertContact, { contact: { email: 'old@example.com', first_name: 'Old' }, source: 'api' });
  await app.clock.advance(10);
  await app.execute(upsertContact, { contact: { phone: '+14155550102', first_name: 'Other' }, source: 'api' });
  await app.clock.advance(10);
  const consent = { channel: 'email', purpose: 'marketing', status: 'granted', lawful_basis: 'consent', source: 'import' } as const;
  const options = { list_ids: [list.id], fields_mode: 'overwrite', on_conflict: 'merge', consent, proof: null, base_url: null } as const;
  return { app, options: { ...options, list_ids: [list.id] } };
}

type Node = Pick<TestApp, 'execute'>;

async function wholeImport(
  { app, options }: Scenario,
  node: Node,
  revert: boolean,
  file: readonly Record<string, unknown>[] = FILE,
): Promise<string> {
  const rows = file.map((contact, i) => ({ row: i + 1, contact }));
  const { job_id: import_id } = (await node.execute(acceptImport, { options, rows: () => rows }, KEY)).output;
  await workOff(node, import_id);
  if (!revert) return import_id;
  await node.execute(changeImport, { import_id, change: 'Revert' });
  await workOffRevert(node, app, import_id);
  return import_id;
}

const plain = (contact: ContactResource) => ({
  ...contact,
  ...{ id: '', version: 0, created_at: '', updated_at: '' },
  lists: contact.lists.map(({ status }) => status),
  merged_ids: contact.merged_ids.length,
});

/** All that there is to see afterward, without times, ids of events and how often something changed. */
async function outcome({ app }: Scenario, import_id: string): Promise<unknown> {
  const result = await readImport(app.log, await findImport(app.log, ACCOUNT, import_id), 100);
  const { events } = await app.engine.events.readAll('start', 10_000);
  const ids = [...new Set(events.map(({ stream }) => stream).filter((stream) => stream.startsWith('contact-')))].map((stream) => stream.slice(8));
  const contacts = await Promise.all(
    ids.map((id) =>
      readContact(app.log, ACCOUNT, id).then(
        ({ resource }) => plain(resource),
        ({ code }) => code,
      ),
    ),
  );
  const { id: _, created_at: __, finished_at: ___, ...counts } = result;
  return { counts, contacts: contacts.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) };
}

describe('an import that is killed', () => {
  for (const revert of [false, true]) {
    it(`has the same result as an uninterrupted one, after any append${revert ? ', and so has its revert' : ''}`, async () => {
      const undisturbed = await createScenario();
      const counting = killedAfter(undisturbed.app.engine.events, Number.POSITIVE_INFINITY);
      const expected = await outcome(undisturbed, await wholeImport(undisturbed, undisturbed.app.nodeOver(counting.store), revert));
      if (!revert) {
        expect((expected as { counts: object }).counts).to.include({ created: 2, merged: 5, unchanged: 1, failed: 2, status: 'completed' });
      } else {
        expect((expected as { counts: object }).counts).to.include({ status: 'reverted' });
      }
      for (let appends = 0; appends < counting.taken(); appends++) {
        const disturbed = await createScenario();
        await wholeImport(disturbed, disturbed.app.nodeOver(killedAfter(disturbed.app.engine.events, appends).store), revert).catch(() => {});
        await disturbed.app.clock.advance(1_000);
        const id = await wholeImport(disturbed, disturbed.app, revert);
        expect(await outcome(disturbed, id), `killed after ${appends} appends`).to.deep.equal(expected);
      }
    });
  }

  it('loses no value of its rows when another call updates the same contact at the same moment', async () => {
    const options = { list_ids: [], fields_mode: 'overwrite', on_conflict: 'merge', consent: null, proof: null, base_url: null } as const;
    const file = [{ email: 'ada@example.com', phone: '+14155550101', first_name: 'Ada' }];
    const other = { phone: '+14155550101', last_name: 'Lovelace' };
    /** Another call updates the contact right before append `updatedAt` of the import, which is killed after `killed` appends. */
    const runWithUpdate = async (updatedAt: number, killed: number): Promise<{ made: number; contact: ContactResource }> => {
      const scenario = { app: new TestApp(), options: { ...options, list_ids: [] } };
      const { store, taken } = killedAfter(scenario.app.engine.events, killed);
      const withUpdate = withAppend(store, async (...given) => {
        if (taken() === updatedAt) await scenario.app.execute(upsertContact, { contact: other, source: 'api' });
        return store.append(...given);
      });
      await wholeImport(scenario, scenario.app.nodeOver(withUpdate), false, file).catch(() => {});
      const made = taken();
      await wholeImport(scenario, scenario.app, false, file);
      const { output } = await scenario.app.execute(upsertContact, { contact: { email: 'ada@example.com' }, source: 'api' });
      return { made, contact: (await readContact(scenario.app.log, ACCOUNT, output.contact_id)).resource };
    };
    for (let [updatedAt, all] = [0, 1]; updatedAt < all; updatedAt++) {
      all = (await runWithUpdate(updatedAt, Number.POSITIVE_INFINITY)).made;
      for (let killed = updatedAt + 1; killed <= all; killed++) {
        const { contact } = await runWithUpdate(updatedAt, killed);
        const expected = { email: 'ada@example.com', phone: '+14155550101', first_name: 'Ada', last_name: 'Lovelace' };
        expect(contact, `updated at append ${updatedAt}, killed after ${killed} of ${all}`).to.include(expected);
      }
    }
  });
});
