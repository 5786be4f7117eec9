import { campaign, campaignStream, type KnownCampaign } from '../../domain/campaigns/campaign.js';
import { completeDefinition, definitionSchema } from '../../domain/campaigns/definition.js';
import { invalid } from '../../domain/kernel/errors.js';
import { count, nullable, partial, record, text } from '../../domain/kernel/schema.js';
import { loadCampaign } from '../../log/campaigns/load-campaign.js';
import { command } from '../kernel.js';
import { definitionProblems } from './campaign-rules.js';

/** Creates a campaign as a draft. Throws `validation_error` with every problem. */
export const createCampaign = command({
  name: 'CreateCampaign',
  input: definitionSchema,

  async handle(given, context): Promise<KnownCampaign> {
    const campaign_id = context.newId('cmp');
    const definition = completeDefinition(given, null);
    const problems = await definitionProblems(definition, given, context);
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

/** Changes a draft or a scheduled campaign. Throws `not_found`, `invalid_state`, `version_conflict` and `validation_error`. */
export const changeCampaign = command({
  name: 'ChangeCampaign',
  input: record({ campaign_id: text, change: partial(definitionSchema), expected: nullable(count) }),

  async handle({ campaign_id, change, expected }, context): Promise<KnownCampaign> {
    const before = await loadCampaign(context.log, context.cause.account, campaign_id);
    const definition = completeDefinition(change, before.definition);
    const problems = await definitionProblems(definition, change, context);
    if (problems.length > 0) throw invalid(problems);
    const webhook_url = change.webhook_url === undefined ? before.webhook_url : change.webhook_url;
    const about = { campaign_id, account_id: context.cause.account, definition, webhook_url, expected };
    const { state } = await context.decide(campaign, campaignStream(campaign_id), { type: 'Change', ...about, now: context.now });
    return state as KnownCampaign;
  },
});

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
