import type { PastContact, PastQuery, PastRange, PastSignal } from '../../domain/journeys/past.js';
import type { Checkpoint } from '../../domain/kernel/ports.js';
import type { PastCustomEvent } from '../../domain/segments/history.js';
import type { Rule } from '../../domain/segments/rule.js';
import type { EventLog } from '../../log/runtime/event-log.js';

/** For a dry run: another log, another time, and custom events that would have happened by then. */
export interface Supposition {
  readonly log: EventLog;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly events: readonly PastCustomEvent[];
}

/** What is known of a contact beyond its own streams. */
export interface JourneyFacts {
  /** Which of the rules hold now, over everything that is in the log. The contact is a root. */
  holds(account: string, contactId: string, rules: readonly Rule[], supposed?: Supposition): Promise<readonly boolean[]>;
}

/** Calls the receivers of webhook nodes, guarded like every call to an address of a caller. */
export interface JourneyCalls {
  readonly retryDelaysMs: readonly number[];
  /** 'ok' for an answer with 2xx, otherwise what was wrong: `http_500`, `timeout`. Throws nothing. */
  post(request: {
    readonly account: string;
    /** The same in every attempt. */
    readonly delivery_id: string;
    readonly attempt: number;
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: object;
  }): Promise<string>;
}

/** What really happened, for simulations: the history of one contact at a time. */
export interface JourneyPast {
  /** A page of contacts in the order of creation; null while the read models lack what was recorded up to `since`. */
  contacts(
    account: string,
    after: string | null,
    limit: number,
    since: Checkpoint,
  ): Promise<{ readonly items: readonly PastContact[]; readonly next: string | null } | null>;
  /** What happened to a contact, in the order in which it was recorded. */
  contactSignals(account: string, contact: PastContact, wanted: PastQuery, range: PastRange): Promise<readonly PastSignal[]>;
  /** The same, of what is in the log now: read models that it needs are awaited. */
  recent(account: string, contact: PastContact, wanted: PastQuery, range: PastRange): Promise<readonly PastSignal[]>;
  /** The starts of a journey by requests. */
  starts(journey: string, contact: PastContact, range: PastRange): Promise<readonly PastSignal[]>;
  /** What became of a message of an enrollment, in order; null if there is no such message. */
  message(id: string, enrollment: string, node: string): Promise<readonly PastSignal[] | null>;
  /** Which of the rules held at a time (RFC 3339), by what was recorded by then. */
  holds(account: string, contact: string, rules: readonly Rule[], at: string): Promise<readonly boolean[]>;
}

/** What the commands of journeys need from outside. */
export interface JourneyPorts {
  readonly facts: JourneyFacts;
  readonly calls: JourneyCalls;
  readonly past: JourneyPast;
}

declare module '../runtime/ports.js' {
  interface CommandPorts {
    readonly journeys: JourneyPorts;
  }
}
