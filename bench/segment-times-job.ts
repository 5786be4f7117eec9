import type { MembershipsChanged } from '../domain/segments/live/recorded.js';
import { loadConfig } from '../ops/app/config/config.js';
import { openEngine } from '../ops/engines/engine.js';
import { percentile } from './figures.js';
import { answerJob } from './job-entry.js';

/** Reads the log of a service that has ended: how long after custom events the changes of memberships were recorded that they caused. */
export interface SegmentTimesJob {
  readonly dir: string;
  /** Epoch milliseconds: events that were recorded before do not count. */
  readonly from: number;
}
/** In milliseconds, from the record of an event to the record of the change. */
export interface SegmentTimes {
  readonly changes: number;
  readonly p50: number;
  readonly p99: number;
}

const PAGE = 2_000;
const OWN = new Set(['CustomEventRecorded', 'SegmentMembershipsChanged']);

async function measure({ dir, from }: SegmentTimesJob): Promise<SegmentTimes> {
  const engine = await openEngine(loadConfig({ HELIOGRAPH_DATA_DIR: dir }));
  const recorded = new Map<string, number>();
  const times: number[] = [];
  for (let after = 'start'; ; ) {
    const page = await engine.events.readAll(after, PAGE);
    for (const { id, type, data, metadata } of page.events.filter((event) => OWN.has(event.type))) {
      const at = Date.parse((JSON.parse(metadata) as { occurredAt: string }).occurredAt);
      if (type === 'CustomEventRecorded') {
        if (at >= from) recorded.set(id, at);
        continue;
      }
      for (const { event_id } of (JSON.parse(data) as MembershipsChanged['data']).changes) {
        const cause = recorded.get(event_id ?? '');
        if (cause !== undefined) times.push(at - cause);
      }
    }
    after = page.upTo;
    if (page.caughtUp) break;
  }
  await engine.close();
  return { changes: times.length, p50: percentile(times, 0.5), p99: percentile(times, 0.99) };
}

answerJob(measure);
