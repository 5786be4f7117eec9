import { hash } from 'node:crypto';
import { monotonicFactory } from 'ulid';
import type { Entropy } from '../../domain/kernel/entropy.js';

const BLOCK_BYTES = 32;

/** Entropy that gives the same values for the same seed: SHA-256 in counter mode. */
export class SeededEntropy implements Entropy {
  #blocks = 0;
  #pool: Buffer = Buffer.alloc(0);
  readonly ulid: (nowMs: number) => string = monotonicFactory(() => this.fraction());

  constructor(private readonly seed: number | string = 1) {}

  bytes(count: number): Buffer {
    if (count <= this.#pool.length) {
      const taken = this.#pool.subarray(0, count);
      this.#pool = this.#pool.subarray(count);
      return taken;
    }
    const blocks = [this.#pool];
    for (let size = this.#pool.length; size < count; size += BLOCK_BYTES) blocks.push(this.#block());
    const all = Buffer.concat(blocks);
    this.#pool = all.subarray(count);
    return all.subarray(0, count);
  }

  uuid(): string {
    const bytes = Buffer.from(this.bytes(16));
    bytes[6] = ((bytes[6] as number) & 0x0f) | 0x40;
    bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
    return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  }

  fraction(): number {
    return this.bytes(4).readUInt32LE() / 2 ** 32;
  }

  #block(): Buffer {
    return hash('sha256', `${this.seed}/${this.#blocks++}`, 'buffer');
  }
}
