import type { FieldProblem } from '../../domain/kernel/errors.js';
import { templateFormProblems, type WhatsappTemplate } from '../../domain/messages/whatsapp-template.js';
import type { RoutesOfAccount } from '../../log/aggregates/load-settings.js';
import type { Context } from '../runtime/command.js';

/** The fields of a content that its WhatsApp template depends on. */
interface WithTemplate {
  readonly channel?: string | undefined;
  readonly whatsapp_template?: Partial<WhatsappTemplate> | undefined;
}

const PARTS = ['', '.name', '.content_sid', '.language', '.variables'];

/**
 * What the carriers of an account's route lack to find a template that a caller gives now. An account's own route comes before that of the
 * service. A malformed template is reported as that alone.
 */
export async function whatsappFormProblems(
  { channel, whatsapp_template }: WithTemplate,
  { ports }: Pick<Context, 'ports'>,
  routes: RoutesOfAccount,
  isMalformed: (field: string) => boolean = () => false,
): Promise<FieldProblem[]> {
  if (whatsapp_template === undefined || channel !== 'whatsapp') return [];
  if (PARTS.some((part) => isMalformed(`whatsapp_template${part}`))) return [];
  const own = (await routes())?.whatsapp ?? null;
  return templateFormProblems(whatsapp_template, ports.templates.templateForms(own));
}
