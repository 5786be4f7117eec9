/** Decimal numbers of any length, so that 0.1 + 0.2 is 0.3. */

/** `digits` / 10 ** `scale`. */
export interface Decimal {
  readonly digits: bigint;
  readonly scale: number;
}

/** Digits of a quotient after the point: more than a number of the result has. */
const QUOTIENT_SCALE = 40;

/** The decimal that a number is written as. It is finite. */
export function decimalOf(number: number): Decimal {
  const [mantissa = '0', exponent = '0'] = String(number).split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  const digits = BigInt(whole + fraction);
  const scale = fraction.length - Number(exponent);
  return scale >= 0 ? { digits, scale } : { digits: digits * 10n ** BigInt(-scale), scale: 0 };
}

/** The nearest number. */
export function nearestNumber({ digits, scale }: Decimal): number {
  return Number(`${digits}e-${scale}`);
}

function aligned(a: Decimal, b: Decimal): { readonly a: bigint; readonly b: bigint; readonly scale: number } {
  const scale = Math.max(a.scale, b.scale);
  return { a: a.digits * 10n ** BigInt(scale - a.scale), b: b.digits * 10n ** BigInt(scale - b.scale), scale };
}

export function sumOf(one: Decimal, other: Decimal): Decimal {
  const { a, b, scale } = aligned(one, other);
  return { digits: a + b, scale };
}

export const negated = ({ digits, scale }: Decimal): Decimal => ({ digits: -digits, scale });

export const productOf = (one: Decimal, other: Decimal): Decimal => ({ digits: one.digits * other.digits, scale: one.scale + other.scale });

/** The divisor is not 0. */
export function quotientOf(one: Decimal, other: Decimal): Decimal {
  const { a, b } = aligned(one, other);
  return { digits: (a * 10n ** BigInt(QUOTIENT_SCALE)) / b, scale: QUOTIENT_SCALE };
}

/** Rounded down, as whole numbers divide. The divisor is not 0. */
export function wholeQuotientOf(one: Decimal, other: Decimal): Decimal {
  const { a, b } = aligned(one, other);
  return { digits: floorDivided(a, b), scale: 0 };
}

/** What is left, with the sign of the divisor, which is not 0. */
export function remainderOf(one: Decimal, other: Decimal): Decimal {
  const { a, b, scale } = aligned(one, other);
  return { digits: a - floorDivided(a, b) * b, scale };
}

/** To so many digits after the point, or before it where `places` is negative; halves away from zero. */
export function roundedTo({ digits, scale }: Decimal, places: number): Decimal {
  if (places >= scale) return { digits, scale };
  const unit = 10n ** BigInt(scale - places);
  const size = digits < 0n ? -digits : digits;
  const whole = (size + unit / 2n) / unit;
  const signed = digits < 0n ? -whole : whole;
  return places >= 0 ? { digits: signed, scale: places } : { digits: signed * 10n ** BigInt(-places), scale: 0 };
}

export const floorOf = ({ digits, scale }: Decimal): Decimal => ({ digits: floorDivided(digits, 10n ** BigInt(scale)), scale: 0 });

function floorDivided(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b !== 0n && a < 0n !== b < 0n ? quotient - 1n : quotient;
}
