import type { CampaignReads } from '../../log/aggregates/campaigns/campaign-reads.js';

/** What the commands of campaigns need from outside. */
export interface CampaignPorts {
  readonly reads: CampaignReads;
  /** The domain in the identifiers of lists (`List-Id`); null: mail has none. */
  readonly listDomain: string | null;
}

declare module '../runtime/ports.js' {
  interface CommandPorts {
    readonly campaigns: CampaignPorts;
  }
}
