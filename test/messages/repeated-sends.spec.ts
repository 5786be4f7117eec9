import { expect } from 'chai';
import { changeContact } from '../../commands/contacts/change-contact.js';
import { upsertContact } from '../../commands/contacts/upsert-contact.js';
import { sendMessage } from '../../commands/messages/send-message.js';
import { TestApp } from '../support/test-app.js';

const ada = 'ada@example.com';

describe('a repeated send', () => {
  const asked = { to: ada, channel: 'email', message: 'Hello' } as const;
  const cause = { key: 'K', fingerprint: 'f' };

  it('names the contact of its first answer, on a node that knows present addresses only, after the contact has given the address up', async () => {
    const app = new TestApp();
    const { output: contact } = await app.execute(upsertContact, { contact: { email: ada }, source: 'api' });
    const { output: first } = await app.execute(sendMessage, asked, cause);
    expect(first.contact_id).to.equal(contact.contact_id);
    await app.clock.advance(1_000);
    const change = { email: 'countess@example.com' };
    await app.execute(changeContact, { contact_id: contact.contact_id, change, expected_version: null });
    const restarted = app.nodeOver(app.engine.events, { lookups: { contactKeys: { mightContain: () => false } } });
    expect((await restarted.execute(sendMessage, asked, cause)).output).to.deep.equal(first);
  });

  it('names the contact of its first answer where the node that created the contact has a clock that is ahead', async () => {
    const app = new TestApp();
    const at = app.clock.now() + 10_000;
    const { output: contact } = await app.execute(upsertContact, { contact: { email: ada }, source: 'api' }, { at });
    const { output: first } = await app.execute(sendMessage, asked, cause);
    expect(first.contact_id).to.equal(contact.contact_id);
    await app.clock.advance(1_000);
    expect((await app.execute(sendMessage, asked, cause)).output).to.deep.equal(first);
  });
});
