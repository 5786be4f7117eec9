import { loadConfig } from '../ops/app/config/config.js';
import { openEngine } from '../ops/engines/engine.js';
import { answerJob } from './job-entry.js';

/** Reads and parses all events of a log: the upper limit of any projection. */
export interface ReadJob {
  readonly dir: string;
}
export interface ReadResult {
  readonly events: number;
  readonly ms: number;
}

const PAGE = 2_000;

async function read({ dir }: ReadJob): Promise<ReadResult> {
  const engine = await openEngine(loadConfig({ HELIOGRAPH_DATA_DIR: dir }));
  const began = performance.now();
  let events = 0;
  for (let after = 'start'; ; ) {
    const page = await engine.events.readAll(after, PAGE);
    for (const { data, metadata } of page.events) {
      JSON.parse(data);
      JSON.parse(metadata);
    }
    events += page.events.length;
    after = page.upTo;
    if (page.caughtUp) break;
  }
  const ms = performance.now() - began;
  await engine.close();
  return { events, ms };
}

answerJob(read);
