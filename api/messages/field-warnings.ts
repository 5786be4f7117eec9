/** What the answer to a message says that is accepted all the same: fields that its channel has no use for, and one that it should have. */
import { type ChannelName, channels, isChannel } from '../../domain/kernel/channels.js';
import { MAX_NAMED_WARNINGS } from '../http/items.js';

const ofText = ['subject', 'html', 'reply_to', 'title', 'action_url'] as const;
const ofContact = ['subject', 'html', 'reply_to', 'media_urls'] as const;
/** Others that only one channel has are refused: see the rules of a message. */
const ignored: Readonly<Record<ChannelName, readonly string[]>> = {
  sms: ofText,
  whatsapp: ofText,
  rcs: ofText,
  email: ['title', 'action_url', 'media_urls'],
  push: ofContact,
  in_app: ofContact,
};

const namesOf = (channel: unknown, given: object): string[] =>
  typeof channel === 'string' && isChannel(channel) ? ignored[channel].filter((name) => Object.hasOwn(given, name)) : [];

/** Whether an email has no subject, neither its own nor that of a template. */
const lacksSubject = (channel: unknown, given: object): boolean =>
  typeof channel === 'string' && isChannel(channel) && channels[channel].subject && !('subject' in given) && !('template_id' in given);

/** `ignored field: title` for each, and `missing field: subject`. */
export const fieldWarnings = (message: { readonly channel: string }): string[] => [
  ...namesOf(message.channel, message).map((name) => `ignored field: ${name}`),
  ...(lacksSubject(message.channel, message) ? ['missing field: subject'] : []),
];

/**
 * The same for messages of a bulk, at most 100. Fields that a message takes from the defaults are not named: a default is for all channels
 * that have the field.
 */
export function fieldWarningsOfBulk(messages: readonly unknown[], defaults: { readonly channel?: string } | undefined): string[] {
  const found: string[] = [];
  for (const [index, message] of messages.entries()) {
    if (found.length >= MAX_NAMED_WARNINGS) break;
    if (typeof message !== 'object' || message === null) continue;
    const channel = 'channel' in message ? message.channel : defaults?.channel;
    for (const name of namesOf(channel, message)) found.push(`ignored field: messages[${index}].${name}`);
    if (lacksSubject(channel, { ...defaults, ...message })) found.push(`missing field: messages[${index}].subject`);
  }
  return found.slice(0, MAX_NAMED_WARNINGS);
}
