import type { EventStore } from '../../domain/kernel/ports.js';
import type { TestApp } from './test-app.js';
import { withAppend } from './with-append.js';

/** A log and keys that accept `left` more writes and refuse the others, until `left` is raised again. */
export class FailingWrites {
  left = Number.POSITIVE_INFINITY;
  constructor(private readonly app: TestApp) {}

  readonly #spend = (): void => {
    if (this.left-- <= 0) throw new Error('killed');
  };
  readonly eraser = {
    erase: async (subject: string): Promise<void> => {
      this.#spend();
      await this.app.vault.erase(subject);
    },
  };
  get events(): EventStore {
    const { events } = this.app.engine;
    return withAppend(events, async (...given) => {
      this.#spend();
      return events.append(...given);
    });
  }
}
