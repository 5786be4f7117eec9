import Type from 'typebox';
import { identityWarning } from '../../domain/contacts/identity.js';
import { anyRecord, count, flag, list, named, optional, record, text, time } from '../../domain/kernel/schema.js';
import { itemErrors } from '../http/shared-schemas.js';

export const recordedEvent = named(
  'RecordedEvent',
  record({
    id: text,
    contact_id: text,
    /** Whether the contact was created. */
    contact_created: flag,
    accepted_at: time,
    /** Fields that have no effect, as texts; and what belongs to other contacts. */
    warnings: optional(list(Type.Union([text, identityWarning]))),
  }),
);

export const recordedEvents = named(
  'RecordedEvents',
  record({
    received: count,
    accepted: count,
    rejected: count,
    events: list(named('RecordedBatchEvent', record({ index: count, ...recordedEvent.properties }))),
    ...itemErrors,
  }),
);

export const customEventResource = named(
  'CustomEvent',
  record({
    id: text,
    contact_id: text,
    event: text,
    properties: anyRecord,
    occurred_at: time,
    accepted_at: time,
    /** If true, the properties can no longer be read and are empty. */
    erased: flag,
  }),
);
