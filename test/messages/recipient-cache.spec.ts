import { expect } from 'chai';
import { recordConsent } from '../../commands/consent/record-consent.js';
import { deleteContact } from '../../commands/contacts/delete-contact.js';
import { mergeContact } from '../../commands/contacts/merge-contact.js';
import { upsertContact } from '../../commands/contacts/upsert-contact.js';
import { loadRecipient } from '../../commands/messages/recipient.js';
import { RECIPIENT_PREFIX, RecipientCache } from '../../projections/messages/recipient-cache.js';
import { eventually } from '../support/eventually.js';
import { followNames } from '../support/follow-changed-streams.js';
import { ACCOUNT, TestApp } from '../support/test-app.js';

const ada = 'ada@example.com';

describe('the cache of recipients', () => {
  async function start() {
    const app = new TestApp();
    const recent = new RecipientCache(loadRecipient);
    const stop = new AbortController();
    recent.begin();
    const watching = followNames(app.log, { streams: [RECIPIENT_PREFIX] }, await app.engine.events.head(), stop.signal, ({ streams }) => {
      for (const [stream] of streams) recent.noteAppended(stream);
    }).then(() => recent.end());
    const key = app.vault.key(ACCOUNT, ada);
    let reads = 0;
    const read = app.engine.events.read.bind(app.engine.events);
    app.engine.events.read = (stream, options) => {
      reads += 1;
      return read(stream, options);
    };
    return {
      app,
      end: async () => {
        stop.abort();
        await watching;
      },
      contact: async (contact: Record<string, unknown>) => (await app.execute(upsertContact, { contact, source: 'api' })).output.contact_id,
      /** Whether a load is served from the cache. */
      async remembered(): Promise<boolean> {
        const before = reads;
        await recent.get(app.log, [key], 'email');
        return reads === before;
      },
      /** The cache is eventually equal to the log. */
      current: () =>
        eventually('what the log says', async () =>
          expect(await recent.get(app.log, [key], 'email')).to.deep.equal(await loadRecipient(app.log, [key], 'email')),
        ),
    };
  }

  it('loads a recipient once, and again after any of its events', async () => {
    const { app, end, contact, remembered, current } = await start();
    await current();
    await eventually('remembered', remembered);
    const id = await contact({ email: ada, timezone: 'Europe/Paris' });
    await current();
    await eventually('remembered', remembered);
    const about = {
      channel: 'email',
      purpose: 'marketing',
      lawful_basis: 'consent',
      source: 'spec',
      proof: {},
      cause: { kind: 'request', id: 'r' },
    } as const;
    await app.execute(recordConsent, { contact_id: id, status: 'withdrawn', ...about });
    await current();
    await app.clock.advance(1_000);
    const other = await contact({ phone: '+14155550100' });
    await app.execute(mergeContact, { contact_id: id, source_contact_id: other });
    await current();
    await eventually('remembered', remembered);
    await app.execute(recordConsent, { contact_id: other, status: 'granted', ...about });
    await current();
    await eventually('remembered', remembered);
    await app.execute(deleteContact, { contact_id: id });
    await current();
    await contact({ email: ada });
    await current();
    await end();
    await remembered();
    expect(await remembered(), 'when the cache gets no more events').to.equal(false);
  });
});
