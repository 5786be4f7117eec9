/** From the most particular to the most general: Edge also says Chrome, and Chrome also says Safari. */
const browsers: readonly (readonly [sign: string, name: string])[] = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
];
const systems: readonly (readonly [sign: string, name: string])[] = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
];

/** A browser in words, such as `Firefox, Windows`; its own name for itself where it has none of the usual ones. Null if it gave none. */
export function browserOf(userAgent: string | null): string | null {
  if (userAgent === null) return null;
  const first = (names: typeof browsers): string | undefined => names.find(([sign]) => userAgent.includes(sign))?.[1];
  const browser = first(browsers);
  return browser === undefined ? userAgent : [browser, first(systems)].filter(Boolean).join(', ');
}
