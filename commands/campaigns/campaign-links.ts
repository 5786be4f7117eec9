import { LRUCache } from 'lru-cache';
import { DomainError } from '../../domain/kernel/errors.js';
import { completeLanguages } from '../../domain/templates/translations.js';
import { loadCampaign, loadStartPosition } from '../../log/aggregates/campaigns/load-campaign.js';
import type { NameOfLink } from '../messages/ports.js';
import { type LoadedSources, type LoaderParts, loadSources } from '../templates/render-contents.js';
import { contentSources } from './content-sources.js';
import { type NamedLink, namedLinks, nameOfLink } from './named-links.js';

/** Contents whose links are kept. */
const KEPT = 200;

/**
 * Names the link of a campaign that a reader followed. The content of a campaign is fixed when it starts, so its links are read once;
 * no click costs more than one look into them.
 */
export function createCampaignLinks(parts: Omit<LoaderParts, 'account'>): NameOfLink {
  const { log } = parts;
  const kept = new LRUCache<string, Promise<readonly NamedLink[]>>({ max: KEPT });

  async function linksOf(account: string, id: string, variant: string | null): Promise<readonly NamedLink[]> {
    const campaign = await loadCampaign(log, account, id).catch(nullIfMissing);
    // The messages of a test send come before the start: nobody counts their links.
    if (campaign === null || campaign.started_at === null) return [];
    const sources = contentSources(campaign, await loadStartPosition(log, id), variant);
    const found = await loadSources({ ...parts, account }, campaign.definition.channel, sources);
    return 'problems' in found ? [] : linksOfLanguages(found);
  }

  return async (account, { campaign_id, variant = null }, url) => {
    if (campaign_id === undefined) return null;
    const key = JSON.stringify([account, campaign_id, variant]);
    const links = kept.get(key) ?? linksOf(account, campaign_id, variant);
    kept.set(key, links);
    links.catch(() => kept.delete(key));
    const known = await links;
    // Clicks on a notification have no address: it has one link at most.
    if (url === null) return known.length === 1 ? (known[0]?.name ?? null) : null;
    return nameOfLink(known, url);
  };
}

/** The links of the default and of all translations, each once. */
async function linksOfLanguages({ content, inLanguage }: LoadedSources): Promise<NamedLink[]> {
  const links = new Map<string, NamedLink>();
  for (const language of [null, ...completeLanguages(content)]) {
    const found = await inLanguage(language);
    if ('problems' in found) continue;
    for (const link of namedLinks(found.content, found.partials)) if (!links.has(link.name)) links.set(link.name, link);
  }
  return [...links.values()];
}

function nullIfMissing(e: unknown): null {
  if (e instanceof DomainError && e.code === 'not_found') return null;
  throw e;
}
