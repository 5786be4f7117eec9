import type { KnownCampaign } from '../../domain/campaigns/campaign.js';
import { DomainError } from '../../domain/kernel/errors.js';
import type { AudienceContact } from '../../log/aggregates/campaigns/campaign-reads.js';
import { isMailable } from '../messages/email-fields.js';
import { checkAcceptanceGates, keysOfRecipient } from '../messages/gates.js';
import { recipientKey } from '../messages/parse-request.js';
import { knownRecipient } from '../messages/recipient.js';
import type { Context } from '../runtime/command.js';
import { campaignAddressOf } from './make-messages.js';

/** How many contacts of an audience a campaign reaches if it is sent now. */
export interface AudienceReach {
  total: number;
  reachable: number;
  suppressed: number;
  no_consent: number;
  no_address: number;
}

/** Contacts that are looked at together. */
const AT_ONCE = 200;

/** Counts the audience page by page, by the gates of an acceptance. Contacts that have a frequency cap reached count as reachable. */
export async function audienceReach(context: Context, campaign: KnownCampaign, signal: AbortSignal): Promise<AudienceReach> {
  const { account } = context.cause;
  const reads = context.ports.campaigns.reads;
  const reach: AudienceReach = { total: 0, reachable: 0, suppressed: 0, no_consent: 0, no_address: 0 };
  let after: string | null = null;
  const { audience } = campaign.definition;
  await reads.isSettled(account, audience);
  do {
    signal.throwIfAborted();
    const page: Awaited<ReturnType<typeof reads.page>> = await reads.page(account, audience, after, null);
    if (typeof page === 'string') throw new DomainError('projection_behind', 'A segment of the audience is being built. Try again.');
    for (let from = 0; from < page.ids.length; from += AT_ONCE) {
      const contacts = await reads.contacts(account, page.ids.slice(from, from + AT_ONCE));
      const found = await Promise.all(contacts.map((contact) => contact && reachOf(context, campaign, contact)));
      for (const one of found) if (one) reach[one] += 1;
      reach.total += found.filter((one) => one !== null).length;
      await context.yieldToEventLoop();
      signal.throwIfAborted();
    }
    after = page.next;
  } while (after !== null);
  return reach;
}

async function reachOf(
  context: Context,
  { id, definition, test_key }: KnownCampaign,
  contact: AudienceContact,
): Promise<Exclude<keyof AudienceReach, 'total'>> {
  const { channel, category } = definition;
  const to = campaignAddressOf(channel, contact);
  if (to === null || !(await isMailable(to, channel, context))) return 'no_address';
  const to_key = recipientKey(channel, to, context);
  const accepted = { to_key, to, channel, category, content: { message: '' }, created_at: context.now, ...(test_key && { test: true }) };
  const { refused } = await checkAcceptanceGates(
    { accepted, send_at: null },
    id,
    context,
    knownRecipient(contact, keysOfRecipient({ channel, to }, to_key, context)),
  );
  const gate = refused?.decision?.gate;
  if (gate === 'consent') return 'no_consent';
  return refused && gate !== 'frequency_cap' ? 'suppressed' : 'reachable';
}
