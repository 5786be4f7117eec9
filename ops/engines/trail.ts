import { createHash } from 'node:crypto';
import type { Checkpoint, KeyRow, Recorded } from '../../domain/kernel/ports.js';
import { idOf } from './comparing.js';

/** A count and a SHA-256 of everything added, in its order. */
export class Fingerprint {
  readonly #hash = createHash('sha256');
  #count = 0;

  /** Of an event everything but the position. */
  addEvent(event: Recorded): void {
    this.#add([event.stream, event.revision, idOf(event), event.type, event.data, event.metadata]);
  }

  addKey({ id, subject, seed }: KeyRow): void {
    this.#add([id, subject, Buffer.from(seed).toString('base64')]);
  }

  /** As JSON, in which no two different lists are the same text. */
  #add(fields: readonly (string | number)[]): void {
    this.#hash.update(`${JSON.stringify(fields)}\n`);
    this.#count += 1;
  }

  get count(): number {
    return this.#count;
  }

  /** Of what was added until now, in hex. */
  get digest(): string {
    return this.#hash.copy().digest('hex');
  }
}

/** Events between two places that are remembered. */
export const STRETCH = 1_000;

/** A place in a log as it was read. */
export interface Place {
  /** Events up to here. */
  readonly count: number;
  /** Of the last of them. */
  readonly position: Checkpoint;
}

/**
 * The fingerprint of a log that remembers what it was at every thousandth event: so that one who reads another log learns
 * where the two part.
 */
export class Trail {
  readonly #whole = new Fingerprint();
  /** After each stretch. */
  readonly #marks: { readonly digest: string; readonly position: Checkpoint }[] = [];

  add(event: Recorded): void {
    this.#whole.addEvent(event);
    if (this.#whole.count % STRETCH === 0) this.#marks.push({ digest: this.#whole.digest, position: event.position });
  }

  get count(): number {
    return this.#whole.count;
  }

  get digest(): string {
    return this.#whole.digest;
  }

  /** What the fingerprint was after so many events, a multiple of STRETCH; undefined where there were fewer. */
  digestAt(count: number): string | undefined {
    return this.#marks[count / STRETCH - 1]?.digest;
  }

  /** The position of the last of so many events, a multiple of STRETCH. */
  positionAt(count: number): Checkpoint {
    return this.#marks[count / STRETCH - 1]?.position ?? 'start';
  }
}
