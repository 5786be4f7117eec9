import fc from 'fast-check';
import { isDomainError } from '../../domain/kernel/errors.js';
import type { EventStore } from '../../domain/kernel/ports.js';
import { readContact } from '../../projections/contacts/read-contact.js';
import { ACCOUNT, type TestApp } from './test-app.js';
import { withAppend } from './with-append.js';

class Killed extends Error {}

/** A node: how many microtasks each of its appends takes, and after how many appends it is killed. */
export const racingNode = fc.record({
  paces: fc.array(fc.nat({ max: 6 }), { minLength: 1, maxLength: 12 }),
  killedAt: fc.option(fc.nat({ max: 30 }), { nil: null }),
});
type Node = typeof racingNode extends fc.Arbitrary<infer N> ? N : never;

/** A log whose appends take different times and fail from `killedAt` on. */
export function racingLog(events: EventStore, { paces, killedAt }: Node): EventStore {
  let taken = 0;
  const pass = async (nth: number): Promise<void> => {
    for (let turns = paces[nth % paces.length] ?? 0; turns > 0; turns--) await null;
  };
  return withAppend(events, async (...given) => {
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

/** One of a few contacts, with one or two addresses. */
export const contactInput = fc.oneof(
  fc.record({ email: emails }),
  fc.record({ phone: phones }),
  fc.record({ email: emails, phone: phones }),
) as fc.Arbitrary<Record<string, unknown>>;

/** Returns null for a DomainError with one of these codes, and rethrows anything else. */
export const rethrowUnless =
  (...codes: string[]) =>
  (e: unknown): null => {
    if (isDomainError(e) && codes.includes(e.code)) return null;
    throw e;
  };

/** Awaits all; throws the first failure other than a kill. */
export async function settleAll(work: readonly Promise<unknown>[]): Promise<void> {
  for (const one of await Promise.allSettled(work)) if (one.status === 'rejected' && !(one.reason instanceof Killed)) throw one.reason;
}

/** Ids of all contacts ever created. */
export async function createdContactIds(app: TestApp): Promise<string[]> {
  const { events } = await app.engine.events.readAll('start', 100_000);
  return [...new Set(events.filter(({ type }) => type === 'ContactCreated').map(({ stream }) => stream.replace('contact-', '')))];
}

/** All contacts that are not merged into another, deleted or erased. */
export async function rootContacts(app: TestApp) {
  const shown = await Promise.all(
    (await createdContactIds(app)).map((id) => readContact(app.log, ACCOUNT, id).catch(rethrowUnless('not_found', 'contact_erased'))),
  );
  return shown.flatMap((one) => (one && one.merged_into === null ? [one.resource] : []));
}
