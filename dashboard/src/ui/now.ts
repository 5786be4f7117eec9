import { useSyncExternalStore } from 'react';

/** Milliseconds between two looks at the clock. */
const EVERY = 20_000;

let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  now = Date.now();
  timer ??= setInterval(() => {
    now = Date.now();
    for (const one of listeners) one();
  }, EVERY);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The time, a few seconds old; a part that uses it is drawn again as it passes. */
export const useNow = (): Date => new Date(useSyncExternalStore(subscribe, () => now));
