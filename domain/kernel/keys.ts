/** A data key's row: a random seed that, together with the master key, gives the data key. */
export interface KeyRow {
  readonly id: string;
  readonly subject: string;
  readonly seed: Uint8Array;
}

/** The store of data keys: outside the log and its backups. */
export interface KeyStore {
  bySubject(subjects: readonly string[]): Promise<(KeyRow | undefined)[]>;
  byId(ids: readonly string[]): Promise<(KeyRow | undefined)[]>;
  /**
   * Which of these keys, which have no row, are missing and not destroyed: their store was lost or is incomplete. A store that keeps no
   * trace of destroyed keys reports none.
   */
  missing(ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** Resolves when the rows are certain to be on disk before any append that is called afterward. */
  put(rows: readonly KeyRow[]): Promise<void>;
  /** Destroys every key of a subject and overwrites where it was stored. */
  destroy(subject: string): Promise<void>;
  /** At most `limit` keys that are not destroyed, in order of id, after an id or from the first; fewer only at the end. */
  page(after: string | null, limit: number): Promise<readonly KeyRow[]>;
}
