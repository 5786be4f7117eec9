import type { RecordedEvent } from '../../commands/events/append-custom-event.js';
import { anyRecord, count, flag, list, named, record, text, time } from '../../domain/kernel/schema.js';
import type { CustomEventView } from '../../projections/events/queries.js';
import { itemError } from '../kernel/shared-schemas.js';

export const recordedEvent = named(
  'RecordedEvent',
  record({
    id: text,
    contact_id: text,
    /** Whether nobody had the address before. */
    contact_created: flag,
    accepted_at: time,
  }),
);

export const recordedEvents = named(
  'RecordedEvents',
  record({
    received: count,
    accepted: count,
    rejected: count,
    events: list(named('RecordedBatchEvent', record({ index: count, ...recordedEvent.properties }))),
    errors: list(itemError),
  }),
);

export const customEvent = named(
  'CustomEvent',
  record({
    id: text,
    contact_id: text,
    event: text,
    properties: anyRecord,
    occurred_at: time,
    accepted_at: time,
    /** Then nobody can read the properties any more: they are empty. */
    erased: flag,
  }),
);

export const exampleRecordedEvent: RecordedEvent = {
  id: 'evt_01JHM4B3W6TQ8X2N5R7Y9Z0A1C',
  contact_id: 'con_01JHM4B3W6TQ8X2N5R7Y9Z0A1C',
  contact_created: false,
  accepted_at: '2026-01-15T10:30:00.000Z',
};

export const exampleEvent: CustomEventView = {
  id: exampleRecordedEvent.id,
  contact_id: exampleRecordedEvent.contact_id,
  event: 'purchase',
  properties: { value: 42.5, currency: 'EUR' },
  occurred_at: '2026-01-15T10:29:00.000Z',
  accepted_at: exampleRecordedEvent.accepted_at,
  erased: false,
};
