import type { AnyEvent } from '../../domain/kernel/event.js';
import type { Doc, Partition } from '../../domain/kernel/ports.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import type { LogEvent } from '../../log/runtime/log-event.js';
import { erasedSubjects, keyDestructions, openedFieldsOf } from '../../log/vault/personal-fields.js';
import type { OpenedFieldsSpec, Projection, View } from './projection.js';

/**
 * A projection that decides by personal fields. It also handles erasures: they remove what was decided for their subjects, so that
 * a rebuild, which can no longer open those fields, gives the same documents. While an erasure runs, between the destruction of the
 * keys and its record, the two may differ. Where it is divided, the keys are the data subjects of its documents, unless
 * `partitionsOfErasure` gives others.
 */
export function openedProjection<E extends AnyEvent>(projection: Projection<E>, opens: OpenedFieldsSpec<E>): Projection<E> {
  const { handles, partitionsOf, reads, readsMore, apply } = projection;
  const own = new Set<string>(handles);
  const ofErasure = opens.partitionsOfErasure ?? ((stored) => erasedSubjects(stored.event));
  return {
    ...projection,
    opens,
    handles: [...new Set<string>([...handles, ...keyDestructions])],
    ...(partitionsOf && { partitionsOf: (stored) => (own.has(stored.event.type) ? partitionsOf(stored) : ofErasure(stored)) }),
    reads: (stored, partition) => (own.has(stored.event.type) ? reads(stored, partition) : []),
    ...(readsMore && { readsMore: (stored, view) => (own.has(stored.event.type) ? readsMore(stored, view) : []) }),
    apply: (stored, view) => {
      if (own.has(stored.event.type)) apply(stored, view);
    },
  };
}

/**
 * Opens the personal fields of a page with one call. What is erased as of the end of the page is not opened: its documents are
 * removed within the page, and a key in the cache could open later events that no rebuild can.
 */
export async function openPage({ types }: OpenedFieldsSpec, page: readonly LogEvent[], log: EventLog): Promise<LogEvent[]> {
  log.forgetKeys(page.flatMap(({ event }) => erasedSubjects(event)));
  const named = new Set<string>(types);
  const sealed = page.filter(({ event }) => named.has(event.type));
  const fields = (await log.openFields(sealed)).values();
  return page.map((stored) => {
    const opened = named.has(stored.event.type) ? fields.next().value : undefined;
    return opened ? { ...stored, opened } : stored;
  });
}

/**
 * The view of one event in a projection that opens personal fields. Throws where a document would depend on such fields and not be
 * removed together with them.
 */
export class SubjectView implements View {
  /** Whether what is written depends on personal fields. */
  #depends: boolean;
  readonly #subjects: readonly string[] | null;

  constructor(
    private readonly view: View,
    private readonly opens: OpenedFieldsSpec,
    stored: LogEvent,
  ) {
    this.#depends = opens.types.includes(stored.event.type);
    this.#subjects = this.#depends ? openedFieldsOf(stored).subjects : null;
  }

  get partition(): Partition {
    return this.view.partition;
  }

  isLoaded(collection: string, id: string): boolean {
    return this.view.isLoaded(collection, id);
  }

  get<D extends Doc>(collection: string, id: string): D | undefined {
    if (this.opens.collections.includes(collection)) this.#depends = true;
    return this.view.get<D>(collection, id);
  }

  put(collection: string, doc: Doc): void {
    this.#check(collection, doc.id, doc);
    this.view.put(collection, doc);
  }

  remove(collection: string, id: string): void {
    this.#check(collection, id);
    this.view.remove(collection, id);
  }

  #check(collection: string, id: string, doc?: Doc): void {
    if (!this.#depends) return;
    if (!this.opens.collections.includes(collection))
      throw new Error(`${collection}/${id} depends on personal fields: name its collection in 'opens'`);
    const further = (doc && this.opens.furtherSubjects?.(doc)) ?? [];
    if (this.#subjects?.some((subject) => id === subject || id.startsWith(`${subject}/`) || further.includes(subject)) === false)
      throw new Error(`${collection}/${id} depends on personal fields of a subject with which its id does not begin`);
  }
}
