import { expect } from 'chai';
import fc from 'fast-check';
import type { ContactInput } from '../../commands/contacts/contact-input.js';
import type { UpsertOutcome } from '../../commands/contacts/upsert.js';
import { upsertContact } from '../../commands/contacts/upsert-contact.js';
import type { ExistingContact } from '../../domain/contacts/contact.js';
import { type ContactKeyEvent, contactKey, contactKeyStream } from '../../domain/contacts/contact-key.js';
import { addressOf } from '../../domain/contacts/other-addresses.js';
import { fold } from '../../domain/kernel/decider.js';
import type { EventStore } from '../../domain/kernel/ports.js';
import { loadContact, loadRoot, unifyContact } from '../../log/aggregates/contacts/load-contact.js';
import { completeMerge } from '../../processes/contacts/complete-merge.js';
import { ACCOUNT, TestApp } from '../support/test-app.js';
import { withAppend } from '../support/with-append.js';

/** A thousand take minutes: `PROPERTY_RUNS=1000`. */
const RUNS = Number(process.env.PROPERTY_RUNS ?? 15);

const EMAILS = ['ada@example.com', 'eve@example.com', 'bob@example.com'];
const PHONES = ['+14155550100', '+14155550101', '+14155550102'];

/** A node was killed: its caller does not learn which events were written. */
class Killed extends Error {}

/** A log whose appends take different times, and before or after which its caller may be killed. */
function racing(events: EventStore, kill: () => boolean): EventStore {
  const yieldOnce = () => new Promise((resolve) => setImmediate(resolve));
  return withAppend(events, async (stream, expected, newEvents) => {
    if (kill()) throw new Killed();
    await yieldOnce();
    const appended = await events.append(stream, expected, newEvents);
    if (kill()) throw new Killed();
    return appended;
  });
}

/** The concurrent calls of a node, and after how many appends it is killed, in the middle of one; null: never. */
interface Node {
  readonly contacts: readonly ContactInput[];
  readonly killedAt: number | null;
}

interface Call {
  readonly contact: ContactInput;
  /** Null where the process was killed before it answered. */
  readonly answer: UpsertOutcome | null;
}

async function runNodes(app: TestApp, processes: readonly Node[]): Promise<Call[]> {
  const calls = processes.flatMap(({ contacts, killedAt }) => {
    let left = killedAt ?? Number.POSITIVE_INFINITY;
    const node = app.nodeOver(racing(app.engine.events, () => left-- <= 0));
    return contacts.map(async (contact): Promise<Call> => {
      try {
        return { contact, answer: (await node.execute(upsertContact, { contact, source: 'api' })).output };
      } catch (e) {
        if (e instanceof Killed) return { contact, answer: null };
        throw e;
      }
    });
  });
  return Promise.all(calls);
}

/** The unified contact that has an address, or null if no contact has it. */
async function findHolder(app: TestApp, address: string): Promise<ExistingContact | null> {
  const events = await app.log.read<ContactKeyEvent>(contactKeyStream(app.vault.key(ACCOUNT, address)));
  if (!events) return null;
  const state = fold(
    contactKey,
    events.map(({ event }) => event),
  );
  if (state.status === 'free') return null;
  const root = await loadRoot(app.log, await loadContact(app.log, state.contact_id));
  return root.state.status === 'new' ? null : root.state;
}

async function allContacts(app: TestApp): Promise<ExistingContact[]> {
  const { events } = await app.log.readAll('start', 10_000);
  const ids = new Set(events.filter(({ event }) => event.type === 'ContactCreated').map(({ stream }) => stream.replace('contact-', '')));
  const loaded = await Promise.all([...ids].map((id) => loadContact(app.log, id)));
  return loaded.map(({ state }) => state as ExistingContact);
}

/** Each address of a contact is claimed by that contact, so no address has two contacts. */
async function expectUniqueAddresses(app: TestApp): Promise<void> {
  for (const contact of await allContacts(app)) {
    if (contact.status === 'deleted') continue;
    const root = await loadRoot(app.log, await loadContact(app.log, contact.id));
    for (const [name, { value: address }] of Object.entries(contact.facts.values))
      if (addressOf(name) !== null && typeof address === 'string')
        expect((await findHolder(app, address))?.id, `${name} of ${contact.id}`).to.equal(root.id);
  }
}

/** The contact has every tag of the calls that were answered. Each call has a tag of its own. */
async function expectAllStored(app: TestApp, calls: readonly Call[]): Promise<void> {
  for (const { contact, answer } of calls) {
    if (!answer) continue;
    const root = await loadRoot(app.log, await loadContact(app.log, answer.contact_id));
    const { facts } = await unifyContact(app.log, root);
    for (const tag of contact.tags ?? []) expect(facts.tags[tag]?.value, tag).to.equal(true);
    // Whoever has an address by now, it was not lost.
    for (const address of [contact.email, contact.phone]) if (address) expect((await findHolder(app, address))?.status, address).to.equal('active');
  }
}

describe('contacts of one address', () => {
  const contact: fc.Arbitrary<ContactInput> = fc
    .record({ email: fc.option(fc.constantFrom(...EMAILS)), phone: fc.option(fc.constantFrom(...PHONES)), nth: fc.nat() })
    .filter(({ email, phone }) => email !== null || phone !== null)
    .map(({ email, phone, nth }) => ({ ...(email && { email }), ...(phone && { phone }), tags: [`tag-${nth}`] }));
  const processes = (killedAt: fc.Arbitrary<number | null>) =>
    fc.array(fc.record({ contacts: fc.array(contact, { minLength: 1, maxLength: 6 }), killedAt }), { minLength: 2, maxLength: 4 });

  it('are one for any number of concurrent processes, and no answered update is lost', () =>
    fc.assert(
      fc.asyncProperty(processes(fc.constant(null)), fc.boolean(), async (nodes, behind) => {
        // The lookup of keys in memory may be empty still.
        const app = new TestApp([], behind ? { lookups: { contactKeys: { mightContain: () => false } } } : {});
        await expectAllStored(app, await runNodes(app, nodes));
        await expectUniqueAddresses(app);
      }),
      { numRuns: RUNS, endOnFailure: true },
    ));

  it('are one wherever processes are killed, once links are completed', () =>
    fc.assert(
      fc.asyncProperty(processes(fc.option(fc.nat(12))), fc.array(contact, { minLength: 1, maxLength: 4 }), async (nodes, later) => {
        const app = new TestApp([completeMerge]);
        const before = await runNodes(app, nodes);
        const after = await runNodes(app, [{ contacts: later, killedAt: null }]);
        await app.run();
        await expectAllStored(app, [...before, ...after]);
        await expectUniqueAddresses(app);
      }),
      { numRuns: RUNS, endOnFailure: true },
    ));

  it('are one when 64 calls name the same email, 64 the same phone, and 64 both', async () => {
    const app = new TestApp();
    const [email, phone] = [EMAILS[0] as string, PHONES[0] as string];
    const contacts = Array.from({ length: 64 }, (_, i) => [
      { email, tags: [`email-${i}`] },
      { phone, tags: [`phone-${i}`] },
      { email, phone, tags: [`both-${i}`] },
    ]).flat();
    const calls = await runNodes(app, [{ contacts, killedAt: null }]);
    expect(calls.filter(({ answer }) => answer)).to.have.length(192);
    await expectAllStored(app, calls);
    await expectUniqueAddresses(app);
    expect((await findHolder(app, email))?.id).to.equal((await findHolder(app, phone))?.id);
  });
});
