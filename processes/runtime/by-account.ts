import { type Partition, type PartitionKeys, partitionAt, partitionIndexOf, type ReadModels } from '../../domain/kernel/ports.js';
import type { LogEvent } from '../../log/runtime/log-event.js';
import type { Projection } from '../../projections/runtime/projection.js';
import type { ProcessManager } from './process-manager.js';

/**
 * Divides a process by account: all to-dos and notes of an account are in one partition, so a reaction may read and change any of
 * them. Different accounts are worked on by different nodes.
 */
export const byAccount = {
  dividedBy: 'account',
  partitionsOf: ({ meta }: LogEvent): PartitionKeys => [meta.account],
} as const satisfies Pick<ProcessManager, 'dividedBy' | 'partitionsOf'>;

/** The partition of such a list that has an account: the generation in force may not be divided yet. */
export async function partitionOfAccount(list: Projection, account: string, views: Pick<ReadModels, 'positions'>): Promise<Partition> {
  const { length: count } = await views.positions(list);
  return partitionAt(partitionIndexOf(account, count), count);
}
