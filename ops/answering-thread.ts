import { Worker } from 'node:worker_threads';
import type { Clock } from '../domain/kernel/clock.js';

export interface AnsweringThread {
  readonly entry: URL;
  readonly name: string;
  readonly timeoutMs: number;
  readonly maxMemoryMb: number;
}

/**
 * Asks a thread of its own, one question at a time. It starts with the first question and does not keep the process alive. The answer is
 * null where the thread says so, ends, or takes too long or too much memory; the next question then goes to another thread.
 */
export function answeringThread<Question, Answer>(
  clock: Pick<Clock, 'timer'>,
  { entry, name, timeoutMs, maxMemoryMb }: AnsweringThread,
): (question: Question) => Promise<Answer | null> {
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

  async function ask(question: Question): Promise<Answer | null> {
    const thread = running();
    const timer = clock.timer(timeoutMs, () => void thread.terminate());
    let ended = () => {};
    // Only an answer that somebody waits for keeps the process alive.
    thread.ref();
    try {
      return await new Promise<Answer | null>((resolve) => {
        ended = () => resolve(null);
        thread.once('message', (answer: Answer | null) => {
          if (answer === null && worker === thread) worker = null;
          resolve(answer);
        });
        thread.once('exit', ended);
        thread.postMessage(question);
      });
    } finally {
      timer.cancel();
      thread.off('exit', ended);
      thread.unref();
    }
  }

  return (question) => {
    const answer = before.then(() => ask(question));
    before = answer.catch(() => {});
    return answer;
  };
}
