import type { PartitionKeys } from '../domain/kernel/ports.js';
import type { LogEvent } from '../log/log-event.js';
import type { ProcessManager } from './kernel.js';

/**
 * Divides a process by account: all to-dos and notes of an account are in one partition, so a reaction may read and change any of
 * them. Different accounts are worked on by different nodes.
 */
export const byAccount = {
  dividedBy: 'account',
  partitionsOf: ({ meta }: LogEvent): PartitionKeys => [meta.account],
} as const satisfies Pick<ProcessManager, 'dividedBy' | 'partitionsOf'>;
