import { messageStream } from '../../domain/messages/message.js';
import { suppression, suppressionStream } from '../../domain/suppressions/suppression.js';
import type { Context } from '../runtime/command.js';
import { suppressionId } from './suppress-address.js';

interface ConfirmedMail {
  /** The confirmation mail. */
  readonly message_id: string;
  readonly list_id?: string;
  /** The text that was confirmed. */
  readonly proof: string;
}

/**
 * Lifts the own earlier opt-out from marketing email, by a link or a page, for the address that a confirmation mail was sent to. Without
 * effect if no mail was sent, or if it was a mail of a test key: those change no suppressions.
 */
export async function liftOptOut(context: Context, { message_id, ...confirmed }: ConfirmedMail): Promise<void> {
  const [accepted] = (await context.log.readSealed(messageStream(message_id), { limit: 1 })) ?? [];
  const mail = accepted?.event.data as { readonly to_key: string; readonly test?: boolean } | undefined;
  if (!mail || mail.test) return;
  const { to_key: address_key } = mail;
  const suppression_id = suppressionId(context.cause.account, address_key, 'email');
  const about = { suppression_id, address_key, channel: 'email', message_id, ...confirmed } as const;
  const lift = { type: 'Lift', ...about, by: 'opt_in', because: 'confirmed a double opt-in', now: context.now } as const;
  await context.decide(suppression, suppressionStream(address_key), lift, { sealed: true });
}
