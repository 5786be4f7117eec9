import { givenSenderProblems, missingSenderProblems } from '../../commands/messages/route-problems.js';
import type { Context } from '../../commands/runtime/command.js';
import type { KnownCampaign } from '../../domain/campaigns/campaign.js';
import { contentOf } from '../../domain/campaigns/definition.js';
import { domainOfSender } from '../../formats/messages/mailbox.js';
import { routesOfAccount } from '../../log/aggregates/load-settings.js';
import { domainWarnings, type SendingDomainChecks } from '../messages/sending-domains.js';

/** What an author should know of the senders of a campaign before it is sent: that one is missing, and domains that are not verified. */
export async function senderWarnings(
  { definition, test_key }: KnownCampaign,
  context: Context,
  domains: SendingDomainChecks,
  sleep: (ms: number) => Promise<void>,
): Promise<string[]> {
  const { channel } = definition;
  const keys = definition.variants.length > 0 ? definition.variants.map(({ key }) => key) : [null];
  const senders = keys.map((key) => contentOf(definition, key).from);
  // Those of an earlier release, which stop nothing: what is given now is refused.
  const routes = routesOfAccount(context.log, context.cause.account);
  const stored = await Promise.all([...new Set(senders)].map((from) => givenSenderProblems({ channel, from }, context, routes, 'content.from')));
  const wrong = stored.flat().map(({ field, message }) => `${field}: ${message}`);
  if (channel !== 'email' || test_key) return wrong;
  const own = senders.flatMap((sender) => (sender === undefined ? [] : (domainOfSender(sender) ?? [])));
  const isWithout = senders.includes(undefined);
  const { account } = context.cause;
  const others = isWithout ? await domains.defaultDomainsOf(account) : [];
  const missing = isWithout ? await missingSenderProblems({ channel: 'email' }, context) : [];
  return [
    ...wrong,
    ...missing.map(({ message }) => `content.from: ${message}`),
    ...(await domainWarnings(domains, account, [...own, ...others], sleep)),
  ];
}
