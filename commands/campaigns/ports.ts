import type { CampaignReads } from '../../log/aggregates/campaigns/campaign-reads.js';

/** What the commands of campaigns need from outside. */
export interface CampaignPorts {
  readonly reads: CampaignReads;
}

declare module '../runtime/ports.js' {
  interface CommandPorts {
    readonly campaigns: CampaignPorts;
  }
}
