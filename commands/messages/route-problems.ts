/** Rules of senders and templates that depend on the carriers of a message's route. */

import type { Settings } from '../../domain/accounts/settings.js';
import { type ChannelName, channelNames, isChannel } from '../../domain/kernel/channels.js';
import type { FieldProblem } from '../../domain/kernel/errors.js';
import { senderProblems } from '../../domain/messages/senders.js';
import type { WhatsappTemplate } from '../../domain/messages/whatsapp-template.js';
import { isMailbox, readMailbox } from '../../formats/messages/mailbox.js';
import { type RoutesOfAccount, routesOfAccount } from '../../log/aggregates/load-settings.js';
import type { Context } from '../runtime/command.js';
import { whatsappFormProblems } from '../templates/whatsapp-forms.js';
import type { MessagePorts } from './ports.js';

/** The fields of a message whose rules depend on the carriers that it goes to. */
interface RoutedFields {
  readonly channel?: string | undefined;
  readonly from?: string | undefined;
  readonly whatsapp_template?: Partial<WhatsappTemplate> | undefined;
}

interface RouteOptions {
  readonly isMalformed?: (field: string) => boolean;
  readonly routes?: RoutesOfAccount;
}

/** Whether a message has a field whose rules depend on its carriers. */
export const isRouted = ({ from, whatsapp_template }: RoutedFields): boolean => from !== undefined || whatsapp_template !== undefined;

/**
 * What the carriers of a route do not take of a message that a caller gives now; what is stored already stops nothing. A command with many
 * messages gives the same `routes` for each.
 */
export async function routeProblems(
  message: RoutedFields,
  context: Pick<Context, 'log' | 'cause' | 'ports'>,
  { isMalformed, routes = routesOfAccount(context.log, context.cause.account) }: RouteOptions = {},
): Promise<FieldProblem[]> {
  return [...(await givenSenderProblems(message, context, routes)), ...(await whatsappFormProblems(message, context, routes, isMalformed))];
}

/**
 * What is wrong with a sender that a caller gives now; those that are stored already stop nothing. An account's own route comes before that
 * of the service. `field`: where the caller gave it.
 */
export async function givenSenderProblems(
  { channel, from }: { readonly channel?: string | undefined; readonly from?: string | undefined },
  { ports }: Pick<Context, 'ports'>,
  routes: RoutesOfAccount,
  field = 'from',
): Promise<FieldProblem[]> {
  if (from === undefined || channel === undefined || !isChannel(channel)) return [];
  const problems = senderProblems(field, from, channel, []);
  if (problems.length === 0) return [];
  const own = (await routes())?.[channel] ?? null;
  return senderProblems(field, from, channel, ports.messages.furtherSenders(channel, own));
}

/** Channels whose messages have a sender. */
const CHANNELS_WITH_SENDER: readonly ChannelName[] = channelNames.filter((name) => name !== 'push' && name !== 'in_app');

/** What is wrong with senders of the settings of an account, `senders.<channel>`. */
export function settingsSenderProblems(
  senders: Partial<Settings['senders']>,
  routes: Settings['routes'],
  furtherSenders: MessagePorts['furtherSenders'],
): FieldProblem[] {
  return CHANNELS_WITH_SENDER.flatMap((channel) => {
    const sender = senders[channel];
    return typeof sender === 'string' ? problemsOfSender(sender, channel, routes, furtherSenders) : [];
  });
}

/** What is wrong with the sender of one channel. */
function problemsOfSender(
  sender: string,
  channel: ChannelName,
  routes: Settings['routes'],
  furtherSenders: MessagePorts['furtherSenders'],
): FieldProblem[] {
  const field = `senders.${channel}`;
  if (channel !== 'email') return senderProblems(field, sender, channel, furtherSenders(channel, routes[channel]));
  const read = readMailbox(field, sender);
  return isMailbox(read) ? [] : [read];
}

/** The sender of the account's messages on a channel that have none; null where its settings have none, or one that is none. */
export function settingsSender(settings: Settings, channel: ChannelName, furtherSenders: MessagePorts['furtherSenders']): string | null {
  const sender = CHANNELS_WITH_SENDER.includes(channel) ? settings.senders[channel] : null;
  if (sender === null) return null;
  return problemsOfSender(sender, channel, settings.routes, furtherSenders).length === 0 ? sender : null;
}

interface SentRequest {
  readonly channel: string;
  readonly from?: string;
}

/** The request with the sender that the account's settings have for its channel, where it has none of its own. */
export async function withAccountSender<R extends SentRequest>(request: R, { cause, ports }: Pick<Context, 'cause' | 'ports'>): Promise<R> {
  const { channel } = request;
  if (request.from !== undefined || !isChannel(channel)) return request;
  const found = ports.messages.accountSender(cause.account, channel);
  const from = found instanceof Promise ? await found : found;
  return from === null ? request : { ...request, from };
}

const NO_SENDER: FieldProblem = {
  field: 'from',
  code: 'required',
  message:
    'Give the sender, for example Shop <shop@example.com>, or set `senders.email` in the settings of the account: no carrier of its emails has a sender of its own (`EMAIL_FROM`).',
};

/** What is wrong with an email that goes to a real carrier and has no sender, not that of its account either. Those of test keys need none. */
export async function missingSenderProblems(
  { channel, from }: { readonly channel?: string | undefined; readonly from?: string | undefined },
  { cause, ports }: Pick<Context, 'cause' | 'ports'>,
): Promise<readonly FieldProblem[]> {
  if (channel !== 'email' || from !== undefined || cause.test) return [];
  return (await ports.messages.lacksEmailSender(cause.account)) ? [NO_SENDER] : [];
}
