/** Scores as callers see them. */
import type { ContactFigures, Driver } from '../../domain/scores/explain.js';
import type { ScoreFigures, ScoreQuality } from '../../domain/scores/score-model.js';
import type { Band, ChannelScoreName, NullReason, ScoreName } from '../../domain/scores/scores.js';

export type AnyScoreName = ScoreName | ChannelScoreName;

/** A score of a contact with all that explains it. */
export interface ScoreView {
  readonly name: AnyScoreName;
  /** A date for `expected_next_order_at`. */
  readonly value: number | string | null;
  readonly band: Band | null;
  readonly as_of: string;
  readonly horizon_days: number | null;
  readonly model: string | null;
  readonly model_version: number | null;
  readonly null_reason: NullReason | null;
  /** Of a date: when it is with a probability of a quarter, and of three quarters. */
  readonly interval: { readonly p25: string; readonly p75: string } | null;
  readonly currency: string | null;
  readonly explanation: ScoreExplanation | null;
  readonly quality: ScoreQuality | null;
}

export interface ScoreExplanation {
  readonly inputs: ContactFigures['inputs'] | EngagementInputs;
  readonly p_alive: number | null;
  readonly percentile: number | null;
  readonly baseline: number | null;
  readonly drivers: readonly (Driver | EngagementDriver)[];
}

/** Messages of the last 180 days; those of the last 7 count once these are over. */
export interface EngagementInputs {
  readonly delivered: number;
  readonly engaged: number;
}

export interface EngagementDriver {
  readonly factor: 'engagement';
  readonly direction: 'raises' | 'lowers' | 'neutral';
  readonly text: string;
}

/** What is known of a score for the whole account: in force, with the figures of the fit. */
export interface AccountScore {
  readonly name: AnyScoreName;
  readonly model: { readonly model_version: number; readonly at: string } | null;
  readonly null_reason: NullReason | null;
  readonly horizon_days: number | null;
  readonly figures: ScoreFigures | null;
}
