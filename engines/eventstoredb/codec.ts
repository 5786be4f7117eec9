import type { AllStreamResolvedEvent, EventData, Position as LogPosition, ResolvedEvent } from '@eventstore/db-client';
import type { Checkpoint, NewEvent, Position, Recorded } from '../../domain/kernel/ports.js';
import { AppendTooLarge } from './failures.js';

/** What a server takes in one append unless it is told otherwise, in bytes. */
export const MAX_APPEND_BYTES = 1_048_576;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const utf8 = new TextEncoder();
const MAX_REVISION = BigInt(Number.MAX_SAFE_INTEGER);
/** Servers before 22.6 give the largest number for the position of an event that is read from its stream. */
const NO_POSITION = 2n ** 64n - 1n;

/** An event of this log that does not have the shape of one. */
export class UnreadableEvent extends Error {
  override readonly name = 'UnreadableEvent';
}

/**
 * Events as the client wants them. All that could fail in it fails here, before anything is sent: inside, a failure
 * would reject a promise that nobody holds. Throws a TypeError for what is no id, and AppendTooLarge.
 */
export function encode(stream: string, events: readonly NewEvent[], limit: number): EventData[] {
  let bytes = 0;
  const encoded = events.map((event) => {
    if (!UUID.test(event.id)) throw new TypeError(`an event for ${stream} whose id is no UUID: ${event.id}`);
    const json = new JsonEvent(event);
    bytes += json.data.byteLength + json.metadata.byteLength + event.type.length;
    return json as unknown as EventData;
  });
  if (bytes > limit) throw new AppendTooLarge(stream, bytes, limit);
  return encoded;
}

/**
 * An event whose texts go to the server byte by byte, marked as JSON. From a JSON event the client makes a text, of it
 * Base64, and of that bytes again, each twice: 30 ms of the thread for a chunk of 300 kB instead of 5. So it is told
 * JSON where it marks the event, which is where it asks first, and bytes where it takes the data.
 */
class JsonEvent {
  readonly id: string;
  readonly type: string;
  // Exactly this class: what else is a Uint8Array the client would take for an object.
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
  #typeRead = false;

  constructor({ id, type, data, metadata }: NewEvent) {
    this.id = id;
    this.type = type;
    this.data = utf8.encode(data);
    this.metadata = utf8.encode(metadata);
  }

  get contentType(): string {
    if (this.#typeRead) return 'application/octet-stream';
    this.#typeRead = true;
    return 'application/json';
  }
}

export const isSystemEvent = (type: string): boolean => type.startsWith('$');

/**
 * An event as it was read, or null where there is none behind a link. Contents that are no JSON are handed on as they
 * are, so that whoever wants this event meets them and nobody else; without a name or a place there is no event.
 */
export function decode(resolved: ResolvedEvent | AllStreamResolvedEvent): Recorded | null {
  const { event } = resolved;
  if (!event) return null;
  const { streamId, id, type, revision, position } = event;
  if (typeof streamId !== 'string' || typeof id !== 'string' || typeof type !== 'string')
    throw new UnreadableEvent(`an event without ${typeof id === 'string' ? 'a stream or a type' : 'an id'}`);
  const place = position?.commit ?? resolved.commitPosition;
  if (typeof place !== 'bigint' || place === NO_POSITION)
    throw new UnreadableEvent(`event ${id} of ${streamId} without a position: the server must be of version 22.6 or later`);
  const data = event.data instanceof Uint8Array ? Buffer.from(event.data).toString('utf8') : JSON.stringify(event.data);
  return {
    id,
    type,
    data,
    metadata: metadataText(event.metadata),
    stream: streamId,
    revision: revisionNumber(revision),
    position: positionText(place),
  };
}

const metadataText = (metadata: unknown): string =>
  metadata instanceof Uint8Array ? Buffer.from(metadata).toString('utf8') : JSON.stringify(metadata ?? null);

export function revisionNumber(revision: unknown): number {
  if (typeof revision !== 'bigint' || revision < 0n || revision > MAX_REVISION)
    throw new UnreadableEvent(`a revision that is none: ${String(revision)}`);
  return Number(revision);
}

/**
 * Events written as this application writes them have one place: their commit and prepare positions are equal. So the
 * commit position stands for both.
 */
export const positionText = (commit: bigint): Position => commit.toString().padStart(20, '0');

export function logPosition(from: Checkpoint): LogPosition | 'start' {
  if (from === 'start') return 'start';
  const commit = BigInt(from);
  return { commit, prepare: commit };
}
