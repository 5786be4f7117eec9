import { type CampaignCommand, campaign, campaignStream, type KnownCampaign } from '../../domain/campaigns/campaign.js';
import { completeCampaignDefinition } from '../../domain/campaigns/definition.js';
import { invalid } from '../../domain/kernel/errors.js';
import { nullable, oneOf, record, text, time } from '../../domain/kernel/schema.js';
import { loadCampaign } from '../../log/aggregates/campaigns/load-campaign.js';
import { command } from '../runtime/command.js';
import { requireAhead, startTime } from './start-time.js';
import { templateVersionsOf } from './template-versions.js';

/** Starts, pauses, resumes, cancels or deletes a campaign. Repeats change nothing. Throws `not_found` and `invalid_state`. */
export const changeCampaignStatus = command({
  name: 'ChangeCampaignStatus',
  input: record({ campaign_id: text, change: oneOf('Start', 'Pause', 'Resume', 'Cancel', 'Delete') }),

  async handle({ campaign_id, change }, context): Promise<KnownCampaign> {
    const before = await loadCampaign(context.log, context.cause.account, campaign_id);
    const templates = change === 'Start' ? await templateVersionsOf(before, context) : [];
    const about = { campaign_id, now: context.now };
    const test = context.cause.test ?? false;
    const commands = {
      Start: { type: 'Start', test, templates, ...about },
      Pause: { type: 'Pause', reason: 'requested', ...about },
      Resume: { type: 'Resume', ...about },
      Cancel: { type: 'Cancel', ...about },
      Delete: { type: 'Delete', ...about },
    } as const satisfies Record<typeof change, CampaignCommand>;
    const { state } = await context.decide(campaign, campaignStream(campaign_id), commands[change]);
    return state as KnownCampaign;
  },
});

/** Schedules a campaign: at a new time, or at that of its definition. Throws `not_found`, `invalid_state`, `validation_error`. */
export const scheduleCampaign = command({
  name: 'ScheduleCampaign',
  input: record({ campaign_id: text, send_at: nullable(time) }),

  async handle({ campaign_id, send_at }, context): Promise<KnownCampaign> {
    const before = await loadCampaign(context.log, context.cause.account, campaign_id);
    const given = send_at ?? before.definition.schedule?.send_at ?? null;
    if (given === null)
      throw invalid([{ field: 'send_at', code: 'required', message: 'Give the time to send, here or in the schedule of the campaign.' }]);
    const wanted = new Date(given).toISOString();
    const schedule = { ...before.definition.schedule, send_at: wanted };
    const start_at = await startTime(schedule, context);
    if (before.status !== 'scheduled' || before.start_at !== start_at) requireAhead(schedule, 'send_at', context.now);
    const definition = completeCampaignDefinition({ schedule }, before.definition);
    const about = { campaign_id, now: context.now };
    const stream = campaignStream(campaign_id);
    const change = {
      type: 'Change',
      ...about,
      account_id: context.cause.account,
      definition,
      webhook_url: before.webhook_url,
      expected: null,
      start_at: null,
    } as const;
    if (before.definition.schedule?.send_at !== wanted) await context.decide(campaign, stream, change);
    const { state } = await context.decide(campaign, stream, { type: 'Schedule', ...about, start_at, test: context.cause.test ?? false });
    return state as KnownCampaign;
  },
});
