import { type StoredTodo, TODOS } from '../../processes/runtime/todo-list.js';
import { capabilities } from './capabilities/index.js';
import type { Final } from './capability.js';
import { byStream } from './history.js';
import { Run, type RunOptions } from './run.js';
import { Guard } from './world/guard.js';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** Longer than any retry schedule and any time of a scheduled message. */
const REST_HOURS = 12;

export interface RunResult {
  readonly seed: number;
  /** SHA-256 of the whole log. */
  readonly hash: string;
  /** Violated invariants. */
  readonly failures: readonly string[];
  readonly events: number;
  /** What callers did. */
  readonly commands: number;
  /** How often something went wrong, by kind: crashes, lost answers and so on. */
  readonly faults: Readonly<Record<string, number>>;
  readonly steps: number;
  readonly dispatches: number;
  readonly webhookAttempts: number;
  /** Milliseconds of virtual time. */
  readonly simulatedMs: number;
}

/** Runs one simulation: traffic and faults for some hours, then rest, then the invariants. One at a time in a process. */
export async function simulate(options: RunOptions): Promise<RunResult> {
  const guard = new Guard();
  try {
    const result = await guarded(options);
    return { ...result, failures: [...guard.uses, ...result.failures] };
  } finally {
    guard.end();
  }
}

async function guarded(options: RunOptions): Promise<RunResult> {
  const { hours = 2, commands = 200 } = options;
  const run = new Run(options);
  await run.begin();
  const inRun = capabilities.map((capability) => capability.begin(run));
  const actions = inRun.flatMap((capability) => capability.actions);
  const random = run.world.random('traffic');
  for (let i = 0; i < commands; i++) {
    const action = random.weighted(actions);
    run.world.after(random.fraction() * hours * HOUR_MS, 'traffic', () => void action.act());
  }
  run.planFaults(hours * HOUR_MS);
  const { maxSteps = Number.POSITIVE_INFINITY } = options;
  await run.world.run(hours * HOUR_MS, () => run.world.steps >= maxSteps);
  run.calm();
  for (const { settle } of inRun) if (settle) void run.caller.hold(settle);
  const failures = await comesToRest(run);
  const events = await run.decoded();
  const final: Final = { run, events, byStream: byStream(events) };
  for (const capability of inRun) failures.push(...(await capability.check(final)));
  const hash = await run.hash();
  for (const node of run.nodes) node.release();
  return {
    seed: options.seed,
    hash,
    failures,
    events: events.length,
    commands,
    faults: run.world.faults,
    steps: run.world.steps,
    dispatches: run.outside.dispatches.length,
    webhookAttempts: run.outside.attempts.length,
    simulatedMs: run.world.elapsed,
  };
}

/** What is left to do once a day for as long as there are deliveries. */
const HOUSEKEEPING: ReadonlySet<string> = new Set(['todo/webhooks/forget-deliveries']);

/** Lets time pass until nothing is left to do. */
async function comesToRest(run: Run): Promise<string[]> {
  const { restHours = REST_HOURS, maxSteps = Number.POSITIVE_INFINITY } = run.options;
  let left: string[] = [];
  for (let passed = 0; passed < restHours * HOUR_MS; passed += MINUTE_MS) {
    if (await run.world.run(MINUTE_MS, () => run.world.steps >= maxSteps)) return [`it takes more than ${maxSteps} steps`, ...left];
    left = await unfinished(run);
    if (left.length === 0) return [];
  }
  return left;
}

/** The next fit of an account and the next night's scoring always lie ahead. */
const isNextTurn = (list: string, { lane }: StoredTodo): boolean => list === 'todo/scores/keep-scores' && lane !== 'contact';

async function unfinished(run: Run): Promise<string[]> {
  const left: string[] = [];
  if (run.caller.open > 0) left.push(`${run.caller.open} requests have no answer`);
  if (run.outside.receiptsLeft > 0) left.push(`${run.outside.receiptsLeft} receipts are not taken`);
  if (!(await run.settled())) left.push('read models are behind the log');
  const { views } = run.stores.views;
  for (const projection of run.projections) {
    if (!(TODOS in projection.collections) || HOUSEKEEPING.has(projection.name)) continue;
    const docs = views.docs<StoredTodo>(projection, TODOS);
    // A process may keep what becomes due only by a later event. Parked work is due no more, too, and must not be left.
    const due = await docs.find({ where: {}, range: { field: 'due_at', lt: Number.MAX_SAFE_INTEGER }, limit: 100 });
    const todos = [...due.filter((todo) => !isNextTurn(projection.name, todo)), ...(await docs.find({ where: { parked: true }, limit: 3 }))];
    if (todos.length > 0) left.push(`${projection.name} still has ${JSON.stringify(todos)}`);
  }
  return left;
}
