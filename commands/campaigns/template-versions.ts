import type { KnownCampaign } from '../../domain/campaigns/campaign.js';
import type { TemplateVersions } from '../../domain/campaigns/campaign-events.js';
import { findTemplate } from '../../log/aggregates/templates/load-template.js';
import type { Context } from '../runtime/command.js';

/** The templates that the contents of a campaign name, as they are now. One that is gone is left out: its messages are invalid. */
export async function templateVersionsOf({ definition }: KnownCampaign, { log, cause }: Pick<Context, 'log' | 'cause'>): Promise<TemplateVersions> {
  const named = [definition.content, ...definition.variants.map(({ content }) => content)].flatMap(({ template_id }) => template_id ?? []);
  const found = await Promise.all([...new Set(named)].map((id) => findTemplate(log, cause.account, id)));
  return found.flatMap((template) => (template ? [{ template_id: template.id, version: template.version }] : []));
}
