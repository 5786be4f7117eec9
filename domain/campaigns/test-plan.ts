/** What a test of variants can find, before it begins. */
import { contactsPerArm } from './ab-test.js';
import type { CampaignDefinition } from './definition.js';

export interface TestPlan {
  /** Contacts that each variant goes to, in the mean: of a sample by chance it is never exactly so many. */
  readonly variants: readonly { readonly key: string; readonly contacts: number }[];
  /** The rate of the metric that is expected. */
  readonly rate: number;
  /** The smallest difference between two rates that is found in four of five tests; null where nobody takes part. */
  readonly smallest_difference: number | null;
  /** Contacts that each variant needs to find a difference of a tenth of the rate. */
  readonly needed: number;
  readonly wording: string;
}

/** Rates that are assumed of an account that has sent too little. */
export const ASSUMED_RATES = { click_rate: 0.02, open_rate: 0.2 } as const;

/** Null where the campaign has no test. */
export function testPlan({ ab_test, variants }: Pick<CampaignDefinition, 'ab_test' | 'variants'>, reachable: number, rate: number): TestPlan | null {
  if (!ab_test) return null;
  const sample = (reachable * ab_test.sample_percent) / 100;
  const weights = variants.reduce((sum, { weight }) => sum + weight, 0);
  const shares = variants.map(({ key, weight }) => ({ key, contacts: Math.round((sample * weight) / weights) }));
  const least = Math.min(...shares.map(({ contacts }) => contacts));
  const difference = least > 0 ? Math.sqrt((16 * rate * (1 - rate)) / least) : null;
  const found = difference === null || difference >= 1 ? null : difference;
  const needed = contactsPerArm(rate, rate / 10);
  return { variants: shares, rate, smallest_difference: found, needed, wording: wordingOf(least, rate, found, needed) };
}

const percent = (part: number): string => `${(100 * part).toFixed(1)} %`;
const number = (count: number): string => count.toLocaleString('en-US');

function wordingOf(least: number, rate: number, difference: number | null, needed: number): string {
  const aim = `A difference of a tenth of that rate needs ${number(needed)} contacts for each variant.`;
  if (difference === null) return `The sample is too small to find any difference at a rate of ${percent(rate)}. ${aim}`;
  const found = `a difference of ${(100 * difference).toFixed(1)} percentage points or more is found in four of five tests`;
  return `With ${number(least)} contacts for the smallest variant and a rate of ${percent(rate)}, ${found}. ${aim}`;
}
