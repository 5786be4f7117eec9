import { type MessagePort, Worker } from 'node:worker_threads';
import { type Append, type AppendPosition, OutcomeUnknown, StoreUnavailable, WrongExpectedRevision } from '../../domain/kernel/ports.js';
import { announceStreams, ChangeChannel } from './change-channel.js';
import { joinKeys } from './key-file.js';
import { type JobResult, LogWriter, streamsOf, type WriteJob, type WriterOptions } from './log-writer.js';

/** Submits jobs to the log writer, in this thread or in its own. */
export interface Writer {
  submit(job: WriteJob): Promise<JobResult>;
  close(): Promise<void>;
}

/** One group is being committed while the next is filled. */
const MAX_GROUPS_IN_FLIGHT = 2;

interface SubmittedJob {
  readonly job: WriteJob;
  readonly settle: (result: JobResult) => void;
}

/** The same with one job for all new keys: a job of its own costs more than a key. Nothing is joined across the destruction of a key. */
function withKeysTogether(jobs: readonly SubmittedJob[]): readonly SubmittedJob[] {
  const all = jobs.flatMap(({ job, settle }) => (job.kind === 'keys' ? [{ job, settle }] : []));
  if (all.length < 2 || jobs.some(({ job }) => job.kind === 'destroy')) return jobs;
  const settle = (result: JobResult): void => {
    for (const one of all) one.settle(result);
  };
  return [{ job: joinKeys(all.map(({ job }) => job)), settle }, ...jobs.filter(({ job }) => job.kind !== 'keys')];
}

/** Client of the writer thread. Jobs submitted while groups are in flight are sent together in the next message. */
export class WriterClient implements Writer {
  #outbox: SubmittedJob[] = [];
  readonly #inFlight = new Map<number, readonly SubmittedJob[]>();
  #batch = 0;
  #closed = false;

  constructor(private readonly port: MessagePort) {
    port.on('message', ({ batch, results }: { batch: number; results: JobResult[] }) => {
      const jobs = this.#inFlight.get(batch) ?? [];
      this.#inFlight.delete(batch);
      jobs.forEach(({ settle }, i) => {
        settle(results[i] as JobResult);
      });
      this.#post();
      if (this.#inFlight.size === 0) this.port.unref();
    });
    port.on('close', () => this.#fail());
    port.unref();
  }

  submit(job: WriteJob): Promise<JobResult> {
    return new Promise((settle) => {
      if (this.#closed) return settle({ error: 'the log is closed' });
      // With nothing in flight the job is sent at once; otherwise all jobs of this turn of the event loop go together. The events
      // that are sealed with new keys follow in the same turn.
      if (this.#outbox.push({ job, settle }) > 1) return;
      if (this.#inFlight.size === 0 && job.kind !== 'keys') this.#post();
      else setImmediate(() => this.#post());
    });
  }

  async close(): Promise<void> {
    this.port.close();
    this.#fail();
  }

  #post(): void {
    if (this.#outbox.length === 0 || this.#inFlight.size >= MAX_GROUPS_IN_FLIGHT || this.#closed) return;
    const jobs = withKeysTogether(this.#outbox);
    this.#outbox = [];
    this.#batch += 1;
    this.#inFlight.set(this.#batch, jobs);
    this.port.ref();
    this.port.postMessage({ batch: this.#batch, jobs: jobs.map(({ job }) => job) });
  }

  #fail(): void {
    this.#closed = true;
    for (const { settle } of [...this.#inFlight.values()].flat()) settle({ unknown: 'the log was closed before it answered' });
    for (const { settle } of this.#outbox) settle({ error: 'the log is closed' });
    this.#inFlight.clear();
    this.#outbox = [];
  }
}

/** Runs the writer in this thread, for a command line beside or without a server. */
export class InlineWriter implements Writer {
  readonly #writer: LogWriter;
  readonly #channel: ChangeChannel;
  #closed = false;

  constructor(dir: string, files: WriterOptions = {}) {
    this.#writer = new LogWriter(dir, files);
    this.#channel = new ChangeChannel(dir);
  }

  async submit(job: WriteJob): Promise<JobResult> {
    if (this.#closed) return { error: 'the log is closed' };
    const [result] = this.#writer.run([job]);
    announceStreams(this.#channel, streamsOf([job]));
    return result as JobResult;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#writer.close();
    this.#channel.close();
  }
}

/** The writer thread of a data folder, with ports to it. */
export class WriterThread {
  readonly #worker: Worker;

  private constructor(worker: Worker) {
    this.#worker = worker;
  }

  static async start(dir: string, files: WriterOptions): Promise<WriterThread> {
    const worker = new Worker(new URL('./writer-thread.js', import.meta.url), { workerData: { dir, files }, name: 'log-writer' });
    await new Promise<void>((resolve, reject) => {
      worker.once('message', () => resolve());
      worker.once('error', reject);
    });
    worker.unref();
    return new WriterThread(worker);
  }

  /** A transferable port for one thread. */
  connect(): MessagePort {
    const { port1, port2 } = new MessageChannel();
    this.#worker.postMessage({ connect: port1 }, [port1 as never]);
    return port2 as unknown as MessagePort;
  }

  onFailure(report: (e: Error) => void): void {
    this.#worker.on('error', report);
  }

  async close(): Promise<void> {
    this.#worker.ref();
    const closed = new Promise((resolve) => this.#worker.once('exit', resolve));
    this.#worker.postMessage({ close: true });
    await closed;
  }
}

/** Maps the writer's result of an append job to that of `EventStore.appendAll`. */
export function toAppendResults(chains: readonly (readonly Append[])[], result: JobResult): (AppendPosition | WrongExpectedRevision)[] {
  if ('ok' in result)
    return (result.ok ?? []).map((done, i) => {
      if ('position' in done) return done;
      const { stream, expected } = (chains[i] as readonly Append[])[done.nth] as Append;
      return new WrongExpectedRevision(stream, expected, done.actual);
    });
  const [{ stream, expected } = { stream: '', expected: 'no-stream' }] = chains[0] ?? [];
  const about = chains.length === 1 ? `append to ${stream} at ${expected}` : `append to ${stream} and ${chains.length - 1} others`;
  if ('unknown' in result) throw new OutcomeUnknown(`${about}: ${result.unknown}`);
  throw new StoreUnavailable(`${about}: ${result.error}`);
}
