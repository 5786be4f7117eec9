import { isAfter, type ReadModels } from '../domain/kernel/ports.js';
import type { EventLog } from '../log/event-log.js';
import type { AnyProjection } from './kernel.js';

/** How far one projection has come, as the operator sees it. */
export interface ProjectionStatus {
  readonly name: string;
  /** Of the generation that answers queries. */
  readonly version: number;
  /** Place in the log that it has reached, and where the log ends: 20 digits, or 'start'. */
  readonly position: string;
  readonly head: string;
  /** Age of the oldest event that it has not seen; 0 at the head. */
  readonly lag_ms: number;
  /** 'rebuilding': this program's version is being built beside the one that still answers. */
  readonly status: 'live' | 'rebuilding' | 'halted';
  /** Why it halted, or null. */
  readonly reason: string | null;
}

/** What `projectionStatuses` looks at. `now` in milliseconds. */
export interface StatusDependencies {
  readonly log: EventLog;
  readonly views: ReadModels;
  readonly now: () => number;
}

export async function projectionStatuses(
  projections: readonly AnyProjection[],
  { log, views, now }: StatusDependencies,
): Promise<ProjectionStatus[]> {
  const head = await log.store.head();
  return Promise.all(
    projections.map(async (projection) => {
      const { name, version, position, halted } = await views.status(projection);
      const [oldest] = isAfter(head, position) ? (await log.store.readAll(position, 1)).events : [];
      const since = oldest ? Date.parse((JSON.parse(oldest.metadata) as { occurredAt: string }).occurredAt) : Number.NaN;
      return {
        name,
        version,
        position,
        head,
        lag_ms: Number.isNaN(since) ? 0 : Math.max(0, now() - since),
        status: halted !== null ? 'halted' : version < projection.version ? 'rebuilding' : 'live',
        reason: halted,
      };
    }),
  );
}
