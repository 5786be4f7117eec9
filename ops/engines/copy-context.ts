import { type Clock, OutcomeUnknown, StoreUnavailable } from '../../domain/kernel/ports.js';

export type Phase = 'comparing' | 'keys' | 'copying' | 'verifying';

/** Progress of a phase. */
export interface CopyProgress {
  readonly phase: Phase;
  /** Events, or keys in the phase of keys. */
  readonly done: number;
  /** From 0 to 1, by the position in the log; null if the end is unknown. */
  readonly fraction: number | null;
}

/** Dependencies of a copy. */
export interface CopyContext {
  readonly clock: Clock;
  /** Interrupts the copy after the append in flight. */
  readonly signal: AbortSignal;
  readonly report: (progress: CopyProgress) => void;
}

/** The target does not hold a prefix of the source. It is not changed. */
export class CopyRefused extends Error {
  override readonly name = 'CopyRefused';
}

/** The copy was interrupted. The next run resumes where it ended. */
export class CopyInterrupted extends Error {
  override readonly name = 'CopyInterrupted';
  constructor() {
    super('Interrupted. Run it again to continue.');
  }
}

/** Throws CopyInterrupted once the signal has aborted. */
export function throwIfInterrupted({ signal }: CopyContext): void {
  if (signal.aborted) throw new CopyInterrupted();
}

/** Delays between attempts in milliseconds. The sum covers a restart of the server. */
const RETRY_DELAYS_MS: readonly number[] = [100, 300, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000];

/**
 * Repeats an idempotent call while its store is unavailable or its outcome is unknown. After the last attempt throws its
 * failure, and any other failure at once.
 */
export async function withRetries<T>(context: CopyContext, call: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await call();
    } catch (e) {
      const pause = RETRY_DELAYS_MS[attempt];
      if (pause === undefined || !(e instanceof StoreUnavailable || e instanceof OutcomeUnknown)) throw e;
      await context.clock.sleep(pause, context.signal);
      throwIfInterrupted(context);
    }
  }
}
