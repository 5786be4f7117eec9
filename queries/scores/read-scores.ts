import { notFound } from '../../domain/kernel/errors.js';
import type { ReadModels } from '../../domain/kernel/ports.js';
import { type ContactFigures, type Driver, figuresOfContact } from '../../domain/scores/explain.js';
import { bandOf, MODEL, percentileOf, type ScoreValue, scoreContact } from '../../domain/scores/score-contact.js';
import type { PurchaseSource, ScoreModel, ScoreQuality } from '../../domain/scores/score-model.js';
import { type Band, horizonOf, isFact, type NullReason, type ScoreName, scoreNames } from '../../domain/scores/scores.js';
import { findContact } from '../../log/contacts/find-contact.js';
import type { EventLog } from '../../log/event-log.js';
import { loadScoreModel } from '../../log/scores/load-score-model.js';
import { buyerQueries } from './buyers.js';

/** A score of a contact with all that explains it. */
export interface ScoreView {
  readonly name: ScoreName;
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
  readonly explanation: Explanation | null;
  readonly quality: ScoreQuality | null;
}

interface Explanation {
  readonly inputs: ContactFigures['inputs'];
  readonly p_alive: number | null;
  readonly percentile: number | null;
  readonly baseline: number | null;
  readonly drivers: readonly Driver[];
}

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

/**
 * The scores of a contact at a time, computed from what was known then: its purchases and the model in force. Throws `not_found` and
 * `contact_erased`.
 */
export async function readContactScores(
  { log, views }: { readonly log: EventLog; readonly views: ReadModels },
  source: PurchaseSource,
  { account, id, at, past }: AskedScores,
): Promise<ContactScores> {
  const until = past ? at : undefined;
  const { root, united } = await findContact(log, account, id, until);
  const { model } = await loadScoreModel(log, account, until);
  const ids = united.members.map((member) => member.id);
  const history = await buyerQueries({ log, views }).purchasesOf(account, ids, model?.purchase ?? source, until);
  const now = Date.parse(at);
  const figures = figuresOfContact(model, history.purchases, now);
  const [own = null] = history.currencies;
  const scores = scoreContact(model, history, now).map((score) => viewOf(score, { model, figures, at, currency: model ? model.currency : own }));
  return { contact_id: root.id, as_of: at, scores };
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

function explanationOf({ name, value }: ScoreValue, { model, figures }: Surroundings): Explanation | null {
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

/** The model in force, with what is known of a score. Throws `not_found` for another name. */
export async function readScore(
  log: EventLog,
  account: string,
  name: string,
): Promise<{ readonly name: ScoreName; readonly model: ScoreModel | null }> {
  const found = scoreNames.find((one) => one === name);
  if (!found) throw notFound('score', name);
  return { name: found, model: (await loadScoreModel(log, account)).model };
}
