import type { AnyEvent, EventType } from '../../domain/kernel/event.js';
import { ownField, setOwnField } from '../../domain/kernel/own-fields.js';
import type {
  Append,
  AppendPosition,
  Checkpoint,
  EventStore,
  ExpectedRevision,
  NewEvent,
  ReadOptions,
  RecordedEvent,
  WrongExpectedRevision,
} from '../../domain/kernel/ports.js';
import { OutcomeUnknown } from '../../domain/kernel/ports.js';
import { AggregateCache, type AggregateSnapshots } from '../snapshots/aggregate-snapshots.js';
import { otherSpellingKeys } from '../vault/address-keys.js';
import { OpenedFields, replaceSealedFields, sealedFieldsIn, withSealedFields } from '../vault/personal-fields.js';
import { keyMissing, type OpenedText, type Vault } from '../vault/vault.js';
import type { EventTypeRegistry } from './event-type-registry.js';
import { eventId } from './ids.js';
import type { LogEvent, LogPage, Metadata } from './log-event.js';
import { overlayStore } from './overlay-store.js';

export type AppendCause = Pick<
  Metadata,
  '$correlationId' | '$causationId' | 'account' | 'actor' | 'occurredAt' | 'key' | 'fingerprint' | 'origin' | 'test'
> & {
  readonly invocation: string;
};

export interface EventAppend {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: readonly AnyEvent[];
}

/** A chain of appends: each is made only after the one before it. */
export interface CausedAppends {
  readonly cause: AppendCause;
  readonly appends: readonly EventAppend[];
}

/** From what the event ids of one cause derive, and its metadata by event type. */
interface Envelope {
  readonly invocation: string;
  readonly metadata: (type: string) => string;
}

/** Distinguishes hashed values from addresses, which never contain this character. */
export const HASHED_VALUE = '\0';
/** Few, since a caller waits for them and can repeat the whole request. */
const APPEND_ATTEMPTS = 3;

/** Of an event, in its metadata: read without parsing the whole. */
const SCHEMA_VERSION = /"schemaVersion":\s*(\d+)/;

/**
 * The event log of the application, over an engine's event store: events are values of known types, old versions are upcast on
 * read, personal fields are sealed on append and opened on read.
 */
export class EventLog {
  constructor(
    readonly store: EventStore,
    private readonly vault: Vault,
    private readonly types: EventTypeRegistry,
    /** States of long streams; null for a log that is read for a moment only. */
    readonly aggregateCache: AggregateCache | null = new AggregateCache(),
    /** Where those states are found after a start; null where they are not stored. */
    readonly snapshots: AggregateSnapshots | null = null,
  ) {}

  /** The keys of the other spellings of a phone number of an account. */
  otherSpellingKeys(account: string, phone: string): string[] {
    return otherSpellingKeys(this.vault, account, phone);
  }

  /** An overlay over this log for dry runs: appends stay in memory, are visible only there, and create no keys. */
  overlay(): EventLog {
    return new OverlayLog(overlayStore(this.store), this.vault, this.types, null);
  }

  /** Seals the personal fields, derives the event ids, and appends. An event that is sealed already stays as it is. */
  async append(stream: string, expected: ExpectedRevision, events: readonly AnyEvent[], cause: AppendCause): Promise<AppendPosition> {
    const append = this.toAppend({ stream, expected, events: await this.seal(events) }, this.envelopeOf(cause));
    return retryUnknownOutcome(() => this.store.append(stream, expected, append.events));
  }

  /** The same for many chains, each with its own cause (see EventStore.appendAll). All events are sealed with one call. */
  async appendAll(chains: readonly CausedAppends[]): Promise<(AppendPosition | WrongExpectedRevision)[]> {
    const sealed = await this.seal(chains.flatMap(({ appends }) => appends.flatMap(({ events }) => events)));
    let from = 0;
    const next = (count: number): readonly AnyEvent[] => {
      from += count;
      return sealed.slice(from - count, from);
    };
    const named = chains.map(({ cause, appends }) => {
      const signing = this.envelopeOf(cause);
      return appends.map((append) => this.toAppend({ ...append, events: next(append.events.length) }, signing));
    });
    return retryUnknownOutcome(() => this.store.appendAll(named));
  }

  private toAppend({ stream, expected, events }: EventAppend, { invocation, metadata }: Envelope): Append {
    const first = expected === 'no-stream' ? 0 : expected + 1;
    const newEvents = events.map(
      (event, i): NewEvent => ({
        id: eventId(invocation, stream, first + i),
        type: event.type,
        data: JSON.stringify(event.data),
        metadata: metadata(event.type),
      }),
    );
    return { stream, expected, events: newEvents };
  }

  /** Events of one cause differ in their metadata by the version of their type alone. */
  private envelopeOf({ invocation, ...given }: AppendCause): Envelope {
    const byVersion = new Map<number, string>();
    const metadata = (type: string): string => {
      const { version } = this.types.get(type);
      const known = byVersion.get(version) ?? JSON.stringify({ ...given, schemaVersion: version } satisfies Metadata);
      byVersion.set(version, known);
      return known;
    };
    return { invocation, metadata };
  }

  /** The stream with personal fields opened, or null where there is none. */
  async read<E extends AnyEvent = AnyEvent>(stream: string, options?: ReadOptions): Promise<LogEvent<E>[] | null> {
    const sealed = await this.readSealed(stream, options);
    return sealed && ((await this.open(sealed)) as LogEvent<E>[]);
  }

  async readSealed(stream: string, options?: ReadOptions): Promise<LogEvent[] | null> {
    const recorded = await this.store.read(stream, options);
    return recorded === 'not-found' ? null : recorded.map((r) => this.decode(r));
  }

  async *subscribe(after: Checkpoint, signal: AbortSignal, limit?: number): AsyncIterable<LogPage> {
    for await (const page of this.store.subscribe(after, signal, limit)) yield { ...page, events: page.events.map((r) => this.decode(r)) };
  }

  /** `maxBytes` as in EventStore.readAll. */
  async readAll(after: Checkpoint, limit: number, maxBytes?: number): Promise<LogPage> {
    const page = await this.store.readAll(after, limit, maxBytes);
    return { ...page, events: page.events.map((r) => this.decode(r)) };
  }

  /** Throws UnknownEventType where a newer release wrote the event: a release that passed over it would act on half of what happened. */
  requireKnown({ type, metadata }: Pick<RecordedEvent, 'type' | 'metadata'>): void {
    this.types.requireKnown(type, Number(SCHEMA_VERSION.exec(metadata)?.[1] ?? 0));
  }

  /** Parses a stored event and upcasts it to the present version. Throws where that is impossible: a poison event. */
  decode(recorded: RecordedEvent): LogEvent {
    const meta = JSON.parse(recorded.metadata) as Metadata;
    const event = this.types.upcast(recorded.type, meta.schemaVersion, JSON.parse(recorded.data));
    return { event, stream: recorded.stream, revision: recorded.revision, position: recorded.position, id: recorded.id, meta };
  }

  /** Opens the sealed fields of events, or of documents that hold sealed events. */
  async open<T extends { readonly event: AnyEvent }>(stored: readonly T[]): Promise<T[]> {
    const boxes: string[] = [];
    for (const { event } of stored) for (const holder of this.holders(event)) if (holder.sealed !== undefined) boxes.push(holder.sealed);
    if (boxes.length === 0) return [...stored];
    const opened = await this.vault.open(boxes);
    let next = 0;
    const openHolder = (type: EventType, holder: PersonalHolder): PersonalHolder => {
      if (holder.sealed === undefined) return holder;
      const { sealed: _, ...plain } = holder;
      const text = opened[next++];
      return { ...plain, ...this.fieldsOf(type, text ?? null) };
    };
    return stored.map((s) => {
      const type = this.types.get(s.event.type);
      if (!type.personal) return s;
      const { each } = type.personal;
      const data = s.event.data as PersonalHolder;
      const open = each
        ? { ...data, [each]: (ownField(data, each) as PersonalHolder[]).map((holder) => openHolder(type, holder)) }
        : openHolder(type, data);
      return { ...s, event: { type: s.event.type, data: open } };
    });
  }

  /** The key of an address of an account, by which its streams are found. */
  addressKey(account: string, address: string): string {
    return this.vault.key(account, address);
  }

  /** Seals contents, each under the key of its subject; `openBoxes` opens them. */
  sealBoxes(items: readonly { readonly subject: string; readonly content: Record<string, unknown> }[]): Promise<string[]> {
    return this.vault.seal(items.map(({ subject, content }) => ({ subject, plain: JSON.stringify(content) })));
  }

  /** Opens the personal fields of sealed events, to decide by them; all boxes with one call. */
  async openFields(stored: readonly LogEvent[]): Promise<OpenedFields[]> {
    const boxes = stored.flatMap(({ event }) => this.holders(event).flatMap(({ sealed }) => sealed ?? []));
    const opened = (await this.openBoxes(boxes)).values();
    return stored.map(({ event, meta }) => {
      const { personal } = this.types.get(event.type);
      const hashOf = (text: string): string => this.vault.key(meta.account, `${HASHED_VALUE}${text}`);
      const fieldsOf = (holder: PersonalHolder): OpenedFields => {
        const fields = holder.sealed === undefined ? holder : (opened.next().value ?? null);
        const subject = String(ownField(holder, personal?.subject ?? ''));
        return new OpenedFields({ subject, fields }, hashOf, [], (phone) => this.otherSpellingKeys(meta.account, phone));
      };
      const own = this.holders(event).map(fieldsOf);
      return personal?.each || own[0] === undefined ? new OpenedFields(null, hashOf, own) : own[0];
    });
  }

  /** Removes the keys of erased subjects from the cache: their boxes no longer open. */
  forgetKeys(subjects: readonly string[]): void {
    for (const subject of subjects) this.vault.evict(subject);
  }

  /**
   * Opens single boxes, as documents hold them. Null for a box whose key is destroyed. Where a key is missing: the fields of the event
   * type that the boxes are from, each `<key_missing>`, or null without a type.
   */
  async openBoxes(boxes: readonly string[], type?: string): Promise<(Record<string, unknown> | null)[]> {
    const unreadable = type === undefined ? null : this.types.keyMissing(this.types.get(type));
    return (await this.vault.open(boxes)).map((text) =>
      text === keyMissing ? unreadable : text === null ? null : (JSON.parse(text) as Record<string, unknown>),
    );
  }

  private fieldsOf(type: EventType, text: OpenedText): Record<string, unknown> {
    if (text === keyMissing) return this.types.keyMissing(type);
    return text === null ? this.types.erased(type) : (JSON.parse(text) as Record<string, unknown>);
  }

  /** A sealed event with a `SealedField` in place of each personal field. */
  withSealedFields<E extends AnyEvent>(stored: LogEvent<E>): LogEvent<E> {
    return { ...stored, event: withSealedFields(this.types.get(stored.event.type), stored.event) as E };
  }

  /** A state with the values of its sealed fields. Each box is opened once. */
  async openSealedFields<S>(state: S): Promise<S> {
    const boxes = [...new Set(sealedFieldsIn(state).map(({ box }) => box))];
    if (boxes.length === 0) return state;
    const opened = await this.vault.open(boxes);
    const byBox = new Map<string, OpenedText>(boxes.map((box, i) => [box, opened[i] ?? null]));
    const parsed = new Map<string, Record<string, unknown>>();
    return replaceSealedFields(state, (field) => {
      const text = byBox.get(field.box) ?? null;
      // The text of a box is the same for all of its fields; without it, the type says what there is.
      const fields = parsed.get(field.box) ?? this.fieldsOf(this.types.get(field.type), text);
      if (typeof text === 'string') parsed.set(field.box, fields);
      return field.valueIn(fields);
    }) as S;
  }

  /** The personal fields of an event type after their key is destroyed. */
  erased(type: string): Record<string, unknown> {
    return this.types.erased(this.types.get(type));
  }

  /** The same events with their personal fields sealed; `append` accepts them. Sealed ones stay as they are. */
  async seal(events: readonly AnyEvent[]): Promise<AnyEvent[]> {
    const items: { subject: string; plain: string }[] = [];
    const closing: PersonalHolder[] = [];
    const sealed = events.map((event) => {
      const { personal } = this.types.get(event.type);
      if (!personal) return event;
      const close = (holder: PersonalHolder): PersonalHolder => {
        if (holder.sealed !== undefined) return holder;
        const { plain, open } = splitPersonal(holder, personal.fields);
        items.push({ subject: String(ownField(holder, personal.subject)), plain: JSON.stringify(open) });
        closing.push(plain);
        return plain;
      };
      const data = event.data as PersonalHolder;
      const { each } = personal;
      return { type: event.type, data: each ? { ...data, [each]: (ownField(data, each) as PersonalHolder[]).map(close) } : close(data) };
    });
    if (items.length === 0) return sealed;
    const boxes = await this.vault.seal(items);
    closing.forEach((plain, i) => {
      plain.sealed = boxes[i] as string;
    });
    return sealed;
  }

  /** The objects of an event that carry personal fields: its data, or each element of the list that its type names. */
  private holders(event: AnyEvent): PersonalHolder[] {
    const { personal } = this.types.get(event.type);
    if (!personal) return [];
    const data = event.data as PersonalHolder;
    return personal.each ? (ownField(data, personal.each) as PersonalHolder[]) : [data];
  }
}

/** Repeats the identical append where its outcome is unknown. */
async function retryUnknownOutcome<T>(append: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await append();
    } catch (e) {
      if (!(e instanceof OutcomeUnknown) || attempt === APPEND_ATTEMPTS) throw e;
    }
  }
}

/** Personal fields stay unsealed, since they stay in memory. */
class OverlayLog extends EventLog {
  override seal(events: readonly AnyEvent[]): Promise<AnyEvent[]> {
    return Promise.resolve([...events]);
  }
}

/** An object without its personal fields, and those. */
function splitPersonal(holder: PersonalHolder, personal: readonly string[]): { plain: PersonalHolder; open: PersonalHolder } {
  const plain: PersonalHolder = {};
  const open: PersonalHolder = {};
  for (const key in holder) setOwnField(personal.includes(key) ? open : plain, key, ownField(holder, key));
  return { plain, open };
}

interface PersonalHolder {
  [field: string]: unknown;
  sealed?: string;
}
