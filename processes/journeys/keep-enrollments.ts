import type { ReadModels } from '../../domain/kernel/ports.js';
import type { PerformContext, PerformOutcome, ProcessManager } from '../runtime/process-manager.js';
import { openedTodos, TODOS, todoList } from '../runtime/todo-list.js';
import type { ContactTodo } from './contact-todo.js';
import { type AnyTodo, type JourneyInputEvent, journeyInputTypes } from './handled.js';
import { type EnrollmentFinder, performOther } from './other-todos.js';
import { hasOnlyTimers, performContact } from './perform-contact.js';
import { reactNotes, reactToJourneyInput } from './reactions.js';
import { furtherJourneyReads, journeyReads } from './reads.js';

/** Large, so that a wait for the list serves many. */
const BATCH = 200;
/** When a timer is looked at again for which the list is behind the log, in milliseconds. */
const TRY_AGAIN_MS = 50;

/**
 * Leads contacts through journeys: its list has one document a contact, with what may start a journey for it and its enrollments. What
 * happens to a contact is matched as the list is made; what is due is done by commands, and from the events that they record it comes back
 * to the list. Before a timer fires, the list has everything that is in the log: so what happened first counts first.
 */
export function keepEnrollments(parts: {
  readonly views: () => ReadModels;
  readonly find: EnrollmentFinder;
}): ProcessManager<JourneyInputEvent, AnyTodo> {
  const process: ProcessManager<JourneyInputEvent, AnyTodo> = {
    name: 'journeys/enrollments',
    version: 6,
    handles: journeyInputTypes,
    list: (plain) =>
      openedTodos(
        { ...plain, isUrgent: true },
        {
          types: ['CustomEventRecorded', 'CustomEventTried'],
          furtherSubjects: (todo: AnyTodo) => (todo.kind === 'contact' ? [todo.contact, ...todo.parts] : []),
        },
      ),
    reads: journeyReads,
    readsMore: furtherJourneyReads,
    reactNotes,
    react: reactToJourneyInput,
    concurrency: { lane: 8, total: 32 },
    batch: { max: BATCH },
    perform: (todos, performing) => perform(process, parts, todos, performing),
  };
  return process;
}

async function perform(
  process: ProcessManager<JourneyInputEvent, AnyTodo>,
  { views, find }: { readonly views: () => ReadModels; readonly find: EnrollmentFinder },
  todos: readonly AnyTodo[],
  performing: PerformContext,
): Promise<readonly PerformOutcome[]> {
  const timed = todos.flatMap((todo) => (todo.kind === 'contact' && hasOnlyTimers(todo) ? [todo.id] : []));
  // Timers wait for the list, the others of the batch do not.
  const timers = timed.length === 0 ? null : latestOf(timed, process, views(), performing);
  const one = async (todo: AnyTodo): Promise<PerformOutcome> => {
    if (todo.kind !== 'contact') return performOther(todo, performing, find);
    if (!hasOnlyTimers(todo)) return performContact(todo, performing);
    const latest = await timers;
    return latest ? performContact(latest.get(todo.id) ?? todo, performing) : { retry_at: performing.clock.now() + TRY_AGAIN_MS };
  };
  return Promise.all(todos.map((todo) => one(todo).catch((e: unknown) => (e instanceof Error ? e : new Error(String(e))))));
}

/** These documents once the list has what is in the log; null while it is behind. */
async function latestOf(
  ids: readonly string[],
  process: ProcessManager<JourneyInputEvent, AnyTodo>,
  views: ReadModels,
  { caughtUp }: PerformContext,
) {
  if (!(await caughtUp())) return null;
  const found = await views.docs<ContactTodo>(todoList(process), TODOS).getMany(ids);
  return new Map(ids.map((id, i) => [id, found[i]] as const));
}
