import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import { medianOf } from './figures.js';

/** The machine of the measurement, without which the figures mean nothing. */
export interface Machine {
  readonly cores: number;
  readonly cpu: string;
  readonly memory_gb: number;
  readonly node: string;
  readonly platform: string;
  /** Median time of a 4 kB write with fsync in the data folder. */
  readonly fsync_ms: number;
  /** Load of the last minute before the run: above the number of cores, the figures are those of a busy machine. */
  readonly load: number;
}

const FSYNCS = 200;

export function machine(folder: string): Machine {
  return {
    cores: availableParallelism(),
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    memory_gb: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    fsync_ms: fsyncTime(folder),
    load: loadavg()[0] as number,
  };
}

function fsyncTime(folder: string): number {
  const path = join(folder, 'fsync');
  const file = openSync(path, 'w');
  const block = Buffer.alloc(4_096);
  const times = Array.from({ length: FSYNCS }, () => {
    const began = performance.now();
    writeSync(file, block);
    fsyncSync(file);
    return performance.now() - began;
  });
  closeSync(file);
  rmSync(path);
  return medianOf(times);
}

export const machineText = ({ cores, cpu, memory_gb, node, platform, fsync_ms, load }: Machine): string =>
  `${cores} cores of ${cpu}, ${memory_gb} GB, ${platform}, Node ${node}, fsync ${fsync_ms.toFixed(2)} ms, load before ${load.toFixed(1)}`;
