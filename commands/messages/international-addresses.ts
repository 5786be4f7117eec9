import type { FieldProblem } from '../../domain/kernel/errors.js';
import { isInternational } from '../../domain/messages/international.js';
import { parseMailbox } from '../../formats/messages/mailbox.js';
import type { Context } from '../runtime/command.js';
import type { EmailRequest } from './email-fields.js';

interface AddressedRequest extends Pick<EmailRequest, 'from' | 'reply_to' | 'cc' | 'bcc'> {
  readonly channel?: string | undefined;
  readonly to?: string;
}

/** What is wrong with addresses that have letters such as ö before the @ (RFC 6531): a carrier of the account's emails does not take them. */
export async function internationalProblems(
  { channel, to, from, reply_to, cc = [], bcc = [] }: AddressedRequest,
  { cause, ports }: Pick<Context, 'cause' | 'ports'>,
): Promise<FieldProblem[]> {
  if (channel !== 'email' || cause.test) return [];
  const lists = Object.entries({ cc, bcc }).flatMap(([name, texts]) => texts.map((text, i) => [`${name}[${i}]`, text] as const));
  const fields = [['to', to] as const, ['from', from] as const, ['reply_to', reply_to] as const, ...lists].flatMap(([field, text]) =>
    text !== undefined && isInternational(text) && isInternational(parseMailbox(text)?.address ?? '') ? [field] : [],
  );
  if (fields.length === 0) return [];
  const carrier = await ports.messages.asciiOnlyCarrier(cause.account);
  if (carrier === null) return [];
  const message = `Letters such as ö before the @ are not supported by ${carrier}. Use another address of this person, for example joerg@example.com.`;
  return fields.map((field) => ({ field, code: 'invalid_email', message }));
}

/** Whether mail can reach an address by all carriers of the account's emails. */
export async function isMailable(address: string, channel: string, { cause, ports }: Pick<Context, 'cause' | 'ports'>): Promise<boolean> {
  return channel !== 'email' || cause.test === true || !isInternational(address) || (await ports.messages.asciiOnlyCarrier(cause.account)) === null;
}
