import { LRUCache } from 'lru-cache';
import { DomainError } from '../../domain/kernel/errors.js';
import { loadCampaign, loadStartPosition } from '../../log/aggregates/campaigns/load-campaign.js';
import type { NameOfLink } from '../messages/ports.js';
import { type LoaderParts, loadSources } from '../templates/render-contents.js';
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
    return 'problems' in found ? [] : namedLinks(found.content, found.partials);
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

function nullIfMissing(e: unknown): null {
  if (e instanceof DomainError && e.code === 'not_found') return null;
  throw e;
}
