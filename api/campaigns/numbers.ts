import Type from 'typebox';
import { audienceReach } from '../../commands/campaigns/audience-reach.js';
import type { KnownCampaign } from '../../domain/campaigns/campaign.js';
import { testPlan } from '../../domain/campaigns/test-plan.js';
import type { Clock, ReadModels } from '../../domain/kernel/ports.js';
import { list, optional, record } from '../../domain/kernel/schema.js';
import { messageResource } from '../../domain/messages/resource.js';
import { loadCampaign } from '../../log/aggregates/campaigns/load-campaign.js';
import { expectedRate } from '../../projections/campaigns/expected-rate.js';
import { campaignStats, testNumbers } from '../../projections/campaigns/progress.js';
import { type SkippedRecipient, skippedRecipients } from '../../projections/campaigns/skipped.js';
import { resolveRecipients } from '../../projections/contacts/message-recipients.js';
import { contacts } from '../../projections/contacts/projection.js';
import { campaignCounters, linkCounters } from '../../projections/messages/counter-queries.js';
import type { Counters } from '../../projections/messages/counters.js';
import { messages } from '../../projections/messages/projection.js';
import { MessageQueries } from '../../projections/messages/queries.js';
import { type Cursors, pageOf, pagingQuery } from '../http/paging.js';
import { type AnyRoute, route } from '../http/route.js';
import type { Services } from '../http/services.js';
import type { SendingDomainChecks } from '../messages/sending-domains.js';
import { campaignParams, campaignRouteDefaults } from './campaigns.js';
import { linkResource, reachResource, recipientStatus, skippedRecipient, statsResource } from './schemas.js';
import { senderWarnings } from './sender-warnings.js';

/** The numbers of a campaign, from counters, and its recipients. */
export function numberRoutes(services: Services, cursors: Cursors, domains: SendingDomainChecks): AnyRoute[] {
  const history = new MessageQueries(services.views, services.log);

  return [
    getCampaignAudienceRoute(services, domains),
    getCampaignStatsRoute(services),
    listCampaignLinksRoute(services),
    listCampaignRecipientsRoute(services, cursors, history),
  ];
}

const getCampaignAudienceRoute = ({ log, views, clock }: Services, domains: SendingDomainChecks) =>
  route({
    ...campaignRouteDefaults,
    method: 'GET',
    path: '/v1/campaigns/:id/audience',
    operationId: 'getCampaignAudience',
    summary: 'Count the audience of a campaign',
    description:
      'Who would be messaged if it were sent now. Counts contact by contact, which takes its time for a large audience. `warnings` names a sender that is missing, and domains of senders whose records in the DNS are missing or wrong.',
    access: 'read',
    params: campaignParams,
    responses: { 200: { description: 'The counts.', schema: reachResource } },
    errors: ['not_found'],
    async handle({ caller, params: { id }, consistent, ruleContext, signal }) {
      const campaign = await loadCampaign(log, caller.account, id);
      await consistent(contacts.name);
      const reach = await audienceReach(ruleContext(), campaign, signal);
      const test = await planOf(views, clock, campaign, caller.account, reach.reachable);
      const warnings = await senderWarnings(campaign, ruleContext(), domains, (ms) => clock.sleep(ms));
      return { status: 200, body: { ...reach, ...(test && { test }), ...(warnings.length > 0 && { warnings }) } };
    },
  });

const getCampaignStatsRoute = ({ log, views }: Services) =>
  route({
    ...campaignRouteDefaults,
    method: 'GET',
    path: '/v1/campaigns/:id/stats',
    operationId: 'getCampaignStats',
    summary: 'Read the numbers of a campaign',
    description: '`opened` counts people; opens by programs that load the images of every mail are in `opened_by_machine`.',
    access: 'read',
    params: campaignParams,
    responses: { 200: { description: 'The numbers as they are now.', schema: statsResource } },
    errors: ['not_found'],
    async handle({ caller, params: { id }, consistent }) {
      const campaign = await loadCampaign(log, caller.account, id);
      await consistent(messages.name);
      const { by_variant, messages: _, ...numbers } = await campaignStats(log, views, campaign);
      const variants = Object.fromEntries(Object.entries(by_variant).map(([key, counts]) => [key, withoutTotal(counts)]));
      const test = await testOf(views, campaign);
      return { status: 200, body: { ...numbers, by_variant: variants, test } };
    },
  });

const listCampaignLinksRoute = ({ log, views }: Services) =>
  route({
    ...campaignRouteDefaults,
    method: 'GET',
    path: '/v1/campaigns/:id/links',
    operationId: 'listCampaignLinks',
    summary: 'Count the clicks on each link of a campaign',
    description:
      'The links that were followed, those with the most clickers first. They are counted as the content names them, so they contain no personal data; at most 500 links of a content are told apart.',
    access: 'read',
    params: campaignParams,
    responses: { 200: { description: 'The links.', schema: record({ data: list(linkResource) }) } },
    errors: ['not_found'],
    async handle({ caller, params: { id }, consistent }) {
      await loadCampaign(log, caller.account, id);
      await consistent(messages.name);
      const found = await linkCounters(views, id);
      return { status: 200, body: { data: found.map(({ link, counts, variants }) => ({ url: link, ...counts, by_variant: variants })) } };
    },
  });

const listCampaignRecipientsRoute = ({ log }: Services, cursors: Cursors, history: MessageQueries) =>
  route({
    ...campaignRouteDefaults,
    method: 'GET',
    path: '/v1/campaigns/:id/recipients',
    operationId: 'listCampaignRecipients',
    summary: 'List the messages of a campaign',
    description:
      'With `status=skipped`: the contacts of the audience that got no message, each with the reason; of campaigns from before reasons were kept they are missing.',
    access: 'read',
    params: campaignParams,
    query: record({ status: optional(recipientStatus), ...pagingQuery }),
    responses: { 200: { description: 'Newest first.', schema: Type.Union([pageOf(messageResource), pageOf(skippedRecipient)]) } },
    errors: ['not_found', 'invalid_cursor'],
    async handle(request) {
      const { caller, params: of, query, consistent } = request;
      await loadCampaign(log, caller.account, of.id);
      const paging = cursors.read(request, `campaigns/${of.id}`);
      if (query.status === 'skipped') {
        const { after, descending } = paging.range;
        const skipped = await skippedRecipients(log, of.id, { after, descending, take: paging.take });
        const shown = ({ contact_id, reason, skipped_at }: SkippedRecipient) => ({ contact_id, status: 'skipped' as const, reason, skipped_at });
        return { status: 200, body: paging.page(skipped, ({ cursor }) => [cursor], shown) };
      }
      await consistent(messages.name);
      const where = { campaign_id: of.id, ...(query.status && { status: query.status }) };
      const docs = await history.page(caller.account, { where, after: paging.range.after, descending: paging.descending, take: paging.take });
      const body = await paging.pageOfLoaded(
        docs,
        ({ seq }) => [seq],
        async (rows) => {
          const [records, found] = await Promise.all([history.show(rows), resolveRecipients(log, caller.account, rows)]);
          return records.map((one, i) => ({ ...one, contact_id: found[i] ?? null }));
        },
      );
      return { status: 200, body };
    },
  });

async function planOf(views: ReadModels, clock: Clock, { definition }: KnownCampaign, account: string, reachable: number) {
  const { ab_test, channel } = definition;
  if (!ab_test) return null;
  const plan = testPlan(definition, reachable, await expectedRate(views, { account, channel, metric: ab_test.metric, now: clock.now() }));
  return plan && { ...plan, variants: [...plan.variants] };
}

async function testOf(views: ReadModels, campaign: KnownCampaign) {
  if (!campaign.definition.ab_test) return null;
  const { arms, wording, p_ratio } = testNumbers(campaign, await campaignCounters(views, campaign.id));
  return { wording: campaign.test?.decided ? wording : `Not decided yet. ${wording}`, p_sample_ratio: p_ratio, arms };
}

function withoutTotal({ messages: _, ...counts }: Counters) {
  return counts;
}
