import { campaign as campaignDecider, campaignStream } from '../../domain/campaigns/campaign.js';
import { acceptanceOfItem, batchStream, type SealedBatchItem } from '../../domain/messages/batch.js';
import { batchDispatch, isCanceled, isStarted } from '../../domain/messages/batch-dispatch.js';
import { messageStream, type SealedMessageEvent, sealedMessage } from '../../domain/messages/message.js';
import { loadCampaign, loadPart } from '../../log/aggregates/campaigns/load-campaign.js';
import { loadBatchDispatch, loadChunk } from '../../log/aggregates/messages/load-batch.js';
import { hashId } from '../../log/runtime/ids.js';
import type { JobKind, StepResult } from '../jobs/kind.js';
import { toExpected } from '../runtime/append.js';
import type { Context } from '../runtime/command.js';
import { mapConcurrent } from '../runtime/concurrency.js';
import { workOnCampaign } from './expand-campaign.js';

export interface CampaignParams {
  readonly campaign_id: string;
  readonly run: number;
}

/** The job of one run of a campaign, and the one that cancels what waits. */
export const campaignJobId = (campaignId: string, run: number): string => hashId('job', 'campaign', campaignId, run);
export const campaignCancelJobId = (campaignId: string): string => hashId('job', 'campaign-cancel', campaignId);

/**
 * Makes the messages of a campaign. The job ends when the pass is complete, or when the campaign is paused or over; a resume begins
 * another one, which goes on where the recorded steps end.
 */
export const campaignSend: JobKind<CampaignParams> = {
  kind: 'campaign_send',
  lane: 'campaigns',
  priority: 2,
  cancelable: false,
  keepMs: 0,

  async work(context, { params: { campaign_id, run } }) {
    const campaign = await loadCampaign(context.log, context.cause.account, campaign_id);
    if (campaign.status !== 'sending' || campaign.run !== run) return { done: 0, counts: {}, errors: [], next: null };
    return workOnCampaign(context, campaign);
  },
};

const IN_FLIGHT = 32;

/** Cancels what a canceled campaign has not dispatched, one batch a chunk. */
export const campaignCancel: JobKind<CampaignParams> = {
  kind: 'campaign_cancel',
  lane: 'campaigns',
  priority: 2,
  cancelable: false,
  keepMs: 0,

  async work(context, { params: { campaign_id }, from, counts }): Promise<StepResult> {
    const nth = from === null ? 0 : Number(from);
    const part = await loadPart(context.log, campaign_id, nth);
    if (!part) {
      const complete = { type: 'CompleteCancel', campaign_id, canceled: counts.canceled ?? 0, now: context.now } as const;
      await context.decide(campaignDecider, campaignStream(campaign_id), complete);
      return { done: 0, counts: {}, errors: [], next: null };
    }
    const canceled = part.batch_id === null ? 0 : await cancelBatch(context, part.batch_id);
    return { done: part.accepted, counts: { canceled }, errors: [], next: String(nth + 1) };
  },
};

/** A batch of a campaign has one chunk. */
const CHUNK = 0;

async function cancelBatch(context: Context, batchId: string): Promise<number> {
  const stream = batchStream(batchId);
  const stored = await loadChunk(context.log, batchId, CHUNK);
  const { items, alone } = stored.event.data;
  const byThemselves = new Set(alone);
  const together = [...items.entries()].filter(([index]) => !byThemselves.has(index));
  const canceled = await context.exclusively([stream], () =>
    context.attempt(
      () => loadBatchDispatch(context.log, batchId),
      (loaded) => {
        // A batch that was never accepted is never sent.
        if (!loaded) return { appends: [], result: [] as [number, SealedBatchItem][] };
        const { batch, state, revision } = loaded;
        const waiting = together.filter(([index]) => !isStarted(state, CHUNK, index));
        const events = waiting
          .filter(([index]) => !isCanceled(state, CHUNK, index))
          .flatMap(([index, { id: message_id }]) =>
            batchDispatch.decide({ type: 'CancelItem', batch, chunk: CHUNK, index, message_id, now: context.now }, state),
          );
        return { appends: events.length === 0 ? [] : [{ stream, expected: toExpected(revision), events }], result: waiting };
      },
    ),
  );
  const single = alone.flatMap((index) => items[index] ?? []).filter(({ refused }) => refused === undefined);
  const of = [...canceled.map(([, item]) => item), ...single];
  const ended = await mapConcurrent(context, of, IN_FLIGHT, (item) => cancelOne(context, item));
  return ended.filter(Boolean).length;
}

/** One that is being dispatched, or has been, stays as it is. */
async function cancelOne(context: Context, item: SealedBatchItem): Promise<boolean> {
  const stream = messageStream(item.id);
  return context.attempt(
    async () => (await context.log.readSealed(stream)) as readonly { readonly event: SealedMessageEvent }[] | null,
    (past) => {
      const state = (past ?? []).reduce((before, { event }) => sealedMessage.evolve(before, event), sealedMessage.initial);
      if (state.status !== 'new' && state.status !== 'queued' && state.status !== 'scheduled')
        return { appends: [], result: state.status === 'canceled' };
      const events = sealedMessage.decide({ type: 'Cancel', now: context.now, acceptance: acceptanceOfItem(item) }, state);
      return { appends: [{ stream, expected: toExpected((past?.length ?? 0) - 1), events }], result: true };
    },
  );
}
