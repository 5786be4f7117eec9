import { randomBytes } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { Cause, Command, ExecuteResult } from '../../commands/runtime/command.js';
import { createDispatcher } from '../../commands/runtime/dispatcher.js';
import { createInputValidator } from '../../commands/runtime/input-validator.js';
import type { CommandPorts } from '../../commands/runtime/ports.js';
import { type Doc, type EventStore, isAfter, type ReadModels, type ViewWriter } from '../../domain/kernel/ports.js';
import type { Static, TSchema } from '../../domain/kernel/schema.js';
import { openMemoryLog, openMemoryViews } from '../../engines/memory/index.js';
import { eventTypes } from '../../log/event-types.js';
import { EventLog } from '../../log/runtime/event-log.js';
import { newId } from '../../log/runtime/ids.js';
import { Vault } from '../../log/vault/vault.js';
import type { AnyProcessManager, Todo } from '../../processes/runtime/process-manager.js';
import { TODOS, todoList } from '../../processes/runtime/todo-list.js';
import { buildUpTo } from '../../projections/runtime/build.js';
import type { AnyProjection } from '../../projections/runtime/projection.js';
import { SkippingClock } from './skipping-clock.js';
import { system } from './system.js';
import { type PortOverrides, testPorts, withPorts } from './test-ports.js';

/** One for all specs of a process: compiling the schemas takes longer than most specs. */
const validateInput = createInputValidator();

export const ACCOUNT = 'acc_TEST';
/** More steps than any spec needs: guards against a to-do that is never done. */
const MAX_STEPS = 500;

/**
 * Commands and processes over a log in memory, run step by step: due to-dos are performed, and the clock advances to the
 * next one. So a spec covers days without waiting, and is deterministic.
 */
export class TestApp {
  readonly clock = new SkippingClock('2026-01-15T10:00:00.000Z');
  readonly engine = openMemoryLog();
  readonly views: ReadModels;
  readonly vault: Vault;
  readonly log: EventLog;
  readonly ports: CommandPorts;
  readonly #node: Pick<TestApp, 'execute'>;
  readonly #writers = new Map<string, ViewWriter>();
  readonly #signal = new AbortController().signal;

  constructor(
    readonly processes: readonly AnyProcessManager[] = [],
    ports: PortOverrides = {},
    /** Of divided read models and to-do lists. To-dos of divided lists are as they are stored. */
    partitions = 1,
    master = randomBytes(32),
  ) {
    this.vault = new Vault(master, this.engine.keys, system);
    this.log = new EventLog(this.engine.events, this.vault, eventTypes);
    this.views = openMemoryViews({ clock: this.clock, partitions }).views;
    // As in the runner of processes: each call in flight listens for the end.
    setMaxListeners(0, this.#signal);
    this.ports = testPorts(this.log, ports);
    this.#node = this.nodeOver(this.engine.events);
  }

  /** Runs a command as a caller of the API would. */
  execute<Input extends TSchema, Output>(
    command: Command<Input, Output>,
    input: Static<Input>,
    cause?: Partial<Cause>,
  ): Promise<ExecuteResult<Output>> {
    return this.#node.execute(command, input, cause);
  }

  /** Another node over the same log, or a decorator of it, with ports of its own. */
  nodeOver(events: EventStore, ports: PortOverrides = {}): Pick<TestApp, 'execute'> {
    const log = new EventLog(events, this.vault, eventTypes);
    const dispatcher = createDispatcher({
      log,
      addresses: this.vault,
      ports: withPorts(this.ports, ports),
      validateInput,
      clock: this.clock,
      entropy: system.entropy,
      secretKey: Buffer.alloc(32, 1),
    });
    return {
      execute: (command, input, cause = {}) => {
        const invocation = newId(system.entropy, 'req', this.clock.now());
        const own = { account: ACCOUNT, actor: { kind: 'key', id: 'key_TEST' }, invocation, correlation: invocation } as const;
        return dispatcher.execute(command, input, { ...own, ...cause });
      },
    };
  }

  /** Performs to-dos for `ms` milliseconds of the clock, or until none is left. */
  async run(ms = 3_600_000): Promise<void> {
    const until = this.clock.now() + ms;
    for (let step = 0; step < MAX_STEPS; step++) {
      const todos = await this.todos();
      const due = todos.filter(({ process, todo }) => timeOf(process, todo) <= this.clock.now());
      for (const { process, todo } of due) await this.#perform(process, todo);
      if (due.length > 0) continue;
      if (todos.length === 0) return;
      const next = Math.min(...todos.map(({ process, todo }) => timeOf(process, todo)));
      await this.clock.advance(Math.max(0, Math.min(next, until) - this.clock.now()));
      if (next > until) return;
    }
    throw new Error(`to-dos remain: ${JSON.stringify((await this.todos()).map(({ todo }) => todo))}`);
  }

  /** All to-dos at the head of the log. */
  async todos(): Promise<{ process: AnyProcessManager; todo: Todo }[]> {
    const lists = await Promise.all(
      this.processes.map(async (process) => (await this.documents<Todo>(todoList(process), TODOS)).map((todo) => ({ process, todo }))),
    );
    return lists.flat();
  }

  /** The documents of a projection at the head of the log. */
  async documents<D extends Doc>(projection: AnyProjection, collection: string): Promise<D[]> {
    const writer = this.#writers.get(projection.name) ?? (await this.views.writer(projection));
    this.#writers.set(projection.name, writer);
    await buildUpTo(projection, { log: this.log }, writer, new AbortController().signal);
    const documents: D[] = [];
    for await (const document of writer.scan(collection)) documents.push(document as D);
    return documents;
  }

  /** The event types of a stream, in order. */
  async history(stream: string): Promise<string[]> {
    return ((await this.log.read(stream)) ?? []).map(({ event }) => event.type);
  }

  async #perform(process: AnyProcessManager, todo: Todo): Promise<void> {
    const before = await this.engine.events.head();
    const [outcome] = await process.perform([todo], {
      log: this.log,
      clock: this.clock,
      epoch: 1,
      tenure: { since: 1, ended: this.#signal },
      signal: this.#signal,
      caughtUp: async () => true,
      execute: (command, input, { about, ...cause }) =>
        this.execute(command, input, { ...cause, actor: { kind: 'process', id: process.name }, invocation: `${process.name}/${about}` }),
    });
    if (outcome instanceof Error) throw outcome;
    if (outcome === undefined || typeof outcome === 'object' || !isAfter(outcome, before))
      throw new Error(`${process.name} recorded nothing for ${JSON.stringify(todo)}`);
  }
}

/** When a to-do is performed next: the runner tries what awaits something at a time of its own. */
const timeOf = ({ awaiting }: AnyProcessManager, todo: Todo): number =>
  todo.awaits !== undefined && awaiting ? Math.min(awaiting.retryAt(todo), todo.due_at) : todo.due_at;
