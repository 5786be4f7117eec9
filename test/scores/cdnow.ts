import { readFileSync } from 'node:fs';
import type { Purchase } from '../../domain/scores/purchase-history.js';

const DAY_MS = 86_400_000;
const file = new URL('../../../test/scores/cdnow-sample.txt', import.meta.url);

/**
 * The purchases of 2,357 customers of an online shop in 1997 and 1998, by customer (Fader and Hardie's 1-in-10 sample of the
 * CDNOW data). Days are counted from 1970-01-01.
 */
export function cdnow(): ReadonlyMap<string, readonly Purchase[]> {
  const customers = new Map<string, Purchase[]>();
  for (const line of readFileSync(file, 'utf8').trim().split('\n')) {
    const [, id = '', date = '', , dollars = ''] = line.trim().split(/\s+/);
    const purchases = customers.get(id) ?? [];
    purchases.push({ day: dayOf(`${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}`), value: Number(dollars) });
    customers.set(id, purchases);
  }
  return customers;
}

/** The day of a date such as `1997-09-30`. */
export const dayOf = (date: string): number => Date.parse(`${date}T00:00:00Z`) / DAY_MS;
