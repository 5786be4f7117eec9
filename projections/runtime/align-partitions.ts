import { lowestOf, type Position, type ViewWriter } from '../../domain/kernel/ports.js';
import type { FeedCursor } from '../../log/feed/cursor.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import { AnotherWriter, build, cutAt, pagesToHead } from './build.js';
import type { AnyProjection } from './projection.js';

/**
 * Brings all partitions of a writer to one position, from which they go on together: partitions that were taken over are behind
 * the others. Returns false where the signal aborted, or another writer has one of them.
 */
export async function alignPartitions(
  projection: AnyProjection,
  writer: ViewWriter,
  log: EventLog,
  cursor: FeedCursor,
  signal: AbortSignal,
): Promise<boolean> {
  while (!signal.aborted) {
    const positions = await writer.checkpoints();
    const low = lowestOf(positions);
    const further = positions.filter((position) => position !== low);
    if (further.length === 0) return true;
    const until = lowestOf(further) as Position;
    const behind = await writer.narrow(writer.partitions.filter((_, i) => positions[i] === low));
    try {
      await build({ projection, writer: behind, log, next: cutAt(pagesToHead(log, cursor, signal), until), onProgress: () => {} });
      if (signal.aborted) return false;
      const reached = await behind.checkpoint();
      if (reached !== until && (await behind.commit(reached, until, [])) === 'mismatch') return false;
    } catch (e) {
      // As with any commit: the caller opens the partitions again, from where they are.
      if (e instanceof AnotherWriter) return false;
      throw e;
    } finally {
      await behind.close();
    }
  }
  return false;
}
