import { medianOf } from './figures.js';
import type { LoadJob, LoadResult } from './load.js';
import { runJob, startEcho } from './processes.js';

const CONNECTIONS = 64;
const ECHOES = 20_000;

/** The CPU of one echo over bare `node:http`, with which figures of other machines and other days can be compared. */
export interface EchoPrice {
  /** Measures it once more. It is done beside each measurement, because a busy machine makes both dearer. */
  again(): Promise<void>;
  /** The median so far, in microseconds of all threads, as the reference of a figure. */
  readonly reference: { readonly name: string; readonly value: number };
  end(): Promise<void>;
}

export async function echoPrice(): Promise<EchoPrice> {
  const echo = await startEcho('bare');
  const prices: number[] = [];
  const measure = async (): Promise<number> => {
    const from = echo.cpuMs();
    const job: LoadJob = { url: echo.url, apiKey: '-', connections: CONNECTIONS, seconds: 1, amount: ECHOES, post: '/' };
    const { answers } = await runJob<LoadJob, LoadResult>('./load.js', job);
    return (1_000 * (echo.cpuMs() - from)) / answers;
  };
  // The first one compiles.
  await measure();
  return {
    again: async () => void prices.push(await measure()),
    get reference() {
      return { name: 'echo', value: medianOf(prices) };
    },
    end: () => echo.kill(),
  };
}
