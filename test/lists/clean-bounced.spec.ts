import { expect } from 'chai';
import { scriptOf } from '../../carriers/sandbox/behaviors.js';
import { SANDBOX, sandbox } from '../../carriers/sandbox/sandbox.js';
import { changeContact } from '../../commands/contacts/change-contact.js';
import { mergeContact } from '../../commands/contacts/merge-contact.js';
import { upsertContact } from '../../commands/contacts/upsert-contact.js';
import { addToList } from '../../commands/lists/add-to-list.js';
import { createList } from '../../commands/lists/create-list.js';
import { leaveList } from '../../commands/lists/leave-list.js';
import { sendMessage } from '../../commands/messages/send-message.js';
import { suppressAddress } from '../../commands/suppressions/suppress-address.js';
import { membershipStream } from '../../domain/lists/membership.js';
import { findContact } from '../../log/aggregates/contacts/load-contact.js';
import { loadUnifiedMemberships } from '../../log/aggregates/lists/load-memberships.js';
import { cleanBouncedMembers } from '../../processes/lists/clean-bounced.js';
import { dispatchMessages } from '../../processes/messages/dispatch-messages.js';
import { simulateSandboxReceipts } from '../../processes/messages/simulate-sandbox-receipts.js';
import { suppressOnFeedback } from '../../processes/suppressions/suppress-on-feedback.js';
import { ACCOUNT, TestApp } from '../support/test-app.js';

const gone = 'bounce@sandbox.test';

class BounceScenario extends TestApp {
  constructor() {
    super([
      dispatchMessages({ routes: () => sandbox() }),
      simulateSandboxReceipts({ name: SANDBOX, scriptOf }),
      suppressOnFeedback,
      cleanBouncedMembers,
    ]);
  }
  async contact(contact: Record<string, unknown>): Promise<string> {
    await this.clock.advance(1_000);
    return (await this.execute(upsertContact, { contact, source: 'api' })).output.contact_id;
  }
  async list(...contact_ids: string[]): Promise<string> {
    const { id } = (await this.execute(createList, { name: 'News', description: null, opt_in: 'single' })).output;
    if (contact_ids.length > 0)
      await this.execute(addToList, { list_id: id, contact_ids, emails: [], phones: [], by: 'account', source: 'api', base_url: null });
    return id;
  }
  async bounces(to = gone): Promise<void> {
    await this.clock.advance(1_000);
    await this.execute(sendMessage, { to, channel: 'email', message: 'Hi', subject: 'Hi' });
    await this.run();
    expect(await this.todos()).to.deep.equal([]);
  }
  async on(contact_id: string): Promise<Record<string, string>> {
    const { unified } = await findContact(this.log, ACCOUNT, contact_id);
    return Object.fromEntries(Object.entries(await loadUnifiedMemberships(this.log, unified)).map(([id, { value }]) => [id, value.status]));
  }
}

describe('a contact whose address hard-bounces', () => {
  it('is cleaned once on each list except those that it has left', async () => {
    const app = new BounceScenario();
    const ada = await app.contact({ email: gone });
    const [first, second, left] = [await app.list(ada), await app.list(ada), await app.list(ada)];
    await app.execute(leaveList, { list_id: left, contact_id: ada, by: 'person', source: 'spec' });
    await app.bounces();
    expect(await app.on(ada)).to.deep.equal({ [first]: 'cleaned', [second]: 'cleaned', [left]: 'unsubscribed' });
    await app.bounces();
    const history = await app.history(membershipStream(ada));
    expect(history.filter((type) => type === 'ListCleaned')).to.have.length(2);
  });

  it('is cleaned as part of a merged contact, in the stream of the contact that has the address', async () => {
    const app = new BounceScenario();
    const older = await app.contact({ phone: '+14155550100' });
    const younger = await app.contact({ email: gone });
    const list = await app.list(older);
    await app.execute(mergeContact, { contact_id: older, source_contact_id: younger });
    await app.bounces();
    expect(await app.on(older)).to.deep.equal({ [list]: 'cleaned' });
    expect(await app.history(membershipStream(younger))).to.deep.equal(['ListCleaned']);
  });

  it('stays on its lists if it has another address by now', async () => {
    const app = new BounceScenario();
    const ada = await app.contact({ email: gone });
    const list = await app.list(ada);
    await app.execute(sendMessage, { to: gone, channel: 'email', message: 'Hi', subject: 'Hi' });
    await app.execute(changeContact, { contact_id: ada, change: { email: 'ada@example.com' }, expected_version: null });
    await app.run();
    expect(await app.on(ada)).to.deep.equal({ [list]: 'subscribed' });
    expect(await app.todos()).to.deep.equal([]);
  });

  it('need not exist; imported bounces and opt-outs clean nothing', async () => {
    const app = new BounceScenario();
    await app.bounces();
    const eve = await app.contact({ email: 'eve@example.com' });
    const list = await app.list(eve);
    for (const reason of ['bounced', 'unsubscribed'] as const)
      await app.execute(suppressAddress, { address: 'eve@example.com', channel: 'all', reason, source: 'import' });
    await app.run();
    expect(await app.on(eve)).to.deep.equal({ [list]: 'subscribed' });
  });
});
