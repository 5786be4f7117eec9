import type { ReadModels } from '../../domain/kernel/ports.js';
import { aborted, HeldPartitions } from './held-partitions.js';
import { holdPartitions, type LeaseDependencies, withLease } from './leases.js';
import type { AnyProjection } from './projection.js';

/** Leases of partitions of all divided projections: `projections/partition/<index>`. */
const GROUP = 'projections/partition';

export interface DividedRun {
  readonly projection: AnyProjection;
  /** Those that this node holds; absent where the projection is not divided. */
  readonly partitions?: readonly number[];
  /** Resolves when the generation in force is one of this release. */
  readonly rebuild: () => Promise<void>;
}

export interface DividedWork {
  /** Rebuilds the projection with all its partitions. */
  readonly rebuild: (projection: AnyProjection, signal: AbortSignal) => Promise<void>;
  /** Keeps partitions up to date until the signal aborts. */
  readonly run: (run: DividedRun, signal: AbortSignal) => Promise<void>;
}

/** The lease of a projection that is not divided, and of the rebuild of one that is. */
export const leaseOf = ({ name, version }: AnyProjection): string => `projection/${name}@${version}`;

/** Runs the partitions of divided projections that this node holds. One lease of a partition covers all of them. */
export async function runDivided(
  projections: readonly AnyProjection[],
  count: number,
  parts: LeaseDependencies & { readonly views: ReadModels },
  signal: AbortSignal,
  work: DividedWork,
): Promise<void> {
  if (projections.length === 0) return;
  const held = new HeldPartitions(parts.clock);
  const holding = holdPartitions(GROUP, count, parts, signal, (partition, ending) => held.hold(partition, ending));
  const runs = projections.map((projection) => {
    const rebuilds = new Rebuilds(projection, count, parts, signal, work.rebuild);
    return held.run(signal, (partitions, ending) => work.run({ projection, partitions, rebuild: () => rebuilds.current(ending) }, ending));
  });
  await Promise.all([holding, ...runs]);
}

/** Rebuilds a divided projection on one node at a time. A rebuild goes on while partitions come and go. */
class Rebuilds {
  #running: Promise<void> | null = null;

  constructor(
    private readonly projection: AnyProjection,
    private readonly count: number,
    private readonly parts: LeaseDependencies & { readonly views: ReadModels },
    private readonly signal: AbortSignal,
    private readonly rebuild: DividedWork['rebuild'],
  ) {}

  /** Resolves when the generation in force is current, by this node or another one, or when the signal aborts. Throws what the rebuild throws. */
  async current(signal: AbortSignal): Promise<void> {
    this.#running ??= this.#ensure().finally(() => {
      this.#running = null;
    });
    await Promise.race([this.#running, aborted(signal)]);
  }

  async #ensure(): Promise<void> {
    if (await this.#isCurrent()) return;
    const done = new AbortController();
    const ending = AbortSignal.any([this.signal, done.signal]);
    let failure: { readonly error: unknown } | null = null;
    await withLease(leaseOf(this.projection), this.parts, ending, async (held) => {
      try {
        if (!(await this.#isCurrent())) await this.rebuild(this.projection, held);
      } catch (error) {
        failure = { error };
      }
      done.abort();
    });
    if (failure) throw (failure as { readonly error: unknown }).error;
  }

  async #isCurrent(): Promise<boolean> {
    const { version, positions } = await this.parts.views.status(this.projection);
    return version === this.projection.version && positions.length === this.count;
  }
}
