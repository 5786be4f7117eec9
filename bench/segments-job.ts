import { mkdirSync } from 'node:fs';
import type { Clock, Position, ViewWriter } from '../domain/kernel/ports.js';
import type { Rule } from '../domain/segments/rule.js';
import { readPage } from '../log/feed/pages.js';
import type { CausedAppends } from '../log/runtime/event-log.js';
import { createApplication } from '../ops/app/application.js';
import { loadConfig } from '../ops/app/config/config.js';
import { openEngine } from '../ops/engines/engine.js';
import { systemClock } from '../ops/system/clock.js';
import { loadMasterKey } from '../ops/system/secrets.js';
import type { PerformContext, Todo } from '../processes/runtime/process-manager.js';
import { TODOS, todoList } from '../processes/runtime/todo-list.js';
import { keepMemberships } from '../processes/segments/keep-memberships.js';
import { foldPage } from '../projections/runtime/fold-page.js';
import { answerJob } from './job-entry.js';
import { contactId, created, FIRST_MS, fieldsDefined, happened, leafOf, ruleOf } from './segment-load.js';

/** Keeps memberships of a new store whose events are in the log already. */
export interface SegmentsJob {
  readonly dir: string;
  readonly contacts: number;
  readonly segments: number;
  readonly events: number;
}
export interface SegmentsResult {
  /** Microseconds of CPU an event: for the documents of contacts, and for recording changes and folding the records. */
  readonly keepUs: number;
  readonly recordUs: number;
  /** Records an event. */
  readonly records: number;
  /** Milliseconds to build all segments over the contacts and no events. */
  readonly buildMs: number;
  /** Bytes of JSON of the document of a contact. */
  readonly bytes: number;
  /** To build one more segment: of leaves that others have, of a new one over an open field, and of a new one over events. */
  readonly one: { readonly known: BuildFigures; readonly attribute: BuildFigures; readonly event: BuildFigures };
}

/** Milliseconds of one build, and of CPU of all threads. */
interface BuildFigures {
  readonly ms: number;
  readonly cpuMs: number;
}

const ACCOUNT = 'acc_BENCH';
const PAGE = 1_000;
const BATCH = 500;
const SPACING_MS = 500;

class Bench {
  #appended = 0;
  #now = FIRST_MS;
  private constructor(
    private readonly app: ReturnType<typeof createApplication>,
    readonly process: ReturnType<typeof keepMemberships>,
    readonly writer: ViewWriter,
  ) {}

  static async open(dir: string) {
    mkdirSync(dir, { recursive: true });
    const config = loadConfig({ HELIOGRAPH_DATA_DIR: dir });
    const master = loadMasterKey(config);
    const engine = await openEngine(config);
    const process = keepMemberships({ views: () => engine.views });
    return new Bench(createApplication(config, master, engine), process, await engine.views.writer(todoList(process)));
  }

  async append(
    all: readonly { readonly stream: string; readonly event: { type: string; data: unknown }; readonly expected?: number }[],
  ): Promise<void> {
    for (let from = 0; from < all.length; from += BATCH) {
      const chains = all.slice(from, from + BATCH).map(({ stream, event, expected }): CausedAppends => {
        const cause = { $correlationId: 'bench', $causationId: 'bench', account: ACCOUNT, actor: { kind: 'operator', id: 'bench' } };
        const invocation = `bench-${++this.#appended}`;
        return {
          cause: { ...cause, occurredAt: new Date(this.#now).toISOString(), invocation },
          appends: [{ stream, expected: expected ?? 'no-stream', events: [event] }],
        };
      });
      for (const answer of await this.app.log.appendAll(chains)) if (answer instanceof Error) throw answer;
    }
  }

  /** Folds what is in the log. */
  async fold(): Promise<void> {
    for (;;) {
      const at = await this.writer.checkpoint();
      const page = await readPage(this.app.log, at, PAGE);
      if (page.events.length === 0) return;
      await this.writer.commit(at, page.upTo as Position, await foldPage(todoList(this.process), this.writer, page, this.app.log));
    }
  }

  /** Does what is due until nothing is. Returns the number of to-dos. */
  async settle(until: number): Promise<number> {
    this.#now = until;
    const docs = this.app.engine.views.docs<Todo>(todoList(this.process), TODOS);
    const clock: Clock = { ...systemClock, now: () => until };
    const performing: PerformContext = {
      ...{
        log: this.app.log,
        clock,
        epoch: 1,
        tenure: { since: 1, ended: new AbortController().signal },
        signal: new AbortController().signal,
        caughtUp: async () => true,
      },
      execute: (command, input, { about, account, correlation }) =>
        this.app.dispatcher.execute(command, input, { account, correlation, actor: { kind: 'process', id: 'bench' }, invocation: `bench/${about}` }),
    };
    for (let done = 0; ; ) {
      await this.fold();
      const due = [1, 2].map((priority) =>
        docs.find({ where: { priority }, range: { field: 'due_at', lte: until }, order: { field: 'due_at' }, limit: 200 }),
      );
      const [contacts = [], builds = []] = await Promise.all(due);
      if (contacts.length + builds.length === 0) return done;
      for (const batch of [contacts, builds]) if (batch.length > 0) await this.process.perform(batch as never, performing);
      done += contacts.length;
    }
  }

  /** Of the documents of contacts. */
  async meanBytes(): Promise<number> {
    const docs = await this.writer.load(Array.from({ length: 200 }, (_, nth) => ({ collection: TODOS, id: `${contactId(nth)}/segments` })));
    return docs.reduce((sum, doc) => sum + JSON.stringify(doc ?? '').length, 0) / docs.length;
  }

  async close(): Promise<void> {
    await this.writer.close();
    await this.app.engine.close();
  }
}

/** Of all threads of this process, in microseconds. */
function cpuUs(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** Over the whole log so far. */
async function buildOne(bench: Bench, id: string, rules: Rule, now: number): Promise<BuildFigures> {
  const at = new Date(now).toISOString();
  const [began, cpu] = [performance.now(), cpuUs()];
  await bench.append([{ stream: `segment-${id}`, event: { type: 'SegmentCreated', data: { segment_id: id, name: id, rules, at } } }]);
  await bench.settle(now);
  return { ms: performance.now() - began, cpuMs: (cpuUs() - cpu) / 1_000 };
}

async function measure({ dir, contacts, segments, events }: SegmentsJob): Promise<SegmentsResult> {
  const bench = await Bench.open(dir);
  await bench.append(Array.from({ length: contacts }, (_, nth) => ({ stream: `contact-${contactId(nth)}`, event: created(nth) })));
  await bench.fold();
  const at = new Date(FIRST_MS).toISOString();
  await bench.append(
    fieldsDefined(at).map((event, expected) => ({ stream: `customFields-${ACCOUNT}`, event, ...(expected > 0 && { expected: expected - 1 }) })),
  );
  const defined = (nth: number) => ({ segment_id: `seg_${nth}`, name: `Segment ${nth}`, rules: ruleOf(nth), at });
  const building = performance.now();
  await bench.append(
    Array.from({ length: segments }, (_, nth) => ({ stream: `segment-seg_${nth}`, event: { type: 'SegmentCreated', data: defined(nth) } })),
  );
  await bench.settle(FIRST_MS + 1);
  const buildMs = performance.now() - building;
  const revisions = new Map<string, number>();
  const all = Array.from({ length: contacts + events }, (_, nth) => happened(nth, contacts, SPACING_MS)).map(({ stream, event }) => {
    const revision = (revisions.get(stream) ?? 0) + 1;
    if (event.type === 'ContactUpdated') revisions.set(stream, revision);
    return { stream, event, ...(event.type === 'ContactUpdated' && { expected: revision - 1 }) };
  });
  // A contact's first event after a change of rules decides all of them.
  await bench.append(all.slice(0, contacts));
  await bench.settle(FIRST_MS + 86_400_000 + contacts * SPACING_MS);
  await bench.append(all.slice(contacts));
  const start = cpuUs();
  await bench.fold();
  const kept = cpuUs();
  const records = await bench.settle(FIRST_MS + 86_400_000 + (contacts + events) * SPACING_MS);
  const recorded = cpuUs();
  const bytes = await bench.meanBytes();
  const end = FIRST_MS + 86_400_000 + (contacts + events) * SPACING_MS;
  const one = {
    known: await buildOne(bench, 'seg_known', { type: 'all', rules: [1, 2].map((nth) => leafOf(2 * nth)) }, end),
    attribute: await buildOne(bench, 'seg_attribute', { type: 'attribute', field: 'points', op: 'gte', value: 900.5 }, end),
    event: await buildOne(bench, 'seg_event', { type: 'event', event: 'event_3', where: [{ property: 'value', op: 'gte', value: 91 }] }, end),
  };
  await bench.close();
  return { one, keepUs: (kept - start) / events, recordUs: (recorded - kept) / events, records: records / events, buildMs, bytes };
}

answerJob(measure);
