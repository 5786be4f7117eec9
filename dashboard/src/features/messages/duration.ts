const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

/** A duration in its largest unit: 340 ms, 2.5 s, 3 min. */
export function durationWords(ms: number, locale: string): string {
  const [unit, size] = UNITS.find(([, most]) => ms >= most) ?? (['millisecond', 1] as const);
  const maximumFractionDigits = unit === 'second' ? 1 : 0;
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits }).format(ms / size);
}
