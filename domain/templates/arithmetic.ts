/** How the filters of a content calculate. It is stored with the content, so that what is published goes on as it was tried. */
import { oneOf, type Static } from '../kernel/schema.js';

export const arithmetic = oneOf('decimals', 'floats');
export type Arithmetic = Static<typeof arithmetic>;

/** What is stored with a content, or with the definition that holds it. */
export interface CalculatedContent {
  /** Absent of what is from before there were decimals. */
  readonly arithmetic?: Arithmetic;
}

/** How a stored content calculates. */
export const arithmeticOf = (stored: CalculatedContent): Arithmetic => stored.arithmetic ?? 'floats';

/** Whether a change made a content calculate in another way than before. */
export const calculatesAnew = (before: CalculatedContent, after: CalculatedContent): boolean => arithmeticOf(before) !== arithmeticOf(after);
