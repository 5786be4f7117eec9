import { expect } from 'chai';
import fc from 'fast-check';
import { mergeContact } from '../../commands/contacts/merge-contact.js';
import { unmergeContact } from '../../commands/contacts/unmerge-contact.js';
import { upsertContact } from '../../commands/contacts/upsert-contact.js';
import { addToList } from '../../commands/lists/add-to-list.js';
import { confirmSubscription } from '../../commands/lists/confirm-subscription.js';
import { createList } from '../../commands/lists/create-list.js';
import { leaveList } from '../../commands/lists/leave-list.js';
import { resubscribe } from '../../commands/lists/resubscribe.js';
import { sendConfirmation } from '../../commands/lists/send-confirmation.js';
import { isDomainError } from '../../domain/kernel/errors.js';
import type { OptIn } from '../../domain/lists/list.js';
import { membershipStream } from '../../domain/lists/membership.js';
import { confirmationToken, verifyConfirmationToken } from '../../formats/lists/confirmation-link.js';
import { findContact } from '../../log/aggregates/contacts/load-contact.js';
import { loadUnifiedMemberships } from '../../log/aggregates/lists/load-memberships.js';
import { type ConfirmSubscriptionsParts, confirmSubscriptions } from '../../processes/lists/confirm-subscriptions.js';
import { type ListDoc, lists, type MemberDoc } from '../../projections/lists/projection.js';
import { ACCOUNT, TestApp } from '../support/test-app.js';
import { membersAtOf } from './support.js';

const RUNS = Number(process.env.PROPERTY_RUNS ?? 30);
const parts: ConfirmSubscriptionsParts = { key: Buffer.alloc(32, 3), baseUrl: 'https://messages.example.com' };
const HOUR_MS = 3_600_000;

const addition = (list_id: string) => ({ list_id, emails: [], phones: [], by: 'account' as const, source: 'api', base_url: null });

class ListScenario extends TestApp {
  constructor() {
    super([confirmSubscriptions(parts)]);
  }

  async list(opt_in: OptIn = 'single'): Promise<string> {
    return (await this.execute(createList, { name: 'News', description: null, opt_in })).output.id;
  }
  async contact(nth: number): Promise<string> {
    return (await this.execute(upsertContact, { contact: { email: `p${nth}@example.com` }, source: 'api' })).output.contact_id;
  }
  add(list_id: string, contact_id: string, by: 'person' | 'account' = 'account') {
    return this.execute(addToList, { ...addition(list_id), contact_ids: [contact_id], by });
  }
  leave(list_id: string, contact_id: string) {
    return this.execute(leaveList, { list_id, contact_id, by: 'person', source: 'page' });
  }
  async status(list_id: string, contact_id: string): Promise<string | undefined> {
    const { unified } = await findContact(this.log, ACCOUNT, contact_id);
    return (await loadUnifiedMemberships(this.log, unified))[list_id]?.value.status;
  }
  /** The request that a contact was asked with last. */
  async requestOf(contact_id: string, list_id: string) {
    const events = (await this.log.read(membershipStream(contact_id))) ?? [];
    const asked = events.findLast(({ event }) => event.type === 'SubscriptionRequested');
    if (!asked) throw new Error('no confirmation was requested');
    return { contact_id, list_id, request_id: (asked.event.data as { request_id: string }).request_id };
  }
  async press(contact_id: string, list_id: string) {
    const request = await this.requestOf(contact_id, list_id);
    return this.execute(confirmSubscription, { ...request, ip: '203.0.113.7', user_agent: 'Browser/1' });
  }
  /** Messages that were accepted. */
  async mails(): Promise<string[]> {
    const { events } = await this.log.readAll('start', 10_000);
    return events.filter(({ event }) => event.type === 'MessageQueued').map(({ stream }) => stream);
  }
}

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (e: unknown) => (isDomainError(e) ? e.code : String(e)),
  );

/** `a` has left the list, and is merged into `b` since. */
async function mergedAfterLeaving() {
  const scenario = new ListScenario();
  const list = await scenario.list();
  const [a, b] = [await scenario.contact(1), await scenario.contact(2)];
  await scenario.add(list, a);
  await scenario.leave(list, a);
  await scenario.clock.advance(HOUR_MS);
  await scenario.execute(mergeContact, { contact_id: b, source_contact_id: a });
  await scenario.clock.advance(HOUR_MS);
  return { scenario, list, a, b };
}

describe('list memberships', () => {
  it('are resubscribed only by the person, also after a merge', async () => {
    const { scenario, list, a, b } = await mergedAfterLeaving();
    for (const id of [a, b]) {
      await scenario.add(list, id);
      expect(await scenario.status(list, id)).to.equal('unsubscribed');
    }
    await scenario.add(list, b, 'person');
    expect(await scenario.status(list, a)).to.equal('subscribed');
  });

  it('are resubscribed with a proof, also after a merge', async () => {
    const { scenario, list, a, b } = await mergedAfterLeaving();
    const { output } = await scenario.execute(resubscribe, { list_id: list, contact_id: b, reason: 'a mistake', proof: 'ticket 7', source: 'api' });
    expect(output).to.include({ status: 'subscribed', changed: true });
    for (const id of [a, b]) expect(await scenario.status(list, id)).to.equal('subscribed');
  });

  it('are requested by one mail, wherever the process manager crashes', async () => {
    const scenario = new ListScenario();
    const list = await scenario.list('double');
    const contact = await scenario.contact(1);
    await scenario.add(list, contact);
    const [todo] = await scenario.todos();
    if (!todo) throw new Error('no confirmation is due');
    const request = await scenario.requestOf(contact, list);
    // Broken off after the mail was accepted: what it did is done again.
    await scenario.execute(sendConfirmation, { ...request, url: 'https://messages.example.com/x' });
    await scenario.execute(sendConfirmation, { ...request, url: 'https://messages.example.com/x' });
    await scenario.run();
    expect(await scenario.mails()).to.have.length(1);
    expect(await scenario.todos()).to.deep.equal([]);
  });

  it('are requested by a test message, if a test key asks for them', async () => {
    const scenario = new ListScenario();
    const list = await scenario.list('double');
    const live = await scenario.contact(2);
    const upserted = await scenario.execute(upsertContact, { contact: { email: 'p1@example.com' }, source: 'api' }, { test: true });
    const ofTestKey = upserted.output.contact_id;
    await scenario.execute(addToList, { ...addition(list), contact_ids: [ofTestKey] }, { test: true });
    await scenario.execute(addToList, { ...addition(list), contact_ids: [live] });
    await scenario.run(1_000);
    const accepted = await Promise.all((await scenario.mails()).map(async (stream) => (await scenario.log.readSealed(stream))?.[0]?.event.data));
    const tests = accepted.map((data) => data as { contact_id: string; test?: boolean }).map(({ contact_id, test }) => [contact_id, test]);
    expect(Object.fromEntries(tests)).to.deep.equal({ [ofTestKey]: true, [live]: undefined });
  });

  it('are confirmed by the button once, within 72 hours', async () => {
    const scenario = new ListScenario();
    const list = await scenario.list('double');
    const [early, late] = [await scenario.contact(1), await scenario.contact(2)];
    for (const id of [early, late]) await scenario.add(list, id);
    await scenario.run(1_000);
    await scenario.clock.advance(71 * HOUR_MS);
    expect((await scenario.press(early, list)).output.changed).to.equal(true);
    expect((await scenario.press(early, list)).output.changed).to.equal(false);
    await scenario.clock.advance(2 * HOUR_MS);
    expect(await codeOf(scenario.press(late, list))).to.equal('not_found');
    expect(await scenario.status(list, late)).to.equal('pending');
    await scenario.leave(list, early);
    expect(await codeOf(scenario.press(early, list))).to.equal('not_found');
    expect(await scenario.status(list, early)).to.equal('unsubscribed');
    // A contact that did not answer may be asked again.
    await scenario.add(list, late);
    await scenario.run(1_000);
    expect((await scenario.press(late, list)).output.changed).to.equal(true);
  });

  it('are requested with a link that cannot be forged', () => {
    const request = { contact_id: 'con_1', list_id: 'lst_1', request_id: 'req_1' };
    const token = confirmationToken(request, parts.key);
    expect(verifyConfirmationToken(token, parts.key)).to.deep.equal(request);
    expect(verifyConfirmationToken(token, Buffer.alloc(32, 4))).to.equal(null);
    fc.assert(fc.property(fc.base64String(), (made) => verifyConfirmationToken(made, parts.key) === null));
  });

  type Link = { readonly contact_id: string; readonly merge_id: string };
  type Step = { readonly do: 'add' | 'leave' | 'come' | 'merge' | 'unmerge'; readonly contact: number; readonly source: number; readonly on: number };
  interface About {
    readonly list: string;
    readonly contact_id: string;
    readonly source_contact_id: string;
    readonly links: Link[];
  }
  const steppers: Record<Step['do'], (scenario: ListScenario, about: About) => Promise<unknown>> = {
    add: (scenario, { list, contact_id }) => scenario.add(list, contact_id),
    come: (scenario, { list, contact_id }) => scenario.add(list, contact_id, 'person'),
    leave: (scenario, { list, contact_id }) => scenario.leave(list, contact_id),
    merge: async (scenario, { contact_id, source_contact_id, links }) => {
      if (contact_id === source_contact_id) return;
      links.push((await scenario.execute(mergeContact, { contact_id, source_contact_id })).output);
    },
    unmerge: async (scenario, { links }) => {
      const link = links.pop();
      if (link) await codeOf(scenario.execute(unmergeContact, link));
    },
  };
  const step: fc.Arbitrary<Step> = fc.record({
    do: fc.constantFrom('add', 'add', 'leave', 'come', 'merge', 'merge', 'unmerge'),
    contact: fc.nat({ max: 3 }),
    source: fc.nat({ max: 3 }),
    on: fc.nat({ max: 1 }),
  });

  it('are the same in the read model and the log for any merges and unmerges, now and at any earlier time', () =>
    fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
        const scenario = new ListScenario();
        const on = [await scenario.list(), await scenario.list()];
        const contactIds = [await scenario.contact(0), await scenario.contact(1), await scenario.contact(2), await scenario.contact(3)];
        const links: Link[] = [];
        const past: { at: string; members: unknown }[] = [];
        for (const { do: what, contact, source, on: nth } of steps) {
          await scenario.clock.advance(60_000);
          const [contact_id, source_contact_id, list] = [contactIds[contact] as string, contactIds[source] as string, on[nth] as string];
          await steppers[what](scenario, { list, contact_id, source_contact_id, links });
          const at = new Date(scenario.clock.now()).toISOString();
          const members = await membersInViews(scenario);
          expect(members, `after ${what}`).to.deep.equal(await membersInLog(scenario, on, contactIds));
          past.push({ at, members });
        }
        await scenario.clock.advance(60_000);
        for (const { at, members } of past) expect(await membersAtOf(scenario.log, on, contactIds, at), at).to.deep.equal(members);
      }),
      { numRuns: RUNS },
    ));
});

async function membersInViews(scenario: ListScenario): Promise<string[]> {
  const members = await scenario.documents<MemberDoc>(lists, 'members');
  const counts = (await scenario.documents<ListDoc>(lists, 'lists')).map(({ id, counts }) => ({ id, counts }));
  for (const { id, counts: counted } of counts) {
    for (const [status, count] of Object.entries(counted)) {
      expect(
        members.filter((member) => member.list_id === id && member.status === status),
        `${status} on ${id}`,
      ).to.have.length(count);
    }
  }
  return members.map(({ list_id, contact_id, status }) => `${list_id} ${contact_id} ${status}`).sort();
}

async function membersInLog(scenario: ListScenario, on: readonly string[], contactIds: readonly string[]): Promise<string[]> {
  const found = new Set<string>();
  for (const person of contactIds) {
    const { root, unified } = await findContact(scenario.log, ACCOUNT, person);
    const memberships = await loadUnifiedMemberships(scenario.log, unified);
    for (const list of on) if (memberships[list]) found.add(`${list} ${root.id} ${memberships[list].value.status}`);
  }
  return [...found].sort();
}
