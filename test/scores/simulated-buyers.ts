import type { Purchase } from '../../domain/scores/purchase-history.js';
import type { PurchaseParameters } from '../../domain/scores/purchase-model.js';
import { type BuyerOptions, type SampleBuyer, sampleBuyers } from '../../domain/scores/sample-buyers.js';

/** Customers whose first purchase is on one of the first 84 of 365 days. Day 364 is today. */
export const simulatedBuyers = (
  count: number,
  parameters: PurchaseParameters,
  seed: number,
  options: Partial<BuyerOptions> = {},
): readonly SampleBuyer[] => sampleBuyers({ count, seed, parameters, days: 365, newDays: 84, ...options });

export const purchasesOf = ({ purchases }: SampleBuyer): readonly Purchase[] => purchases;
