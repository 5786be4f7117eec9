/** How good predicted probabilities were, once it is known what happened, and the gate that decides whether they are shown. */

/** A predicted probability, and whether it happened. */
export interface PredictionOutcome {
  readonly predicted: number;
  readonly happened: boolean;
}

/** The mean squared error (Brier, 1950): 0 is perfect. */
export const brier = (outcomes: readonly PredictionOutcome[]): number =>
  mean(outcomes.map(({ predicted, happened }) => (predicted - Number(happened)) ** 2));

/**
 * The probability that somebody for whom it happened had a higher prediction than somebody for whom it did not (the area under
 * the ROC curve); equal predictions count half. Null if it happened for all or none.
 */
export function auc(outcomes: readonly PredictionOutcome[]): number | null {
  const sorted = [...outcomes].sort((a, b) => a.predicted - b.predicted);
  const happened = sorted.filter((outcome) => outcome.happened).length;
  const others = sorted.length - happened;
  if (happened === 0 || others === 0) return null;
  let rankSum = 0;
  for (let i = 0; i < sorted.length; ) {
    let end = i;
    while (end < sorted.length && sorted[end]?.predicted === sorted[i]?.predicted) end++;
    const rank = (i + 1 + end) / 2;
    for (let j = i; j < end; j++) if (sorted[j]?.happened) rankSum += rank;
    i = end;
  }
  return (rankSum - (happened * (happened + 1)) / 2) / (happened * others);
}

/** One group of a reliability diagram: people with similar predictions. */
export interface ReliabilityBin {
  readonly n: number;
  readonly predicted: number;
  readonly observed: number;
}

/** Groups of equal size, by rising prediction: how often it was predicted and how often it happened. */
export function reliability(outcomes: readonly PredictionOutcome[], bins = 10): readonly ReliabilityBin[] {
  const sorted = [...outcomes].sort((a, b) => a.predicted - b.predicted);
  return Array.from({ length: bins }, (_, i) => sorted.slice(Math.round((i * sorted.length) / bins), Math.round(((i + 1) * sorted.length) / bins)))
    .filter((group) => group.length > 0)
    .map((group) => ({ n: group.length, predicted: mean(group.map((o) => o.predicted)), observed: mean(group.map((o) => Number(o.happened))) }));
}

/** The expected calibration error: by how much the groups of a reliability diagram are off, on average. */
export const calibrationError = (outcomes: readonly PredictionOutcome[]): number =>
  reliability(outcomes).reduce((sum, { n, predicted, observed }) => sum + (n / outcomes.length) * Math.abs(predicted - observed), 0);

/**
 * How much of the possible lift the ranking reaches: the area between the curve of gains and the diagonal, as a share of that of
 * a perfect ranking. 1 is perfect, 0 is chance. It equals 2 AUC - 1.
 */
export const liftQuality = (outcomes: readonly PredictionOutcome[]): number | null => {
  const area = auc(outcomes);
  return area === null ? null : 2 * area - 1;
};

/** A share of people by the number of days since their last purchase: the baseline that a model must beat. */
export interface RecencyBaseline {
  /** Last day of each group but the last, rising. */
  readonly bounds: readonly number[];
  readonly shares: readonly number[];
}

const RECENCY_GROUPS = 10;

/** Learns the baseline from what happened in an earlier window. */
export function recencyBaseline(past: readonly { readonly recency: number; readonly happened: boolean }[]): RecencyBaseline {
  const sorted = [...past].sort((a, b) => a.recency - b.recency);
  const bounds = new Set<number>();
  for (let i = 1; i < RECENCY_GROUPS; i++) {
    const bound = sorted[Math.ceil((i * sorted.length) / RECENCY_GROUPS) - 1]?.recency;
    if (bound !== undefined) bounds.add(bound);
  }
  const rising = [...bounds];
  const overall = mean(sorted.map(({ happened }) => Number(happened)));
  const groups = Array.from({ length: rising.length + 1 }, (): number[] => []);
  for (const { recency, happened } of sorted) groups[groupOf(rising, recency)]?.push(Number(happened));
  return { bounds: rising, shares: groups.map((group) => (group.length === 0 ? overall : mean(group))) };
}

/** What the baseline predicts for somebody with this number of days since the last purchase. */
export const predictByRecency = ({ bounds, shares }: RecencyBaseline, recency: number): number => shares[groupOf(bounds, recency)] ?? 0;

function groupOf(bounds: readonly number[], recency: number): number {
  const index = bounds.findIndex((bound) => recency <= bound);
  return index < 0 ? bounds.length : index;
}

/** The figures of a back-test: the last days are held out and predicted from what was known before. */
export interface Quality {
  readonly auc: number | null;
  readonly auc_recency: number | null;
  readonly brier: number;
  readonly brier_recency: number;
  readonly ece: number;
  readonly lift_quality: number | null;
  readonly mean_predicted: number;
  readonly observed: number;
  /** Number of customers. */
  readonly n: number;
}

export function qualityOf(outcomes: readonly PredictionOutcome[], byRecency: readonly PredictionOutcome[]): Quality {
  return {
    auc: auc(outcomes),
    auc_recency: auc(byRecency),
    brier: brier(outcomes),
    brier_recency: brier(byRecency),
    ece: calibrationError(outcomes),
    lift_quality: liftQuality(outcomes),
    mean_predicted: mean(outcomes.map(({ predicted }) => predicted)),
    observed: mean(outcomes.map(({ happened }) => Number(happened))),
    n: outcomes.length,
  };
}

const MAX_BRIER_RATIO = 0.98;
const MAX_AUC_LOSS = 0.01;
const MAX_BIAS = 0.25;

/**
 * Whether a model is good enough to be shown: better calibrated than the baseline and than the same number for everybody, no worse in
 * ranking, and without a large bias. Where purchases follow no pattern the baseline alone is easily beaten, since it has learned noise.
 */
export function passesGate({ auc: area, auc_recency, brier: error, brier_recency, mean_predicted, observed }: Quality): boolean {
  if (area === null || auc_recency === null) return false;
  const constant = observed * (1 - observed);
  return (
    error <= MAX_BRIER_RATIO * Math.min(brier_recency, constant) &&
    area >= auc_recency - MAX_AUC_LOSS &&
    Math.abs(mean_predicted - observed) <= MAX_BIAS * observed
  );
}

const mean = (values: readonly number[]): number => (values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length);
