import { addressKeysOf } from '../../domain/contacts/facts.js';
import { notFound } from '../../domain/kernel/errors.js';
import type { ReadModels } from '../../domain/kernel/ports.js';
import { type ContactFigures, figuresOfContact } from '../../domain/scores/explain.js';
import { accountReason, bandOf, MODEL, percentileOf, type ScoreValue, scoreContact } from '../../domain/scores/score-contact.js';
import type { PurchaseSource, ScoreModel } from '../../domain/scores/score-model.js';
import { channelScoreNames, horizonOf, isFact, scoreNames } from '../../domain/scores/scores.js';
import { findContact } from '../../log/aggregates/contacts/load-contact.js';
import { loadEngagementModel, loadScoreModel } from '../../log/aggregates/scores/load-score-model.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import { buyerQueries } from './buyers.js';
import { accountChannelScores, channelViews } from './channel-views.js';
import { contactClocksOf, reachedQueries } from './reached.js';
import type { AccountScore, ScoreExplanation, ScoreView } from './score-view.js';

export interface ContactScores {
  readonly contact_id: string;
  readonly as_of: string;
  readonly scores: readonly ScoreView[];
}

const DAY_MS = 86_400_000;

export interface AskedScores {
  readonly account: string;
  readonly id: string;
  /** RFC 3339 in UTC. */
  readonly at: string;
  /** Whether `at` is in the past: then only what was recorded by then counts. */
  readonly past: boolean;
}

/** Settings of the account that scores depend on. */
export interface ScoreSource {
  readonly purchase: PurchaseSource;
  readonly timezone: string;
}

/**
 * The scores of a contact at a time, computed from what was known then: its purchases and messages, and the models in force. Throws
 * `not_found` and `contact_erased`.
 */
export async function readContactScores(
  { log, views }: { readonly log: EventLog; readonly views: ReadModels },
  source: ScoreSource,
  { account, id, at, past }: AskedScores,
): Promise<ContactScores> {
  const until = past ? at : undefined;
  const { root, unified } = await findContact(log, account, id, until);
  const [{ model }, engagement] = await Promise.all([loadScoreModel(log, account, until), loadEngagementModel(log, account, until)]);
  const members = unified.members.map((member) => member.id);
  const now = Date.parse(at);
  const addressKeys = [...new Set(addressKeysOf(unified.members).map(({ key }) => key))];
  const [history, reached] = await Promise.all([
    buyerQueries({ log, views }).purchasesOf(account, members, model?.purchase ?? source.purchase, until),
    reachedQueries({ log, views }).ofContact({ account, members, addressKeys, at: now }),
  ]);
  const figures = figuresOfContact(model, history.purchases, now);
  const [own = null] = history.currencies;
  const scores = scoreContact(model, history, now).map((score) => viewOf(score, { model, figures, at, currency: model ? model.currency : own }));
  const offsetAt = contactClocksOf(unified.facts.values.timezone?.value, source.timezone);
  return { contact_id: root.id, as_of: at, scores: [...scores, ...channelViews(engagement.model, reached, offsetAt, at)] };
}

interface Surroundings {
  readonly model: ScoreModel | null;
  readonly figures: ContactFigures | null;
  readonly at: string;
  readonly currency: string | null;
}

function viewOf(score: ScoreValue, surroundings: Surroundings): ScoreView {
  const { name, value, null_reason, quartiles } = score;
  const { model, at, currency } = surroundings;
  const inDays = (days: number): string => new Date(Date.parse(at) + days * DAY_MS).toISOString();
  const used = isFact(name) ? null : model;
  return {
    name,
    value: value === null || name !== 'expected_next_order_at' ? value : inDays(value),
    band: model && bandOf(model, name, value),
    as_of: at,
    horizon_days: horizonOf(name, model?.churn_days ?? 0) || null,
    model: used && MODEL,
    model_version: used?.model_version ?? null,
    null_reason,
    interval: quartiles && { p25: inDays(quartiles[0]), p75: inDays(quartiles[1]) },
    currency: name.includes('clv') && value !== null ? currency : null,
    explanation: explanationOf(score, surroundings),
    quality: used?.scores[name]?.quality ?? null,
  };
}

function explanationOf({ name, value }: ScoreValue, { model, figures }: Surroundings): ScoreExplanation | null {
  if (!figures) return null;
  const isExplained = value !== null && !isFact(name);
  return {
    inputs: figures.inputs,
    p_alive: isExplained ? figures.p_alive : null,
    percentile: model && percentileOf(model, name, value),
    baseline: isExplained ? (model?.scores[name]?.baseline ?? null) : null,
    drivers: isExplained ? figures.drivers : [],
  };
}

/** Every score: of channels those through which messages were delivered before the last fit. */
export async function readAccountScores(
  log: EventLog,
  account: string,
  now: number,
): Promise<{ readonly model: ScoreModel | null; readonly scores: readonly AccountScore[] }> {
  const [{ model }, engagement] = await Promise.all([loadScoreModel(log, account), loadEngagementModel(log, account)]);
  const ofPurchases = scoreNames.map(
    (name): AccountScore => ({
      ...{ name, model, null_reason: accountReason(model, name, now), horizon_days: horizonOf(name, model?.churn_days ?? 0) || null },
      figures: model?.scores[name] ?? null,
    }),
  );
  return { model, scores: [...ofPurchases, ...accountChannelScores(engagement.model, now)] };
}

/** One of them. Throws `not_found` for another name. */
export async function readAccountScore(log: EventLog, account: string, name: string, now: number): Promise<AccountScore> {
  const known = [...scoreNames, ...channelScoreNames].find((one) => one === name);
  if (!known) throw notFound('score', name);
  const { scores } = await readAccountScores(log, account, now);
  const unused = { name: known, model: null, null_reason: 'insufficient_account_data', horizon_days: null, figures: null } as const;
  return scores.find((one) => one.name === known) ?? unused;
}
