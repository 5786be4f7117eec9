/**
 * One trial at a time on a node, whatever the number of its processes: if the node dies, the suspects of another process are not
 * the reason.
 */
export class ProbeLock {
  #holder: string | null = null;

  /** False while another process has the turn. */
  acquire(process: string): boolean {
    this.#holder ??= process;
    return this.#holder === process;
  }

  release(process: string): void {
    if (this.#holder === process) this.#holder = null;
  }
}
