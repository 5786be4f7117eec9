import { changeCampaignStatus, scheduleCampaign } from '../../commands/campaigns/change-status.js';
import { duplicateCampaign } from '../../commands/campaigns/define-campaign.js';
import { sendCampaignTest } from '../../commands/campaigns/send-test.js';
import { sendAtProblems } from '../../domain/campaigns/definition.js';
import { invalid } from '../../domain/kernel/errors.js';
import { type AnyRoute, route } from '../http/route.js';
import { campaignParams, campaignRouteDefaults } from './campaigns.js';
import { campaignAnswer, campaignResource, duplicateRequest, scheduleRequest, testSendRequest, testSendResult } from './schemas.js';

const errors = ['not_found', 'invalid_state', 'validation_error', 'conflict'] as const;

const steps = [
  {
    name: 'send',
    operationId: 'sendCampaign',
    change: 'Start',
    summary: 'Send a campaign now',
    description: 'The audience is frozen at the start: who joins a list or segment later gets nothing. Repeating it is not an error.',
  },
  {
    name: 'pause',
    operationId: 'pauseCampaign',
    change: 'Pause',
    summary: 'Pause a campaign',
    description: 'No more messages are made, and none is handed over that is not being handed over already.',
  },
  {
    name: 'resume',
    operationId: 'resumeCampaign',
    change: 'Resume',
    summary: 'Resume a campaign',
    description: 'It goes on where it was paused: nobody is skipped, and nobody gets a second message.',
  },
  {
    name: 'cancel',
    operationId: 'cancelCampaign',
    change: 'Cancel',
    summary: 'Cancel a campaign',
    description: 'Messages that are not handed over are canceled by a job. What a carrier has accepted cannot be taken back.',
  },
] as const;

/** What can be done with a campaign. Each answers with the campaign. */
export function campaignActionRoutes(): AnyRoute[] {
  return [...steps.map(stepRoute), scheduleCampaignRoute, duplicateCampaignRoute, testSendCampaignRoute];
}

const stepRoute = ({ name, operationId, change, summary, description }: (typeof steps)[number]): AnyRoute =>
  route({
    ...campaignRouteDefaults,
    method: 'POST',
    path: `/v1/campaigns/:id/${name}`,
    operationId,
    summary,
    description,
    access: 'write',
    params: campaignParams,
    responses: { 200: { description: 'The campaign.', schema: campaignResource } },
    errors,
    async handle({ params: { id }, execute }) {
      const { output } = await execute(changeCampaignStatus, { campaign_id: id, change });
      return campaignAnswer(200, output);
    },
  });

const scheduleCampaignRoute = route({
  ...campaignRouteDefaults,
  method: 'POST',
  path: '/v1/campaigns/:id/schedule',
  operationId: 'scheduleCampaign',
  summary: 'Schedule a campaign',
  description: 'It starts by itself at its time to send. With `use_contact_timezone` each contact is messaged at that local time.',
  access: 'write',
  params: campaignParams,
  body: scheduleRequest,
  responses: { 200: { description: 'The campaign.', schema: campaignResource } },
  errors,
  async handle({ params: { id }, body, execute }) {
    const problems = sendAtProblems(body);
    if (problems.length > 0) throw invalid(problems);
    const { output } = await execute(scheduleCampaign, { campaign_id: id, send_at: body.send_at ?? body.start_at ?? null });
    return campaignAnswer(200, output);
  },
});

const duplicateCampaignRoute = route({
  ...campaignRouteDefaults,
  method: 'POST',
  path: '/v1/campaigns/:id/duplicate',
  operationId: 'duplicateCampaign',
  summary: 'Duplicate a campaign',
  description: 'The copy is a draft.',
  access: 'write',
  params: campaignParams,
  body: duplicateRequest,
  responses: { 201: { description: 'The copy.', schema: campaignResource } },
  errors,
  async handle({ params: { id }, body, execute }) {
    const { output } = await execute(duplicateCampaign, { campaign_id: id, name: body?.name ?? null });
    return campaignAnswer(201, output);
  },
});

const testSendCampaignRoute = route({
  ...campaignRouteDefaults,
  method: 'POST',
  path: '/v1/campaigns/:id/test-send',
  operationId: 'testSendCampaign',
  summary: 'Send a test of a campaign',
  description: 'The messages are transactional, have the tag `campaign-test` and do not count for the campaign.',
  access: 'write',
  params: campaignParams,
  body: testSendRequest,
  responses: { 202: { description: 'The messages.', schema: testSendResult } },
  errors: [...errors, 'unsupported_channel', 'message_too_long'],
  async handle({ params: { id }, body, execute }) {
    const { output } = await execute(sendCampaignTest, { campaign_id: id, ...body });
    return { status: 202, body: output };
  },
});
