/** What is being sent at the moment: campaigns and bulks, with their progress. */
import type { ReadModels } from '../../domain/kernel/ports.js';
import type { CampaignDoc } from '../campaigns/projection.js';
import { campaignQueries } from '../campaigns/queries.js';
import { campaignCounters } from '../messages/counter-queries.js';
import { type BatchDoc, messages } from '../messages/projection.js';

export interface SendingNow {
  readonly kind: 'campaign' | 'bulk';
  readonly id: string;
  readonly name: string | null;
  readonly channel: string | null;
  /** Messages that have left the queue, however they ended, and how many there are; null while that is not known. */
  readonly done: number;
  readonly total: number | null;
  readonly started_at: string;
}

/** Of each kind, the latest ones. */
const MOST = 10;
/** A bulk that was accepted earlier is no longer sent: what still waits then has a time of its own, or is retried. */
const BULK_MS = 3 * 86_400_000;

/** Campaigns and then bulks, each newest first. `now`: milliseconds since 1970. */
export async function sendingNow(views: ReadModels, account: string, now: number): Promise<SendingNow[]> {
  const [ofCampaigns, ofBulks] = await Promise.all([campaignsSending(views, account), bulksSending(views, account, now)]);
  return [...ofCampaigns, ...ofBulks];
}

async function campaignsSending(views: ReadModels, account: string): Promise<SendingNow[]> {
  const queries = campaignQueries({ views });
  const range = { after: null, descending: true, limit: MOST };
  const pages = await Promise.all(['sending', 'testing'].map((status) => queries.page(account, status, range)));
  const found = pages.flat().map(({ item }) => item);
  const latest = found.sort((a, b) => (startOf(a) < startOf(b) ? 1 : -1)).slice(0, MOST);
  return Promise.all(
    latest.map(async (doc) => {
      const { counts } = await campaignCounters(views, doc.id);
      const total = doc.audience === null ? null : Math.max(doc.audience - doc.skipped, counts.messages);
      const { id, name, channel } = doc;
      return { kind: 'campaign' as const, id, name, channel, done: counts.messages - counts.queued, total, started_at: startOf(doc) };
    }),
  );
}

const startOf = ({ started_at, created_at }: CampaignDoc): string => started_at ?? created_at;

async function bulksSending(views: ReadModels, account: string, now: number): Promise<SendingNow[]> {
  const batches = views.docs<BatchDoc>(messages, 'batches');
  const sent = views.docs(messages, 'messages');
  const found = await batches.find({
    where: { account_id: account, requested: true },
    range: { field: 'created_at', gt: new Date(now - BULK_MS).toISOString() },
    order: { field: 'created_at', descending: true },
    limit: MOST,
  });
  const counted = await Promise.all(
    found.map(async ({ id, accepted: total, created_at: started_at }) => {
      const where = { account_id: account, batch_id: id };
      const waiting = await Promise.all(['queued', 'sending'].map((status) => sent.count({ ...where, status })));
      const open = waiting.reduce((sum, count) => sum + count, 0);
      return open === 0 ? [] : [{ kind: 'bulk' as const, id, name: null, channel: null, done: total - open, total, started_at }];
    }),
  );
  return counted.flat();
}
