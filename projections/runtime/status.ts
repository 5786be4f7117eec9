import { isAfter, type ReadModels } from '../../domain/kernel/ports.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import type { AnyProjection } from './projection.js';

/** Progress of one projection, for the operator. */
export interface ProjectionStatus {
  readonly name: string;
  /** Version of the generation in force. */
  readonly version: number;
  /** Its checkpoint, and the end of the log: 20 digits, or 'start'. */
  readonly position: string;
  /** Of each partition, where it is divided and they differ; `position` is the lowest. */
  readonly positions?: readonly string[];
  readonly head: string;
  /** Age of the oldest event after its checkpoint, in milliseconds; 0 at the head. */
  readonly lag_ms: number;
  /** 'rebuilding': this release's version is being built beside the one in force. */
  readonly status: 'live' | 'rebuilding' | 'halted';
  /** Why it halted, or null. */
  readonly reason: string | null;
}

/** `now` in milliseconds since 1970. */
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
      const { name, version, position, positions, halted } = await views.status(projection);
      const [oldest] = isAfter(head, position) ? (await log.store.readAll(position, 1)).events : [];
      const since = oldest ? Date.parse((JSON.parse(oldest.metadata) as { occurredAt: string }).occurredAt) : Number.NaN;
      return {
        name,
        version,
        position,
        ...(positions.some((other) => other !== position) && { positions }),
        head,
        lag_ms: Number.isNaN(since) ? 0 : Math.max(0, now() - since),
        status: halted !== null ? 'halted' : version < projection.version ? 'rebuilding' : 'live',
        reason: halted,
      };
    }),
  );
}
