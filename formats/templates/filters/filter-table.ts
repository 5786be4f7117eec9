import { ownField } from '../../../domain/kernel/own-fields.js';
import { isNil, isTrue, plainOf } from '../values.js';
import { dateFilters } from './dates.js';
import { digestFilters } from './digests.js';
import type { FilterTable } from './filter.js';
import { listFilters } from './lists.js';
import { numberFilters } from './numbers.js';
import { peopleFilters } from './people.js';
import { textFilters } from './texts.js';

function valueOrDefault(value: unknown, otherwise: unknown, ...named: unknown[]): unknown {
  const options = [otherwise, ...named].filter((one): one is [string, unknown] => Array.isArray(one) && one[0] === 'allow_false');
  const instead = options.some((one) => one === otherwise) ? '' : otherwise;
  const plain = plainOf(value);
  const isEmpty = plain === '' || (typeof plain === 'object' && plain !== null && Object.keys(plain).length === 0);
  const isMissing = options.some(([, allowed]) => isTrue(allowed)) ? isNil(value) : !isTrue(value);
  return isMissing || isEmpty ? (instead ?? '') : value;
}

/** The filters that are Shopify's, and those for people. The library gives a few more. */
export const filterTable: FilterTable = {
  ...numberFilters,
  ...textFilters,
  ...listFilters,
  ...digestFilters,
  ...dateFilters,
  ...peopleFilters,
  default: [0, 1, valueOrDefault],
};

/** What is wrong with the number of arguments of a filter; undefined where nothing is. */
export function argumentsProblem(name: string, given: number): string | undefined {
  const known = ownField(filterTable, name);
  if (!known) return undefined;
  const [least, most] = known;
  if (given >= least && given <= most) return undefined;
  const wanted = least === most ? String(most) : `${least} to ${most}`;
  return `the filter \`${name}\` takes ${wanted === '0' ? 'no' : wanted} argument${wanted === '1' ? '' : 's'}, not ${given}`;
}
