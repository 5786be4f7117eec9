/** What happens to a contact, as journeys see it: it starts them, ends waits, and makes contacts leave. */

import type { SealedContactEvent } from '../../../domain/contacts/contact.js';
import { quietCauseOf } from '../../../domain/contacts/quiet-cause.js';
import type { SealedCustomEvent } from '../../../domain/events/custom-event.js';
import type { SealedSubmissionEvent } from '../../../domain/forms/submission.js';
import type { ContactSignal } from '../../../domain/journeys/contact-signal.js';
import { entryKeyText } from '../../../domain/journeys/entry.js';
import { PROPERTY_PREFIX } from '../../../domain/journeys/triggers.js';
import type { SealedMembershipEvent } from '../../../domain/lists/membership.js';
import type { MembershipsChanged } from '../../../domain/segments/live/recorded.js';
import { matchesWhere, propertyOf } from '../../../domain/segments/meaning.js';
import type { Condition } from '../../../domain/segments/rule.js';
import { hashId } from '../../runtime/ids.js';
import type { LogEvent } from '../../runtime/log-event.js';
import { openedFieldsOf } from '../../vault/personal-fields.js';

type ListSubscribed = Extract<SealedMembershipEvent, { type: 'ListSubscribed' | 'ListResubscribed' }>;
type ContactCreated = Extract<SealedContactEvent, { type: 'ContactCreated' }>;
type FormEvent = Extract<SealedSubmissionEvent, { type: 'FormSubmitted' | 'FormSubmissionConfirmed' }>;
export type SignalEvent = SealedCustomEvent | ListSubscribed | ContactCreated | MembershipsChanged | FormEvent;
/** A change of a contact, which may be its confirmation. */
export type ContactConfirmed = Extract<SealedContactEvent, { type: 'ContactUpdated' }>;

export const signalTypes = [
  'CustomEventRecorded',
  'CustomEventTried',
  'ListSubscribed',
  'ListResubscribed',
  'ContactCreated',
  'SegmentMembershipsChanged',
  'FormSubmitted',
  'FormSubmissionConfirmed',
] as const satisfies readonly SignalEvent['type'][];

const noProperties = { meets: (where: readonly Condition[] | undefined) => (where ?? []).length === 0, keyAt: () => null };

/** What an event of the log says about its contact. */
export function contactSignalsOf(stored: LogEvent<SignalEvent>): ContactSignal[] {
  const { event, id, meta } = stored;
  const event_id = hashId('evt', id);
  const origin = quietOrigin(meta);
  switch (event.type) {
    case 'CustomEventRecorded':
    case 'CustomEventTried': {
      const { contact_id, event_id: own, name, occurred_at } = event.data;
      // Whether it is late itself is decided where it would start a journey, and recorded there.
      const contactSignal = { contact_id, trigger_id: own, occurred_at, target: null, origin: 'direct' as const, ...propertiesIn(stored) };
      return [{ ...contactSignal, started_by: { type: 'event', name, event_id: own } }];
    }
    case 'ListSubscribed':
    case 'ListResubscribed': {
      const { contact_id, list_id: target, at: occurred_at } = event.data;
      return [
        {
          contact_id,
          trigger_id: id,
          occurred_at,
          target,
          origin,
          ...noProperties,
          started_by: { type: 'list_added', name: null, event_id },
        },
      ];
    }
    case 'ContactCreated':
      return [createdSignal({ ...stored, event }, event.data.basis?.unconfirmed ? 'unconfirmed' : origin)];
    case 'SegmentMembershipsChanged': {
      const { contact_id, changes } = event.data;
      return changes.map(({ segment_id: target, change, cause, imported, late, reread, at: occurred_at }, i) => ({
        ...{ contact_id, trigger_id: `${id}/${i}`, occurred_at, target, ...noProperties },
        origin: reread ? 'reread' : cause === 'rule_change' ? 'rule_change' : imported ? 'import' : late ? 'late' : 'direct',
        started_by: { type: `segment_${change}`, name: null, event_id },
      }));
    }
    case 'FormSubmitted':
      // With double opt-in the confirmation counts; what is sent again within a minute does not.
      return event.data.double_opt_in || event.data.duplicate_of !== null ? [] : [ofForm(event.data, event_id)];
    case 'FormSubmissionConfirmed':
      return [ofForm(event.data, event_id)];
    default:
      return event satisfies never;
  }
}

function createdSignal({ event, id }: LogEvent<ContactCreated | ContactConfirmed>, origin: ContactSignal['origin']): ContactSignal {
  const { contact_id, at: occurred_at } = event.data;
  const started_by = { type: 'contact_created', name: null, event_id: hashId('evt', id) };
  return { contact_id, trigger_id: id, occurred_at, target: null, origin, ...noProperties, started_by };
}

/** A contact that only an unconfirmed request had made counts as created when that ends. Null for every other change. */
export const confirmedSignalOf = (stored: LogEvent<ContactConfirmed>): ContactSignal | null =>
  stored.event.data.confirmed ? createdSignal(stored, quietOrigin(stored.meta)) : null;

const quietOrigin = (meta: LogEvent['meta']): ContactSignal['origin'] => quietCauseOf(meta) ?? 'direct';

function ofForm({ contact_id, form_id: target, submission_id, at: occurred_at }: FormEvent['data'], event_id: string): ContactSignal {
  const started_by = { type: 'form_submitted', name: null, event_id };
  return { contact_id, trigger_id: submission_id, occurred_at, target, origin: 'direct', ...noProperties, started_by };
}

function propertiesIn(stored: LogEvent<SignalEvent>): Pick<ContactSignal, 'meets' | 'keyAt'> {
  return {
    meets: (where) => (where ?? []).length === 0 || openedFieldsOf(stored).decide(({ properties }) => matchesWhere(where, properties)),
    keyAt: (path) => openedFieldsOf(stored).hash(({ properties }) => entryKeyText(propertyOf(properties, path.slice(PROPERTY_PREFIX.length)))),
  };
}
