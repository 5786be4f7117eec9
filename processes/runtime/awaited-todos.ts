import type { Clock, Docs } from '../../domain/kernel/ports.js';
import type { AnyProcessManager, Todo } from './process-manager.js';
import { type Group, groupKey } from './scheduler.js';
import type { StoredTodo } from './todo-list.js';
import type { WindowPage, WindowQuery } from './todo-windows.js';
import type { ProcessTuning } from './tuning.js';

/** What is known of the to-dos that await the same thing. Times in milliseconds since 1970. */
interface AwaitedGroup {
  /** Not looked at before. */
  readonly until: number;
  /** Whether one was tried and went through: then the others follow. */
  readonly isOpen: boolean;
  /** The one that is tried. */
  readonly probe: string | null;
}

const UNKNOWN: AwaitedGroup = { until: 0, isOpen: false, probe: null };
/** What is awaited is listed again after this many times what listing it took. */
const LISTING_SHARE = 20;

/**
 * Finds the to-dos whose `awaits` is over. Until then they are in no window, so that any number of them delays no other to-do. Once
 * it is over one of them is tried; the others follow if that one does not wait again.
 */
export class AwaitedTodos {
  readonly #known = new Map<string, AwaitedGroup>();
  #turn = '';
  #listUntil = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly todos: Docs<StoredTodo>,
    private readonly process: Pick<AnyProcessManager, 'awaiting'>,
    private readonly clock: Pick<Clock, 'monotonic'>,
    private readonly tuning: Pick<ProcessTuning, 'window' | 'idleMs'>,
  ) {}

  async read(query: WindowQuery): Promise<WindowPage> {
    if (!this.process.awaiting) return { groups: [], nextDue: Number.POSITIVE_INFINITY };
    await this.#list(query.now);
    const groups: Group[] = [];
    const names = [...this.#known.keys()].sort();
    const first = names.findIndex((name) => name > this.#turn);
    let reads = 0;
    for (const name of first > 0 ? [...names.slice(first), ...names.slice(0, first)] : names) {
      if ((this.#known.get(name) ?? UNKNOWN).until > query.now) continue;
      if (++reads > this.tuning.window.groups) break;
      this.#turn = name;
      const todos = await this.#read(name, query);
      const [{ priority, account } = {}] = todos;
      if (priority !== undefined && account !== undefined) groups.push({ priority, account, todos });
    }
    const times = [...this.#known.values()].map(({ until, probe }) => (probe === null ? until : Number.POSITIVE_INFINITY));
    return { groups, nextDue: Math.min(...times.map((until) => Math.max(until, query.now + 1)), Number.POSITIVE_INFINITY) };
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
  async #read(name: string, query: WindowQuery): Promise<readonly Todo[]> {
    let { isOpen, probe } = this.#known.get(name) ?? UNKNOWN;
    if (probe !== null) {
      if (query.skip({ id: probe })) return [];
      isOpen = (await this.todos.get(probe))?.awaits !== name;
      probe = null;
    }
    const found = await this.#page(name, isOpen, query);
    const [first] = found;
    const isOver = first !== undefined && (await this.process.awaiting?.isOver(first, query.now)) === true;
    if (!first || !isOver) {
      this.#known.set(name, { until: query.now + this.tuning.idleMs, isOpen: isOpen && !first, probe });
      return [];
    }
    this.#known.set(name, { until: query.now, isOpen, probe: isOpen ? null : first.id });
    return isOpen ? found : [first];
  }

  /** Those whose own time has come are found as any others. */
  async #page(awaits: string, isOpen: boolean, query: WindowQuery): Promise<readonly Todo[]> {
    const [one] = await this.todos.find({ where: { awaits }, order: { field: 'due_at' }, limit: 1 });
    const room = one ? query.capacity(one.priority, one.account) : 0;
    if (!one || room <= 0) return [];
    const skipped = query.skipped.group.get(groupKey(one.priority, one.account)) ?? 0;
    const limit = skipped + (isOpen ? Math.min(this.tuning.window.size, room) : 1);
    const { docs } = await this.todos.findPage({ where: { awaits }, order: { field: 'due_at' }, limit }, this.tuning.window.bytes);
    return docs.filter((todo) => todo.due_at > query.now && !query.skip(todo));
  }
}

/** The groups of both, those of the same priority and account together. */
export function unified(due: WindowPage, awaited: WindowPage): WindowPage {
  const byKey = new Map(due.groups.map((group) => [groupKey(group.priority, group.account), group]));
  for (const { priority, account, todos } of awaited.groups) {
    const key = groupKey(priority, account);
    byKey.set(key, { priority, account, todos: [...(byKey.get(key)?.todos ?? []), ...todos] });
  }
  return { groups: [...byKey.values()], nextDue: Math.min(due.nextDue, awaited.nextDue) };
}
