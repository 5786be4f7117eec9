import Type from 'typebox';
import { DomainError } from '../../domain/kernel/errors.js';
import { list, named, nullable, oneOf, record, text } from '../../domain/kernel/schema.js';
import type { ProjectionStatus } from '../../projections/runtime/status.js';
import { type AnyRoute, route } from './route.js';
import type { UnversionedPage } from './server/server-options.js';

/** Maximum lag of a projection behind the head of the log on a node that gets traffic. */
export const MAX_READY_LAG_MS = 10_000;

export interface Warning {
  readonly code: string;
  readonly message: string;
}

export interface HealthSources {
  /** Resolves if every store answers, rejects otherwise. */
  readonly storesReachable: () => Promise<void>;
  /** Resolves if every store takes a write, rejects otherwise. */
  readonly storesWritable: () => Promise<void>;
  readonly projections: () => Promise<readonly ProjectionStatus[]>;
  /** What an operator should know although the node is ready. */
  readonly warnings?: () => readonly Warning[];
  /** Prometheus text. */
  readonly metrics: () => Promise<string>;
}

/** `/healthz`, `/readyz`, `/metrics`: for monitoring. */
export const healthPages = (sources: HealthSources): UnversionedPage[] => [
  { path: '/healthz', read: () => ({ status: 200, body: { status: 'ok' } }) },
  { path: '/readyz', read: () => readiness(sources) },
  {
    path: '/metrics',
    read: async () => ({ status: 200, body: await sources.metrics(), headers: { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' } }),
  },
];

async function readiness({ storesReachable, storesWritable, projections, warnings = () => [] }: HealthSources) {
  try {
    await storesReachable();
  } catch {
    throw new DomainError('unavailable', 'A store cannot be reached.', { checks: { stores: 'unreachable' } });
  }
  try {
    await storesWritable();
  } catch {
    throw new DomainError('unavailable', 'A store takes no writes. The log of the service says why.', { checks: { stores: 'not_writable' } });
  }
  const behind = (await projections()).filter((p) => p.status === 'halted' || p.lag_ms > MAX_READY_LAG_MS).map((p) => p.name);
  if (behind.length > 0) {
    const message = `Projections are halted or more than ${MAX_READY_LAG_MS / 1000} s behind: ${behind.join(', ')}.`;
    throw new DomainError('unavailable', message, { checks: { stores: 'ok', projections: behind } });
  }
  return { status: 200, body: { status: 'ready', checks: { stores: 'ok', projections: [] }, warnings: warnings() } };
}

const projectionSchema = named(
  'Projection',
  record({
    name: text,
    version: Type.Integer({ description: 'Raised when the definition of the projection changes.' }),
    position: Type.String({ description: 'Of the last event it has processed; the lowest of its partitions.' }),
    positions: Type.Optional(Type.Array(Type.String(), { description: 'Of each partition, where the projection is divided and they differ.' })),
    head: Type.String({ description: 'Of the last event in the log.' }),
    lag_ms: Type.Integer({ description: 'Age of the oldest event it has not processed.' }),
    status: named('ProjectionStatus', oneOf('live', 'rebuilding', 'halted')),
    reason: nullable(Type.String({ description: 'Why it halted.' })),
  }),
);

/** `GET /v1/system/projections`, for the operator. */
export const systemRoutes = ({ projections }: Pick<HealthSources, 'projections'>): AnyRoute[] => [
  route({
    method: 'GET',
    path: '/v1/system/projections',
    operationId: 'listProjections',
    summary: 'List the state of the projections',
    description: 'The read models of this installation, of all accounts. A projection that cannot process an event is `halted`.',
    tag: 'system',
    access: 'operator',
    limit: 'public',
    responses: { 200: { description: 'All projections.', schema: list(projectionSchema) } },
    handle: async () => ({ status: 200, body: await projections() }),
  }),
];
