import { type Clock, OutcomeUnknown, StoreUnavailable } from '../../domain/kernel/ports.js';

export type Phase = 'comparing' | 'keys' | 'copying' | 'verifying';

/** How far a phase is. */
export interface Progress {
  readonly phase: Phase;
  /** Events, or keys in the phase of keys. */
  readonly done: number;
  /** From 0 to 1, by the place in the log; null where the end is not known. */
  readonly fraction: number | null;
}

/** What a copying runs under. */
export interface CopyContext {
  readonly clock: Clock;
  /** Ends it after the append under way. */
  readonly signal: AbortSignal;
  readonly report: (progress: Progress) => void;
}

/** The target holds something else than the beginning of the source. Nothing of it is changed. */
export class CopyRefused extends Error {
  override readonly name = 'CopyRefused';
}

/** The copying was told to end. What was copied stays, and the next run goes on from there. */
export class CopyInterrupted extends Error {
  override readonly name = 'CopyInterrupted';
  constructor() {
    super('Interrupted. Run it again: it goes on where it ended.');
  }
}

/** Throws CopyInterrupted once the signal has aborted. */
export function throwIfInterrupted({ signal }: CopyContext): void {
  if (signal.aborted) throw new CopyInterrupted();
}

/** Between attempts, in milliseconds: as long in all as a server takes to start again. */
const RETRY_DELAYS_MS: readonly number[] = [100, 300, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000];

/**
 * Repeats a call that can be repeated while its store is away or its outcome is not known. In the end the failure is
 * thrown, as any other is at once.
 */
export async function withRetries<T>(work: CopyContext, call: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await call();
    } catch (e) {
      const pause = RETRY_DELAYS_MS[attempt];
      if (pause === undefined || !(e instanceof StoreUnavailable || e instanceof OutcomeUnknown)) throw e;
      await work.clock.sleep(pause, work.signal);
      throwIfInterrupted(work);
    }
  }
}
