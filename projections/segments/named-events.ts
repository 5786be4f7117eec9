import { hashId } from '../../log/runtime/ids.js';
import type { LogEvent } from '../../log/runtime/log-event.js';

/** An event as an explanation names it. */
export interface NamedEvent {
  readonly id: string;
  /** The type of an event of the service, or the name of a custom event. */
  readonly type: string;
  readonly occurred_at: string;
}

/** The events that an explanation may name, by the id under which callers know them. */
export class NamedEvents {
  readonly #events = new Map<string, NamedEvent>();

  /** Returns the id. */
  note({ id: logId, event }: Pick<LogEvent, 'id' | 'event'>, occurred_at: string): string {
    return this.add({ id: hashId('evt', logId), type: event.type, occurred_at });
  }

  add(event: NamedEvent): string {
    this.#events.set(event.id, event);
    return event.id;
  }

  of(ids: readonly string[]): NamedEvent[] {
    return ids.flatMap((id) => this.#events.get(id) ?? []);
  }
}
