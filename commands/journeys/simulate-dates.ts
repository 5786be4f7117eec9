/** When one contact would have started a journey by its dates, over what was really recorded of it. */
import { contactStream, type SealedContactEvent } from '../../domain/contacts/contact.js';
import { quietCauseOf } from '../../domain/contacts/quiet-cause.js';
import type { PlannedDate } from '../../domain/journeys/contact-date.js';
import { namesField } from '../../domain/journeys/date-times.js';
import { inOrderOfRecord, type PastContact, type PastRange, type PastSignal } from '../../domain/journeys/past.js';
import { isDomainError } from '../../domain/kernel/errors.js';
import { fullFieldName } from '../../domain/segments/fields.js';
import { type FoundContact, findContact } from '../../log/aggregates/contacts/load-contact.js';
import { recordedAt } from '../../log/aggregates/load-aggregate.js';
import type { LogEvent } from '../../log/runtime/log-event.js';
import type { Context } from '../runtime/command.js';
import { type DatedJourney, nextDate } from './contact-dates.js';
import { triggerOf } from './enroll-contact.js';
import type { JourneyContext } from './journey-context.js';

/** A change of one of the contacts, in the order of record. */
interface Change {
  readonly at: string;
  readonly event: SealedContactEvent;
  /** Of an import or a late event. */
  readonly quiet: boolean;
}

/** The starts by a date between two times, in order. The account's clocks count as they are now. */
export async function pastDates(about: JourneyContext, contact: PastContact, range: PastRange, context: Context): Promise<readonly PastSignal[]> {
  const { on: trigger } = triggerOf(about);
  return trigger.type === 'date' ? new Dates({ ...about, trigger }, contact, range, context).all() : [];
}

class Dates {
  readonly #found: PastSignal[] = [];
  /** By the contact that answers at the time. */
  readonly #planned = new Map<string, PlannedDate>();
  readonly #reached = new Map<string, Set<string>>();

  constructor(
    private readonly about: DatedJourney,
    private readonly contact: PastContact,
    private readonly range: PastRange,
    private readonly context: Context,
  ) {}

  async all(): Promise<readonly PastSignal[]> {
    const { from, to } = this.range;
    const changes = await this.#changes();
    for (const id of this.contact.members) await this.#plan(id, from);
    for (const change of changes) {
      if (change.at <= from || change.at > to) continue;
      // What happens at the very time is in the log before the date has its turn.
      await this.#pass((due) => due < change.at);
      await this.#change(change);
    }
    await this.#pass((due) => due <= to);
    return this.#found.sort(inOrderOfRecord);
  }

  async #changes(): Promise<readonly Change[]> {
    const streams = await Promise.all(this.contact.members.map((id) => this.context.log.readSealed(contactStream(id))));
    const stored = streams.flatMap((one) => one ?? []) as LogEvent<SealedContactEvent>[];
    return stored.map((one) => ({ at: recordedAt(one), event: one.event, quiet: quietCauseOf(one.meta) !== null })).sort(inOrderOfRecord);
  }

  async #change({ at, event, quiet }: Change): Promise<void> {
    switch (event.type) {
      case 'ContactCreated':
      case 'ContactUpdated':
        return this.#patched(event, at, quiet);
      case 'ContactMerged':
        return this.#moved(event.data.contact_id, event.data.into, at);
      case 'ContactUnmerged':
        return this.#moved(event.data.contact_id, event.data.from, at);
      default:
    }
  }

  async #patched(
    { type, data }: Extract<SealedContactEvent, { type: 'ContactCreated' | 'ContactUpdated' }>,
    at: string,
    quiet: boolean,
  ): Promise<void> {
    const field = fullFieldName(this.about.trigger.field);
    const root = (await this.#at(data.contact_id, at))?.root.id ?? data.contact_id;
    const isNew = type === 'ContactCreated' && field === 'created_at';
    if (isNew || namesField(data, field) || (this.#planned.has(root) && namesField(data, 'timezone')))
      await this.#plan(root, quiet ? new Date(Date.parse(at) + 1).toISOString() : at);
  }

  /** A merge began or ended: the dates of both are planned again, where one had any. */
  async #moved(contact: string, other: string, at: string): Promise<void> {
    if (!this.#planned.has(contact) && !this.#planned.has(other)) return;
    for (const id of [contact, other]) await this.#plan(id, at);
  }

  /** A contact that is part of another one, or does not exist, has no dates of its own. */
  async #plan(id: string, at: string): Promise<void> {
    const contact = await this.#at(id, at);
    const own = contact?.root.id === id ? contact : null;
    const reached = new Set(own?.unified.members.flatMap((member) => [...(this.#reached.get(member.id) ?? [])]));
    const next = own && (await nextDate(this.about, own, { since: Date.parse(at), reached }, this.context));
    if (next) this.#planned.set(id, next);
    else this.#planned.delete(id);
  }

  /** All that have their turn by then. */
  async #pass(isDue: (due_at: string) => boolean): Promise<void> {
    for (;;) {
      const due = [...this.#planned].filter(([, { due_at }]) => isDue(due_at)).sort(([, a], [, b]) => (a.due_at < b.due_at ? -1 : 1))[0];
      if (!due) return;
      const [contact_id, { occurrence, due_at: at }] = due;
      const started_by = { type: 'date', name: this.about.trigger.field, event_id: null };
      const about = { contact_id, trigger_id: occurrence, started_by, target: null, origin: 'direct' as const, properties: {} };
      this.#found.push({ ...about, occurred_at: at, at });
      this.#reached.set(contact_id, new Set([...(this.#reached.get(contact_id) ?? []), occurrence]));
      await this.#plan(contact_id, at);
    }
  }

  async #at(id: string, at: string): Promise<FoundContact | null> {
    try {
      return await findContact(this.context.log, this.context.cause.account, id, at);
    } catch (e) {
      if (isDomainError(e)) return null;
      throw e;
    }
  }
}
