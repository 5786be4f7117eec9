import type { KeyRow, KeyStore } from '../../domain/kernel/ports.js';

/** Data keys in memory. */
export class MemoryKeyStore implements KeyStore {
  readonly #rows = new Map<string, KeyRow>();
  readonly #destroyed = new Set<string>();
  readonly #subjects = new Map<string, KeyRow[]>();

  async bySubject(subjects: readonly string[]): Promise<(KeyRow | undefined)[]> {
    return subjects.map((subject) => this.#subjects.get(subject)?.[0]);
  }

  async byId(ids: readonly string[]): Promise<(KeyRow | undefined)[]> {
    return ids.map((id) => this.#rows.get(id));
  }

  async missing(ids: readonly string[]): Promise<ReadonlySet<string>> {
    return new Set(ids.filter((id) => !this.#rows.has(id) && !this.#destroyed.has(id)));
  }

  async put(rows: readonly KeyRow[]): Promise<void> {
    for (const { id, subject, seed } of rows) {
      if (this.#rows.has(id)) continue;
      const row = { id, subject, seed: Uint8Array.from(seed) };
      this.#rows.set(id, row);
      this.#subjects.set(subject, [...(this.#subjects.get(subject) ?? []), row]);
    }
  }

  async destroy(subject: string): Promise<void> {
    for (const { id } of this.#subjects.get(subject) ?? []) {
      this.#rows.delete(id);
      this.#destroyed.add(id);
    }
    this.#subjects.delete(subject);
  }

  async page(after: string | null, limit: number): Promise<readonly KeyRow[]> {
    const rows = [...this.#rows.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
    return rows.filter(({ id }) => after === null || id > after).slice(0, limit);
  }
}
