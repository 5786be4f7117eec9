import { recordInboundEmail } from '../../commands/messages/record-inbound-email.js';
import { receiveInbound } from '../../commands/suppressions/receive-inbound.js';
import { isKeywordChannel } from '../../domain/suppressions/inbound-text.js';
import { loadParties } from '../../projections/messages/recipient-address.js';
import type { PerformContext } from '../runtime/process-manager.js';

/** What the recipient of a message writes back in the sandbox. */
export interface SandboxAnswer {
  readonly account: string;
  readonly correlation: string;
  readonly message_id: string;
  readonly carrier: string;
  readonly carrier_message_id: string;
  readonly text: string;
  readonly at: string;
}

/**
 * Records an answer as an inbound message, as the answers of real carriers are. A repeat has no effect. The sandbox does not ask for a
 * confirmation of a keyword. Nothing is recorded for an erased recipient, nor a text to a test key, which touches no suppression.
 */
export async function receiveSandboxAnswer(answer: SandboxAnswer, { execute, log }: Pick<PerformContext, 'execute' | 'log'>): Promise<void> {
  const { account, correlation, message_id, carrier, carrier_message_id, text, at } = answer;
  const parties = await loadParties(log, message_id);
  if (parties === null || parties.to === null) return;
  const { channel, to: from, from: to, test } = parties;
  const meta = { account, correlation, about: `${message_id}/answer` };
  const inbound = { carrier, carrier_message_id, from, to, text, message_id, at };
  if (channel === 'email') await execute(recordInboundEmail, { ...inbound, ...PLAIN_EMAIL }, meta);
  else if (isKeywordChannel(channel) && !test) await execute(receiveInbound, { ...inbound, channel, answered: true }, meta);
}

const PLAIN_EMAIL = { from_name: null, subject: null, html: null, attachments: [], email_message_id: null, automatic: false };
