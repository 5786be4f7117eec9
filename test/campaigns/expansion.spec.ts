import { expect } from 'chai';
import { campaignJobId } from '../../commands/campaigns/campaign-kinds.js';
import { changeCampaignStatus } from '../../commands/campaigns/change-status.js';
import { createCampaign } from '../../commands/campaigns/define-campaign.js';
import { campaignReads } from '../../commands/campaigns/dependencies.js';
import { campaignMessageId } from '../../commands/campaigns/make-messages.js';
import { beginCampaignJob } from '../../commands/campaigns/steps.js';
import { deleteContact } from '../../commands/contacts/delete-contact.js';
import { mergeContact } from '../../commands/contacts/merge-contact.js';
import { upsertContact } from '../../commands/contacts/upsert-contact.js';
import { provide } from '../../commands/dependency.js';
import { workOnJob } from '../../commands/jobs/work-on-job.js';
import { changeTemplate } from '../../commands/templates/change-template.js';
import { createTemplate } from '../../commands/templates/create-template.js';
import { deleteTemplate } from '../../commands/templates/delete-template.js';
import { contentRenderer, templateEngine } from '../../commands/templates/dependencies.js';
import { createContentRenderer } from '../../commands/templates/render-contents.js';
import { campaignStream, campaign as decider, type KnownCampaign } from '../../domain/campaigns/campaign.js';
import { type AudienceEvent, audienceStream, type ExpansionEvent, expansionStream } from '../../domain/campaigns/expansion.js';
import { type BatchEvent, batchStream } from '../../domain/messages/batch.js';
import { createTemplateEngine } from '../../formats/templates/template-engine.js';
import { loadAggregate } from '../../log/load-aggregate.js';
import { contacts } from '../../projections/contacts/projection.js';
import { messages } from '../../projections/messages/projection.js';
import { campaignReader } from '../../queries/campaigns/reads.js';
import { system } from '../support/system.js';
import { TestApp } from '../support/test-app.js';

const COUNT = 200;

/** An account with contacts, over engines in memory. The read models are brought up to date where they are asked for. */
class CampaignApp {
  readonly app = new TestApp([], (log) => {
    const compile = createTemplateEngine(system.clock);
    return [provide(templateEngine, compile), provide(contentRenderer, createContentRenderer({ log, compile, clock: system.clock }))];
  });
  /** A read model has one writer at a time. */
  #building: Promise<void> = Promise.resolve();
  /** Two workers over one log. */
  readonly nodes = [this.node(), this.node()];
  readonly ids: string[] = [];

  private node() {
    const { app } = this;
    const upToDate = () => {
      this.#building = this.#building.then(async () => {
        await app.documents(contacts, 'contacts');
        await app.documents(messages, 'messages');
      });
      return this.#building.then(() => true);
    };
    return app.nodeOver(app.engine.events, [provide(campaignReads, { ...campaignReader(app), upToDate })]);
  }

  async contacts(count: number): Promise<void> {
    for (let i = 0; i < count; i++) {
      const address = i % 20 === 7 ? { phone: `+1415555${String(1000 + i)}` } : { email: `reader${i}@example.com` };
      const contact = { ...address, first_name: `Name${i}` };
      this.ids.push((await this.app.execute(upsertContact, { contact, source: 'api' })).output.contact_id);
    }
  }

  async campaign(more: object = {}): Promise<string> {
    const content = { subject: 'Hello', message: 'It is spring.' };
    const request = { name: 'Spring', channel: 'email', category: 'transactional', audience: { include: { everyone: true } }, content, ...more };
    const { output } = await this.app.execute(createCampaign, request as never);
    await this.app.execute(changeCampaignStatus, { campaign_id: output.id, change: 'Start' });
    return output.id;
  }

  async state(id: string): Promise<KnownCampaign> {
    return (await loadAggregate(this.app.log, decider, campaignStream(id))).state as KnownCampaign;
  }

  /** Both workers do the steps of the present run at the same time, at most so many. False where nothing is left to do. */
  async work(id: string, steps = Number.POSITIVE_INFINITY): Promise<boolean> {
    const { run } = await this.state(id);
    await this.app.execute(beginCampaignJob, { campaign_id: id, run, job: 'send' });
    for (let step = 0; step < steps; step++) {
      const done = await Promise.all(this.nodes.map((node) => node.execute(workOnJob, { job_id: campaignJobId(id, run) })));
      if (done.every(({ output }) => output.work === 'over')) return false;
    }
    return true;
  }

  async frozen(id: string): Promise<string[]> {
    const stored = (await this.app.log.read<AudienceEvent>(audienceStream(id))) ?? [];
    return stored.flatMap(({ event }) => event.data.contact_ids);
  }

  /** The messages of all accepted batches, and what the last step says. */
  async result(id: string) {
    const parts = ((await this.app.log.read<ExpansionEvent>(expansionStream(id))) ?? []).map(({ event }) => event.data);
    const batches = await Promise.all(
      parts.flatMap(({ batch_id }) => batch_id ?? []).map(async (batch) => (await this.app.log.read<BatchEvent>(batchStream(batch))) ?? []),
    );
    expect(batches.every((events) => events.at(-1)?.event.type === 'BulkAccepted')).to.equal(true);
    const items = batches.flatMap((events) => events.flatMap(({ event }) => (event.type === 'BulkChunkAccepted' ? event.data.items : [])));
    return { items, last: parts.at(-1) };
  }
}

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
});
