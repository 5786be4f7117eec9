import type { Clock, Docs, Find, FoundPage } from '../../domain/kernel/ports.js';
import type { Priority, Todo } from './process-manager.js';
import { type Group, groupKey, PRIORITIES } from './scheduler.js';
import type { StoredTodo } from './todo-list.js';
import type { ProcessTuning } from './tuning.js';

/** What the runner knows when it asks for due to-dos. */
export interface WindowQuery {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Whether the to-do runs, is recorded, or waits after an error until a later time. */
  readonly skip: (todo: Pick<Todo, 'id'>) => boolean;
  /** How many to-dos `skip` may leave out of a group, or of all groups of a priority. */
  readonly skipped: { readonly group: ReadonlyMap<string, number>; readonly priority: ReadonlyMap<Priority, number> };
  /** How many to-dos may start. */
  readonly capacity: (priority: Priority, account: string) => number;
  /** How many to-dos of the lane of this one may start. */
  readonly laneCapacity: (todo: Todo) => number;
}

/** Due to-dos by group, and when the next one is due, in milliseconds since 1970. */
export interface WindowPage {
  readonly groups: readonly Group[];
  readonly nextDue: number;
}

interface Window {
  /** Of all that was read, in UTF-16 units of JSON. */
  readonly bytes: number;
  /** Due, and not started when they were read. One may be outdated; the decider detects that, as with any late timer. */
  readonly todos: readonly Todo[];
  /** Whether the group had no other due to-dos. */
  readonly isAll: boolean;
  readonly nextDue: number;
}

/** Groups are listed again after this many times what listing them took. */
const LISTING_SHARE = 20;
/** To-dos of the first query of a look: of a list with little to do they are all that is due. */
const PROBE = 8;
/** A to-do has at most the sealed content of one message: 64 kB in base64. */
const MAX_TODO_BYTES = 100_000;

/**
 * Reads the due to-dos of a list. Per priority, the earliest ones of all accounts with one query; where more are due than that,
 * window by window of each account, so that the few of one account are found behind the many of another.
 */
export class TodoWindows {
  readonly #windows = new Map<string, Window>();
  readonly #behind = new Set<Priority>();
  readonly #turns = new Map<Priority, string>();
  readonly #laneTurns = new Map<string, string>();
  #listed = { groups: [] as readonly string[], until: Number.NEGATIVE_INFINITY };

  constructor(
    private readonly todos: Docs<StoredTodo>,
    private readonly hasManyLanes: boolean,
    private readonly clock: Pick<Clock, 'monotonic'>,
    private readonly tuning: ProcessTuning['window'],
  ) {}

  async read(query: WindowQuery): Promise<WindowPage> {
    const groups: Group[] = [];
    let nextDue = Number.POSITIVE_INFINITY;
    for (const priority of PRIORITIES) {
      if (query.capacity(priority, '') <= 0) continue;
      const found = (this.#behind.has(priority) ? null : await this.#earliest(priority, query)) ?? (await this.#byGroups(priority, query));
      groups.push(...found.groups);
      nextDue = Math.min(nextDue, found.nextDue);
    }
    return { groups, nextDue };
  }

  /** These have started: they are not found again in what was read ahead. */
  started(todos: readonly Todo[]): void {
    const ids = new Set(todos.map(({ id }) => id));
    for (const group of new Set(todos.map(({ priority, account }) => groupKey(priority, account)))) {
      const window = this.#windows.get(group);
      if (window) this.#windows.set(group, { ...window, todos: window.todos.filter(({ id }) => !ids.has(id)) });
    }
  }

  /** Null where more are due than were read. */
  async #earliest(priority: Priority, query: WindowQuery): Promise<WindowPage | null> {
    const { todos, isAll, nextDue } = await this.#window({ priority }, this.tuning.size, query.skipped.priority.get(priority), query);
    if (!isAll) {
      this.#behind.add(priority);
      return null;
    }
    const byAccount = new Map<string, Todo[]>();
    for (const todo of todos) {
      const others = byAccount.get(todo.account);
      if (others) others.push(todo);
      else byAccount.set(todo.account, [todo]);
    }
    return { groups: [...byAccount].map(([account, own]) => ({ priority, account, todos: own })), nextDue };
  }

  /** Accounts in turn; those whose window is not read yet come in one of the next looks. */
  async #byGroups(priority: Priority, query: WindowQuery): Promise<WindowPage> {
    const names = (await this.#groupNames()).filter((name) => name.startsWith(groupKey(priority, '')));
    const first = names.findIndex((name) => name > (this.#turns.get(priority) ?? ''));
    const found: Group[] = [];
    let nextDue = Number.POSITIVE_INFINITY;
    let reads = 0;
    let isAll = true;
    for (const name of first > 0 ? [...names.slice(first), ...names.slice(0, first)] : names) {
      const account = name.slice(groupKey(priority, '').length);
      const capacity = Math.min(this.tuning.size, query.capacity(priority, account));
      let window = this.#windows.get(name);
      if (capacity > 0 && (!window || window.todos.length < capacity)) {
        if (reads >= this.tuning.groups) {
          nextDue = query.now;
          isAll = false;
          break;
        }
        reads += 1;
        window = await this.#readGroup(name, capacity, query);
        this.#turns.set(priority, name);
      } else if (window && capacity > 0) window = await this.#withFurtherLanes(name, window, capacity, query);
      isAll &&= window?.isAll ?? false;
      nextDue = Math.min(nextDue, window?.nextDue ?? nextDue);
      if (window && capacity > 0) found.push({ priority, account, todos: window.todos });
    }
    if (isAll) this.#forget(priority);
    return { groups: found, nextDue };
  }

  async #readGroup(group: string, capacity: number, query: WindowQuery): Promise<Window> {
    const window = await this.#window({ group }, capacity + this.tuning.size, query.skipped.group.get(group), query);
    this.#keep(group, window);
    return this.#withFurtherLanes(group, window, capacity, query);
  }

  /** Adds to-dos of other lanes to a window that is full of those of lanes without room. */
  async #withFurtherLanes(group: string, window: Window, capacity: number, query: WindowQuery): Promise<Window> {
    if (!this.hasManyLanes || window.isAll || startable(window.todos, query) >= capacity) return window;
    const more = { ...window, todos: [...window.todos, ...(await this.#furtherLanes(group, window.todos, capacity, query))] };
    this.#keep(group, more);
    return more;
  }

  /** To-dos of the next lanes that are not in the window and have room. */
  async #furtherLanes(group: string, known: readonly Todo[], capacity: number, query: WindowQuery): Promise<Todo[]> {
    const found: Todo[] = [];
    const seen = new Set(known.map(({ lane }) => lane));
    let after = this.#laneTurns.get(group) ?? '';
    for (let n = 0; n < this.tuning.lanes && found.length < capacity; n++) {
      const [next] = await this.todos.find({ where: { group }, range: { field: 'lane', gt: after }, order: { field: 'lane' }, limit: 1 });
      after = next?.lane ?? '';
      if (!next || seen.has(next.lane) || query.laneCapacity(next) <= 0) continue;
      seen.add(next.lane);
      const wanted = Math.min(capacity, this.tuning.size);
      const lane = await this.#window({ group, lane: next.lane }, wanted, query.skipped.group.get(group), query);
      found.push(...lane.todos);
    }
    this.#laneTurns.set(group, after);
    return found;
  }

  /** The budget grows with what the look may leave out: to-dos that wait after errors must not hide the others. */
  async #window(where: Find['where'], wanted: number, skipped: number | undefined, query: WindowQuery): Promise<Window> {
    const leftOut = skipped ?? 0;
    const limit = wanted + leftOut;
    const bytes = this.tuning.bytes + leftOut * MAX_TODO_BYTES;
    const order = { field: 'due_at' } as const;
    const probed = await this.todos.findPage({ where, order, limit: Math.min(PROBE, limit) }, bytes);
    if (limit <= PROBE || probed.cut || probed.docs.length < PROBE || !isDue(probed.docs.at(-1), query))
      return windowOf(probed, Math.min(PROBE, limit), query);
    // Those that are not due are not read: there may be as many as a campaign has recipients.
    const page = await this.todos.findPage({ where, range: { field: 'due_at', lte: query.now }, order, limit }, bytes);
    if (page.cut || page.docs.length === limit) return windowOf(page, limit, query);
    const [next] = await this.todos.find({ where, range: { field: 'due_at', gt: query.now }, order, limit: 1 });
    return { ...windowOf(page, limit, query), nextDue: next?.due_at ?? Number.POSITIVE_INFINITY };
  }

  /** Keeps what was read ahead, without the oldest windows beyond the limit. */
  #keep(group: string, window: Window): void {
    this.#windows.delete(group);
    this.#windows.set(group, window);
    let [kept, keptBytes] = [0, 0];
    for (const { todos, bytes } of this.#windows.values()) {
      kept += todos.length;
      keptBytes += bytes;
    }
    for (const [name, { todos, bytes }] of this.#windows) {
      if ((kept <= this.tuning.ahead && keptBytes <= this.tuning.aheadBytes) || name === group) break;
      kept -= todos.length;
      keptBytes -= bytes;
      this.#windows.delete(name);
    }
  }

  #forget(priority: Priority): void {
    this.#behind.delete(priority);
    for (const name of this.#windows.keys()) if (name.startsWith(groupKey(priority, ''))) this.#windows.delete(name);
    for (const name of this.#laneTurns.keys()) if (name.startsWith(groupKey(priority, ''))) this.#laneTurns.delete(name);
  }

  async #groupNames(): Promise<readonly string[]> {
    const began = this.clock.monotonic();
    if (began < this.#listed.until) return this.#listed.groups;
    const groups = (await this.todos.distinct('group')).map(String).sort();
    const ended = this.clock.monotonic();
    this.#listed = { groups, until: ended + LISTING_SHARE * Math.floor(ended - began) };
    return groups;
  }
}

const isDue = (todo: Todo | undefined, { now }: WindowQuery): boolean => todo !== undefined && todo.due_at <= now;

function windowOf({ docs: rows, bytes, cut }: FoundPage<StoredTodo>, limit: number, query: WindowQuery): Window {
  return {
    bytes,
    todos: rows.filter((todo) => isDue(todo, query) && !query.skip(todo)),
    isAll: (rows.length < limit && !cut) || !isDue(rows.at(-1), query),
    nextDue: rows.find((todo) => !isDue(todo, query))?.due_at ?? Number.POSITIVE_INFINITY,
  };
}

/** How many of these may start, as far as their lanes permit. */
function startable(todos: readonly Todo[], { laneCapacity: roomOfLane }: WindowQuery): number {
  const lanes = new Map<string, number>();
  let count = 0;
  for (const todo of todos) {
    const capacity = lanes.get(todo.lane) ?? roomOfLane(todo);
    lanes.set(todo.lane, capacity - 1);
    if (capacity > 0) count += 1;
  }
  return count;
}

const increment = <K>(counts: Map<K, number>, key: K, by: number): void => void counts.set(key, (counts.get(key) ?? 0) + by);

/**
 * How many to-dos of the list a look leaves out: `waiting` after an error and those in flight or under suspicion, by group, and the
 * groups of those that are recorded.
 */
export function skippedTodos(
  waiting: ReadonlyMap<string, number>,
  todos: readonly ReadonlyMap<string, Todo>[],
  recorded: Iterable<string>,
): WindowQuery['skipped'] {
  const group = new Map(waiting);
  for (const each of todos) for (const todo of each.values()) increment(group, groupKey(todo.priority, todo.account), 1);
  for (const name of recorded) increment(group, name, 1);
  const priority = new Map<Priority, number>();
  for (const [name, n] of group) increment(priority, Number(name[0]) as Priority, n);
  return { group, priority };
}
