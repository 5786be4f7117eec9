/** The document of a contact in the list: what may start a journey for it, and when, and its enrollments. It is due when one of them goes on. */
import type { StartedBy } from '../../domain/journeys/enrollment.js';
import type { Resume } from '../../domain/journeys/interpreter.js';
import type { Todo } from '../runtime/process-manager.js';

/** Something to which an enrollment reacts, in the order of the log. */
export interface Hit {
  readonly position: string;
  readonly wake: Exclude<Resume, { by: 'time' }>;
}

/** What is to start a journey and is not decided yet. */
export interface PendingStart {
  readonly enrollment_id: string;
  readonly journey_id: string;
  readonly version: number;
  /** For whom it happened; it may be merged into another contact since. */
  readonly contact_id: string;
  readonly trigger: StartedBy;
  readonly trigger_id: string;
  readonly key: string | null;
  readonly occurred_at: string;
  readonly position: string;
  readonly test: boolean;
  /** What happened since. */
  readonly hits: readonly Hit[];
}

/** An enrollment that has not ended. */
export interface ListedEnrollment {
  readonly id: string;
  readonly journey_id: string;
  readonly version: number;
  readonly key: string | null;
  readonly node: string | null;
  /** Milliseconds since 1970; null: it waits for something else. */
  readonly due: number | null;
  /** Milliseconds since 1970. */
  readonly expires: number | null;
  readonly held: boolean;
  readonly test: boolean;
  readonly hits: readonly Hit[];
  /** Its contact as it is recorded; another one than that of the document while it is to be moved by this merge. */
  readonly contact_id: string;
  readonly merge_id: string | null;
  /** Merges that moved it. */
  readonly moves: readonly { readonly merge_id: string; readonly from: string }[];
}

/** A date of the contact: when it starts a journey next. */
export interface DateTimer {
  readonly journey_id: string;
  readonly occurrence: string;
  /** Milliseconds since 1970. */
  readonly due: number;
}
/** A change of the contact, after which a date has to be planned. */
export interface PendingPlan {
  readonly journey_id: string;
  readonly event_id: string;
  /** RFC 3339: when it changed. */
  readonly since: string;
  readonly position: string;
}

export interface ContactTodo extends Todo {
  readonly kind: 'contact';
  readonly correlation: string;
  readonly contact: string;
  /** The contact whose document has what concerns this one. */
  readonly holder: string | null;
  /** The contact into which this one was merged itself. */
  readonly into: string | null;
  /** Contacts whose documents name this one as their holder, or did when it was merged. */
  readonly parts: readonly string[];
  readonly starts: readonly PendingStart[];
  readonly enrollments: readonly ListedEnrollment[];
  /** One of a journey. */
  readonly dates: readonly DateTimer[];
  /** One of a journey: the latest. */
  readonly plans: readonly PendingPlan[];
}

export const NEVER_DUE = Number.MAX_SAFE_INTEGER;
export const contactTodoId = (contact: string): string => `${contact}/journeys`;

export const newContactTodo = (contact: string, account: string, correlation: string): ContactTodo => ({
  id: contactTodoId(contact),
  kind: 'contact',
  ...{ contact, account, correlation, holder: null, into: null, parts: [], starts: [], enrollments: [], dates: [], plans: [] },
  ...{ priority: 1, lane: 'journeys', due_at: NEVER_DUE },
});

/** When an enrollment goes on; NEVER if something else must happen first. */
export function enrollmentDue({ due, expires, held, hits, merge_id }: ListedEnrollment): number {
  if (hits.length > 0 || merge_id !== null) return 0;
  const times = [held ? null : due, expires].filter((one) => one !== null);
  return times.length === 0 ? NEVER_DUE : Math.min(...times);
}

/** The document with the time at which it is due. */
export function withDue(todo: ContactTodo): ContactTodo {
  const isNow = todo.starts.length > 0 || todo.plans.length > 0;
  const due_at = isNow ? 0 : Math.min(NEVER_DUE, ...todo.enrollments.map(enrollmentDue), ...todo.dates.map(({ due }) => due));
  return { ...todo, due_at };
}

/** Nothing that has to be kept. */
export const isIdle = ({ holder, parts, ...lists }: ContactTodo): boolean =>
  holder === null && parts.length === 0 && [lists.starts, lists.enrollments, lists.dates, lists.plans].every(({ length }) => length === 0);
