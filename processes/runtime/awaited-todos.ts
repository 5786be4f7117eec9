import type { Clock, Docs } from '../../domain/kernel/ports.js';
import type { AnyProcessManager, Todo } from './process-manager.js';
import { type Group, groupKey } from './scheduler.js';
import type { StoredTodo } from './todo-list.js';
import type { Found, Look } from './todo-windows.js';
import type { ProcessTuning } from './tuning.js';

/** What is known of the to-dos that await the same thing. Times in milliseconds since 1970. */
interface Awaited {
  /** Not looked at before. */
  readonly until: number;
  /** Whether one was tried and went through: then the others follow. */
  readonly isOpen: boolean;
  /** The one that is tried. */
  readonly trial: string | null;
}

const UNKNOWN: Awaited = { until: 0, isOpen: false, trial: null };
/** What is awaited is listed again after this many times what listing it took. */
const LISTING_SHARE = 20;

/**
 * Finds the to-dos whose `awaits` is over. Until then they are in no window, so that any number of them delays no other to-do. Once
 * it is over one of them is tried; the others follow if that one does not wait again.
 */
export class AwaitedTodos {
  readonly #known = new Map<string, Awaited>();
  #turn = '';
  #listUntil = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly todos: Docs<StoredTodo>,
    private readonly process: Pick<AnyProcessManager, 'awaiting'>,
    private readonly clock: Pick<Clock, 'monotonic'>,
    private readonly tuning: Pick<ProcessTuning, 'window' | 'idleMs'>,
  ) {}

  async read(look: Look): Promise<Found> {
    if (!this.process.awaiting) return { groups: [], nextDue: Number.POSITIVE_INFINITY };
    await this.#list(look.now);
    const groups: Group[] = [];
    const names = [...this.#known.keys()].sort();
    const first = names.findIndex((name) => name > this.#turn);
    let reads = 0;
    for (const name of first > 0 ? [...names.slice(first), ...names.slice(0, first)] : names) {
      if ((this.#known.get(name) ?? UNKNOWN).until > look.now) continue;
      if (++reads > this.tuning.window.groups) break;
      this.#turn = name;
      const todos = await this.#read(name, look);
      const [{ priority, account } = {}] = todos;
      if (priority !== undefined && account !== undefined) groups.push({ priority, account, todos });
    }
    const times = [...this.#known.values()].map(({ until, trial }) => (trial === null ? until : Number.POSITIVE_INFINITY));
    return { groups, nextDue: Math.min(...times.map((until) => Math.max(until, look.now + 1)), Number.POSITIVE_INFINITY) };
  }

  /** It could not be done, and nothing was recorded: those that await the same are not looked at for a while. */
  putOff({ awaits }: Todo, now: number): void {
    if (awaits !== undefined) this.#known.set(awaits, { ...UNKNOWN, until: now + this.tuning.idleMs });
  }

  async #list(now: number): Promise<void> {
    const began = this.clock.monotonic();
    if (began < this.#listUntil) return;
    const names = new Set((await this.todos.distinct('awaits')).map(String));
    for (const name of this.#known.keys()) if (!names.has(name)) this.#known.delete(name);
    for (const name of names) if (!this.#known.has(name)) this.#known.set(name, { ...UNKNOWN, until: now });
    const ended = this.clock.monotonic();
    this.#listUntil = ended + Math.max(this.tuning.idleMs / 2, LISTING_SHARE * (ended - began));
  }

  /** Those that may start now. */
  async #read(name: string, look: Look): Promise<readonly Todo[]> {
    let { isOpen, trial } = this.#known.get(name) ?? UNKNOWN;
    if (trial !== null) {
      if (look.skip({ id: trial })) return [];
      isOpen = (await this.todos.get(trial))?.awaits !== name;
      trial = null;
    }
    const found = await this.#page(name, isOpen, look);
    const [first] = found;
    const isOver = first !== undefined && (await this.process.awaiting?.isOver(first, look.now)) === true;
    if (!first || !isOver) {
      this.#known.set(name, { until: look.now + this.tuning.idleMs, isOpen: isOpen && !first, trial });
      return [];
    }
    this.#known.set(name, { until: look.now, isOpen, trial: isOpen ? null : first.id });
    return isOpen ? found : [first];
  }

  /** Those whose own time has come are found as any others. */
  async #page(awaits: string, isOpen: boolean, look: Look): Promise<readonly Todo[]> {
    const [one] = await this.todos.find({ where: { awaits }, order: { field: 'due_at' }, limit: 1 });
    const room = one ? look.room(one.priority, one.account) : 0;
    if (!one || room <= 0) return [];
    const skipped = look.skipped.group.get(groupKey(one.priority, one.account)) ?? 0;
    const limit = skipped + (isOpen ? Math.min(this.tuning.window.size, room) : 1);
    const { docs } = await this.todos.findPage({ where: { awaits }, order: { field: 'due_at' }, limit }, this.tuning.window.bytes);
    return docs.filter((todo) => todo.due_at > look.now && !look.skip(todo));
  }
}

/** The groups of both, those of the same priority and account together. */
export function united(due: Found, awaited: Found): Found {
  const byKey = new Map(due.groups.map((group) => [groupKey(group.priority, group.account), group]));
  for (const { priority, account, todos } of awaited.groups) {
    const key = groupKey(priority, account);
    byKey.set(key, { priority, account, todos: [...(byKey.get(key)?.todos ?? []), ...todos] });
  }
  return { groups: [...byKey.values()], nextDue: Math.min(due.nextDue, awaited.nextDue) };
}
