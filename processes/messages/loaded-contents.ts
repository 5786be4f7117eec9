import { ERASED, KEY_MISSING } from '../../domain/kernel/erased.js';
import { StoreUnavailable } from '../../domain/kernel/ports.js';
import type { Content } from '../../domain/messages/content.js';
import type { AcceptedMessage } from '../../domain/messages/message.js';
import type { SendResult } from '../../domain/messages/send-result.js';
import { loadContent } from '../../log/aggregates/messages/load-content.js';
import type { PerformContext } from '../runtime/process-manager.js';

type ReadContext = Pick<PerformContext, 'log' | 'clock' | 'signal'>;

/** Between attempts to read a content while the store is away. */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;
/** Bytes of large contents that are in memory at a time. A single one above it is loaded alone. */
const BUDGET_BYTES = 33_554_432;

/** Loads large contents for their dispatch, within a budget of bytes. Those that find no room wait in their order. */
export class LoadedContents {
  #bytes = 0;
  readonly #waiting: { readonly bytes: number; readonly start: () => void }[] = [];

  constructor(private readonly budget = BUDGET_BYTES) {}

  /** Hands over a message with its whole content. Without the content there is no dispatch, and the result says why. */
  async sendLoaded(reading: ReadContext, accepted: AcceptedMessage, send: (accepted: AcceptedMessage) => Promise<SendResult>): Promise<SendResult> {
    if (!accepted.content_ref) return send(accepted);
    const { bytes } = accepted.content_ref;
    await this.#room(bytes);
    try {
      const content = await load(reading, accepted);
      if (content === null) return { outcome: 'transient_error', code: 'content_unavailable', error: 'The content could not be read.' };
      if (content.message === KEY_MISSING) return { outcome: 'transient_error', code: 'key_missing', error: 'The key of the content is missing.' };
      if (content.message === ERASED) return { outcome: 'permanent_error', reason: 'erased', code: null, error: 'The content is erased.' };
      return await send({ ...accepted, content });
    } finally {
      this.#bytes -= bytes;
      this.#startWaiting();
    }
  }

  #room(bytes: number): Promise<void> {
    return new Promise((start) => {
      this.#waiting.push({ bytes, start });
      this.#startWaiting();
    });
  }

  #startWaiting(): void {
    for (let [next] = this.#waiting; next && (this.#bytes === 0 || this.#bytes + next.bytes <= this.budget); [next] = this.#waiting) {
      this.#waiting.shift();
      this.#bytes += next.bytes;
      next.start();
    }
  }
}

/**
 * Null where the content cannot be read. While the store is away it is read again, since no carrier was called: an attempt of the
 * message is not spent on that. Once the signal aborts, it ends.
 */
async function load({ log, clock, signal }: ReadContext, accepted: AcceptedMessage): Promise<Content | null> {
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    try {
      return await loadContent(log, accepted);
    } catch (e) {
      if (!(e instanceof StoreUnavailable)) return null;
    }
    await clock.sleep(pause, signal);
    if (signal.aborted) return null;
  }
}
