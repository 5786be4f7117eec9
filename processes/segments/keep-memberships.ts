import { type BuildStep, recordBuildStep } from '../../commands/segments/record-build.js';
import { type MembershipRecord, recordMemberships } from '../../commands/segments/record-memberships.js';
import type { Checkpoint, ReadModels } from '../../domain/kernel/ports.js';
import { isAfter } from '../../domain/kernel/ports.js';
import type { SegmentCatalog } from '../../domain/segments/live/catalog.js';
import { type Definitions, noDefinitions } from '../../domain/segments/live/definitions.js';
import { looksBefore } from '../../domain/segments/live/membership.js';
import type { MembershipsChanged } from '../../domain/segments/live/recorded.js';
import type { LogEvent } from '../../log/runtime/log-event.js';
import {
  byAccount,
  type Intention,
  type PerformContext,
  type PerformOutcome,
  type ProcessManager,
  type ReactionMemory,
  type Reads,
} from '../runtime/process-manager.js';
import { NOTES, openedTodos, TODOS, todoList } from '../runtime/todo-list.js';
import { addressNoteId } from './address-notes.js';
import { type BuildEvent, BuildReaction, type BuildTodo, buildNotes, buildTodoId, planBuild, plannedNotes } from './build-reactions.js';
import { type DefinitionsNote, definitionsId, type FindNote, SegmentCatalogs, stampId } from './catalogs.js';
import type { LiveDocs } from './contact-change.js';
import { applyAgain, applyContactEvent, type ContactInputEvent, contactsOf, furtherContacts, keysIn } from './contact-reactions.js';
import {
  afterRecord,
  type Changes,
  changesSoFar,
  changesUpTo,
  contactsIn,
  isDueByTimeOnly,
  type LiveTodo,
  liveOf,
  liveTodoId,
  toRecorded,
} from './live-todo.js';
import { applyOutside, type FilledHistories, type OutsideInput, outsideNotes, outsideReads } from './message-reactions.js';
import { messageTypes, pastOf, SCAN_EVENTS } from './scanned-past.js';

type HandledEvent = ContactInputEvent | OutsideInput | BuildEvent | MembershipsChanged;
type AnyTodo = LiveTodo | BuildTodo;
type Memory = ReactionMemory<AnyTodo>;

const definitionTypes = [
  ...(['SegmentCreated', 'SegmentUpdated', 'SegmentDeleted', 'CustomFieldDefined', 'CustomFieldRemoved'] as const),
  ...(['AccountCreated', 'SettingsChanged'] as const),
] as const;
const buildTypes = ['SegmentBuildStarted', 'SegmentHistoryScanned', 'SegmentBuildCompleted'] as const;
const ofBuilds: ReadonlySet<string> = new Set([...definitionTypes, ...buildTypes] satisfies BuildEvent['type'][]);
const isBuild = (stored: LogEvent<HandledEvent>): stored is LogEvent<BuildEvent> => ofBuilds.has(stored.event.type);
const isRecord = (stored: LogEvent<HandledEvent>): stored is LogEvent<MembershipsChanged> => stored.event.type === 'SegmentMembershipsChanged';
const outsideTypes = [
  ...(['ContactKeyClaimed', 'AddressSuppressed', 'SuppressionBackdated', 'SuppressionWidened', 'SuppressionLifted'] as const),
  ...messageTypes,
] as const;
const ofOutside: ReadonlySet<string> = new Set(outsideTypes);
const isOutside = (stored: LogEvent<HandledEvent>): stored is LogEvent<OutsideInput> => ofOutside.has(stored.event.type);

/** Contacts whose changes one call records. */
const RECORDED = 200;
/** When something is looked at again for which the list is behind the log, in milliseconds. */
const TRY_AGAIN_MS = 50;

/**
 * Keeps the memberships of all contacts in all segments: its list has one document a contact, which is due when something changes.
 * What the events of the log and the time change follows from them alone, so the list can be rebuilt; what is due is recorded in the
 * stream of the contact's memberships, and from there it comes back to the list. A record that has become wrong in between conflicts.
 */
export function keepMemberships({ views }: { readonly views: () => ReadModels }): ProcessManager<HandledEvent, AnyTodo> {
  const catalogs = new SegmentCatalogs();
  const process: ProcessManager<HandledEvent, AnyTodo> = {
    name: 'segments/memberships',
    version: 9,
    ...byAccount,
    handles: [
      ...(['ContactCreated', 'ContactUpdated', 'ContactMerged', 'ContactAbsorbed', 'ContactUnmerged', 'ContactReleased'] as const),
      ...(['ContactDeleted', 'ContactErased', 'CustomEventRecorded'] as const),
      ...(['SubscriptionRequested', 'ListSubscribed', 'ListUnsubscribed', 'ListResubscribed', 'ListCleaned'] as const),
      ...(['ConsentGranted', 'ConsentWithdrawn', 'ConsentRequested'] as const),
      'ScoreChanged',
      ...outsideTypes,
      'SegmentMembershipsChanged',
      ...definitionTypes,
      ...buildTypes,
    ],
    list: (plain) =>
      openedTodos(
        { ...plain, expand: pastOf },
        {
          types: ['ContactCreated', 'ContactUpdated', 'CustomEventRecorded'],
          furtherSubjects: (todo: AnyTodo) => (todo.kind === 'contact' ? contactsIn(todo) : []),
          partitionsOfErasure: byAccount.partitionsOf,
        },
      ),
    reads: (stored) => firstReads(stored),
    readsMore: (stored, memory) => furtherReads(stored, memory, catalogs),
    reactNotes: (stored, memory) => {
      if (!isOutside(stored)) return [];
      const note = findNote(memory);
      const known = catalogs.current(stored.meta.account, note);
      return outsideNotes(stored, note, known.catalog, filledOf(stored, known.definitions));
    },
    react: (stored, memory) => react(stored, memory, catalogs),
    concurrency: { lane: 4, total: 16 },
    batch: { max: RECORDED },
    perform: (todos, performing) => new Performance(process, views(), catalogs, performing).perform(todos),
  };
  return process;
}

function firstReads(stored: LogEvent<HandledEvent>): Reads {
  const notes = [stampId(stored.meta.account)];
  if (isBuild(stored)) return { todos: [buildTodoId(stored.meta.account)], notes };
  if (isOutside(stored)) return { notes };
  if (isRecord(stored)) return { todos: [liveTodoId(stored.event.data.contact_id)], notes };
  const { event } = stored as LogEvent<ContactInputEvent>;
  const keys = event.type === 'ContactCreated' || event.type === 'ContactUpdated' ? Object.values(keysIn(event.data)) : [];
  return { todos: contactsOf(event).map(liveTodoId), notes: [...notes, ...keys.flatMap((key) => (key === null ? [] : [addressNoteId(key)]))] };
}

/** The histories that an event fills which is applied again. */
const filledOf = (stored: LogEvent, { build }: Definitions): FilledHistories => (stored.again ? new Set(build?.histories) : undefined);

type Notes = Pick<Memory, 'isLoaded' | 'note'>;

/** Notes that were not loaded are missing. */
const findNote =
  (memory: Notes): FindNote =>
  (id) =>
    memory.isLoaded('note', id) ? memory.note(id) : undefined;

function furtherReads(stored: LogEvent<HandledEvent>, memory: Memory, catalogs: SegmentCatalogs): Reads {
  const note = findNote(memory);
  if (isBuild(stored)) return { notes: buildNotes(stored, note) };
  const { account } = stored.meta;
  const notes = catalogs.missing(account, note);
  if (isRecord(stored)) return { notes };
  if (!isOutside(stored)) return { notes, todos: furtherContacts(stored.event as ContactInputEvent, docsOf(memory)).map(liveTodoId) };
  // Which of the others are needed is known once these are.
  if (notes.some((id) => !memory.isLoaded('note', id))) return { notes };
  return outsideReads(stored, docsOf(memory), catalogs.current(account, note).catalog);
}

const docsOf = (memory: Memory): LiveDocs => ({
  isLoaded: (id: string) => memory.isLoaded('todo', id),
  todo: (id: string) => memory.todo(id) as LiveTodo | undefined,
  note: findNote(memory),
});

function react(stored: LogEvent<HandledEvent>, memory: Memory, catalogs: SegmentCatalogs): readonly Intention[] {
  const note = findNote(memory);
  if (isBuild(stored)) return new BuildReaction(stored, note, catalogs).react();
  const { catalog, numbers, definitions } = catalogs.current(stored.meta.account, note);
  if (isRecord(stored)) {
    const { contact_id, changes, at } = stored.event.data;
    const known = memory.todo(liveTodoId(contact_id)) as LiveTodo | undefined;
    if (!known || stored.revision <= known.revision) return [{ do: 'ignore', reason: 'known' }];
    const recorded = { changes, at: Date.parse(at), revision: stored.revision };
    return [{ do: 'schedule', todo: afterRecord(known, catalog, (id) => numbers.get(id), recorded) }];
  }
  return changedBy(stored, docsOf(memory), catalog, filledOf(stored, definitions)).map((todo) => ({ do: 'schedule', todo }));
}

function changedBy(stored: LogEvent<HandledEvent>, docs: LiveDocs, catalog: SegmentCatalog, filled: FilledHistories): LiveTodo[] {
  if (isOutside(stored)) return applyOutside(stored, docs, catalog, filled);
  const ofContact = stored as LogEvent<ContactInputEvent>;
  return filled ? applyAgain(ofContact, docs, catalog, filled) : applyContactEvent(ofContact, docs, catalog);
}

const recordOf = (todo: LiveTodo, { contact, pending }: Changes, names: ReturnType<SegmentCatalogs['current']>['names']): MembershipRecord => ({
  contact_id: todo.contact,
  revision: todo.revision,
  changes: toRecorded(pending, (n) => names.get(n)),
  at: new Date(contact.now).toISOString(),
});

/** Records what is due. */
class Performance {
  constructor(
    private readonly process: ProcessManager<HandledEvent, AnyTodo>,
    private readonly views: ReadModels,
    private readonly catalogs: SegmentCatalogs,
    private readonly performing: PerformContext,
  ) {}

  async perform(todos: readonly AnyTodo[]): Promise<readonly PerformOutcome[]> {
    const [first] = todos;
    if (!first) return [];
    if (first.kind === 'build') return Promise.all(todos.map((todo) => this.#build(todo as BuildTodo)));
    return this.#record(first.account, todos as readonly LiveTodo[]);
  }

  async #record(account: string, todos: readonly LiveTodo[]): Promise<PerformOutcome[]> {
    const now = this.performing.clock.now();
    const certain = await this.#certainOf(todos);
    const { catalog, names } = await this.#catalog(account);
    const due = certain.filter(({ due_at }) => due_at <= now);
    const outcomes = await this.#append(
      account,
      due.map((todo) => recordOf(todo, isDueByTimeOnly(todo) ? changesUpTo(todo, catalog, now) : changesSoFar(todo), names)),
    );
    const byId = new Map(due.map(({ id }, i) => [id, outcomes[i]]));
    return todos.map(({ id }) => byId.get(id) ?? { retry_at: now + TRY_AGAIN_MS });
  }

  /**
   * The to-dos that are certain, as they are now. What events have changed is certain; what the time changes is once the list has
   * everything that is in the log: an event that keeps a contact in a segment comes before its end.
   */
  async #certainOf(todos: readonly LiveTodo[]): Promise<readonly LiveTodo[]> {
    const timed = todos.filter(isDueByTimeOnly);
    if (timed.length === 0) return todos;
    const byEvents = todos.filter((todo) => !isDueByTimeOnly(todo));
    if (!(await this.performing.caughtUp())) return byEvents;
    const latest = await this.views.docs<LiveTodo>(todoList(this.process), TODOS).getMany(timed.map(({ id }) => id));
    return [...byEvents, ...latest.filter((todo) => todo !== undefined)];
  }

  async #append(account: string, records: readonly MembershipRecord[]): Promise<PerformOutcome[]> {
    const about = `${records.map(({ contact_id, revision }) => `${contact_id}/${revision}`).join()}`;
    const { output, position } = await this.performing.execute(recordMemberships, { records }, { account, correlation: about.slice(0, 64), about });
    return output.map((recorded) => (recorded ? position : 'start'));
  }

  async #build(todo: BuildTodo): Promise<PerformOutcome> {
    const now = this.performing.clock.now();
    const at = new Date(now).toISOString();
    const { build_id } = todo;
    switch (todo.step) {
      case 'start':
        return this.#step(todo, { type: 'SegmentBuildStarted', data: { build_id, ...(await this.#plan(todo.account)), at } });
      case 'scan': {
        // The events are read where the record is applied, and only there.
        const upTo = await this.performing.log.store.pageEnd(todo.from as Checkpoint, SCAN_EVENTS);
        const to = isAfter(upTo, todo.until) ? todo.until : upTo;
        return this.#step(todo, {
          type: 'SegmentHistoryScanned',
          data: { build_id, from: todo.from, to, ...(todo.needs && { needs: todo.needs }), at },
        });
      }
      case 'decide':
        if (!(await this.performing.caughtUp())) return { retry_at: now + TRY_AGAIN_MS };
        await this.#decideAll(todo.account, now);
        return this.#step(todo, { type: 'SegmentBuildCompleted', data: { build_id, at } });
      default:
        return todo.step satisfies never;
    }
  }

  async #plan(account: string) {
    const docs = this.views.docs(todoList(this.process), NOTES);
    const definitions = ((await docs.get(definitionsId(account))) as DefinitionsNote | undefined)?.definitions ?? noDefinitions;
    const notes = await Promise.all(plannedNotes(definitions).map((id) => docs.get(id)));
    const byId = new Map(notes.flatMap((note) => (note ? [[note.id, note] as const] : [])));
    return planBuild(definitions, this.catalogs, ((id) => byId.get(id)) as FindNote);
  }

  async #step({ account, correlation, build_id, steps }: BuildTodo, event: BuildStep['event']): Promise<Checkpoint> {
    const about = `${build_id}/${steps}`;
    const { position } = await this.performing.execute(recordBuildStep, { build_id, steps, event }, { account, correlation, about });
    return position;
  }

  /** Records what the rules in force, and the time up to `now`, change of contacts to which nothing has happened since. */
  async #decideAll(account: string, now: number): Promise<void> {
    const snapshot = await this.views.snapshot(todoList(this.process));
    try {
      let waiting: MembershipRecord[] = [];
      const { catalog, names } = await this.#catalog(account);
      for await (const doc of snapshot.scan(TODOS)) {
        const todo = doc as AnyTodo;
        if (this.performing.signal.aborted) throw new Error('stopped before all contacts were decided');
        if (todo.kind !== 'contact' || todo.account !== account || todo.stamp === catalog.stamp || todo.node === null) continue;
        const changes = changesUpTo(todo, catalog, now);
        if (changes.pending.length === 0 && !looksBefore(todo.due_at, catalog, todo, { ...changes.contact, tree: liveOf(todo).tree })) continue;
        waiting.push(recordOf(todo, changes, names));
        if (waiting.length === RECORDED) await this.#append(account, waiting.splice(0));
      }
      if (waiting.length > 0) await this.#append(account, waiting);
      waiting = [];
    } finally {
      await snapshot.close();
    }
  }

  async #catalog(account: string) {
    const docs = this.views.docs(todoList(this.process), NOTES);
    const loaded = new Map<string, unknown>();
    const note: FindNote = <N>(id: string) => loaded.get(id) as N | undefined;
    loaded.set(stampId(account), await docs.get(stampId(account)));
    for (let missing = this.catalogs.missing(account, note); missing.length > 0; ) {
      const found = await Promise.all(missing.map((id) => docs.get(id)));
      for (const [i, id] of missing.entries()) loaded.set(id, found[i]);
      missing = this.catalogs.missing(account, note).filter((id) => !loaded.has(id));
    }
    return this.catalogs.current(account, note);
  }
}
