import type { EventStore } from '../../domain/kernel/ports.js';
import { type Parting, partingOf, readStretch } from './comparing.js';
import { fractionOf, pagesUpTo } from './pages.js';
import { Fingerprint, type Place, STRETCH, type Trail } from './trail.js';
import { patiently, type Work } from './work.js';

export interface VerifiedLog {
  readonly events: number;
  /** In hex, over stream, revision, id, type, data and metadata of all events in their order. */
  readonly sha256: string;
  /** Whether it is what was read of the source. */
  readonly equal: boolean;
  /** Where it is not; null also where what was not the same is so by now. */
  readonly parting: Parting | null;
}

/** Reads the target from its first event to its last and compares it with what was read of the source. */
export async function verifyLog(source: EventStore, target: EventStore, trail: Trail, work: Work): Promise<VerifiedLog> {
  const read = new Fingerprint();
  const head = await patiently(work, () => target.head());
  let same: Place = { count: 0, position: 'start' };
  for await (const page of pagesUpTo(target, head, work)) {
    for (const event of page) {
      read.addEvent(event);
      const next = read.count === same.count + STRETCH && read.digest === trail.digestAt(read.count);
      if (next) same = { count: read.count, position: event.position };
    }
    const last = page.at(-1);
    if (last) work.report({ phase: 'verifying', done: read.count, fraction: fractionOf(last.position, head) });
  }
  const equal = read.count === trail.count && read.digest === trail.digest;
  const parting = equal ? null : await findParting(source, target, trail, same, work);
  return { events: read.count, sha256: read.digest, equal, parting };
}

/** Reads both again from the last place that is known to be the same; after so many events at most there is a difference. */
async function findParting(source: EventStore, target: EventStore, trail: Trail, same: Place, work: Work): Promise<Parting | null> {
  // Not further than the copy goes: a source that runs has more by now.
  const expected = { store: source, after: trail.positionAt(same.count), count: Math.min(STRETCH, trail.count - same.count) };
  const [here, there] = await patiently(work, () =>
    Promise.all([readStretch(expected), readStretch({ store: target, after: same.position, count: STRETCH })]),
  );
  return partingOf(here, there, same.count + 1);
}
