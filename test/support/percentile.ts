/** The value that the share `of` of all values does not exceed; 0 of none. */
export const percentile = (values: readonly number[], of: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * of))] ?? 0;
