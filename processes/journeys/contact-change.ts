/** How events change the documents of contacts. */
import type { SealedContactEvent } from '../../domain/contacts/contact.js';
import type { ContactDateEvent } from '../../domain/journeys/contact-date.js';
import { type ContactSignal, starts } from '../../domain/journeys/contact-signal.js';
import type { SealedEnrollmentEvent } from '../../domain/journeys/enrollment.js';
import type { JourneyEntryEvent } from '../../domain/journeys/entry.js';
import { type ListeningEnrollment, wakeOf } from '../../domain/journeys/listening.js';
import { ownField } from '../../domain/kernel/own-fields.js';
import { hashId } from '../../log/runtime/ids.js';
import type { LogEvent } from '../../log/runtime/log-event.js';
import type { Intention } from '../runtime/process-manager.js';
import { type ContactTodo, contactTodoId, type Hit, isIdle, type ListedEnrollment, newContactTodo, withDue } from './contact-todo.js';
import { plannedJourneys, plansAfter, withPlanned, withPlans } from './date-timers.js';
import type { ListedJourney, VersionNote } from './listening.js';

/** The documents that were loaded. */
export interface ContactDocs {
  isLoaded(id: string): boolean;
  todo(id: string): ContactTodo | undefined;
}

/** What a reaction knows of the journeys. */
export interface JourneyLookup {
  readonly journeys: readonly ListedJourney[];
  version(journey: string, version: number): VersionNote | undefined;
}

export class JourneyContactChange {
  readonly #changed = new Map<string, ContactTodo>();

  constructor(
    private readonly stored: LogEvent,
    private readonly docs: ContactDocs,
    private readonly known: JourneyLookup,
  ) {}

  /** The changed documents. */
  intentions(): Intention[] {
    return [...this.#changed.values()].map((todo) => (isIdle(todo) ? { do: 'cancel', id: todo.id } : { do: 'schedule', todo: withDue(todo) }));
  }

  happened(contactSignal: ContactSignal): void {
    const doc = this.#holderOf(contactSignal.contact_id);
    const { position } = this.stored;
    const hit = <T extends { readonly hits: readonly Hit[] }>(one: T, wake: Hit['wake'] | null): T =>
      wake === null ? one : { ...one, hits: [...one.hits, { position, wake }] };
    // What a test key causes moves nothing live.
    const isOfTest = this.stored.meta.test ?? false;
    const isMoved = (one: { readonly test: boolean }): boolean => one.test || !isOfTest;
    const enrollments = doc.enrollments.map((one) => hit(one, isMoved(one) ? this.#wakeOf(one, contactSignal) : null));
    const pending = doc.starts.map((one) =>
      hit(one, isMoved(one) ? this.#wakeOf({ ...one, id: one.enrollment_id, node: null }, contactSignal) : null),
    );
    const started = this.known.journeys.filter(({ status, trigger }) => (status === 'live' || status === 'paused') && starts(trigger, contactSignal));
    const { contact_id, started_by: trigger, trigger_id, occurred_at } = contactSignal;
    const next = started.map(({ id: journey_id, version, key, test }) => ({
      ...{ enrollment_id: hashId('enr', journey_id, contact_id, trigger_id), journey_id, version, contact_id, trigger, trigger_id },
      ...{ key: key === null ? null : contactSignal.keyAt(key), occurred_at, position, test: test || isOfTest, hits: [] },
    }));
    if (next.length > 0 || [...enrollments, ...pending].some(({ hits }, i) => hits.length !== [...doc.enrollments, ...doc.starts][i]?.hits.length))
      this.#put({ ...doc, enrollments, starts: [...pending, ...next] });
  }

  /** Something else happened to the contact: rules may hold now. */
  changed(contact: string, event_id: string): void {
    const doc = this.#holderOf(contact);
    const isWaiting = (one: ListedEnrollment) => this.#waitOf(one)?.rules === true;
    if (!doc.enrollments.some(isWaiting)) return;
    const look: Hit = { position: this.stored.position, wake: { by: 'look', event_id } };
    this.#put({ ...doc, enrollments: doc.enrollments.map((one) => (isWaiting(one) ? { ...one, hits: [...one.hits, look] } : one)) });
  }

  #waitOf({ journey_id, version, node }: Pick<ListedEnrollment, 'journey_id' | 'version' | 'node'>) {
    return node === null ? undefined : ownField(this.known.version(journey_id, version)?.waits, node);
  }

  #wakeOf(one: ListeningEnrollment & Pick<ListedEnrollment, 'journey_id' | 'version'>, contactSignal: ContactSignal): Hit['wake'] | null {
    const listening = this.known.version(one.journey_id, one.version);
    return listening ? wakeOf(listening, one, contactSignal) : null;
  }

  /** Its dates, or its clocks, may be other ones now. */
  dates(event: Extract<SealedContactEvent, { type: 'ContactCreated' | 'ContactUpdated' }>): void {
    const doc = this.#holderOf(event.data.contact_id);
    this.#plan(doc, plansAfter(event, doc, this.known.journeys), event.data.at);
  }

  datePlanned(event: Extract<ContactDateEvent, { type: 'JourneyDatePlanned' }>): void {
    this.#put(withPlanned(this.#holderOf(event.data.contact_id), event));
  }

  #plan(doc: ContactTodo, journeys: readonly string[], at: string): void {
    if (journeys.length > 0) this.#put(withPlans(doc, journeys, this.stored, at));
  }

  refused({ data }: Extract<JourneyEntryEvent, { type: 'JourneyEntryRefused' }>): void {
    const doc = this.#holderOf(data.contact_id);
    this.#put({ ...doc, starts: doc.starts.filter((one) => one.journey_id !== data.journey_id || one.trigger_id !== data.trigger_id) });
  }

  enrollment(event: SealedEnrollmentEvent): void {
    this.#enrollmentOf(event.data.contact_id, event);
    // After the end of a merge it is in the document of the contact that it comes back to.
    if (event.type === 'EnrollmentMoved') this.#enrollmentOf(event.data.into, event);
  }

  #enrollmentOf(contact: string, event: SealedEnrollmentEvent): void {
    const doc = this.#holderOf(contact);
    const { enrollment_id: id, journey_id } = event.data;
    if (event.type === 'EnrollmentStarted') this.#put(this.#withStarted(doc, event));
    else if (event.type === 'EnrollmentExited') this.#put({ ...doc, enrollments: doc.enrollments.filter((one) => one.id !== id) });
    else if (event.type === 'EnrollmentEventCollected') this.#collected(doc, event.data);
    else {
      // Held after the journey was resumed: nobody else would wake it.
      const isPaused = this.known.journeys.some((one) => one.id === journey_id && one.status === 'paused');
      const next = (one: ListedEnrollment) => this.#withLook(afterEvent(one, event, isPaused), event);
      this.#put({ ...doc, enrollments: doc.enrollments.map((one) => (one.id === id ? next(one) : one)) });
    }
  }

  /** The event starts nothing. */
  #collected(doc: ContactTodo, { journey_id, trigger_id }: { readonly journey_id: string; readonly trigger_id: string }): void {
    this.#put({ ...doc, starts: doc.starts.filter((one) => one.journey_id !== journey_id || one.trigger_id !== trigger_id) });
  }

  /** What became of a message before its wait began is looked at. */
  #withLook(one: ListedEnrollment, event: LaterEvent): ListedEnrollment {
    const isHere = event.type === 'EnrollmentNodeEntered' || event.type === 'EnrollmentMoved';
    const wait = isHere ? this.#waitOf(one) : undefined;
    if (!wait?.on.some(({ on }) => on.type === 'message')) return one;
    const look: Hit = { position: this.stored.position, wake: { by: 'look', event_id: hashId('evt', this.stored.id) } };
    return { ...one, hits: [...one.hits, look] };
  }

  #withStarted(doc: ContactTodo, { data }: Extract<SealedEnrollmentEvent, { type: 'EnrollmentStarted' }>): ContactTodo {
    const { enrollment_id: id, journey_id, contact_id, version, key, expires_at, test_key = false, at } = data;
    const pending = doc.starts.find((one) => one.enrollment_id === id);
    const test = test_key || (this.known.journeys.find((one) => one.id === journey_id)?.test ?? false);
    const listed: ListedEnrollment = {
      ...{ id, journey_id, version, key, node: null, due: Date.parse(at), held: false, test, contact_id },
      ...{ expires: expires_at === null ? null : Date.parse(expires_at), hits: pending?.hits ?? [], merge_id: null, moves: [] },
    };
    const others = doc.enrollments.filter((one) => one.id !== id);
    return { ...doc, starts: doc.starts.filter((one) => one !== pending), enrollments: [...others, listed] };
  }

  /** From now on everything that concerns the contact is in the document of the other one. */
  merge({ contact_id, into, merge_id, at }: { contact_id: string; into: string; merge_id: string; at: string }): void {
    const doc = this.#own(contact_id);
    const target = this.#holderOf(into);
    if (doc.holder !== null || target.contact === contact_id) return;
    const moved = doc.enrollments.map((one) => ({ ...one, merge_id, moves: [...one.moves, { merge_id, from: contact_id }] }));
    for (const part of doc.parts) this.#put({ ...this.#own(part), holder: target.contact });
    this.#put({ ...doc, holder: target.contact, into, starts: [], enrollments: [], dates: [], plans: [] });
    const { starts: pending, enrollments, parts } = target;
    const merged = {
      ...target,
      parts: [...parts, contact_id, ...doc.parts],
      starts: [...pending, ...doc.starts],
      enrollments: [...enrollments, ...moved],
    };
    this.#put(merged);
    this.#plan(merged, [...new Set([...plannedJourneys(target), ...plannedJourneys(doc)])], at);
  }

  /** What the contact brought into the merge, and has not ended, is its own again, with the contacts that were merged into it before. */
  unmerge({ contact_id, merge_id, at }: { contact_id: string; merge_id: string; at: string }): void {
    const doc = this.#own(contact_id);
    if (doc.holder === null) return;
    const target = this.#own(doc.holder);
    const parts = doc.parts.filter((id) => this.#own(id).holder === target.contact && this.#isWithin(id, contact_id));
    const own = new Set([contact_id, ...parts]);
    const isMoved = ({ moves }: ListedEnrollment) => moves.some((move) => move.merge_id === merge_id && move.from === contact_id);
    const back = target.enrollments
      .filter(isMoved)
      .map((one) => ({ ...one, merge_id, moves: one.moves.filter((move) => move.merge_id !== merge_id) }));
    const rest = {
      ...target,
      parts: target.parts.filter((id) => !own.has(id)),
      starts: target.starts.filter((one) => !own.has(one.contact_id)),
      enrollments: target.enrollments.filter((one) => !isMoved(one)),
    };
    const alone = {
      ...{ ...doc, holder: null, into: null, parts },
      starts: [...doc.starts, ...target.starts.filter((one) => own.has(one.contact_id))],
      enrollments: [...doc.enrollments, ...back],
    };
    for (const part of parts) this.#put({ ...this.#own(part), holder: contact_id });
    for (const one of [rest, alone]) {
      this.#put(one);
      this.#plan(one, plannedJourneys(target), at);
    }
  }

  /** Whether the contact was merged into the other one, at once or by way of others. */
  #isWithin(contact: string, other: string): boolean {
    const { into } = this.#own(contact);
    return into !== null && (into === other || this.#isWithin(into, other));
  }

  /** Its enrollments, which are to end: what is known of the contact is not kept. */
  end(contact: string): readonly ListedEnrollment[] {
    const doc = this.#own(contact);
    if (doc.holder !== null) return [];
    this.#put({ ...doc, starts: [], enrollments: [], dates: [], plans: [] });
    return doc.enrollments;
  }

  #put(todo: ContactTodo): void {
    this.#changed.set(todo.id, todo);
  }

  #own(contact: string): ContactTodo {
    const id = contactTodoId(contact);
    const known = this.#changed.get(id) ?? (this.docs.isLoaded(id) ? this.docs.todo(id) : undefined);
    return known ?? newContactTodo(contact, this.stored.meta.account, this.stored.meta.$correlationId);
  }

  /** It names the contact as its part, also where it was forgotten with the contact it is of: the parts are those whose data it may have. */
  #holderOf(contact: string): ContactTodo {
    const doc = this.#own(contact);
    if (doc.holder === null) return doc;
    const holder = this.#own(doc.holder);
    return holder.parts.includes(contact) ? holder : { ...holder, parts: [...holder.parts, contact] };
  }
}

type LaterEvent = Exclude<SealedEnrollmentEvent, { type: 'EnrollmentStarted' | 'EnrollmentExited' }>;

function afterEvent(one: ListedEnrollment, event: LaterEvent, isPaused: boolean): ListedEnrollment {
  const now = Date.parse(event.data.at);
  const leaving = () => one.hits.filter(({ wake }) => wake.by === 'exit' || wake.by === 'goal');
  switch (event.type) {
    case 'EnrollmentNodeEntered':
      return { ...one, node: event.data.node_id, due: now, hits: leaving() };
    case 'EnrollmentTimerSet':
      return { ...one, due: Date.parse(event.data.due_at), held: false };
    case 'EnrollmentTimerFired':
    case 'EnrollmentBranchTaken':
    case 'EnrollmentSendRequested':
    case 'EnrollmentSendSkipped':
    case 'EnrollmentActionTaken':
      return { ...one, node: null, due: now, held: false, hits: leaving() };
    case 'EnrollmentWaitChecked': {
      // Up to the last thing that was looked at.
      const last = one.hits.findLastIndex(({ wake }) => wake.by === 'look' && wake.event_id === event.data.event_id);
      return { ...one, hits: one.hits.filter(({ wake }, i) => wake.by !== 'look' || i > last) };
    }
    case 'EnrollmentTimerHeld':
      return { ...one, held: isPaused, hits: leaving() };
    case 'EnrollmentTimerReleased':
      return { ...one, held: false, due: Date.parse(event.data.due_at) };
    case 'EnrollmentMigrated': {
      const { version, node_id, due_at } = event.data;
      return { ...one, version, node: node_id, due: due_at === null ? now : Date.parse(due_at), hits: leaving() };
    }
    case 'EnrollmentMoved':
      return { ...one, contact_id: event.data.into, merge_id: null };
    case 'EnrollmentGoalReached':
    case 'EnrollmentEventCollected':
      return one;
    default:
      return event satisfies never;
  }
}
