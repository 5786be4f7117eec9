import { createHash, randomBytes, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { Timer } from '../../../domain/kernel/clock.js';
import type { Clock, EventStore, KeyRow, KeyStore, LogEngine, NewEvent, RecordedEvent } from '../../../domain/kernel/ports.js';
import { openMemoryLog } from '../../../engines/memory/index.js';
import type { Source, Target } from '../../../ops/engines/copy.js';
import type { CopyContext, CopyProgress } from '../../../ops/engines/copy-context.js';
import { everythingAfter } from '../../contract/helpers.js';

/** Appends in order: the number of a stream, and the number of events. */
export type Plan = readonly { readonly stream: number; readonly events: number }[];

export const plans: fc.Arbitrary<Plan> = fc.array(fc.record({ stream: fc.nat(8), events: fc.integer({ min: 1, max: 5 }) }), { maxLength: 40 });

/** A deterministic plan of `count` appends to a growing number of streams. */
export function planOf(appends: number): Plan {
  let seed = 7;
  const draw = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  return Array.from({ length: appends }, (_, n) => ({ stream: draw(1 + Math.floor(n / 3)), events: 1 + draw(4) }));
}

/** Writes a plan to a log, after existing events of its streams. */
export async function write(store: EventStore, plan: Plan): Promise<void> {
  const heads = new Map<number, number>();
  for (const { stream: number, events } of plan) {
    const stream = `item-${number}`;
    const there = heads.has(number) ? 'known' : await store.read(stream, { backwards: true, limit: 1 });
    const head = heads.get(number) ?? (there === 'not-found' || there === 'known' ? -1 : (there[0]?.revision ?? -1));
    await store.append(
      stream,
      head < 0 ? 'no-stream' : head,
      Array.from({ length: events }, (_, i) => eventOf(stream, head + 1 + i)),
    );
    heads.set(number, head + events);
  }
}

function eventOf(stream: string, revision: number): NewEvent {
  const data = { n: revision, sealed: `key.${randomBytes(30).toString('base64')}`, text: 'Żółć 😀 "quoted"\u2028' };
  return {
    id: randomUUID(),
    type: `Type${revision % 3}`,
    data: JSON.stringify(data),
    metadata: JSON.stringify({ $correlationId: stream, account: 'acc_1' }),
  };
}

/** The events without their positions, which differ between source and copy. */
export const contents = async (store: EventStore) => (await everythingAfter(store, 'start')).map(withoutPosition);
export const withoutPosition = ({ position: _, ...event }: RecordedEvent) => event;

export async function keysIn(store: KeyStore): Promise<string[]> {
  const rows = await store.page(null, 100_000);
  return rows.map(({ id, subject, seed }) => `${id} ${subject} ${Buffer.from(seed).toString('hex')}`);
}

export const newKey = (subject: string, id: string = randomUUID()): KeyRow => ({ id, subject, seed: createHash('sha256').update(id).digest() });

export const newLog = (): LogEngine => openMemoryLog();
export const asSource = ({ events, keys }: LogEngine): Source => ({ events, keys });
export const asTarget = ({ events, keys }: LogEngine): Target => ({ events, keys });

/** A clock whose sleeps and timers end at once. */
export class InstantClock implements Clock {
  slept = 0;
  now(): number {
    return this.slept;
  }
  monotonic(): number {
    return this.slept;
  }
  async sleep(ms: number): Promise<void> {
    this.slept += ms;
  }
  timer(ms: number, callback: () => void): Timer {
    this.slept += ms;
    const immediate = setImmediate(callback);
    return { cancel: () => clearImmediate(immediate) };
  }
  yieldToEventLoop(): Promise<void> {
    return new Promise((resolve) => setImmediate(resolve));
  }
}

/** The context of a copy, which records its progress and is interrupted once `ends` returns true. */
export function contextUntil(
  ends: (progress: CopyProgress) => boolean = () => false,
): CopyContext & { readonly reported: CopyProgress[]; readonly clock: InstantClock } {
  const ending = new AbortController();
  const reported: CopyProgress[] = [];
  const report = (progress: CopyProgress): void => {
    reported.push(progress);
    if (ends(progress)) ending.abort();
  };
  return { clock: new InstantClock(), signal: ending.signal, report, reported };
}
