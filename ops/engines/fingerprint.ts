import { createHash } from 'node:crypto';
import type { Checkpoint, KeyRow, Recorded } from '../../domain/kernel/ports.js';
import { idOf } from './event-comparison.js';

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
export const CHECKPOINT_INTERVAL = 1_000;

/** A place in a log as it was read. */
export interface LogPoint {
  /** Events up to here. */
  readonly count: number;
  /** Of the last of them. */
  readonly position: Checkpoint;
}

/**
 * The fingerprint of a log that remembers what it was at every thousandth event: so that one who reads another log learns
 * where the two part.
 */
export class CheckpointedFingerprint {
  readonly #fingerprint = new Fingerprint();
  /** After each stretch. */
  readonly #checkpoints: { readonly digest: string; readonly position: Checkpoint }[] = [];

  add(event: Recorded): void {
    this.#fingerprint.addEvent(event);
    if (this.#fingerprint.count % CHECKPOINT_INTERVAL === 0) this.#checkpoints.push({ digest: this.#fingerprint.digest, position: event.position });
  }

  get count(): number {
    return this.#fingerprint.count;
  }

  get digest(): string {
    return this.#fingerprint.digest;
  }

  /** What the fingerprint was after so many events, a multiple of CHECKPOINT_INTERVAL; undefined where there were fewer. */
  digestAt(count: number): string | undefined {
    return this.#checkpoints[count / CHECKPOINT_INTERVAL - 1]?.digest;
  }

  /** The position of the last of so many events, a multiple of CHECKPOINT_INTERVAL. */
  positionAt(count: number): Checkpoint {
    return this.#checkpoints[count / CHECKPOINT_INTERVAL - 1]?.position ?? 'start';
  }
}
