/** What the commands of journeys need from outside. */
import type { PastEvent } from '../../domain/segments/history.js';
import type { Rule } from '../../domain/segments/rule.js';
import type { EventLog } from '../../log/event-log.js';
import { dependency } from '../dependency.js';

/** For a dry run: another log, another time, and custom events that would have happened by then. */
export interface Supposed {
  readonly log: EventLog;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly events: readonly PastEvent[];
}

/** What is known of a contact beyond its own streams. */
export interface JourneyFacts {
  /** Which of the rules hold now, over everything that is in the log. The contact is a root. */
  holds(account: string, contactId: string, rules: readonly Rule[], supposed?: Supposed): Promise<readonly boolean[]>;
}
export const journeyFacts = dependency<JourneyFacts>('facts of journeys');

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
export const journeyCalls = dependency<JourneyCalls>('calls of journeys');
