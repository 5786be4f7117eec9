import { expect } from 'chai';
import fc from 'fast-check';
import type { ContactInput } from '../../commands/contacts/contact-input.js';
import { loadContact, rootOf, wholeOf } from '../../commands/contacts/contact-tree.js';
import type { Upserted } from '../../commands/contacts/upsert.js';
import { upsertContact } from '../../commands/contacts/upsert-contact.js';
import type { KnownContact } from '../../domain/contacts/contact.js';
import { type ContactKeyEvent, contactKey, contactKeyStream } from '../../domain/contacts/contact-key.js';
import { fold } from '../../domain/kernel/decider.js';
import type { EventStore } from '../../domain/kernel/ports.js';
import { completeMerge } from '../../processes/contacts/complete-merge.js';
import { appendingBy } from '../standins/appending-by.js';
import { ACCOUNT, Play } from '../standins/play.js';

/** A thousand take minutes: `PROPERTY_RUNS=1000`. */
const RUNS = Number(process.env.PROPERTY_RUNS ?? 15);

const EMAILS = ['ada@example.com', 'eve@example.com', 'bob@example.com'];
const PHONES = ['+14155550100', '+14155550101', '+14155550102'];

/** Who killed a process is not told what it had written. */
class Killed extends Error {}

/** A log whose appends take different times, and some of which are the last thing that their caller does. */
function unruly(events: EventStore, kill: () => boolean): EventStore {
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  return appendingBy(events, async (stream, expected, news) => {
    if (kill()) throw new Killed();
    await turn();
    const appended = await events.append(stream, expected, news);
    if (kill()) throw new Killed();
    return appended;
  });
}

/** What a process is told at once, and after how many appends it is killed, in the middle of one; never where that is null. */
interface Process {
  readonly contacts: readonly ContactInput[];
  readonly killedAt: number | null;
}

interface Told {
  readonly contact: ContactInput;
  /** Null where the process was killed before it answered. */
  readonly answer: Upserted | null;
}

async function tell(play: Play, processes: readonly Process[]): Promise<Told[]> {
  const told = processes.flatMap(({ contacts, killedAt }) => {
    let left = killedAt ?? Number.POSITIVE_INFINITY;
    const node = play.over(unruly(play.engine.events, () => left-- <= 0));
    return contacts.map(async (contact): Promise<Told> => {
      try {
        return { contact, answer: (await node.execute(upsertContact, { contact, source: 'api' })).output };
      } catch (e) {
        if (e instanceof Killed) return { contact, answer: null };
        throw e;
      }
    });
  });
  return Promise.all(told);
}

/** The contact as which the holder of an address answers, or null where nobody has it. */
async function answering(play: Play, address: string): Promise<KnownContact | null> {
  const events = await play.log.read<ContactKeyEvent>(contactKeyStream(play.vault.key(ACCOUNT, address)));
  if (!events) return null;
  const state = fold(
    contactKey,
    events.map(({ event }) => event),
  );
  if (state.status === 'free') return null;
  const root = await rootOf(play.log, await loadContact(play.log, state.contact_id));
  return root.state.status === 'new' ? null : root.state;
}

async function allContacts(play: Play): Promise<KnownContact[]> {
  const { events } = await play.log.readAll('start', 10_000);
  const ids = new Set(events.filter(({ event }) => event.type === 'ContactCreated').map(({ stream }) => stream.replace('contact-', '')));
  const loaded = await Promise.all([...ids].map((id) => loadContact(play.log, id)));
  return loaded.map(({ state }) => state as KnownContact);
}

/** Nobody has two contacts: each address that a contact says is claimed by that contact. */
async function expectOneEach(play: Play): Promise<void> {
  for (const contact of await allContacts(play)) {
    if (contact.status === 'deleted') continue;
    const root = await rootOf(play.log, await loadContact(play.log, contact.id));
    for (const name of ['email', 'phone']) {
      const address = contact.facts.values[name]?.value as string | null | undefined;
      if (address) expect((await answering(play, address))?.id, `${name} of ${contact.id}`).to.equal(root.id);
    }
  }
}

/** Whatever was answered is in what the contact says. Each call of a spec has a tag of its own. */
async function expectAllKept(play: Play, told: readonly Told[]): Promise<void> {
  for (const { contact, answer } of told) {
    if (!answer) continue;
    const root = await rootOf(play.log, await loadContact(play.log, answer.contact_id));
    const { facts } = await wholeOf(play.log, root.state as KnownContact);
    for (const tag of contact.tags ?? []) expect(facts.tags[tag]?.value, tag).to.equal(true);
  }
}

describe('contacts of one address', () => {
  const contact: fc.Arbitrary<ContactInput> = fc
    .record({ email: fc.option(fc.constantFrom(...EMAILS)), phone: fc.option(fc.constantFrom(...PHONES)), nth: fc.nat() })
    .filter(({ email, phone }) => email !== null || phone !== null)
    .map(({ email, phone, nth }) => ({ ...(email && { email }), ...(phone && { phone }), tags: [`tag-${nth}`] }));
  const processes = (killedAt: fc.Arbitrary<number | null>) =>
    fc.array(fc.record({ contacts: fc.array(contact, { minLength: 1, maxLength: 6 }), killedAt }), { minLength: 2, maxLength: 4 });

  it('are one, however many processes are told at once, and nothing that was answered is lost', () =>
    fc.assert(
      fc.asyncProperty(processes(fc.constant(null)), fc.boolean(), async (told, behind) => {
        // Who looks up only keys that are known in memory may know of none yet.
        const play = new Play([], () => (behind ? { mayHaveContact: () => false } : {}));
        await expectAllKept(play, await tell(play, told));
        await expectOneEach(play);
      }),
      { numRuns: RUNS, endOnFailure: true },
    ));

  it('are one wherever processes are killed', () =>
    fc.assert(
      fc.asyncProperty(processes(fc.option(fc.nat(12))), fc.array(contact, { minLength: 1, maxLength: 4 }), async (told, later) => {
        const play = new Play([completeMerge]);
        const before = await tell(play, told);
        const after = await tell(play, [{ contacts: later, killedAt: null }]);
        await play.go();
        await expectAllKept(play, [...before, ...after]);
        await expectOneEach(play);
      }),
      { numRuns: RUNS, endOnFailure: true },
    ));

  it('are one where 64 calls name the same email, 64 the same phone, and 64 both', async () => {
    const play = new Play();
    const [email, phone] = [EMAILS[0] as string, PHONES[0] as string];
    const contacts = Array.from({ length: 64 }, (_, i) => [
      { email, tags: [`email-${i}`] },
      { phone, tags: [`phone-${i}`] },
      { email, phone, tags: [`both-${i}`] },
    ]).flat();
    const told = await tell(play, [{ contacts, killedAt: null }]);
    expect(told.filter(({ answer }) => answer)).to.have.length(192);
    await expectAllKept(play, told);
    await expectOneEach(play);
    expect((await answering(play, email))?.id).to.equal((await answering(play, phone))?.id);
  });
});
