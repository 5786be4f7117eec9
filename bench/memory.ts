import { type Figure, figure } from './figures.js';
import { type DataFolder, environmentOf, newFolder, waitUntilDelivered } from './folders.js';
import type { LoadJob, LoadResult } from './load.js';
import type { BenchContext, Measurement, PartDefinition } from './part.js';
import { runJob, startService } from './processes.js';

const CONNECTIONS = 64;
const AT_REST = { of: 'value', at: 'most', is: 250 } as const;

/** Resident memory of the process, with all its threads. */
export const memory: PartDefinition = { title: 'memory of the process, all threads', measure };

async function measure(context: BenchContext): Promise<Measurement> {
  const { quick, messages, parent, store } = context;
  const [rest, load] = quick ? [3, 3] : [10, 15];
  const size = messages.toLocaleString('en-US');
  const empty = await observed('an empty store', await newFolder(parent), rest, load);
  const full = await observed(`${size} messages in the store`, await store(messages, true), rest, load);
  return {
    dataset: `at rest: ${rest} s after the start, and ${rest} s after the last message of the load was delivered; load: sends on ${CONNECTIONS} connections for ${load} s`,
    figures: [...empty, ...full],
  };
}

async function observed(what: string, folder: DataFolder, rest: number, load: number): Promise<Figure[]> {
  const service = await startService(environmentOf(folder));
  const { url, memory } = service;
  const pause = () => new Promise((resolve) => setTimeout(resolve, rest * 1_000));
  try {
    await pause();
    const started = memory().now;
    await runJob<LoadJob, LoadResult>('./load.js', {
      url,
      apiKey: folder.apiKey,
      connections: CONNECTIONS,
      seconds: load,
      post: '/v1/messages/send',
    });
    await waitUntilDelivered(url, folder);
    const { peak } = memory();
    await pause();
    return [
      figure(`at rest after the start, ${what}`, started, 'MB', { bound: AT_REST }),
      figure(`peak under load, ${what}`, peak, 'MB'),
      figure(`at rest after the load, ${what}`, memory().now, 'MB', { bound: AT_REST }),
    ];
  } finally {
    await service.kill();
  }
}
