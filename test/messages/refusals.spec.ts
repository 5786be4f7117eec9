import { expect } from 'chai';
import { recordConsent } from '../../commands/consent/record-consent.js';
import { upsertContact } from '../../commands/contacts/upsert-contact.js';
import type { MessageRequest } from '../../commands/messages/request.js';
import { sendBulk } from '../../commands/messages/send-bulk.js';
import { sendMessage } from '../../commands/messages/send-message.js';
import { suppressAddress } from '../../commands/suppressions/suppress-address.js';
import { defaultSettings, mergeSettings, type SettingsPatch } from '../../domain/accounts/settings.js';
import { consentStream } from '../../domain/consent/consent.js';
import { type MessageEvent, messageStream } from '../../domain/messages/message.js';
import { hashId } from '../../log/runtime/ids.js';
import { dispatchMessages } from '../../processes/messages/dispatch-messages.js';
import { carrierThat } from '../carriers/carrier-that.js';
import { TestApp } from '../support/test-app.js';

const ada = 'ada@example.com';
const carrier = carrierThat();

function start(patch: SettingsPatch = {}) {
  const settings = mergeSettings(defaultSettings('Acme', 'UTC'), patch);
  const app = new TestApp([dispatchMessages({ routes: () => carrier })], { messages: { marketingRules: () => settings } });
  const request: MessageRequest = { to: ada, channel: 'email', message: 'News', category: 'marketing' };
  const consentOfAda = async (status: 'withdrawn' | 'pending', channel: 'email' | 'all' = 'email') => {
    const { contact_id } = (await app.execute(upsertContact, { contact: { email: ada }, source: 'api' })).output;
    const entry = { purpose: 'marketing', status, channel, lawful_basis: 'consent', source: 'spec', proof: {} } as const;
    await app.execute(recordConsent, { ...entry, contact_id, cause: { kind: 'request', id: 'req_SPEC' } });
    const [stored] = (await app.log.read(consentStream(contact_id))) ?? [];
    return { contact_id, event_id: hashId('evt', stored?.id ?? '') };
  };
  const suppress = async () =>
    (await app.execute(suppressAddress, { address: ada, channel: 'email', reason: 'manual', source: 'spec', occurred_at: '2026-01-14T09:00:00Z' }))
      .output.id;
  return {
    app,
    consentOfAda,
    suppress,
    send: async () => (await app.execute(sendMessage, request)).output.id,
    bulk: async () => {
      const items = [0, 1].map((index) => ({ index, request }));
      const { output } = await app.execute(sendBulk, { received: 2, items, problems: [], atomic: false });
      return output.messages.map(({ id }) => id);
    },
    /** What the event that refuses a message records. */
    refusal: async (id = '') => {
      const events = (await app.log.read(messageStream(id))) ?? [];
      const [last] = events.slice(-1).map(({ event }) => event as MessageEvent);
      if (last?.type !== 'MessageSuppressed') throw new Error(`the last event is ${last?.type}`);
      const { at: _, ...data } = last.data;
      return data;
    },
  };
}

const NOW = '2026-01-15T10:00:00.000Z';
const bySuppression = (suppression_id: string) => ({
  kind: 'suppression',
  suppression_id,
  channel: 'email',
  reason: 'manual',
  scope: 'all',
  occurred_at: '2026-01-14T09:00:00.000Z',
  recorded_at: NOW,
});

describe('the event that refuses a message', () => {
  for (const at of ['acceptance', 'hand_over'] as const) {
    const when = at === 'acceptance' ? 'when it is accepted' : 'at its hand-over';

    it(`names the suppression ${when}, of a single message and of a bulk`, async () => {
      const { app, send, bulk, suppress, refusal } = start();
      const early = at === 'acceptance' ? await suppress() : null;
      const ids = [await send(), ...(await bulk())];
      const suppression_id = early ?? (await suppress());
      await app.run();
      const refused = { reason: 'manual', decision: { gate: 'suppression', at, passed: [], refused_by: bySuppression(suppression_id) } };
      expect(await Promise.all(ids.map(refusal))).to.deep.equal(ids.map(() => refused));
    });

    it(`names the event of the consent ${when}, of a single message and of a bulk`, async () => {
      const { app, send, bulk, consentOfAda, refusal } = start();
      const early = at === 'acceptance' ? await consentOfAda('withdrawn', 'all') : null;
      const ids = [await send(), ...(await bulk())];
      const consent = early ?? (await consentOfAda('withdrawn', 'all'));
      await app.run();
      const refused_by = { kind: 'consent', status: 'withdrawn', rule: 'opt_out', channel: 'all', ...consent, occurred_at: NOW, recorded_at: NOW };
      const refused = { reason: 'no_consent', decision: { gate: 'consent', at, passed: ['suppression'], refused_by } };
      expect(await Promise.all(ids.map(refusal))).to.deep.equal(ids.map(() => refused));
    });
  }

  it('says that the account requires a consent that nobody gave', async () => {
    const { app, send, bulk, refusal } = start({ marketing_consent: { email: 'opt_in' } });
    const ids = [await send(), ...(await bulk())];
    await app.run();
    const entry = { event_id: null, contact_id: null, channel: null, occurred_at: null, recorded_at: null };
    const refused_by = { kind: 'consent', status: 'none', rule: 'opt_in', ...entry };
    const refused = { reason: 'no_consent', decision: { gate: 'consent', at: 'acceptance', passed: ['suppression'], refused_by } };
    expect(await Promise.all(ids.map(refusal))).to.deep.equal(ids.map(() => refused));
  });

  it('names the frequency cap, the messages in its window, and when it has room again', async () => {
    const { app, send, bulk, refusal } = start({
      frequency_caps: [
        { channel: 'any', max: 9, per: 'P7D' },
        { channel: 'email', max: 2, per: 'P1D' },
      ],
    });
    await send();
    await app.run(0);
    await app.clock.advance(3_600_000);
    // Both pass at acceptance, where only one slot is left.
    const [, late] = await bulk();
    await app.run(0);
    const refused = await send();
    const refused_by = {
      kind: 'frequency_cap',
      channel: 'email',
      max: 2,
      per: 'P1D',
      counted: 2,
      first_at: NOW,
      last_at: '2026-01-15T11:00:00.000Z',
      free_at: '2026-01-16T10:00:00.000Z',
    };
    const passed = ['suppression', 'consent', 'quiet_hours'];
    const decided = (at: string) => ({ reason: 'frequency_cap', decision: { gate: 'frequency_cap', at, passed, refused_by } });
    expect(await refusal(late)).to.deep.equal(decided('hand_over'));
    expect(await refusal(refused)).to.deep.equal(decided('acceptance'));
  });
});
