import type { SendingDomainChecks } from '../../../api/messages/sending-domains.js';
import { isCarrierName } from '../../../carriers/registry.js';
import type { Carrier } from '../../../carriers/runtime/carrier.js';
import type { KnownCampaign } from '../../../domain/campaigns/campaign.js';
import type { Dns } from '../../../domain/kernel/dns.js';
import { domainOfSender } from '../../../formats/messages/mailbox.js';
import { loadCampaign } from '../../../log/aggregates/campaigns/load-campaign.js';
import { campaignQueries } from '../../../projections/campaigns/queries.js';
import type { Application } from '../application.js';
import { accountRoute, carrierRoutes } from '../carrier-routes.js';
import type { Config } from '../config/config.js';
import { accountCarrierTexts, senderPorts } from '../ports/senders.js';
import { SendingDomains } from './sending-domains.js';

/** Campaigns whose senders are looked at, the latest ones. */
const MOST_CAMPAIGNS = 100;

/** Checks the domains of accounts by the carriers that their emails have. */
export function sendingDomainChecks(config: Config, { log, clock, directory, engine }: Application, dns: Dns): SendingDomainChecks {
  const settings = (account: string) => directory.settings(account);
  const routes = carrierRoutes({ ...config, sandboxLog: null }, { clock, settings });
  const { accountSender } = senderPorts(config, settings).messages;
  const campaigns = campaignQueries({ views: engine.views });
  const domains = new SendingDomains({
    dns,
    clock,
    async carriersOf(account) {
      const route = await routes('email', false, account);
      return 'send' in route ? [route] : [...(route as readonly Carrier[])];
    },
  });

  async function defaultDomainsOf(account: string): Promise<readonly string[]> {
    const sender = await accountSender(account, 'email');
    if (sender !== null) return domainsIn([sender]);
    const facts = await settings(account);
    const route = accountRoute(config, facts, 'email').filter(isCarrierName);
    return domainsIn(route.map((name) => accountCarrierTexts(config, facts, name).from));
  }

  async function ofCampaigns(account: string): Promise<readonly string[]> {
    const ids = await campaigns.unfinished(account, MOST_CAMPAIGNS);
    const found = await Promise.all(ids.map((id) => loadCampaign(log, account, id).catch(() => null)));
    return found.flatMap((campaign) => (campaign?.definition.channel === 'email' ? domainsIn(sendersOf(campaign)) : []));
  }

  return {
    defaultDomainsOf,
    domainsOf: async (account) => [...(await defaultDomainsOf(account)), ...(await ofCampaigns(account))],
    check: (account, domain, options) => domains.check(account, domain, options),
  };
}

const sendersOf = ({ definition: { content, variants } }: KnownCampaign): (string | undefined)[] => [
  content.from,
  ...variants.map((variant) => variant.content.from),
];

const domainsIn = (senders: readonly (string | undefined)[]): string[] =>
  senders.flatMap((sender) => (sender === undefined ? [] : (domainOfSender(sender) ?? [])));
