import type { FieldProblem } from '../../domain/kernel/errors.js';
import type { WhatsappTemplate } from '../../domain/messages/whatsapp-template.js';
import { type RoutesOfAccount, routesOfAccount } from '../../log/aggregates/load-settings.js';
import type { Context } from '../runtime/command.js';
import { whatsappFormProblems } from '../templates/whatsapp-forms.js';
import { givenSenderProblems } from './sender-problems.js';

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
