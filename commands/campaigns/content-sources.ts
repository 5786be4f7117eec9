import type { KnownCampaign } from '../../domain/campaigns/campaign.js';
import { contentOf } from '../../domain/campaigns/definition.js';
import type { Position } from '../../domain/kernel/ports.js';
import { arithmeticOf } from '../../domain/templates/arithmetic.js';
import type { ContentSources } from '../templates/ports.js';

/** The content of a variant as it is rendered now. */
export function renderedContentOf(definition: KnownCampaign['definition'], variant: string | null): ContentSources {
  const { data: _, ...content } = contentOf(definition, variant);
  return { ...content, arithmetic: arithmeticOf(definition) };
}

/** The content of a variant, with its template and partials as they were when the campaign was started. */
export function contentSources(
  { definition, templates }: Pick<KnownCampaign, 'definition' | 'templates'>,
  startedAt: Position,
  variant: string | null,
): ContentSources {
  const content = renderedContentOf(definition, variant);
  const template_version = templates.find(({ template_id }) => template_id === content.template_id)?.version;
  return { ...content, as_of: startedAt, ...(template_version !== undefined && { template_version }) };
}
