import type { Audience } from '../../domain/campaigns/definition.js';
import type { Facts } from '../../domain/contacts/facts.js';

/** A contact of the audience as it is now. */
export interface AudienceContact {
  /** Into which it is merged, or its own. */
  readonly id: string;
  /** With all that is merged into it, the root first. */
  readonly members: readonly string[];
  /** United, with personal values opened. */
  readonly facts: Facts;
}

/** A page of contacts of an audience, in the order of their creation. */
export interface AudiencePage {
  readonly ids: readonly string[];
  /** Where the next page begins; null after the last one. */
  readonly next: string | null;
}

/** The read models that campaigns use. */
export interface CampaignReads {
  /** Whether they have everything that is in the log now; waits for a moment. */
  upToDate(): Promise<boolean>;
  /** Null as long as a segment of the audience is being built. */
  page(account: string, audience: Audience, after: string | null): Promise<AudiencePage | null>;
  /** In the order of the ids; null for a contact that is gone. At most some hundred. */
  contacts(account: string, ids: readonly string[]): Promise<readonly (AudienceContact | null)[]>;
  /** Those of the ids that are messages. */
  existingMessages(ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** The versions of the segments that decide. */
  ruleVersions(account: string, audience: Audience): Promise<readonly { readonly segment_id: string; readonly version: number }[]>;
}
