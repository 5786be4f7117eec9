import { expect } from 'chai';
import { recordConsent } from '../../commands/consent/record-consent.js';
import { deleteContact } from '../../commands/contacts/delete-contact.js';
import { mergeContact } from '../../commands/contacts/merge-contact.js';
import { upsertContact } from '../../commands/contacts/upsert-contact.js';
import { RecentRecipients } from '../../commands/messages/recent-recipients.js';
import { recipientOf } from '../../commands/messages/recipient.js';
import { eventually } from '../standins/eventually.js';
import { ACCOUNT, Play } from '../standins/play.js';

const ada = 'ada@example.com';

describe('recipients that are remembered', () => {
  async function start() {
    const play = new Play();
    const recent = new RecentRecipients();
    const stop = new AbortController();
    const watching = recent.watch(await play.engine.events.head(), play.log, stop.signal);
    const key = play.vault.key(ACCOUNT, ada);
    let reads = 0;
    const read = play.engine.events.read.bind(play.engine.events);
    play.engine.events.read = (stream, options) => {
      reads += 1;
      return read(stream, options);
    };
    return {
      play,
      end: async () => {
        stop.abort();
        await watching;
      },
      contact: async (contact: Record<string, unknown>) => (await play.execute(upsertContact, { contact, source: 'api' })).output.contact_id,
      /** Whether it comes from memory. */
      async remembered(): Promise<boolean> {
        const before = reads;
        await recent.of(play.log, key, 'email');
        return reads === before;
      },
      /** What is remembered is what the log says, sooner or later. */
      current: () =>
        eventually('what the log says', async () =>
          expect(await recent.of(play.log, key, 'email')).to.deep.equal(await recipientOf(play.log, key, 'email')),
        ),
    };
  }

  it('are read from the log once, and again after whatever happens to them', async () => {
    const { play, end, contact, remembered, current } = await start();
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
    await play.execute(recordConsent, { contact_id: id, status: 'withdrawn', ...about });
    await current();
    await play.clock.advance(1_000);
    const other = await contact({ phone: '+14155550100' });
    await play.execute(mergeContact, { contact_id: id, source_contact_id: other });
    await current();
    await eventually('remembered', remembered);
    await play.execute(recordConsent, { contact_id: other, status: 'granted', ...about });
    await current();
    await eventually('remembered', remembered);
    await play.execute(deleteContact, { contact_id: id });
    await current();
    await contact({ email: ada });
    await current();
    await end();
    await remembered();
    expect(await remembered(), 'when nobody tells of changes any more').to.equal(false);
  });
});
