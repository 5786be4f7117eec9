import type { ChannelName } from '../../domain/kernel/channels.js';
import type { UtcOffsetAt } from '../../domain/kernel/clocks.js';
import type { Position } from '../../domain/kernel/ports.js';
import type { EngagementModel } from '../../domain/scores/engagement-fitted.js';
import type { FitInput } from '../../domain/scores/fit-account.js';
import type { ChannelHistory, EngagementInput } from '../../domain/scores/fit-engagement.js';
import type { ReachedPage } from '../../domain/scores/reached-messages.js';
import type { Threshold } from '../../domain/scores/score-changes.js';
import type { BuyerHistory } from '../../domain/scores/score-contact.js';
import type { FittedModel, PurchaseSource } from '../../domain/scores/score-model.js';

export interface ScoreSettings {
  readonly purchase: PurchaseSource;
  /** Of contacts without one. */
  readonly timezone: string;
  readonly churn_days: number;
}

/** What commands about scores read. */
export interface ScoreReads {
  /** Whether the read models include everything up to a position. Waits a moment. */
  readonly upToDate: (position: Position) => Promise<boolean>;
  readonly settings: (account: string) => Promise<ScoreSettings>;
  /** A page of the buyers of an account, in the order of their ids. */
  readonly page: (
    account: string,
    source: PurchaseSource,
    after: string | null,
  ) => Promise<{ readonly buyers: readonly { readonly contact_id: string; readonly history: BuyerHistory }[]; readonly next: string | null }>;
  readonly purchasesOf: (account: string, contact_ids: readonly string[], source: PurchaseSource) => Promise<BuyerHistory>;
  /** The messages that reached the contacts of an account, for a fit at `now` (milliseconds since 1970). Other work goes on in `turns`. */
  readonly reached: (account: string, timezone: string, now: number, turns: () => Promise<void>) => Promise<readonly ChannelHistory[]>;
  /** A page of the contacts of an account in the order of their creation, with the messages that reached each until `at` (milliseconds since 1970). */
  readonly reachedPage: (account: string, after: string | null, at: number) => Promise<ReachedPage>;
  /** Numbers of scores that rules of segments ask for. */
  readonly thresholds: (account: string) => Promise<readonly Threshold[]>;
}

export interface FitTask {
  readonly purchases: FitInput;
  readonly messages: EngagementInput;
}

export interface FittedModels {
  readonly purchases: FittedModel;
  readonly channels: EngagementModel['channels'];
}

export interface HoursAsked {
  /** The contact with all that is merged into it, and the keys of its addresses. */
  readonly members: readonly string[];
  readonly addressKeys: readonly string[];
  readonly offsetAt: UtcOffsetAt;
  /** Milliseconds since 1970. */
  readonly now: number;
}
/** The share of each local hour by which messages to a contact are timed; null where neither its own nor the account's are known. */
export type HoursToSend = (asked: HoursAsked) => Promise<readonly number[] | null>;

/** What the commands of scores need from outside. */
export interface ScorePorts {
  readonly reads: ScoreReads;
  /** Fits the models of an account, where it does not hold up other work. */
  readonly fit: (task: FitTask) => Promise<FittedModels>;
  /** For any number of contacts: the model of the channel is read once. */
  readonly hoursToSend: (account: string, channel: ChannelName) => Promise<HoursToSend>;
}

declare module '../runtime/ports.js' {
  interface CommandPorts {
    readonly scores: ScorePorts;
  }
}
