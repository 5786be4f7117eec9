import { expect } from 'chai';
import { campaignJobId } from '../../commands/campaigns/campaign-kinds.js';
import { changeCampaignStatus } from '../../commands/campaigns/change-status.js';
import { createCampaign } from '../../commands/campaigns/define-campaign.js';
import { beginCampaignJob } from '../../commands/campaigns/steps.js';
import { upsertContact } from '../../commands/contacts/upsert-contact.js';
import { workOnJob } from '../../commands/jobs/work-on-job.js';
import { campaignStream, campaign as decider, type KnownCampaign } from '../../domain/campaigns/campaign.js';
import { type AudienceEvent, audienceStream, type ExpansionEvent, expansionStream } from '../../domain/campaigns/expansion.js';
import { type BatchEvent, batchStream } from '../../domain/messages/batch.js';
import { loadAggregate } from '../../log/aggregates/load-aggregate.js';
import { campaignReader } from '../../ops/app/ports/campaign-reads.js';
import { keepMemberships } from '../../processes/segments/keep-memberships.js';
import { contacts } from '../../projections/contacts/projection.js';
import { messages } from '../../projections/messages/projection.js';
import { segmentMembers } from '../../projections/segments/members.js';
import { TestApp } from '../support/test-app.js';

/** Contacts that one page of an audience looks at. */
export const PAGE = 50;

/** An account with contacts, over engines in memory. The read models are brought up to date where they are asked for. */
export class CampaignApp {
  readonly app: TestApp = new TestApp([keepMemberships({ views: () => this.app.views })]);
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
        await app.documents(segmentMembers, 'members');
      });
      return this.#building.then(() => true);
    };
    const reader = campaignReader({ ...app, settled: upToDate, pageContacts: PAGE });
    const existingMessages = async (ids: readonly string[]) => {
      await upToDate();
      return reader.existingMessages(ids);
    };
    return app.nodeOver(app.engine.events, { campaigns: { reads: { ...reader, pagesAtOnce: 1, upToDate, existingMessages } } });
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
    const chunks = await this.chunks(id);
    return chunks.slice(chunks.at(-1)?.first ?? 0).flatMap(({ contact_ids }) => contact_ids);
  }

  /** All that were recorded. */
  async chunks(id: string): Promise<AudienceEvent['data'][]> {
    return ((await this.app.log.read<AudienceEvent>(audienceStream(id))) ?? []).map(({ event }) => event.data);
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
