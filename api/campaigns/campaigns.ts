import Type from 'typebox';
import { changeCampaignStatus } from '../../commands/campaigns/change-status.js';
import { changeCampaign, createCampaign } from '../../commands/campaigns/define-campaign.js';
import { sourcesIn } from '../../commands/templates/template-warnings.js';
import { campaignStatusSchema, type KnownCampaign } from '../../domain/campaigns/campaign.js';
import { optional, record } from '../../domain/kernel/schema.js';
import { loadCampaign } from '../../log/aggregates/campaigns/load-campaign.js';
import { type CampaignDoc, campaigns } from '../../projections/campaigns/projection.js';
import { type CampaignQueries, campaignQueries } from '../../projections/campaigns/queries.js';
import { type Cursors, countedQuery, pageOf, timedPagingQuery } from '../http/paging.js';
import { type AnyRoute, route } from '../http/route.js';
import type { Services } from '../http/services.js';
import { ifMatch } from '../http/versions.js';
import { withWarnings } from '../templates/warnings.js';
import { campaignAnswer, campaignChangeRequest, campaignCreateRequest, campaignResource, campaignSummary } from './schemas.js';

export const campaignRouteDefaults = { tag: 'campaigns', limit: 'general' } as const;
export const campaignParams = record({ id: Type.String({ minLength: 1, description: 'Id of the campaign, cmp_….' }) });

/** The campaigns of an account. A single one is read from the log. */
export function campaignResourceRoutes(services: Services, cursors: Cursors): AnyRoute[] {
  const queries = campaignQueries(services);

  return [listCampaignsRoute(queries, cursors), getCampaignRoute(services), createCampaignRoute, updateCampaignRoute, deleteCampaignRoute];
}

const contentsOf = ({ definition: { content, variants } }: KnownCampaign) => [content, ...variants.map((variant) => variant.content)];

const sourcesOf = ({ definition: { content, variants } }: KnownCampaign) => [
  ...sourcesIn(content, 'content.'),
  ...variants.flatMap((variant, i) => sourcesIn(variant.content, `variants[${i}].content.`)),
];

const listCampaignsRoute = (queries: CampaignQueries, cursors: Cursors) =>
  route({
    ...campaignRouteDefaults,
    method: 'GET',
    path: '/v1/campaigns',
    operationId: 'listCampaigns',
    summary: 'List campaigns',
    access: 'read',
    query: record({ status: optional(campaignStatusSchema), ...timedPagingQuery(), ...countedQuery }),
    responses: { 200: { description: 'Newest first, without their contents.', schema: pageOf(campaignSummary) } },
    errors: ['invalid_cursor'],
    async handle(request) {
      await request.consistent(campaigns.name);
      const { range, pageOfItems, total } = cursors.read(request, 'campaigns');
      const { caller, query } = request;
      const found = await queries.page(caller.account, query.status, range);
      const counted = await total((all) => queries.count(caller.account, query.status, all));
      return { status: 200, body: { ...pageOfItems(found, summaryOf), ...counted } };
    },
  });

const getCampaignRoute = ({ log }: Services) =>
  route({
    ...campaignRouteDefaults,
    method: 'GET',
    path: '/v1/campaigns/:id',
    operationId: 'getCampaign',
    summary: 'Read a campaign',
    access: 'read',
    params: campaignParams,
    responses: { 200: { description: 'The campaign.', schema: campaignResource } },
    errors: ['not_found'],
    async handle({ caller, params: { id } }) {
      const campaign = await loadCampaign(log, caller.account, id);
      return campaignAnswer(200, campaign);
    },
  });

const createCampaignRoute = route({
  ...campaignRouteDefaults,
  method: 'POST',
  path: '/v1/campaigns',
  operationId: 'createCampaign',
  summary: 'Create a campaign',
  description: 'It is a draft until it is scheduled or sent. Contents are templates: `{{ contact.first_name }}`.',
  access: 'write',
  body: campaignCreateRequest,
  responses: { 201: { description: 'The campaign.', schema: campaignResource } },
  errors: ['validation_error', 'conflict'],
  async handle({ body, execute, ruleContext }) {
    const { output } = await execute(createCampaign, body);
    return withWarnings(campaignAnswer(201, output), contentsOf(output), ruleContext());
  },
});

const updateCampaignRoute = route({
  ...campaignRouteDefaults,
  method: 'PATCH',
  path: '/v1/campaigns/:id',
  operationId: 'updateCampaign',
  summary: 'Update a campaign',
  description: 'Only a draft or a scheduled campaign can be changed. Each field that is given replaces the whole field.',
  access: 'write',
  params: campaignParams,
  body: campaignChangeRequest,
  responses: { 200: { description: 'The campaign after the change.', schema: campaignResource } },
  errors: ['not_found', 'invalid_state', 'version_conflict', 'validation_error', 'conflict'],
  async handle({ params: { id }, body, headers, execute, ruleContext }) {
    const { output } = await execute(changeCampaign, { campaign_id: id, change: body, expected: ifMatch(headers) });
    const { after, isAnew } = output;
    return withWarnings(campaignAnswer(200, after), contentsOf(after), ruleContext(), isAnew ? sourcesOf(after) : []);
  },
});

const deleteCampaignRoute = route({
  ...campaignRouteDefaults,
  method: 'DELETE',
  path: '/v1/campaigns/:id',
  operationId: 'deleteCampaign',
  summary: 'Delete a campaign',
  description: 'One that is being sent must be canceled first. Its messages stay in the history.',
  access: 'write',
  params: campaignParams,
  responses: { 204: { description: 'The campaign is deleted.' } },
  errors: ['not_found', 'invalid_state', 'conflict'],
  async handle({ params: { id }, execute }) {
    await execute(changeCampaignStatus, { campaign_id: id, change: 'Delete' });
    return { status: 204 };
  },
});

function summaryOf({
  id,
  name,
  channel,
  category,
  status,
  start_at,
  started_at,
  finished_at,
  audience,
  created_at,
  updated_at,
  version,
}: CampaignDoc) {
  const times = { start_at, started_at, finished_at };
  return { id, name, channel, category, status, ...times, audience_count: audience, created_at, updated_at, version };
}
