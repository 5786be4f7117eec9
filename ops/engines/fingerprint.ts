import { createHash } from 'node:crypto';
import type { Checkpoint, KeyRow, RecordedEvent } from '../../domain/kernel/ports.js';
import { idOf } from './event-comparison.js';

/** Count and SHA-256 of all added items, in order. */
export class Fingerprint {
  readonly #hash = createHash('sha256');
  #count = 0;

  /** Adds everything of an event but the position. */
  addEvent(event: RecordedEvent): void {
    this.#add([event.stream, event.revision, idOf(event), event.type, event.data, event.metadata]);
  }

  addKey({ id, subject, seed }: KeyRow): void {
    this.#add([id, subject, Buffer.from(seed).toString('base64')]);
  }

  /** As JSON, so that different lists have different texts. */
  #add(fields: readonly (string | number)[]): void {
    this.#hash.update(`${JSON.stringify(fields)}\n`);
    this.#count += 1;
  }

  get count(): number {
    return this.#count;
  }

  /** SHA-256 of the items added so far, in hex. */
  get digest(): string {
    return this.#hash.copy().digest('hex');
  }
}

/** Events between two checkpoints. */
export const CHECKPOINT_INTERVAL = 1_000;

/** A point in a log. */
export interface LogPoint {
  /** Number of events up to this point. */
  readonly count: number;
  /** Position of the last of them. */
  readonly position: Checkpoint;
}

/**
 * A fingerprint with a checkpoint at every thousandth event, so that the first difference to another log can be found
 * without reading all of both again.
 */
export class CheckpointedFingerprint {
  readonly #fingerprint = new Fingerprint();
  /** One per CHECKPOINT_INTERVAL events. */
  readonly #checkpoints: { readonly digest: string; readonly position: Checkpoint }[] = [];

  add(event: RecordedEvent): void {
    this.#fingerprint.addEvent(event);
    if (this.#fingerprint.count % CHECKPOINT_INTERVAL === 0) this.#checkpoints.push({ digest: this.#fingerprint.digest, position: event.position });
  }

  get count(): number {
    return this.#fingerprint.count;
  }

  get digest(): string {
    return this.#fingerprint.digest;
  }

  /** The digest after `count` events, a multiple of CHECKPOINT_INTERVAL; undefined when there were fewer. */
  digestAt(count: number): string | undefined {
    return this.#checkpoints[count / CHECKPOINT_INTERVAL - 1]?.digest;
  }

  /** The position of event number `count`, a multiple of CHECKPOINT_INTERVAL. */
  positionAt(count: number): Checkpoint {
    return this.#checkpoints[count / CHECKPOINT_INTERVAL - 1]?.position ?? 'start';
  }
}
