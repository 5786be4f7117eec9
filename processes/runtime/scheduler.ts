import { type LaneLimit, NO_LIMIT, type Priority, type Todo } from './process-manager.js';

/** How many calls of `perform` a process may have in flight: for one lane of an account, and in all; and the most to-dos of one call. */
export interface CallLimits {
  readonly lane: number;
  readonly total: number;
  readonly batch: number;
}

/** Due to-dos of one account and priority, in the order in which they are due. None of them is in flight. */
export interface Group {
  readonly priority: Priority;
  readonly account: string;
  readonly todos: readonly Todo[];
}

/** What is limited from outside at the moment. */
export interface StartLimits {
  /** At most this many calls in flight, of all priorities, and of those below 0. */
  readonly all: number;
  readonly lowPriority: number;
  /** How many to-dos of a group may start now; without it, any number. */
  readonly allowance?: (priority: Priority, account: string) => number;
  /** To-dos that are tried by themselves, not together with others of their lane. */
  readonly isAlone?: (todo: Todo) => boolean;
}

export const PRIORITIES: readonly Priority[] = [0, 1, 2];
/** The share of the places that only priority 0 may use. */
const RESERVED = 1 / 8;
/** Number of accounts for which the next lane is stored; beyond it, an account starts with its first lane again. */
const MAX_TURNS = 10_000;

export const groupKey = (priority: Priority, account: string): string => `${priority}/${account}`;
const laneKey = ({ priority, account, lane }: Todo): string => `${priority}/${account}/${lane}`;

/**
 * Decides which to-dos start, by priority, then by accounts in turn, then by the lanes of an account in turn. An account may
 * hold as many places as are free, so at most half of them, and with n busy accounts a newcomer finds 1/(n+1) of them free.
 * A call of `perform` is one place, whatever the number of its to-dos. Deterministic; knows neither time nor stores.
 */
export class Scheduler {
  readonly #inFlight = new Counter();
  /** By priority: the account that had the last turn. */
  readonly #accountTurns = new Map<Priority, string>();
  /** By group: the lane that had the last turn. */
  readonly #laneTurns = new Map<string, string>();

  constructor(
    private readonly places: CallLimits,
    private readonly limit: LaneLimit = NO_LIMIT,
  ) {}

  /** Nothing starts any more. */
  close(): void {
    this.limit.leave();
  }

  /** Calls in flight. */
  get running(): number {
    return this.#inFlight.of('all');
  }

  /** How many more calls of this priority and account may start, lanes aside. Not above 0: none. */
  capacity(priority: Priority, account: string, { all, lowPriority: lower }: StartLimits): number {
    const open = Math.min(all, this.places.total);
    const free = open - this.running;
    const ofAccount = this.#inFlight.of(`account/${account}`);
    const urgent = this.#inFlight.of(`urgent/${account}`);
    const toHalf = Math.max(1, Math.floor(this.places.total / 2)) - ofAccount;
    if (priority === 0) return Math.min(toHalf, half(free - urgent));
    const reserved = Math.floor(open * RESERVED);
    const freeLower = Math.min(free - reserved, Math.min(open - reserved, lower) - this.#inFlight.of('lower'));
    return Math.min(toHalf, half(freeLower - (ofAccount - urgent)));
  }

  /** How many more calls may start in the lane of this to-do. */
  laneCapacity(todo: Todo): number {
    const free = this.places.lane - this.#inFlight.of(laneKey(todo));
    return free > 0 ? Math.min(free, this.limit.capacity(todo)) : free;
  }

  /** Takes the to-dos that start now, as calls: each is of one lane, in due order. They are in flight until `ended`. */
  take(groups: readonly Group[], limits: StartLimits): readonly (readonly Todo[])[] {
    const starts: (readonly Todo[])[] = [];
    for (const priority of PRIORITIES) {
      let waiting = this.#inTurn(priority, groups).map((group) => new LaneQueues(group, this.#laneTurns.get(groupKey(priority, group.account))));
      while (waiting.length > 0) waiting = waiting.filter((queues) => this.#startOne(queues, limits, starts));
    }
    return starts;
  }

  /** A call that `take` returned has ended. */
  ended(todos: readonly Todo[]): void {
    this.#count(todos[0] as Todo, -1);
    this.limit.ended(todos[0] as Todo);
  }

  #inTurn(priority: Priority, groups: readonly Group[]): readonly Group[] {
    const those = groups.filter((group) => group.priority === priority).sort((a, b) => (a.account < b.account ? -1 : 1));
    return rotated(those, ({ account }) => account, this.#accountTurns.get(priority));
  }

  /** False where the group can start nothing more. */
  #startOne(queues: LaneQueues, limits: StartLimits, starts: (readonly Todo[])[]): boolean {
    const { priority, account } = queues.group;
    const allowance = (limits.allowance?.(priority, account) ?? Number.POSITIVE_INFINITY) - queues.taken;
    if (allowance < 1 || this.capacity(priority, account, limits) <= 0) return false;
    const todos = queues.take(Math.min(this.places.batch, allowance), (todo) => this.laneCapacity(todo) > 0, limits.isAlone);
    const [first] = todos;
    if (!first) return false;
    this.#count(first, 1);
    this.limit.started(first);
    this.#accountTurns.set(priority, account);
    if (this.#laneTurns.size >= MAX_TURNS) this.#laneTurns.clear();
    this.#laneTurns.set(groupKey(priority, account), first.lane);
    starts.push(todos);
    return true;
  }

  #count(todo: Todo, by: 1 | -1): void {
    const { priority, account } = todo;
    this.#inFlight.add('all', by);
    this.#inFlight.add(`account/${account}`, by);
    this.#inFlight.add(priority === 0 ? `urgent/${account}` : 'lower', by);
    this.#inFlight.add(laneKey(todo), by);
  }
}

/** The same groups with these to-dos before their others. */
export function withFirst(groups: readonly Group[], todos: readonly Todo[]): readonly Group[] {
  const byKey = new Map(groups.map((group) => [groupKey(group.priority, group.account), group]));
  for (const todo of [...todos].reverse()) {
    const { priority, account } = todo;
    const group = byKey.get(groupKey(priority, account));
    byKey.set(groupKey(priority, account), { priority, account, todos: [todo, ...(group?.todos ?? [])] });
  }
  return [...byKey.values()];
}

/** Of what is free beyond what is held, the part that may be taken so that as much stays free as is held then. */
const half = (free: number): number => Math.ceil(free / 2);

interface LaneQueue {
  readonly name: string;
  readonly todos: Todo[];
  next: number;
}

/** The to-dos of a group by lane, whose lanes have turns. */
class LaneQueues {
  readonly #lanes: LaneQueue[];
  #turn = 0;
  taken = 0;

  constructor(
    readonly group: Group,
    lastLane: string | undefined,
  ) {
    const byName = new Map<string, Todo[]>();
    for (const todo of group.todos) {
      const lane = byName.get(todo.lane);
      if (lane) lane.push(todo);
      else byName.set(todo.lane, [todo]);
    }
    const sorted = [...byName].map(([name, todos]) => ({ name, todos, next: 0 })).sort((a, b) => (a.name < b.name ? -1 : 1));
    this.#lanes = [...rotated(sorted, ({ name }) => name, lastLane)];
  }

  /** The next to-dos of the next lane with room, at most this many; none where no lane has room. */
  take(max: number, hasRoom: (first: Todo) => boolean, isAlone: (todo: Todo) => boolean = () => false): readonly Todo[] {
    while (this.#lanes.length > 0) {
      this.#turn %= this.#lanes.length;
      const lane = this.#lanes[this.#turn] as LaneQueue;
      const first = lane.todos[lane.next];
      if (!first || !hasRoom(first)) {
        this.#lanes.splice(this.#turn, 1);
        continue;
      }
      let todos = isAlone(first) ? [first] : lane.todos.slice(lane.next, lane.next + Math.max(1, Math.floor(max)));
      const alone = todos.findIndex(isAlone);
      if (alone > 0) todos = todos.slice(0, alone);
      lane.next += todos.length;
      this.taken += todos.length;
      this.#turn += 1;
      return todos;
    }
    return [];
  }
}

/** The same list, beginning after the item that had the last turn. */
function rotated<T>(sorted: readonly T[], nameOf: (item: T) => string, last: string | undefined): readonly T[] {
  const first = last === undefined ? 0 : sorted.findIndex((item) => nameOf(item) > last);
  return first > 0 ? [...sorted.slice(first), ...sorted.slice(0, first)] : sorted;
}

/** Counts by key; keys at 0 take no memory. */
class Counter {
  readonly #counts = new Map<string, number>();

  of(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  add(key: string, by: number): void {
    const n = this.of(key) + by;
    if (n > 0) this.#counts.set(key, n);
    else this.#counts.delete(key);
  }
}
