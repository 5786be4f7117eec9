import { expect } from 'chai';
import fc from 'fast-check';
import { recordConsent } from '../../commands/consent/record-consent.js';
import { mergeContact } from '../../commands/contacts/merge-contact.js';
import { unmergeContact } from '../../commands/contacts/unmerge-contact.js';
import { upsertContact } from '../../commands/contacts/upsert-contact.js';
import { consentOf, consentStatuses } from '../../domain/consent/consent.js';
import { contactStream } from '../../domain/contacts/contact.js';
import { findContact } from '../../log/aggregates/contacts/load-contact.js';
import { loadConsents } from '../../log/aggregates/load-consents.js';
import { auditConsent } from '../../ops/cli/consent-audit.js';
import { effectiveConsents } from '../../projections/consent/export.js';
import { loadLedger } from '../../projections/consent/ledger.js';
import { ACCOUNT, TestApp } from '../support/test-app.js';

const RUNS = Number(process.env.PROPERTY_RUNS ?? 30);
const HOUR = 3_600_000;
const MINUTE = 60_000;

class LedgerScenario extends TestApp {
  async contact(nth: number): Promise<string> {
    return (await this.execute(upsertContact, { contact: { email: `c${nth}@example.com` }, source: 'api' })).output.contact_id;
  }
  record(contact_id: string, status: (typeof consentStatuses)[number], fields: { occurred_at?: string; text?: string } = {}) {
    const about = { channel: 'email', purpose: 'marketing', lawful_basis: 'consent', source: 'test' } as const;
    const { occurred_at = new Date(this.clock.now()).toISOString(), text = status } = fields;
    return this.execute(recordConsent, { contact_id, status, ...about, proof: { text }, cause: { kind: 'request', id: 'req_1' }, occurred_at });
  }
  async status(contact_id: string, asOf?: string): Promise<string> {
    const { unified } = await findContact(this.log, ACCOUNT, contact_id);
    return consentOf(await loadConsents(this.log, unified, { asOf }), 'email', 'marketing');
  }
}

describe('the ledger in the log', () => {
  it('gives for ten statements, recorded in any order, the consent at any time with its proof', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...consentStatuses), { minLength: 10, maxLength: 10 }),
        fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], { minLength: 10 }),
        async (statuses, order) => {
          const scenario = new LedgerScenario();
          const contact = await scenario.contact(1);
          const began = scenario.clock.now();
          const moment = (i: number) => new Date(began + i * HOUR).toISOString();
          await scenario.clock.advance(20 * HOUR);
          for (const i of order) await scenario.record(contact, statuses[i] as 'granted', { occurred_at: moment(i), text: `words ${i}` });
          const { unified } = await findContact(scenario.log, ACCOUNT, contact);
          for (const [i, status] of statuses.entries()) {
            const asOf = new Date(began + i * HOUR + 30 * MINUTE).toISOString();
            const held = effectiveConsents(await loadConsents(scenario.log, unified, { asOf }), await loadLedger(scenario.log, [contact], { asOf }));
            expect(held.map((one) => [one.status, one.proof.text])).to.deep.equal([[status, `words ${i}`]]);
          }
        },
      ),
      { numRuns: RUNS },
    ));

  it('applies a withdrawal on either side to both merged contacts, and separates them on unmerge', () =>
    fc.assert(
      fc.asyncProperty(fc.constantFrom(...consentStatuses), fc.constantFrom(...consentStatuses), fc.boolean(), async (left, right, leftFirst) => {
        const scenario = new LedgerScenario();
        const [a, b] = [await scenario.contact(1), await scenario.contact(2)];
        for (const [id, status] of leftFirst
          ? ([
              [a, left],
              [b, right],
            ] as const)
          : ([
              [b, right],
              [a, left],
            ] as const)) {
          await scenario.clock.advance(MINUTE);
          await scenario.record(id, status);
        }
        await scenario.clock.advance(MINUTE);
        const { output } = await scenario.execute(mergeContact, { contact_id: a, source_contact_id: b });
        const expected = (['withdrawn', 'pending', 'granted'] as const).find((status) => status === left || status === right);
        for (const id of [a, b]) expect(await scenario.status(id)).to.equal(expected);
        await scenario.clock.advance(MINUTE);
        await scenario.execute(unmergeContact, output);
        expect([await scenario.status(a), await scenario.status(b)]).to.deep.equal([left, right]);
      }),
      { numRuns: RUNS },
    ));

  it('shows auditors of an erased contact what remains, without personal data', async () => {
    const scenario = new LedgerScenario();
    const contact = await scenario.contact(1);
    await scenario.record(contact, 'withdrawn', { text: 'No more, says Ada' });
    const address_key = scenario.vault.key(ACCOUNT, 'c1@example.com');
    await scenario.vault.erase(contact);
    await scenario.vault.erase(address_key);
    const { revision } = (await scenario.log.read(contactStream(contact)))?.at(-1) ?? { revision: -1 };
    const at = new Date(scenario.clock.now()).toISOString();
    const cause = { $correlationId: 'x', $causationId: 'x', account: ACCOUNT, actor: { kind: 'operator', id: 'x' }, occurredAt: at, invocation: 'x' };
    await scenario.log.append(
      contactStream(contact),
      revision,
      [{ type: 'ContactErased', data: { contact_id: contact, erasure_id: 'evt_1', at } }],
      cause,
    );
    const audit = await auditConsent(scenario.log, { account: ACCOUNT, address_key, other_keys: [], as_of: null, now: at });
    expect(audit.contacts[0]).to.deep.include({ id: contact, status: 'erased', email: '<erased>', phone: '<erased>' });
    expect(audit.entries[0]).to.deep.include({ status: 'withdrawn', channel: 'email', lawful_basis: 'consent' });
    expect(audit.entries[0]?.proof.text).to.equal('<erased>');
    expect(JSON.stringify(audit)).to.not.contain('says Ada').and.to.not.contain('c1@example.com');
  });
});
