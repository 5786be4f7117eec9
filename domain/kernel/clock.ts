/** A callback that is due once. */
export interface Timer {
  /** The callback is no longer called. */
  cancel(): void;
}

/** The port for time: the time of day, durations, timers. */
export interface Clock {
  /** The time of day, in milliseconds since 1970. It may jump. */
  now(): number;
  /** Milliseconds since an arbitrary moment, with fractions. It never goes back: for durations. */
  monotonic(): number;
  /** Resolves after this many milliseconds, or at once when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls back once after this many milliseconds, unless canceled. */
  timer(ms: number, callback: () => void): Timer;
  /** Resolves after all callbacks that wait for this thread's event loop have run. */
  yieldToEventLoop(): Promise<void>;
}
