/** What journeys react to: what starts them, what a wait waits for, and what makes contacts leave. */

import { annotate, boundedText, flag, list, named, oneOf, optional, rawSchema, record, type Static, text, time } from '../kernel/schema.js';
import { signedDuration, textPattern, wallTime } from '../kernel/text-patterns.js';
import { conditionSchema, messageAction } from '../segments/rule.js';

const type = <T extends string>(name: T) => rawSchema<T>({ type: 'string', const: name });
const id = boundedText({ minLength: 1, maxLength: 64 });

/** An ISO 8601 duration of weeks, days, hours, minutes and seconds. */
export const journeyDuration = boundedText({ minLength: 2, maxLength: 32 });
/** A time of day, `09:30`. */
export const timeOfDay = boundedText(wallTime);
/** A property of an event: `properties.cart_id`. Dots lead into objects. */
export const PROPERTY_PREFIX = 'properties.';
export const propertyPath = boundedText({
  maxLength: 256,
  ...textPattern('^properties\\..+$', 'Use the path of a property of the event, for example properties.cart_id.'),
});

const event = boundedText({ minLength: 1, maxLength: 128 });
const where = optional(list(conditionSchema, { maxItems: 20 }));
const includeExisting = optional(
  annotate(flag, {
    default: false,
    description: 'Also contacts that a change of the rules or an import moves, and those that are in the segment when the journey is published.',
  }),
);
const offset = optional(
  annotate(boundedText({ ...signedDuration, maxLength: 33 }), {
    description: 'A duration after that time, or before it: `-P3D`. Default: none.',
  }),
);

/** What starts a journey, by its `type`. */
export const triggerSchemas = {
  event: named('JourneyEventTrigger', record({ type: type('event'), event, where })),
  segment_entered: named(
    'JourneySegmentEnteredTrigger',
    record({ type: type('segment_entered'), segment_id: id, include_existing: includeExisting }),
  ),
  segment_left: named('JourneySegmentLeftTrigger', record({ type: type('segment_left'), segment_id: id, include_existing: includeExisting })),
  list_added: named('JourneyListTrigger', record({ type: type('list_added'), list_id: id })),
  contact_created: named('JourneyContactTrigger', record({ type: type('contact_created') })),
  form_submitted: named(
    'JourneyFormTrigger',
    record({ type: type('form_submitted'), form_id: optional(annotate(id, { description: 'Default: any form.' })) }),
  ),
  date: named(
    'JourneyDateTrigger',
    record({
      type: type('date'),
      field: annotate(boundedText({ minLength: 1, maxLength: 78 }), { description: 'A field of the contact of type date or datetime.' }),
      offset,
      time: optional(annotate(timeOfDay, { description: 'Local time of the contact. Default: the time of a datetime, 09:00 for a date.' })),
      repeat: optional(annotate(named('JourneyRepetition', oneOf('once', 'yearly')), { default: 'once' })),
    }),
  ),
  schedule: named(
    'JourneyScheduleTrigger',
    record({
      type: type('schedule'),
      at: optional(annotate(time, { description: 'Once, at this time. Either this or `cron`.' })),
      cron: optional(
        annotate(boundedText({ minLength: 1, maxLength: 100 }), {
          description: 'Minute, hour, day of the month, month, day of the week, in the time zone of the journey: `0 9 * * 1`.',
        }),
      ),
      segment_id: annotate(id, { description: 'Its contacts start the journey.' }),
    }),
  ),
  api: named('JourneyApiTrigger', record({ type: type('api') })),
} as const;
export type TriggerType = keyof typeof triggerSchemas;
export type TriggerOf<T extends TriggerType> = Static<(typeof triggerSchemas)[T]>;
export type Trigger = { [T in TriggerType]: TriggerOf<T> }[TriggerType];

/** What happens to a contact, by its `type`: waits, exits and goals. */
export const occurrenceSchemas = {
  event: named(
    'JourneyEventOccurrence',
    record({
      type: type('event'),
      event,
      where,
      key: optional(
        annotate(propertyPath, {
          description: 'A property of the event that must equal the key of the enrollment: only the enrollment of this cart leaves.',
        }),
      ),
    }),
  ),
  segment_entered: named('JourneySegmentEnteredOccurrence', record({ type: type('segment_entered'), segment_id: id })),
  segment_left: named('JourneySegmentLeftOccurrence', record({ type: type('segment_left'), segment_id: id })),
  list_added: named('JourneyListOccurrence', record({ type: type('list_added'), list_id: id })),
  form_submitted: named('JourneyFormOccurrence', record({ type: type('form_submitted'), form_id: optional(id) })),
  message: named(
    'JourneyMessageOccurrence',
    record({
      type: type('message'),
      action: messageAction,
      node: annotate(text, { description: 'A send node that comes before.' }),
    }),
  ),
} as const;
export type OccurrenceType = keyof typeof occurrenceSchemas;
export type OccurrenceOf<T extends OccurrenceType> = Static<(typeof occurrenceSchemas)[T]>;
export type Occurrence = { [T in OccurrenceType]: OccurrenceOf<T> }[OccurrenceType];
