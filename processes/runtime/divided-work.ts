import { setMaxListeners } from 'node:events';
import { type Clock, type Leases, type Partition, partitionAt, type ReadModels, UNDIVIDED } from '../../domain/kernel/ports.js';
import { aborted } from '../../projections/runtime/held-partitions.js';
import { type HeldLease, holdPartitions, type LeaseDependencies, partitionCount, withLease } from '../../projections/runtime/leases.js';
import type { AnyProcessManager } from './process-manager.js';
import { type Tenure, Tenures } from './tenure.js';

/** Leases of partitions of all divided processes: `processes/partition/<index>`. */
const GROUP = 'processes/partition';
/** Added to the epochs of partitions: they are higher than all of the process before it was divided. */
const DIVIDED_EPOCHS = 1_000_000_000;

/** A process, or one partition of it, that a worker performs. */
export interface WorkScope {
  readonly process: AnyProcessManager;
  readonly partition: Partition;
  /** The process, and its partition where it is divided. */
  readonly name: string;
  readonly epoch: number;
  readonly tenure: Tenure;
  /** Whether the previous holder of the lease, another one than this worker's process, did not release it. */
  readonly unclean: boolean;
  /** The worker's part of the places of the process. */
  readonly concurrency: AnyProcessManager['concurrency'];
}

/**
 * A partition has its part of the places, and at least two, so that one account cannot hold all of them. A partition of whole accounts
 * has all places of each of their lanes, and at least this many times as many in all.
 */
const MIN_PLACES = 2;

export function scopeOf(process: AnyProcessManager, partition: Partition, { epoch, unclean }: HeldLease, tenure: Tenure): WorkScope {
  const { index, count } = partition;
  const { lane, total } = process.concurrency;
  if (count === 1) return { process, partition, name: process.name, epoch, tenure, unclean, concurrency: process.concurrency };
  const concurrency =
    process.dividedBy === 'account'
      ? { lane, total: Math.max(MIN_PLACES * lane, Math.floor(total / count)) }
      : { lane: Math.ceil(lane / count), total: Math.max(MIN_PLACES, Math.floor(total / count)) };
  return { process, partition, name: `${process.name}/${index}`, epoch: DIVIDED_EPOCHS + epoch, tenure, unclean, concurrency };
}

/** A partition's part of the rate of an account. */
export const partOfRate = (rate: number | null, { dividedBy }: AnyProcessManager, { count }: Partition): number | null =>
  rate === null || dividedBy === 'account' ? rate : rate / count;

interface DividedDependencies extends LeaseDependencies {
  readonly leases: Leases;
  readonly views: ReadModels;
  readonly clock: Clock;
}

/**
 * Runs each process on one node at a time, and each partition of a divided one. `work` runs while the lease is held, until its
 * signal aborts.
 */
export async function runScopes(
  processes: readonly AnyProcessManager[],
  parts: DividedDependencies,
  signal: AbortSignal,
  work: (scope: WorkScope, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const count = processes.some(({ partitionsOf }) => partitionsOf) ? await partitionCount(parts, signal) : 1;
  const divided = count === 1 ? [] : processes.filter(({ partitionsOf }) => partitionsOf);
  const undivided = processes.filter((process) => !divided.includes(process));
  const whole = undivided.map((process) => runWhole(process, parts, signal, work));
  await Promise.all([...whole, runPartitions(divided, count, parts, signal, work)]);
}

const leaseOf = ({ name }: AnyProcessManager): string => `process/${name}`;

/** A process that is not divided. */
async function runWhole(
  process: AnyProcessManager,
  parts: DividedDependencies,
  signal: AbortSignal,
  work: (scope: WorkScope, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const tenures = new Tenures();
  await withLease(leaseOf(process), parts, signal, (held, lease) => {
    const { tenure, continued } = tenures.of(lease.epoch);
    // The process has lost its lease, and has not died.
    return work(scopeOf(process, UNDIVIDED, { ...lease, unclean: lease.unclean && !continued }, tenure), held);
  });
  tenures.end();
}

async function runPartitions(
  processes: readonly AnyProcessManager[],
  count: number,
  parts: DividedDependencies,
  signal: AbortSignal,
  work: (scope: WorkScope, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  if (processes.length === 0) return;
  const free = processes.map((process) => ({ process, isFree: untilUndividedIsFree(process, parts, signal) }));
  await holdPartitions(GROUP, count, parts, signal, async (index, held, lease) => {
    // Each process listens for its end.
    setMaxListeners(0, held);
    // One that expires may go to another node. What is kept for it holds permits of carriers that other partitions need.
    const tenure = { since: lease.epoch, ended: held };
    const runs = free.map(async ({ process, isFree }) => {
      await Promise.race([isFree, aborted(held)]);
      if (!held.aborted) await work(scopeOf(process, partitionAt(index, count), lease, tenure), held);
    });
    await Promise.all(runs);
  });
}

/** Waits while a node of a release that does not divide the process has it. */
async function untilUndividedIsFree(process: AnyProcessManager, parts: LeaseDependencies, signal: AbortSignal): Promise<void> {
  const done = new AbortController();
  await withLease(leaseOf(process), parts, AbortSignal.any([signal, done.signal]), async () => done.abort());
}
