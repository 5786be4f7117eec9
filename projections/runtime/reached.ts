import type { Checkpoint, ReadModels, ViewSpec } from '../../domain/kernel/ports.js';

/** Whether all of these read models include everything up to a checkpoint; waits for each up to `timeoutMs`. */
export async function haveReached(views: ReadModels, specs: readonly ViewSpec[], checkpoint: Checkpoint, timeoutMs: number): Promise<boolean> {
  if (checkpoint === 'start') return true;
  return (await Promise.all(specs.map((spec) => views.waitUntilReached(spec, checkpoint, timeoutMs)))).every(Boolean);
}
