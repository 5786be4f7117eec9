import { type JobOutputEvent, type JobResultEvent, jobOutputStream, jobResultsStream } from '../../../domain/jobs/job.js';
import type { EventLog } from '../../runtime/event-log.js';

/** Chunks per read. */
const CHUNKS_PER_READ = 20;

/**
 * The output of a job, chunk by chunk, one stored part in memory at a time. Texts whose subject was erased are left out; once the
 * job's key is destroyed, all are.
 */
export async function* readOutput(log: EventLog, id: string): AsyncGenerator<string> {
  for (let from = 0; ; from += CHUNKS_PER_READ) {
    const chunks = (await log.read<JobResultEvent>(jobResultsStream(id), { from, limit: CHUNKS_PER_READ })) ?? [];
    for (const { event } of chunks) {
      const { output } = event.data;
      for (let part = output?.from ?? 0; output && part <= output.to; part++) yield await readPart(log, id, part);
    }
    if (chunks.length < CHUNKS_PER_READ) return;
  }
}

async function readPart(log: EventLog, id: string, revision: number): Promise<string> {
  const [part] = (await log.read<JobOutputEvent>(jobOutputStream(id), { from: revision, limit: 1 })) ?? [];
  const contents = await log.openBoxes(part?.event.data.boxes ?? []);
  return contents.map((content) => String(content?.text ?? '')).join('');
}
