/** The commands by which the process of campaigns leads a campaign on. */
import { campaign, campaignStream } from '../../domain/campaigns/campaign.js';
import { count, mapOf, oneOf, record, text, time } from '../../domain/kernel/schema.js';
import { loadCampaign } from '../../log/aggregates/campaigns/load-campaign.js';
import { storeJob } from '../jobs/store-job.js';
import { command } from '../runtime/command.js';
import { campaignCancel, campaignCancelJobId, campaignJobId, campaignSend } from './campaign-kinds.js';
import { templateVersionsOf } from './template-versions.js';

/** Starts a campaign at the time of its schedule, unless that has changed. */
export const startDueCampaign = command({
  name: 'StartDueCampaign',
  input: record({ campaign_id: text, due: time }),

  async handle({ campaign_id, due }, context): Promise<void> {
    const test = context.cause.test ?? false;
    const templates = await templateVersionsOf(await loadCampaign(context.log, context.cause.account, campaign_id), context);
    await context.decide(campaign, campaignStream(campaign_id), { type: 'Start', campaign_id, due, test, templates, now: context.now });
  },
});

/** Begins the job of a run, or the one that cancels what waits. A repeat finds the job. */
export const beginCampaignJob = command({
  name: 'BeginCampaignJob',
  input: record({ campaign_id: text, run: count, job: oneOf('send', 'cancel') }),

  async handle({ campaign_id, run, job }, context): Promise<void> {
    const [job_id, { kind }] = job === 'send' ? [campaignJobId(campaign_id, run), campaignSend] : [campaignCancelJobId(campaign_id), campaignCancel];
    await storeJob(context, { job_id, kind, params: { campaign_id, run }, chunks: null });
  },
});

/** Records that every message has left queued and sending. */
export const finishCampaign = command({
  name: 'FinishCampaign',
  input: record({ campaign_id: text, counts: mapOf(count) }),

  async handle({ campaign_id, counts }, context): Promise<void> {
    await context.decide(campaign, campaignStream(campaign_id), { type: 'Finish', campaign_id, counts, now: context.now });
  },
});

/** Records the result of a test. */
export const decideCampaignTest = command({
  name: 'DecideCampaignTest',
  input: record({ campaign_id: text, variant: text, result: oneOf('winner', 'no_clear_winner', 'void') }),

  async handle({ campaign_id, variant, result }, context): Promise<void> {
    await context.decide(campaign, campaignStream(campaign_id), { type: 'DecideTest', campaign_id, variant, result, now: context.now });
  },
});
