import { countFormVisits } from '../../commands/forms/count-visits.js';
import { noVisits, type VisitCounts, type VisitKind } from '../../domain/forms/visits.js';
import type { Clock } from '../../domain/kernel/ports.js';
import type { Request } from '../http/route.js';

/** How long the first count of a form waits for others, and the least time between two records of it. */
const FIRST_MS = 250;
const PAUSE_MS = 10_000;

interface VisitTally {
  counts: VisitCounts;
  /** Of the latest request. */
  execute: Request['execute'];
  waiting: boolean;
  recordedAt: number;
}

/**
 * Counts visits of forms in memory and records them in batches: a much visited form makes one event in ten seconds and node. What is
 * not yet recorded when a node stops is lost.
 */
export class VisitCounter {
  readonly #forms = new Map<string, VisitTally>();

  constructor(private readonly clock: Pick<Clock, 'now' | 'timer'>) {}

  count(kind: VisitKind, form_id: string, account: string, execute: Request['execute']): void {
    const now = this.clock.now();
    const day = new Date(now).toISOString().slice(0, 10);
    const key = `${form_id}/${day}`;
    const counting = this.#forms.get(key) ?? { counts: noVisits, execute, waiting: false, recordedAt: Number.NEGATIVE_INFINITY };
    this.#forms.set(key, counting);
    counting.counts = { ...counting.counts, [kind]: counting.counts[kind] + 1 };
    counting.execute = execute;
    if (counting.waiting) return;
    counting.waiting = true;
    this.clock.timer(Math.max(FIRST_MS, counting.recordedAt + PAUSE_MS - now), () => void this.#record(key, { form_id, day, account }));
  }

  async #record(key: string, { form_id, day, account }: { readonly form_id: string; readonly day: string; readonly account: string }) {
    const counting = this.#forms.get(key);
    if (!counting) return;
    const { counts, execute } = counting;
    counting.counts = noVisits;
    counting.waiting = false;
    counting.recordedAt = this.clock.now();
    for (const [other, { waiting, recordedAt }] of this.#forms)
      if (!waiting && recordedAt + PAUSE_MS < counting.recordedAt) this.#forms.delete(other);
    try {
      await execute(countFormVisits, { form_id, day, ...counts }, account);
    } catch {
      // The store is away. Views are no promise: they are not kept for later.
    }
  }
}
