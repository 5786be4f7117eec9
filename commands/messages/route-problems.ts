import { isChannel } from '../../domain/kernel/channels.js';
import type { FieldProblem } from '../../domain/kernel/errors.js';
import { templateFormProblems, type WhatsappTemplate } from '../../domain/messages/whatsapp-template.js';
import { loadSettings } from '../../log/aggregates/load-settings.js';
import type { Context } from '../runtime/command.js';
import { givenSenderProblems } from './sender-problems.js';

/** The fields of a message whose rules depend on the carriers that it goes to. */
interface RoutedFields {
  readonly channel?: string | undefined;
  readonly from?: string | undefined;
  readonly whatsapp_template?: Partial<WhatsappTemplate> | undefined;
}

/** Whether a message has a field whose rules depend on its carriers. */
export const isRouted = ({ from, whatsapp_template }: RoutedFields): boolean => from !== undefined || whatsapp_template !== undefined;

/** What the carriers of a route do not take of a message that a caller gives now; what is stored already stops nothing. */
export async function routeProblems(
  message: RoutedFields,
  context: Pick<Context, 'log' | 'cause' | 'ports'>,
  isMalformed: (field: string) => boolean = () => false,
): Promise<FieldProblem[]> {
  return [...(await givenSenderProblems(message, context)), ...(await givenTemplateProblems(message, context, isMalformed))];
}

const PARTS = ['', '.name', '.content_sid', '.language', '.variables'];

async function givenTemplateProblems(
  { channel, whatsapp_template }: RoutedFields,
  { log, cause, ports }: Pick<Context, 'log' | 'cause' | 'ports'>,
  isMalformed: (field: string) => boolean,
): Promise<FieldProblem[]> {
  if (whatsapp_template === undefined || channel !== 'whatsapp' || !isChannel(channel)) return [];
  if (PARTS.some((part) => isMalformed(`whatsapp_template${part}`))) return [];
  const own = (await loadSettings(log, cause.account))?.routes[channel] ?? null;
  return templateFormProblems(whatsapp_template, ports.messages.templateForms(own));
}
