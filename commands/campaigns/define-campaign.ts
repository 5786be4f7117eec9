import { campaign, campaignStream, type KnownCampaign } from '../../domain/campaigns/campaign.js';
import { type CampaignDefinition, campaignDefinitionSchema, completeCampaignDefinition, withDecimals } from '../../domain/campaigns/definition.js';
import { invalid } from '../../domain/kernel/errors.js';
import { count, nullable, partial, record, text } from '../../domain/kernel/schema.js';
import { loadCampaign } from '../../log/aggregates/campaigns/load-campaign.js';
import { type Context, command } from '../runtime/command.js';
import { type ChangedContents, changedContents } from '../templates/changed-contents.js';
import { campaignDefinitionProblems } from './campaign-rules.js';
import { requireAhead, startTime } from './start-time.js';

/** Creates a campaign as a draft. Throws `validation_error` with every problem. */
export const createCampaign = command({
  name: 'CreateCampaign',
  input: campaignDefinitionSchema,

  async handle(given, context): Promise<KnownCampaign> {
    const campaign_id = context.newId('cmp');
    const definition = completeCampaignDefinition(given, null);
    const problems = await campaignDefinitionProblems(definition, given, context);
    if (problems.length > 0) throw invalid(problems);
    const about = { campaign_id, account_id: context.cause.account, definition, webhook_url: given.webhook_url ?? null };
    const { state } = await context.decide(
      campaign,
      campaignStream(campaign_id),
      { type: 'Create', ...about, now: context.now },
      { assumeNew: true },
    );
    return state as KnownCampaign;
  },
});

/** Changes a draft or a scheduled campaign, whose start follows its time to send. Throws `not_found`, `invalid_state`, `version_conflict` and `validation_error`. */
export const changeCampaign = command({
  name: 'ChangeCampaign',
  input: record({ campaign_id: text, change: partial(campaignDefinitionSchema), expected: nullable(count) }),

  async handle({ campaign_id, change, expected }, context): Promise<ChangedContents<KnownCampaign>> {
    const before = await loadCampaign(context.log, context.cause.account, campaign_id);
    const completed = completeCampaignDefinition(change, before.definition);
    const problems = await campaignDefinitionProblems(completed, change, context);
    if (problems.length > 0) throw invalid(problems);
    const definition = withDecimals(completed, before.definition);
    const webhook_url = change.webhook_url === undefined ? before.webhook_url : change.webhook_url;
    const start_at = await startAfter(before, definition, context);
    const about = { campaign_id, account_id: context.cause.account, definition, webhook_url, expected, start_at };
    const stream = campaignStream(campaign_id);
    const decided = await context.decide(campaign, stream, { type: 'Change', ...about, now: context.now });
    const contentsOf = (state: KnownCampaign) => state.definition;
    return changedContents(context, { aggregate: campaign, stream, before, contentsOf }, decided);
  },
});

/** When a scheduled campaign starts after a change of it; null for a draft. */
async function startAfter(before: KnownCampaign, { schedule }: CampaignDefinition, context: Context): Promise<string | null> {
  if (before.status !== 'scheduled') return null;
  const field = 'schedule.send_at';
  const send_at = schedule?.send_at;
  if (send_at === undefined) throw invalid([{ field, code: 'required', message: 'A campaign that is scheduled needs its time to send.' }]);
  const wanted = { ...schedule, send_at: new Date(send_at).toISOString() };
  const start_at = await startTime(wanted, context);
  if (start_at !== before.start_at) requireAhead(wanted, field, context.now);
  return start_at;
}

/** Makes a draft of the definition of another campaign. */
export const duplicateCampaign = command({
  name: 'DuplicateCampaign',
  input: record({ campaign_id: text, name: nullable(text) }),

  async handle({ campaign_id: of, name }, context): Promise<KnownCampaign> {
    const { definition, webhook_url } = await loadCampaign(context.log, context.cause.account, of);
    const campaign_id = context.newId('cmp');
    const copy = { ...definition, name: name ?? `${definition.name.slice(0, 190)} (copy)` };
    const create = { type: 'Create', campaign_id, account_id: context.cause.account, definition: copy, webhook_url, now: context.now } as const;
    const { state } = await context.decide(campaign, campaignStream(campaign_id), create, { assumeNew: true });
    return state as KnownCampaign;
  },
});
