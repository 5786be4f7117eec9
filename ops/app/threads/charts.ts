import type { DrawChart } from '../../../api/scores/pictures.js';
import type { Clock } from '../../../domain/kernel/clock.js';
import { answeringThread } from './answering-thread.js';

const TIMEOUT_MS = 20_000;
const MAX_MEMORY_MB = 256;

/** Draws charts in a thread, so that other requests go on. Throws if that takes too long. */
export function createCharts(clock: Pick<Clock, 'timer'>, entry = new URL('./chart-thread.js', import.meta.url)): DrawChart {
  const draw = answeringThread<Parameters<DrawChart>[0], string>(clock, { entry, name: 'charts', timeoutMs: TIMEOUT_MS, maxMemoryMb: MAX_MEMORY_MB });
  return async (chart) => {
    const svg = await draw(chart);
    if (svg === null) throw new Error('the chart could not be drawn');
    return svg;
  };
}
