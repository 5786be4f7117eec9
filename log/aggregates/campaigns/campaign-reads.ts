import type { RuleVersions } from '../../../domain/campaigns/campaign-events.js';
import type { Audience } from '../../../domain/campaigns/definition.js';
import type { Consents } from '../../../domain/consent/consent.js';
import type { Facts } from '../../../domain/contacts/facts.js';
import type { MemberBasis } from '../lists/member-basis.js';

/** A contact of the audience as it is now. */
export interface AudienceContact {
  /** Into which it is merged, or its own. */
  readonly id: string;
  /** With all that is merged into it, the root first. */
  readonly members: readonly string[];
  /** Unified, with personal values opened. */
  readonly facts: Facts;
  /** The keys of the addresses of all members. */
  readonly addressKeys: readonly string[];
  /** Unified, as the log has them. */
  readonly consents: Consents;
  /** Of each member, how it came to be. */
  readonly bases: readonly MemberBasis[];
  /** Only test keys have written it: its messages go to the sandbox. */
  readonly test: boolean;
}

/** A page of contacts of an audience. */
export interface AudiencePage {
  readonly ids: readonly string[];
  /** Where the next page begins; null after the last one. */
  readonly next: string | null;
  /** By which its segments decided. */
  readonly rules: RuleVersions;
}

/** A segment of the audience is being built; or it has other rules. */
export type PageRefusal = 'building' | 'changed';

/** The read models that campaigns use. */
export interface CampaignReads {
  /** Pages of an audience that one step of its campaign stores. */
  readonly pagesAtOnce: number;
  /** Whether the contacts have everything that is in the log now; waits for a moment. */
  upToDate(): Promise<boolean>;
  /** Whether the memberships in the segments of an audience have it, too. */
  isSettled(account: string, audience: Audience): Promise<boolean>;
  /** By the kept memberships, of rules of these versions or, where they are null, of the latest ones. */
  page(account: string, audience: Audience, after: string | null, rules: RuleVersions | null): Promise<AudiencePage | PageRefusal>;
  /** In the order of the ids; null for a contact that is gone. At most some hundred. */
  contacts(account: string, ids: readonly string[]): Promise<readonly (AudienceContact | null)[]>;
  /** Those of the ids that are messages in the log now; null where the read model lacks the latest ones, after a moment's wait. */
  existingMessages(ids: readonly string[]): Promise<ReadonlySet<string> | null>;
}
