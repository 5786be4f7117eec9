/** In Unicode code points. */
export const passwordLength = { min: 10, max: 200 } as const;
