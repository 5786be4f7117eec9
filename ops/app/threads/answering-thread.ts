import { Worker } from 'node:worker_threads';
import type { Clock } from '../../../domain/kernel/clock.js';

export interface AnsweringThread {
  readonly entry: URL;
  readonly name: string;
  readonly timeoutMs: number;
  readonly maxMemoryMb: number;
}

/**
 * Asks a thread of its own, one question at a time. It starts with the first question and does not keep the process alive. The answer is
 * null where the thread says so, ends, or takes too long or too much memory; the next question then goes to another thread. Rejects with
 * the reason of `signal` once that aborts: what is asked already ends with its thread, and what waits is never asked.
 */
export function answeringThread<Question, Answer>(
  clock: Pick<Clock, 'timer'>,
  { entry, name, timeoutMs, maxMemoryMb }: AnsweringThread,
): (question: Question, signal?: AbortSignal) => Promise<Answer | null> {
  let worker: Worker | null = null;
  let before: Promise<unknown> = Promise.resolve();

  function running(): Worker {
    if (worker) return worker;
    const started = new Worker(entry, { name, resourceLimits: { maxOldGenerationSizeMb: maxMemoryMb } });
    const forget = () => {
      if (worker === started) worker = null;
    };
    started.on('error', forget);
    started.on('exit', forget);
    worker = started;
    return started;
  }

  async function ask(question: Question, signal?: AbortSignal): Promise<Answer | null> {
    signal?.throwIfAborted();
    const thread = running();
    const timer = clock.timer(timeoutMs, () => void thread.terminate());
    let ended = () => {};
    const end = (): void => {
      if (worker === thread) worker = null;
      void thread.terminate();
    };
    signal?.addEventListener('abort', end, { once: true });
    // Only an answer that somebody waits for keeps the process alive.
    thread.ref();
    try {
      const answer = await new Promise<Answer | null>((resolve) => {
        ended = () => resolve(null);
        thread.once('message', (answer: Answer | null) => {
          if (answer === null && worker === thread) worker = null;
          resolve(answer);
        });
        thread.once('exit', ended);
        thread.postMessage(question);
      });
      signal?.throwIfAborted();
      return answer;
    } finally {
      signal?.removeEventListener('abort', end);
      timer.cancel();
      thread.off('exit', ended);
      thread.unref();
    }
  }

  return (question, signal) => {
    const answer = before.then(() => ask(question, signal));
    before = answer.catch(() => {});
    return signal ? abortable(answer, signal) : answer;
  };
}

/** Rejects at once, not only when it is the question's turn. */
function abortable<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
    answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
