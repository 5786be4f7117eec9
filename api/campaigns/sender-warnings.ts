import { missingSenderProblems } from '../../commands/messages/sender-problems.js';
import type { Context } from '../../commands/runtime/command.js';
import type { KnownCampaign } from '../../domain/campaigns/campaign.js';
import { contentOf } from '../../domain/campaigns/definition.js';
import { domainOfSender } from '../../formats/messages/mailbox.js';
import { domainWarnings, type SendingDomainChecks } from '../messages/sending-domains.js';

/** What an author should know of the senders of a campaign before it is sent: that one is missing, and domains that are not verified. */
export async function senderWarnings(
  { definition, test_key }: KnownCampaign,
  context: Context,
  domains: SendingDomainChecks,
  sleep: (ms: number) => Promise<void>,
): Promise<string[]> {
  if (definition.channel !== 'email' || test_key) return [];
  const keys = definition.variants.length > 0 ? definition.variants.map(({ key }) => key) : [null];
  const senders = keys.map((key) => contentOf(definition, key).from);
  const own = senders.flatMap((sender) => (sender === undefined ? [] : (domainOfSender(sender) ?? [])));
  const isWithout = senders.includes(undefined);
  const { account } = context.cause;
  const others = isWithout ? await domains.defaultDomainsOf(account) : [];
  const missing = isWithout ? await missingSenderProblems({ channel: 'email' }, context) : [];
  return [...missing.map(({ message }) => `content.from: ${message}`), ...(await domainWarnings(domains, account, [...own, ...others], sleep))];
}
