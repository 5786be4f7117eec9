import { fitPurchases } from '../domain/scores/fit.js';
import { fitAccount } from '../domain/scores/fit-account.js';
import { type PurchaseSummary, summarize } from '../domain/scores/purchase-history.js';
import { expectedPurchases, probabilityOfPurchase } from '../domain/scores/purchase-model.js';
import { sampleBuyers } from '../domain/scores/sample-buyers.js';
import { PUBLISHED_PARAMETERS } from '../domain/scores/sample-purchases.js';
import { answerJob } from './job-entry.js';

/** Fits simulated buyers and scores contacts, without a service. */
export interface FitJob {
  readonly buyers: number;
  readonly contacts: number;
}

/** Milliseconds of CPU. */
export interface FitResult {
  readonly modelMs: number;
  /** With the back-tests of all scores. */
  readonly accountMs: number;
  /** The expectation of a year and the probability of 90 days of every contact. */
  readonly scoringMs: number;
}

const DAYS = 365;
const purchase = { event: 'purchase', value_property: 'value', currency_property: 'currency' };

async function run({ buyers, contacts }: FitJob): Promise<FitResult> {
  const all = sampleBuyers({ count: buyers, seed: 1, parameters: PUBLISHED_PARAMETERS, days: DAYS, newDays: DAYS / 2 });
  const summaries = all.map(({ purchases }) => summarize(purchases, DAYS - 1) as PurchaseSummary);
  const [model, modelMs] = cpuOf(() => fitPurchases('mbg-nbd', summaries));
  const histories = all.map(({ purchases }) => ({ purchases, currencies: ['EUR'] }));
  const [, accountMs] = cpuOf(() => fitAccount({ buyers: histories, purchase, churn_days: 90, today: DAYS }));
  const [sum, scoringMs] = cpuOf(() => {
    let total = 0;
    for (let n = 0; n < contacts; n++) {
      const buyer = summaries[n % summaries.length] as PurchaseSummary;
      total += expectedPurchases('mbg-nbd', model.parameters, buyer, 365) + probabilityOfPurchase('mbg-nbd', model.parameters, buyer, 90);
    }
    return total;
  });
  if (!(sum > 0)) throw new Error('no scores');
  return { modelMs, accountMs, scoringMs };
}

function cpuOf<T>(work: () => T): readonly [T, number] {
  const before = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(before);
  return [result, (user + system) / 1_000];
}

answerJob(run);
