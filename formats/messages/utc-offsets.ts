import { IANAZone } from 'luxon';
import type { UtcOffsetAt } from '../../domain/kernel/clocks.js';

const MINUTE = 60_000;

/** How far the clocks of an IANA zone are ahead of UTC, or null if there is no such zone. */
export function utcOffsetsOf(zone: string): UtcOffsetAt | null {
  const iana = IANAZone.create(zone);
  return iana.isValid ? (ms) => Math.round(iana.offset(ms) * MINUTE) : null;
}
