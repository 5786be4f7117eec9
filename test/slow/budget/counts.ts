/**
 * What is counted. `exact`: the same whatever the timing is, so equal to the number of the table. `most`: depends on what comes
 * together in one round, so at most the number of the table.
 */
export const counters = {
  /** Appends to streams, and the events that they have. */
  appends: 'exact',
  events_encoded: 'exact',
  /** Events of the log that are parsed, by each component for itself, as the threads of a server do. */
  events_decoded: 'most',
  /** Contents that are encrypted and decrypted. */
  sealed: 'exact',
  opened: 'most',
  /** Rows that are stored, and asked for. */
  keys_made: 'exact',
  keys_read: 'most',
  /** Reads of single streams, and pages of the log. */
  stream_reads: 'most',
  log_pages: 'most',
  /** Calls that ask read models and to-do lists. */
  queries: 'most',
  /** Documents of read models that have changed, each once however often; how often they were written, and read. */
  documents: 'exact',
  documents_written: 'most',
  documents_read: 'most',
  /** Rows of to-do lists. */
  list_rows_written: 'most',
  list_rows_read: 'most',
  /** Pages without an event for a projection or list, commits of those that have one, and looks of the runners of processes. */
  pages_passed: 'most',
  projection_rounds: 'most',
  process_rounds: 'most',
  /** Waits for a read model or list that ended because it has gone on. */
  notices: 'most',
} as const satisfies Readonly<Record<string, 'exact' | 'most'>>;

export type Counter = keyof typeof counters;
export type Numbers = Readonly<Record<Counter, number>>;

export const counterNames = Object.keys(counters) as Counter[];
export const isExact = (counter: Counter): boolean => counters[counter] === 'exact';

export const numbersBy = (numberOf: (counter: Counter) => number): Numbers =>
  Object.fromEntries(counterNames.map((name) => [name, numberOf(name)])) as Record<Counter, number>;

/** Counts from zero. */
export class Counts {
  readonly #numbers = new Map<Counter, number>();
  readonly #documents = new Set<string>();

  add(counter: Counter, by = 1): void {
    this.#numbers.set(counter, (this.#numbers.get(counter) ?? 0) + by);
  }

  /** A document of a read model was written. */
  wrote(document: string): void {
    this.add('documents_written');
    if (!this.#documents.has(document)) this.add('documents');
    this.#documents.add(document);
  }

  /** The numbers so far. */
  get numbers(): Numbers {
    return numbersBy((counter) => this.#numbers.get(counter) ?? 0);
  }

  reset(): void {
    this.#numbers.clear();
    this.#documents.clear();
  }
}
