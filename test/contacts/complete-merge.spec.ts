import { expect } from 'chai';
import { deleteContact } from '../../commands/contacts/delete-contact.js';
import { mergeContact } from '../../commands/contacts/merge-contact.js';
import { unmergeContact } from '../../commands/contacts/unmerge-contact.js';
import { upsertContact } from '../../commands/contacts/upsert-contact.js';
import { contactStream } from '../../domain/contacts/contact.js';
import type { EventStore } from '../../domain/kernel/ports.js';
import { completeMerge } from '../../processes/contacts/complete-merge.js';
import { readContact } from '../../projections/contacts/read-contact.js';
import { ACCOUNT, TestApp } from '../support/test-app.js';
import { withAppend } from '../support/with-append.js';

/** A log that stops taking anything after an event of some type. */
function killedAfter(events: EventStore, type: string): EventStore {
  let killed = false;
  return withAppend(events, async (stream, expected, news) => {
    if (killed) throw new Error('killed');
    killed = news.some((event) => event.type === type);
    return events.append(stream, expected, news);
  });
}

describe('a link that only one contact has recorded', () => {
  let app: TestApp;
  let older: string;
  let younger: string;
  beforeEach(async () => {
    app = new TestApp([completeMerge]);
    older = await made({ email: 'ada@example.com' });
    await app.clock.advance(1_000);
    younger = await made({ phone: '+14155550100' });
  });

  const made = async (contact: object) => (await app.execute(upsertContact, { contact, source: 'api' })).output.contact_id;
  const killed = (type: string) => app.nodeOver(killedAfter(app.engine.events, type));

  it('is completed after the merging process was killed', async () => {
    await killed('ContactMerged')
      .execute(mergeContact, { contact_id: older, source_contact_id: younger })
      .catch(() => {});
    expect(await app.history(contactStream(older))).to.deep.equal(['ContactCreated']);
    await app.run();
    expect(await app.history(contactStream(older))).to.deep.equal(['ContactCreated', 'ContactAbsorbed']);
    expect((await readContact(app.log, ACCOUNT, younger)).resource).to.include({ id: older, phone: '+14155550100' });
  });

  it('is released after the unmerging process was killed', async () => {
    const { output } = await app.execute(mergeContact, { contact_id: older, source_contact_id: younger });
    await killed('ContactUnmerged')
      .execute(unmergeContact, { contact_id: older, merge_id: output.merge_id })
      .catch(() => {});
    expect((await readContact(app.log, ACCOUNT, younger)).resource.id).to.equal(younger);
    await app.run();
    expect((await app.history(contactStream(older))).at(-1)).to.equal('ContactReleased');
    expect(await app.todos()).to.deep.equal([]);
  });

  it('is removed if the older contact was deleted at the same moment', async () => {
    await killed('ContactMerged')
      .execute(mergeContact, { contact_id: older, source_contact_id: younger })
      .catch(() => {});
    await app.execute(deleteContact, { contact_id: older });
    await app.run();
    expect((await readContact(app.log, ACCOUNT, younger)).resource).to.include({ id: younger, phone: '+14155550100' });
    expect(await app.todos()).to.deep.equal([]);
  });

  it('is left alone if both contacts have recorded it', async () => {
    await app.execute(mergeContact, { contact_id: older, source_contact_id: younger });
    expect(await app.todos()).to.deep.equal([]);
  });
});
