import { createHash, type Hash } from 'node:crypto';
import {
  type Checkpoint,
  type Doc,
  isAfter,
  lowestOf,
  type Position,
  type ReadModels,
  type ViewSnapshot,
  type ViewWriter,
} from '../../domain/kernel/ports.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import { buildUpTo } from './build.js';
import type { AnyProjection } from './projection.js';

/** One document that differs from what the log gives. */
export interface DocumentDifference {
  readonly collection: string;
  readonly id: string;
  /** 'missing': only the rebuilt generation has it; 'extra': only the one in force has it. */
  readonly kind: 'missing' | 'extra' | 'different';
}

export interface Verification {
  readonly name: string;
  readonly equal: boolean;
  /** Position at which the two were compared. */
  readonly position: string;
  readonly documents: number;
  /** Hash over all documents of the generation in force, for comparing nodes. */
  readonly hash: string;
  /** Number of documents that differ, and the first of them. */
  readonly differing: number;
  readonly differences: readonly DocumentDifference[];
}

const MAX_SHOWN = 20;

/**
 * Rebuilds the projection from the log into a shadow and compares it document by document with the generation in force, both
 * at the same position. Runs beside a live server and changes nothing. Throws where another version is in force.
 */
export async function verify(
  projection: AnyProjection,
  parts: { log: EventLog; views: ReadModels },
  signal: AbortSignal,
  onProgress?: (position: Checkpoint, events: number) => void,
): Promise<Verification> {
  const { views } = parts;
  const { version, position } = await views.status(projection);
  if (version !== projection.version) {
    throw new Error(
      `${projection.name} is in force at version ${version}, this program knows version ${projection.version}: it has to be rebuilt first`,
    );
  }
  const rebuilt = await views.shadow(projection);
  try {
    // Most of the rebuild happens before the snapshot, so that the snapshot is short.
    await buildUpTo(projection, parts, rebuilt, signal, onProgress, position);
    const inForce = await views.snapshot(projection);
    try {
      const positions = await inForce.checkpoints();
      await buildUpToEach(projection, parts, rebuilt, positions, signal);
      if (signal.aborted) throw new Error('stopped before the projection was verified');
      return await compare(projection, inForce, rebuilt, lowestOf(positions));
    } finally {
      await inForce.close();
    }
  } finally {
    await views.discard(projection, rebuilt);
  }
}

/** Builds each partition up to its position. Throws where the log ends before one of them. */
async function buildUpToEach(
  projection: AnyProjection,
  parts: { log: EventLog },
  rebuilt: ViewWriter,
  positions: readonly Checkpoint[],
  signal: AbortSignal,
): Promise<void> {
  if (positions.length !== rebuilt.partitionCount)
    throw new Error(`${projection.name} has ${positions.length} partitions: it has to be rebuilt first`);
  for (const until of [...new Set(positions)].sort((a, b) => (isAfter(a, b) ? 1 : -1))) {
    const further = await rebuilt.narrow(rebuilt.partitions.filter((partition) => !isAfter(until, positions[partition] as Checkpoint)));
    try {
      await buildUpTo(projection, parts, further, signal, undefined, until);
      const reached = await further.checkpoint();
      if (!signal.aborted && isAfter(until, reached))
        throw new Error(`${projection.name} is at ${until}, beyond the end of the log at ${reached}: it was made from another log`);
    } finally {
      await further.close();
    }
  }
}

async function compare(projection: AnyProjection, inForce: ViewSnapshot, rebuilt: ViewSnapshot, at: Position | 'start'): Promise<Verification> {
  const hash = createHash('sha256');
  const differences: DocumentDifference[] = [];
  let differing = 0;
  let documents = 0;
  for (const collection of Object.keys(projection.collections).sort()) {
    for await (const { id, actual, expected } of pairs(inForce.scan(collection), rebuilt.scan(collection))) {
      if (actual !== undefined) {
        documents += 1;
        addToHash(hash, collection, actual);
      }
      if (actual === expected) continue;
      differing += 1;
      const kind = actual === undefined ? 'missing' : expected === undefined ? 'extra' : 'different';
      if (differences.length < MAX_SHOWN) differences.push({ collection, id, kind });
    }
  }
  return { name: projection.name, equal: differing === 0, position: at, documents, hash: hash.digest('hex'), differing, differences };
}

const addToHash = (hash: Hash, collection: string, doc: string): Hash => hash.update(`${collection}\0${doc}\0`);

interface Pair {
  readonly id: string;
  readonly actual: string | undefined;
  readonly expected: string | undefined;
}

/** Merges two scans by id. Documents as canonical JSON, which does not depend on the order of fields. */
async function* pairs(left: AsyncIterable<Doc>, right: AsyncIterable<Doc>): AsyncIterable<Pair> {
  const [lefts, rights] = [left[Symbol.asyncIterator](), right[Symbol.asyncIterator]()];
  let [l, r] = [await lefts.next(), await rights.next()];
  while (!l.done || !r.done) {
    const order = compareIds(l, r);
    const is: Doc | undefined = order <= 0 ? l.value : undefined;
    const should: Doc | undefined = order >= 0 ? r.value : undefined;
    yield { id: String((is ?? should)?.id), actual: is && canonical(is), expected: should && canonical(should) };
    if (is) l = await lefts.next();
    if (should) r = await rights.next();
  }
}

/** Below 0 where the left id comes first, above 0 where the right one does, 0 where they are equal. */
function compareIds(l: IteratorResult<Doc>, r: IteratorResult<Doc>): number {
  if (l.done) return 1;
  return r.done ? -1 : Buffer.compare(Buffer.from(l.value.id), Buffer.from(r.value.id));
}

const canonical = (doc: Doc): string =>
  JSON.stringify(doc, (_key, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : value,
  );
