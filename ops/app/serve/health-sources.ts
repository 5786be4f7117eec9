import type { Docs, ReadModels } from '../../../domain/kernel/ports.js';
import type { AnyProcessManager, Priority } from '../../../processes/runtime/process-manager.js';
import { PRIORITIES } from '../../../processes/runtime/scheduler.js';
import { partitionsOfList, type StoredTodo, TODOS, todoList, todosOfPartition } from '../../../processes/runtime/todo-list.js';
import { PARKED, parked } from '../../../projections/parked/projection.js';
import type { AnyProjection } from '../../../projections/runtime/projection.js';
import { projectionStatuses } from '../../../projections/runtime/status.js';
import type { Logger } from '../../monitoring/logging.js';
import type { Metrics, TodoCounts } from '../../monitoring/metrics.js';
import type { Application } from '../application.js';
import { writeCheck } from './write-check.js';

/** What health, metrics and `/v1/system` show. */
export function healthSources(
  { engine, log, clock }: Application,
  processes: readonly AnyProcessManager[],
  projections: readonly AnyProjection[],
  metrics: Metrics,
  logger: Logger,
) {
  const statuses = () => projectionStatuses(projections, { log, views: engine.views, now: () => clock.now() });
  metrics.registerTodos(() => Promise.all(processes.map((process) => countTodos(process, engine.views, clock.now()))));
  metrics.registerProjections(async () => (await statuses()).map((s) => ({ ...s, lagMs: s.lag_ms, halted: s.status === 'halted' })));
  const storesReachable = async () =>
    void (await Promise.all([engine.events.head(), ...projections.slice(0, 1).map(engine.views.status, engine.views)]));
  const warnings = () =>
    metrics.misconfiguredCarriers().map((carrier) => ({
      code: 'carrier_misconfigured',
      message: `The carrier ${carrier} refuses its settings. Its messages wait; see heliograph carriers check.`,
    }));
  return { storesReachable, storesWritable: writeCheck(engine, clock, logger), projections: statuses, warnings, metrics: metrics.exposition };
}

/** Due to-dos of a priority are counted up to this number. */
const MAX_DUE_COUNTED = 1_000;

async function countTodos(process: AnyProcessManager, views: ReadModels, now: number): Promise<TodoCounts> {
  const list = todoList(process);
  const todos = views.docs<StoredTodo>(list, TODOS);
  const partitions = partitionsOfList((await views.status(list)).positions.length).map((partition) => todosOfPartition(todos, partition));
  const dueOf = (own: Docs<StoredTodo>, priority: Priority) =>
    own.find({ where: { priority }, range: { field: 'due_at', lte: now }, order: { field: 'due_at' }, limit: MAX_DUE_COUNTED });
  const due = await Promise.all(partitions.flatMap((own) => PRIORITIES.map((priority) => dueOf(own, priority))));
  const parkedCount = await views.docs(parked, PARKED).count({ process: process.name });
  return { process: process.name, waiting: await todos.count({}), due: due.flat().length, parked: parkedCount };
}
