import { expect } from 'chai';
import { changeCampaignStatus } from '../../commands/campaigns/change-status.js';
import { campaignMessageId } from '../../commands/campaigns/make-messages.js';
import { deleteContact } from '../../commands/contacts/delete-contact.js';
import { mergeContact } from '../../commands/contacts/merge-contact.js';
import { createSegment } from '../../commands/segments/create-segment.js';
import { updateSegment } from '../../commands/segments/update-segment.js';
import { changeTemplate } from '../../commands/templates/change-template.js';
import { createTemplate } from '../../commands/templates/create-template.js';
import { deletePartial } from '../../commands/templates/delete-partial.js';
import { deleteTemplate } from '../../commands/templates/delete-template.js';
import { storePartial } from '../../commands/templates/store-partial.js';
import type { ReadModels, ViewSpec } from '../../domain/kernel/ports.js';
import { campaignReader } from '../../ops/app/ports/campaign-reads.js';
import { contacts } from '../../projections/contacts/projection.js';
import { segmentMembers } from '../../projections/segments/members.js';
import { ACCOUNT } from '../support/test-app.js';
import { CampaignApp, PAGE } from './campaign-app.js';

const COUNT = 200;

describe('the expansion of a campaign', () => {
  it('makes one message for each contact, with two workers, pauses, a merge and a deletion meanwhile', async () => {
    const world = new CampaignApp();
    await world.contacts(COUNT);
    const id = await world.campaign({ throttle: { per_minute: 480 } });
    const without = world.ids.filter((_, i) => i % 20 === 7);
    let steps = 0;
    for (let going = true; going; steps++) {
      going = await world.work(id, 2);
      await world.app.clock.advance(5_000);
      if (steps % 3 === 1 && (await world.state(id)).status === 'sending') {
        await world.app.execute(changeCampaignStatus, { campaign_id: id, change: 'Pause' });
        expect(await world.work(id, 3)).to.equal(false);
        await world.app.execute(changeCampaignStatus, { campaign_id: id, change: 'Resume' });
        going = true;
      }
      if (steps === 2) {
        // The first one has its message already, the others are not reached yet.
        const ordered = (await world.frozen(id)).filter((one) => world.ids.indexOf(one) % 20 !== 7);
        const [survivor = '', merged = '', deleted = ''] = [ordered[0], ordered.at(-1), ordered.at(-2)];
        await world.app.execute(mergeContact, { contact_id: survivor, source_contact_id: merged });
        await world.app.execute(deleteContact, { contact_id: deleted });
        without.push(merged, deleted);
      }
      if (steps > 400) throw new Error(`not done: ${JSON.stringify(await world.state(id))}`);
    }
    const state = await world.state(id);
    const frozen = await world.frozen(id);
    const { items, last } = await world.result(id);
    expect([...frozen].sort()).to.deep.equal([...world.ids].sort());
    const made = items.map(({ id: message }) => message);
    expect(new Set(made).size).to.equal(made.length);
    const withoutMessage = frozen.filter((one) => !made.includes(campaignMessageId(id, one)));
    expect(withoutMessage.sort()).to.deep.equal(without.sort());
    expect(state.audience?.count).to.equal(COUNT);
    expect(last).to.include({ messages: made.length, skipped: COUNT - made.length, next: null });
    expect(state.expanded).to.deep.equal({ messages: made.length, skipped: COUNT - made.length });
  });

  it('makes all messages from the version that its template has at the start', async () => {
    const world = new CampaignApp();
    await world.contacts(2);
    const template = { name: 'Letter', channel: 'email', subject: 'First', message: 'Hi {{ contact.first_name }}' } as const;
    const { id: template_id } = (await world.app.execute(createTemplate, template)).output;
    const change = (subject: string) => world.app.execute(changeTemplate, { template_id, change: { subject }, expected: null });
    await change('Second');
    const id = await world.campaign({ content: { template_id } });
    await change('Third');
    await world.app.execute(deleteTemplate, { template_id });
    await world.work(id);
    const { items } = await world.result(id);
    expect(items.map(({ content }) => `${content.subject}: ${content.message}`).sort()).to.deep.equal(['Second: Hi Name0', 'Second: Hi Name1']);
    for (const item of items) expect(item).to.include({ template_id, template_version: 2 });
  });

  it('makes all messages with the partials and templates as they are at the start', async () => {
    const world = new CampaignApp();
    const { app } = world;
    await world.contacts(60);
    const store = (source: string) => app.execute(storePartial, { key: 'greeting', source });
    await store('Dear {{ contact.first_name }}{% render "end" %}');
    await app.execute(storePartial, { key: 'end', source: ',' });
    const template = { name: 'Letter', channel: 'email', subject: 'First', message: '{% render "greeting", contact: contact %}' } as const;
    const { id: template_id } = (await app.execute(createTemplate, template)).output;
    const id = await world.campaign({ content: { template_id }, throttle: { per_minute: 120 } });
    for (const source of ['Hi', 'Hello']) {
      expect(await world.work(id, 3)).to.equal(true);
      await store(source);
      await app.execute(deletePartial, { key: 'end' });
      await app.execute(changeTemplate, { template_id, change: { subject: source }, expected: null });
      await app.clock.advance(15_000);
    }
    for (let n = 0; n < 20 && (await world.state(id)).expanded === null; n++) {
      await world.work(id, 5);
      await app.clock.advance(15_000);
    }
    const { items } = await world.result(id);
    expect(items).to.have.length(57);
    for (const { content } of items) expect(`${content.subject}: ${content.message}`).to.match(/^First: Dear Name\d+,$/);
  });

  it('freezes the members of a segment by the same rules, from the beginning where these change', async () => {
    const world = new CampaignApp();
    const { app } = world;
    await world.contacts(2 * PAGE + 10);
    const named = (names: string) => ({ type: 'attribute', field: 'first_name', op: 'starts_with', value: names }) as const;
    const { id: segment } = (await app.execute(createSegment, { name: 'Names', rules: named('Name') })).output;
    await app.run(60_000);
    const id = await world.campaign({ audience: { include: { segment_ids: [segment], contact_ids: [world.ids[0]] } } });
    await world.work(id, 1);
    expect(await world.chunks(id)).to.have.length(1);
    await app.execute(updateSegment, { segment_id: segment, change: { rules: named('Name1') }, expected: null });
    expect(await world.work(id, 2)).to.equal(true);
    expect(await world.chunks(id)).to.have.length(1);
    await app.run(60_000);
    while (await world.work(id, 10));
    const wanted = world.ids.filter((_, i) => i === 0 || String(i).startsWith('1'));
    expect((await world.frozen(id)).sort()).to.deep.equal(wanted.sort());
    expect((await world.state(id)).audience).to.deep.equal({ count: wanted.length, chunks: 3, first: 1 });
    const { items } = await world.result(id);
    expect(items.map(({ contact_id }) => contact_id).sort()).to.deep.equal(wanted.filter((one) => world.ids.indexOf(one) % 20 !== 7).sort());
  });

  it('waits for a segment whose first build ends while its members are read', async () => {
    const world = new CampaignApp();
    const { app } = world;
    await world.contacts(3);
    const rules = { type: 'attribute', field: 'first_name', op: 'starts_with', value: 'Name' } as const;
    const { id } = (await app.execute(createSegment, { name: 'Names', rules })).output;
    await app.run(60_000);
    await app.documents(contacts, 'contacts');
    const docs = ((view: ViewSpec, collection: string) => {
      const found = app.views.docs(view, collection);
      if (collection !== 'members') return found;
      const find: typeof found.find = async (query) => {
        const members = await found.find(query);
        await app.documents(segmentMembers, 'members');
        return members;
      };
      return new Proxy(found, { get: (target, name) => (name === 'find' ? find : Reflect.get(target, name).bind(target)) });
    }) as ReadModels['docs'];
    const views = new Proxy(app.views, { get: (target, name) => (name === 'docs' ? docs : Reflect.get(target, name).bind(target)) });
    const reader = campaignReader({ log: app.log, views, settled: async () => true });
    const page = () => reader.page(ACCOUNT, { include: { segment_ids: [id] } }, null, null);
    expect(await page()).to.equal('building');
    await app.documents(segmentMembers, 'members');
    expect(await page()).to.deep.include({ ids: [...world.ids].sort(), next: null });
  });
});
