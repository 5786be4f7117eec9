/** The live stream of an inbox: what has changed in it, as the read model has it, in the order of the log. */
import { merge, Observable, Subject } from 'rxjs';
import { DomainError } from '../../domain/kernel/errors.js';
import type { Clock, Position, ReadModels } from '../../domain/kernel/ports.js';
import { findContact } from '../../log/aggregates/contacts/load-contact.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import type { InboxChange, InboxChanges } from './changes.js';
import { InboxNotifications } from './notifications.js';
import { inboxItems } from './projection.js';
import { inboxQueries } from './queries.js';

export interface LiveInboxParts {
  readonly log: EventLog;
  readonly views: ReadModels;
  readonly changes: InboxChanges;
  readonly clock: Clock;
}

/** One connection of a browser. */
export interface InboxListener {
  readonly account: string;
  readonly contact_id: string;
  /** The last position that the browser has; null where it begins now. */
  readonly after: Position | null;
  /** When its token expires, in milliseconds since 1970; null for never. */
  readonly until: number | null;
  readonly signal: AbortSignal;
}

/** Changes up to a position, as text. */
interface Page {
  readonly text: string;
  readonly reached: Position;
}

const MAX_ITEMS = 50;
/** Connections to one inbox on one node. */
const MAX_LISTENERS = 256;
/** Below the idle timeouts of usual proxies. */
const HEARTBEAT_MS = 20_000;
const RETRY_MS = 2_000;
const WAIT_MS = 5_000;
const UNAVAILABLE_MS = 500;
const HEARTBEAT = ': \n\n';

interface WatchedInbox {
  readonly changes: Subject<InboxChange['of']>;
  /** What its listeners asked for last: those of one inbox ask for the same. */
  readonly asked: Map<'page' | 'counts', { readonly key: string; readonly answer: Promise<unknown> }>;
  listeners: number;
}

/** All live streams of this process. They read each change once for all browsers of a contact, and no more than a browser takes. */
export class LiveInboxes {
  readonly #watched = new Map<string, WatchedInbox>();
  readonly #pending = new Map<string, InboxChange['of']>();
  readonly #queries: ReturnType<typeof inboxQueries>;
  #upTo: Position = '';
  #isPassing = false;

  constructor(private readonly parts: LiveInboxParts) {
    this.#queries = inboxQueries(parts);
    parts.changes.all().subscribe({ next: (change) => this.#note(change), complete: () => this.#end() });
  }

  /** The stream as text of server-sent events. Throws as `findContact` does, and `rate_limit_exceeded` beyond 256 streams of one contact. */
  async open(listener: InboxListener): Promise<AsyncGenerator<string>> {
    const [root = ''] = await this.#membersOf(listener);
    if ((this.#watched.get(root)?.listeners ?? 0) >= MAX_LISTENERS)
      throw new DomainError('rate_limit_exceeded', `This inbox has ${MAX_LISTENERS} open streams.`, {
        ...{ limit: MAX_LISTENERS, window: '1 minute', retry_after: 60 },
      });
    return this.#events(listener);
  }

  async *#events(listener: InboxListener): AsyncGenerator<string> {
    const { until, signal } = listener;
    const wakes = new InboxNotifications(this.parts.clock, signal);
    if (until !== null) wakes.endAt(until);
    const members = await this.#watch(listener, wakes);
    try {
      if (!members) return;
      let at = yield* this.#begun(listener.after, wakes);
      let counts = '';
      for (let why = 'items'; why !== 'end'; why = await wakes.next(HEARTBEAT_MS)) {
        if (why === 'contact' && !(await this.#isSame(listener, members))) return;
        for (let page = await this.#page(members, at); page.reached > at && !wakes.ended; page = await this.#page(members, at)) {
          at = page.reached;
          if (page.text === '') continue;
          counts = '';
          yield page.text;
        }
        const now = await this.#counts(members, at);
        if (now !== counts) yield frame('counts', at, now);
        else if (why === 'beat') yield HEARTBEAT;
        counts = now;
      }
    } finally {
      wakes.close();
    }
  }

  /**
   * The position that the stream goes on from. What was appended before the changes were watched wakes nobody: so the read model must have
   * it first. A position that no log has yet is not waited for.
   */
  async *#begun(after: Position | null, wakes: InboxNotifications): AsyncGenerator<string, Position> {
    yield `retry: ${RETRY_MS}\n\n`;
    const head = textOf(await this.parts.log.store.head());
    while (!wakes.ended && !(await this.#isReached(head))) yield HEARTBEAT;
    return after === null || after > head ? textOf(await this.#queries.reached()) : after;
  }

  /** The contact and all that is merged into it, the root first. */
  async #membersOf({ account, contact_id }: InboxListener): Promise<readonly string[]> {
    const { unified } = await findContact(this.parts.log, account, contact_id);
    return unified.members.map(({ id }) => id);
  }

  /** Null where the contact changes all the time, or is gone. The changes are watched from before the members are loaded. */
  async #watch(listener: InboxListener, wakes: InboxNotifications): Promise<readonly string[] | null> {
    const members = await this.#membersOf(listener).catch(() => null);
    if (!members) return null;
    wakes.listen(merge(...[...new Set([listener.contact_id, ...members])].map((id) => this.#changesOf(id))));
    return (await this.#isSame(listener, members)) ? members : null;
  }

  async #isSame(listener: InboxListener, members: readonly string[]): Promise<boolean> {
    const now = await this.#membersOf(listener).catch(() => []);
    return now.join() === members.join();
  }

  #page(members: readonly string[], after: Position): Promise<Page> {
    return this.#shared(members, 'page', after, async () => {
      const upTo = textOf(await this.#queries.reached());
      if (upTo <= after) return { text: '', reached: after };
      const { events, reached } = await this.#queries.events(members, after, upTo, MAX_ITEMS);
      const now = new Date(this.parts.clock.now()).toISOString();
      const shown = await this.#queries.show(events.map(({ doc }) => doc));
      const frames = events.map(({ kind, position, doc }, i) => (doc.expires > now ? frame(kind, position, JSON.stringify(shown[i])) : ''));
      return { text: frames.join(''), reached };
    });
  }

  #counts(members: readonly string[], at: Position): Promise<string> {
    const now = new Date(this.parts.clock.now()).toISOString();
    // Browsers that ask within a second get one answer.
    return this.#shared(members, 'counts', `${at}/${now.slice(0, 19)}`, async () => JSON.stringify(await this.#queries.counts(members, now)));
  }

  /** One answer for all listeners of an inbox that ask for the same at the same state of the read model. */
  async #shared<T>(members: readonly string[], what: 'page' | 'counts', key: string, ask: () => Promise<T>): Promise<T> {
    const watched = this.#watched.get(members[0] ?? '');
    if (!watched) return ask();
    const whole = `${members.join()}/${key}/${textOf(await this.#queries.reached())}`;
    const known = watched.asked.get(what);
    if (known?.key === whole) return known.answer as Promise<T>;
    const answer = ask();
    watched.asked.set(what, { key: whole, answer });
    answer.catch(() => watched.asked.delete(what));
    return answer;
  }

  #changesOf(id: string): Observable<InboxChange['of']> {
    return new Observable((subscriber) => {
      const watched = this.#watched.get(id) ?? { changes: new Subject<InboxChange['of']>(), asked: new Map(), listeners: 0 };
      this.#watched.set(id, watched);
      watched.listeners += 1;
      const subscription = watched.changes.subscribe(subscriber);
      return () => {
        subscription.unsubscribe();
        watched.listeners -= 1;
        if (watched.listeners === 0) this.#watched.delete(id);
      };
    });
  }

  #note({ of, contact_id, position }: InboxChange): void {
    if (!this.#watched.has(contact_id)) return;
    if (this.#pending.get(contact_id) !== 'contact') this.#pending.set(contact_id, of);
    if (position > this.#upTo) this.#upTo = position;
    if (!this.#isPassing) void this.#passOn();
  }

  /** Passes changes on once the read model has them. What comes meanwhile goes together. */
  async #passOn(): Promise<void> {
    this.#isPassing = true;
    while (this.#pending.size > 0) {
      const due = [...this.#pending];
      this.#pending.clear();
      while (!(await this.#isReached(this.#upTo)) && this.#watched.size > 0);
      for (const [id, of] of due) this.#watched.get(id)?.changes.next(of);
    }
    this.#isPassing = false;
  }

  async #isReached(position: Position): Promise<boolean> {
    if (position === '') return true;
    try {
      return await this.parts.views.waitUntilReached(inboxItems, position, WAIT_MS);
    } catch {
      await this.parts.clock.sleep(UNAVAILABLE_MS);
      return false;
    }
  }

  #end(): void {
    for (const { changes } of [...this.#watched.values()]) changes.complete();
  }
}

const textOf = (checkpoint: string): Position => (checkpoint === 'start' ? '' : checkpoint);

/** JSON has no line breaks. */
const frame = (event: 'message' | 'update' | 'counts', id: Position, data: string): string =>
  `${id === '' ? '' : `id: ${id}\n`}event: ${event}\ndata: ${data}\n\n`;
