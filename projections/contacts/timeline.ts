import { consentStream } from '../../domain/consent/consent.js';
import { contactStream } from '../../domain/contacts/contact.js';
import { allAddressKeysOf, shownName } from '../../domain/contacts/other-addresses.js';
import { membershipStream } from '../../domain/lists/membership.js';
import { suppressionStream } from '../../domain/suppressions/suppression.js';
import type { UnifiedContact } from '../../log/aggregates/contacts/load-contact.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import { hashId } from '../../log/runtime/ids.js';
import type { LogEvent } from '../../log/runtime/log-event.js';

export const timelineKinds = ['contact', 'consent', 'list', 'suppression', 'message', 'inbound', 'event'] as const;
export type TimelineKind = (typeof timelineKinds)[number];

/** An event of a contact, or of one that is merged into it. */
export interface TimelineEntry {
  readonly id: string;
  readonly kind: TimelineKind;
  /** Type of the event. */
  readonly type: string;
  /** The contact of the event; null for events of an address. */
  readonly contact_id: string | null;
  readonly occurred_at: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** `cursor`: time and position, which order the entries of all kinds. */
export interface EntryWithCursor {
  readonly entry: TimelineEntry;
  readonly cursor: string;
}

/** Fields that an entry shows elsewhere or that mean nothing to callers. */
const OWN_FIELDS = new Set(['contact_id', 'at', 'occurred_at', 'keys', 'said', 'values', 'personal', 'address_key', 'suppression_id', 'cause']);

/** All events of a contact and of all that is merged into it, from the log. */
export async function loadTimeline(log: EventLog, { members }: UnifiedContact): Promise<EntryWithCursor[]> {
  const streams: (readonly [TimelineKind, string])[] = [
    ...members.flatMap(
      ({ id }) =>
        [
          ['contact', contactStream(id)],
          ['consent', consentStream(id)],
          ['list', membershipStream(id)],
        ] as const,
    ),
    ...allAddressKeysOf(members).map(({ key }) => ['suppression', suppressionStream(key)] as const),
  ];
  const read = await Promise.all(streams.map(async ([kind, stream]) => ((await log.read(stream)) ?? []).map((event) => entryOf(kind, event))));
  return read.flat();
}

/** The values of an event by the names that they have in requests: further addresses as lists. */
function shownValues(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const lists = new Map<string, unknown[]>();
  const shown = Object.entries(values).filter(([name, value]) => {
    const list = shownName(name);
    if (list === name) return true;
    lists.set(list, [...(lists.get(list) ?? []), value]);
    return false;
  });
  return Object.fromEntries([...shown, ...lists]);
}

function entryOf(kind: TimelineKind, { event, id, position, meta }: LogEvent): EntryWithCursor {
  const data = event.data as Record<string, unknown>;
  const { contact_id = null, at = meta.occurredAt, occurred_at = at, values, personal } = data;
  const shown = Object.entries(data).filter(([field, value]) => !OWN_FIELDS.has(field) && value !== null);
  const entry: TimelineEntry = {
    id: hashId('evt', id),
    kind,
    type: event.type,
    contact_id: contact_id as string | null,
    occurred_at: occurred_at as string,
    data: {
      ...Object.fromEntries(shown),
      ...(kind === 'contact' && values !== undefined && { values: shownValues({ ...(values as object), ...(personal as object) }) }),
      ...(Array.isArray(data.cleared) && { cleared: [...new Set(data.cleared.map(String).map(shownName))] }),
    },
  };
  return { entry, cursor: `${at}/${position}` };
}
