import { IANAZone } from 'luxon';
import { DAY_MS, type UtcOffsetAt, utcClocks } from '../../domain/kernel/clocks.js';

const MINUTE = 60_000;

/** How far the clocks of an IANA zone are ahead of UTC, or null if there is no such zone. */
export function utcOffsetsOf(zone: string): UtcOffsetAt | null {
  const iana = IANAZone.create(zone);
  return iana.isValid ? (ms) => Math.round(iana.offset(ms) * MINUTE) : null;
}

/** Those that an account names, or those of UTC. */
export const zoneClocks = (zone: string | null | undefined): UtcOffsetAt => (zone ? utcOffsetsOf(zone) : null) ?? utcClocks;

/** Days that are held of a zone: more than a century. */
const HELD_DAYS = 50_000;

/** The same, fast when asked often: zones take long to ask, and few days have a change of clocks. */
export function dailyOffsets(offsetAt: UtcOffsetAt): UtcOffsetAt {
  const known = new Map<number, number | null>();
  return (ms) => {
    const day = Math.floor(ms / DAY_MS);
    let offset = known.get(day);
    if (offset === undefined) {
      const [first, last] = [offsetAt(day * DAY_MS), offsetAt((day + 1) * DAY_MS - 1)];
      offset = first === last ? first : null;
      if (known.size >= HELD_DAYS) known.clear();
      known.set(day, offset);
    }
    return offset ?? offsetAt(ms);
  };
}

/** The clocks of contacts by their time zones: those of the account where a contact has none. Each zone is looked up once. */
export function contactClocks(account: string): (zone: unknown) => UtcOffsetAt {
  const fallback = dailyOffsets(zoneClocks(account));
  const known = new Map<string, UtcOffsetAt>();
  return (zone) => {
    if (typeof zone !== 'string') return fallback;
    const held = known.get(zone);
    if (held) return held;
    const own = utcOffsetsOf(zone);
    const clocks = own ? dailyOffsets(own) : fallback;
    known.set(zone, clocks);
    return clocks;
  };
}
