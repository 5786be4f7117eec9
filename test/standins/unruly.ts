import fc from 'fast-check';
import type { EventStore } from '../../domain/kernel/ports.js';
import { appendingBy } from './appending-by.js';

export class Killed extends Error {}

/** A process: how long its appends take, in turns of others, and after how many it is killed. */
export const node = fc.record({
  paces: fc.array(fc.nat({ max: 6 }), { minLength: 1, maxLength: 12 }),
  killedAt: fc.option(fc.nat({ max: 30 }), { nil: null }),
});
export type Node = typeof node extends fc.Arbitrary<infer N> ? N : never;

/** A log whose appends take different times, and which takes so many and no more. */
export function unruly(events: EventStore, { paces, killedAt }: Node): EventStore {
  let taken = 0;
  const pass = async (nth: number): Promise<void> => {
    for (let turns = paces[nth % paces.length] ?? 0; turns > 0; turns--) await null;
  };
  return appendingBy(events, async (...given) => {
    const nth = taken++;
    await pass(2 * nth);
    if (killedAt !== null && nth >= killedAt) throw new Killed();
    const appended = await events.append(...given);
    await pass(2 * nth + 1);
    return appended;
  });
}

const emails = fc.constantFrom('ada@example.com', 'eve@example.com', 'bob@example.com');
const phones = fc.constantFrom('+14155550100', '+14155550101', '+14155550102');

/** Somebody of few, by one address or by two. */
export const person = fc.oneof(
  fc.record({ email: emails }),
  fc.record({ phone: phones }),
  fc.record({ email: emails, phone: phones }),
) as fc.Arbitrary<Record<string, unknown>>;
